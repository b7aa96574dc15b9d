"""Events and their fields."""
from __future__ import annotations

import datetime
import json as _json
import uuid
from typing import Any, Dict, Iterator, List, Optional

from ._core import (NO_ID, Error, blob, datetime_of, ffi, lib, raise_error, text, unix_ns_of, uuid_of)

_names: Dict[str, Any] = {}  # char[] of names of fields
_NULL = ffi.NULL


def _c_name(name: str) -> Any:
    known = _names.get(name)
    if known is None:
        if len(_names) > 10_000:
            _names.clear()
        known = _names[name] = ffi.new("char[]", name.encode("utf-8"))
    return known


def _members(field: Any, value: Any) -> Dict[str, Any]:
    members: Dict[str, Any] = {}
    while field.node != _NULL:
        name = text(lib.etl_field_name(field))
        key, number = name, 1
        while key in members:  # as in JSON: a repeated name is `name#2`
            number += 1
            key = f"{name}#{number}"
        members[key] = value_of(field, value)
        field = lib.etl_field_next(field)
    return members


def _elements(field: Any, value: Any) -> List[Any]:
    elements = []
    while field.node != _NULL:
        elements.append(value_of(field, value))
        field = lib.etl_field_next(field)
    return elements


def _time_of(filetime: int) -> Any:
    try:
        return datetime_of(filetime)
    except OverflowError:
        return filetime


# By ETL_TYPE_...; the members of `as` of an etl_value.
_convert = {
    lib.ETL_TYPE_NULL: lambda of: None,
    lib.ETL_TYPE_BOOL: lambda of: of.boolean,
    lib.ETL_TYPE_UNSIGNED: lambda of: of.number,
    lib.ETL_TYPE_SIGNED: lambda of: of.integer,
    lib.ETL_TYPE_DOUBLE: lambda of: of.floating,
    lib.ETL_TYPE_TEXT: lambda of: text(of.text),
    lib.ETL_TYPE_GUID: lambda of: uuid_of(of.guid),
    lib.ETL_TYPE_TIME: lambda of: _time_of(of.time),
    lib.ETL_TYPE_BYTES: lambda of: blob(of.bytes),
}


def value_of(field: Any, value: Any) -> Any:
    """The value of a field as an object of Python. `value` is an `etl_value *` to use."""
    status = lib.etl_field_value(field, value, _NULL)
    if status != lib.ETL_OK:
        raise MemoryError if status == lib.ETL_NO_MEMORY else Error("no such field", "not found")
    kind = value.type
    if kind == lib.ETL_TYPE_STRUCT:
        return _members(lib.etl_field_first(field), value)
    if kind == lib.ETL_TYPE_ARRAY:
        return _elements(lib.etl_field_first(field), value)
    convert = _convert.get(kind)
    return convert(getattr(value, "as")) if convert else text(lib.etl_field_text(field))


class Event:
    """An event of a trace. A view: valid until the trace moves to the next event. To keep an event, use `to_dict()` or
    `json()`. Accesses after that raise Error."""

    __slots__ = ("_trace", "_event", "_number", "_header_")

    def __init__(self, trace: Any, event: Any, number: int) -> None:
        self._trace = trace
        self._event = event
        self._number = number
        self._header_ = None

    def _of(self) -> Any:
        """The event, if it is still the current one."""
        if self._number != self._trace._number:
            raise Error("the trace has moved on: keep event.to_dict() instead of the event", "invalid argument")
        return self._event

    def _header(self) -> Any:
        event = self._of()
        header = self._header_
        if header is None:
            header = ffi.new("etl_event_header *")
            header.struct_size = ffi.sizeof("etl_event_header")
            error = ffi.new("etl_error **")
            status = lib.etl_event_get_header(event, header, error)
            if status != lib.ETL_OK:
                raise_error(status, error)
            self._header_ = header
        return header

    @property
    def time_ns(self) -> int:
        """Nanoseconds since 1970-01-01 UTC; exact to 100 ns."""
        return unix_ns_of(lib.etl_event_time(self._of()))

    @property
    def time(self) -> datetime.datetime:
        """UTC, exact to 1 microsecond."""
        return datetime_of(lib.etl_event_time(self._of()))

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

    def __getitem__(self, name: str) -> Any:
        """The value of a field: int, float, bool, str, bytes, datetime, UUID, list, dict, or None. KeyError: there is no
        such field."""
        field = lib.etl_event_field(self._of(), _c_name(name))
        if field.node == _NULL:
            raise KeyError(name)
        return value_of(field, self._trace._value)

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a field, or `default`."""
        field = lib.etl_event_field(self._of(), _c_name(name))
        return default if field.node == _NULL else value_of(field, self._trace._value)

    def text(self, name: str) -> str:
        """A field as Windows displays it, with names of enumerations. KeyError: there is no such field."""
        field = lib.etl_event_field(self._of(), _c_name(name))
        if field.node == _NULL:
            raise KeyError(name)
        return text(lib.etl_field_text(field))

    def __contains__(self, name: str) -> bool:
        return lib.etl_event_field(self._of(), _c_name(name)).node != _NULL

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    @property
    def fields(self) -> Dict[str, Any]:
        """All fields by name, in the order of the payload. A repeated name is `name#2`."""
        return _members(lib.etl_event_fields(self._of()), self._trace._value)

    def to_dict(self) -> Dict[str, Any]:
        """Header and fields as objects of Python, which stay valid."""
        return {"time": self.time, "provider": self.provider, "event": self.name, "id": self.id,
                "version": self.version, "level": self.level, "keyword": self.keyword, "pid": self.pid,
                "tid": self.tid, "cpu": self.cpu, "data": self.fields}

    def json(self) -> str:
        """The line of `etl dump --format jsonl`."""
        return text(lib.etl_event_json(self._of()))

    def __repr__(self) -> str:
        if self._number != self._trace._number:
            return "<etl.Event of the past>"
        fields = " ".join(f"{name}={value!r}" for name, value in self.fields.items())
        return f"<etl.Event {self.time.isoformat()} {self.provider}/{self.name} {fields}>".replace(" >", ">")

    def _repr_html_(self) -> str:
        from ._html import table
        rows = [[name, value] for name, value in self.fields.items()]
        return table(["field", "value"], rows, f"{self.time.isoformat()} {self.provider}/{self.name}")

    def _repr_json_(self) -> Any:
        return _json.loads(self.json())
