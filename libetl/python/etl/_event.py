"""Events and their fields."""
from __future__ import annotations

import datetime
import json as _json
import uuid
from typing import Any, Dict, ItemsView, Iterator, KeysView, List, Optional, Type, TypeVar, ValuesView

from ._core import NO_ID, Error, WrongTypeError, blob, call, datetime_of, ffi, lib, text, unix_ns_of, uuid_of

_names: Dict[str, Any] = {}  # char[] of names of fields
_NULL = ffi.NULL
_T = TypeVar("_T")
_TYPES = {type(None): "no value", bool: "a Boolean", int: "an integer", float: "a floating-point number", str: "text",
          uuid.UUID: "a GUID", datetime.datetime: "a time", bytes: "bytes", list: "an array", dict: "a structure"}
_TEXTS = {lib.ETL_TYPE_ADDRESS: "an address", lib.ETL_TYPE_SID: "a SID"}


def _c_name(name: str) -> Any:
    known = _names.get(name)
    if known is None:
        if len(_names) > 10_000:
            _names.clear()
        known = _names[name] = ffi.new("char[]", name.encode("utf-8"))
    return known


def _time_of(filetime: int) -> Any:
    try:
        return datetime_of(filetime)
    except OverflowError:
        return filetime


def _guid_of(stored: bytes) -> uuid.UUID:
    return uuid.UUID(bytes_le=stored)


lib.etl_py_set_makers(ffi.cast("void *", id(_time_of)), ffi.cast("void *", id(_guid_of)))


class Event:
    """An event of a trace. A view: valid until the trace moves to the next event. To keep an event, use `to_dict()` or
    `json()`. Accesses after that raise Error."""

    __slots__ = ("_trace", "_event", "_number")

    def __init__(self, trace: Any, event: Any, number: int) -> None:
        self._trace = trace
        self._event = event
        self._number = number

    def _of(self) -> Any:
        """The event, if it is still the current one."""
        if self._number != self._trace._number:
            raise Error("the trace has moved on: keep event.to_dict() instead of the event", "invalid argument")
        return self._event

    def _header(self) -> Any:
        """Valid as long as the event."""
        event, trace = self._of(), self._trace
        if trace._header_number != self._number:
            call(lib.etl_event_get_header, event, trace._header)
            trace._header_number = self._number
        return trace._header

    @property
    def time_ns(self) -> Optional[int]:
        """Nanoseconds since 1970-01-01 UTC, exact to 100 ns; None if the record has no usable time."""
        found = lib.etl_event_time(self._of())
        return unix_ns_of(found) if found else None

    @property
    def time(self) -> Optional[datetime.datetime]:
        """UTC, exact to 1 microsecond; None if the record has no usable time."""
        found = lib.etl_event_time(self._of())
        return datetime_of(found) if found else None

    @property
    def name(self) -> str:
        """The best known name, or `EventID(12)`."""
        return self._trace._names_of(self._of())[1]

    @property
    def provider(self) -> str:
        """The best known name, or the GUID."""
        return self._trace._names_of(self._of())[0]

    @property
    def provider_id(self) -> uuid.UUID:
        return uuid_of(self._header().provider)

    @property
    def activity_id(self) -> Optional[uuid.UUID]:
        found = uuid_of(self._header().activity)
        return found if found.int else None

    @property
    def related_activity_id(self) -> Optional[uuid.UUID]:
        found = uuid_of(self._header().related_activity)
        return found if found.int else None

    @property
    def pid(self) -> Optional[int]:
        """Process ID; None if the record does not store it."""
        found = self._header().process_id
        return None if found == NO_ID else found

    @property
    def tid(self) -> Optional[int]:
        found = self._header().thread_id
        return None if found == NO_ID else found

    @property
    def cpu(self) -> int:
        """Processor number."""
        return self._header().processor

    @property
    def id(self) -> int:
        return self._header().id

    @property
    def version(self) -> int:
        return self._header().version

    @property
    def level(self) -> int:
        return self._header().level

    @property
    def opcode(self) -> int:
        return self._header().opcode

    @property
    def task(self) -> int:
        return self._header().task

    @property
    def channel(self) -> int:
        return self._header().channel

    @property
    def keyword(self) -> int:
        return self._header().keyword

    @property
    def level_name(self) -> str:
        """The name of the level in the schema, such as `Information`; empty if it has none."""
        return text(lib.etl_event_level(self._of()))

    @property
    def opcode_name(self) -> str:
        """The name of the opcode; empty if it has none."""
        return text(lib.etl_event_opcode(self._of()))

    @property
    def task_name(self) -> str:
        """The name of the task; empty if it has none."""
        return text(lib.etl_event_task(self._of()))

    @property
    def channel_name(self) -> str:
        """The name of the channel; empty if it has none."""
        return text(lib.etl_event_channel(self._of()))

    @property
    def computer(self) -> str:
        """The computer of an event from an event log; empty if the record contains none."""
        return text(lib.etl_event_computer(self._of()))

    @property
    def user(self) -> str:
        """The SID of the user, such as `S-1-5-18`; empty if the record contains none."""
        return text(lib.etl_event_user(self._of()))

    @property
    def is_decoded(self) -> bool:
        """Whether a schema was found; without one there are no fields, only the payload."""
        return self._header().is_decoded != 0

    @property
    def message(self) -> str:
        """The message with its values, as Windows renders it; empty if the schema has none."""
        return text(lib.etl_event_message(self._of()))

    @property
    def process(self) -> str:
        """The name of the process; empty if unknown, or if the trace was opened without `enrich`."""
        return text(lib.etl_event_process(self._of()))

    @property
    def problem(self) -> str:
        """How the payload contradicts its schema; empty if it does not."""
        return text(lib.etl_event_problem(self._of()))

    @property
    def assumption(self) -> str:
        """An assumption that may make values wrong; empty if none was made."""
        return text(lib.etl_event_assumption(self._of()))

    @property
    def payload(self) -> bytes:
        return blob(lib.etl_event_payload(self._of()))

    @property
    def stack(self) -> List[int]:
        """Addresses of the call stack, innermost first."""
        count = ffi.new("size_t *")
        stack = lib.etl_event_stack(self._of(), count)
        return list(ffi.unpack(stack, count[0])) if count[0] else []

    @property
    def frames(self) -> List[str]:
        """The names of the addresses of `stack`, with `enrich`."""
        return [text(lib.etl_event_frame(self._of(), i)) for i in range(len(self.stack))]

    def _value_of(self, field: Any) -> Any:
        return self._trace._slot.take(lib.etl_py_value, field)

    def _repeated(self, name: str) -> Dict[str, Any]:
        """Fields of which the library does not know the name: those called `name#2`."""
        return self.fields if "#" in name else {}

    def __getitem__(self, name: str) -> Any:
        """The value of a field: int, float, bool, str, bytes, datetime, UUID, list, dict, or None. KeyError: there is no
        such field."""
        field = lib.etl_event_field(self._of(), _c_name(name))
        return self._value_of(field) if field.node != _NULL else self._repeated(name)[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a field, or `default`."""
        field = lib.etl_event_field(self._of(), _c_name(name))
        return self._value_of(field) if field.node != _NULL else self._repeated(name).get(name, default)

    def value(self, name: str, kind: Type[_T]) -> _T:
        """The value of a field, which must be of a type: int, float (also of an integer), bool, str, bytes, datetime, UUID,
        list, or dict. KeyError: there is no such field. WrongTypeError: it has another type, or no value."""
        found: Any = self[name]
        if kind is float and type(found) is int:
            found = float(found)
        if type(found) is not kind:
            raise self._wrong_type(name, kind, found)
        return found

    def _wrong_type(self, name: str, kind: Any, found: Any) -> WrongTypeError:
        if kind not in _TYPES:
            raise TypeError(f"no field has the type {kind!r}")
        of = lib.etl_field_type(lib.etl_event_field(self._of(), _c_name(name)))
        what = "a time after the year 9999" if of == lib.ETL_TYPE_TIME and isinstance(found, int) else _TYPES[type(found)]
        if isinstance(found, str):
            what = _TEXTS.get(of, what)
        error = WrongTypeError(f"{name}: expected {_TYPES[kind]}, found {what}", "wrong type")
        error.field, error.found = name, what
        return error

    def text(self, name: str) -> str:
        """A field as Windows displays it, with names of enumerations. KeyError: there is no such field."""
        field = lib.etl_event_field(self._of(), _c_name(name))
        if field.node == _NULL:
            raise KeyError(name)
        return text(lib.etl_field_text(field))

    def __contains__(self, name: str) -> bool:
        return lib.etl_event_field(self._of(), _c_name(name)).node != _NULL or name in self._repeated(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def keys(self) -> KeysView[str]:
        """The names of the fields, so that `dict(event)` has all of them."""
        return self.fields.keys()

    def values(self) -> ValuesView[Any]:
        """The values of the fields."""
        return self.fields.values()

    def items(self) -> ItemsView[str, Any]:
        """The names and values of the fields."""
        return self.fields.items()

    @property
    def fields(self) -> Dict[str, Any]:
        """All fields by name, in the order of the payload. A repeated name is `name#2`."""
        return self._trace._slot.take(lib.etl_py_fields, self._of())

    def to_dict(self) -> Dict[str, Any]:
        """Header and fields as objects of Python, which stay valid."""
        event, trace = self._of(), self._trace
        provider, name = trace._names_of(event)
        return trace._slot.take(lib.etl_py_dict, event, started={"time": None, "provider": provider, "event": name})

    def json(self) -> str:
        """The line of `etl dump --format jsonl`."""
        return text(lib.etl_event_json(self._of()))

    def _title(self) -> str:
        time = self.time
        return f"{time.isoformat() if time else '-'} {self.provider}/{self.name}"

    def __repr__(self) -> str:
        if self._number != self._trace._number:
            return "<etl.Event of the past>"
        fields = " ".join(f"{name}={value!r}" for name, value in self.fields.items())
        return f"<etl.Event {self._title()} {fields}>".replace(" >", ">")

    def _repr_html_(self) -> str:
        from ._html import table
        rows = [[name, value] for name, value in self.fields.items()]
        return table(["field", "value"], rows, self._title())

    def _repr_json_(self) -> Any:
        return _json.loads(self.json())
