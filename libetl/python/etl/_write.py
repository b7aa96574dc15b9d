"""Writing: self-describing events, trace files, relogging."""
from __future__ import annotations

import datetime
import uuid
from typing import Any, Callable, Dict, Iterable, Mapping, NamedTuple, Optional, Union

from ._core import Handle, Path, c_text, c_texts, call, ffi, filetime_of, guid, lib, new_options
from ._event import Event
from ._reading import Reading

Guid = Union[str, uuid.UUID, None]
Time = Union[datetime.datetime, int, None]
_COMPRESSIONS = {"none": 0, "xpress": 1, "xpress-huffman": 2, "lznt1": 3}


class Int(NamedTuple):
    """An integer of a certain size in an event; a plain int has 8 bytes. `etl.Int(5, 4)`, `etl.Int(200, 1, False)`."""

    value: int
    size: int = 8  # 1, 2, 4, or 8 bytes
    is_signed: bool = True


class Pointer(NamedTuple):
    """An address in an event."""

    value: int


def _in_utc(time: Optional[datetime.datetime]) -> Optional[datetime.datetime]:
    return None if time is None else time.replace(tzinfo=datetime.timezone.utc)


def _plain(value: Any) -> Any:
    """A value of NumPy as one of Python: integers keep their size."""
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return value
    if dtype.kind in "iu":
        size, is_signed = dtype.itemsize, dtype.kind == "i"
        numbers = value.tolist()
        return [Int(n, size, is_signed) for n in numbers] if isinstance(numbers, list) else Int(numbers, size, is_signed)
    if dtype.kind == "M":  # without a zone, as NumPy has it: UTC
        times = value.astype("M8[us]").tolist()
        return [_in_utc(time) for time in times] if isinstance(times, list) else _in_utc(times)
    return value.tolist()


def _unified(name: str, values: list) -> list:
    """The elements of an array, which have one type."""
    kinds = {type(value) for value in values}
    if len(kinds) > 1:
        raise TypeError(f"{name}: the elements of an array have one type")
    return values


class Builder:
    """A self-describing (TraceLogging) event of one provider and name, filled from a mapping."""

    def __init__(self, provider: str, event: str, level: int, keyword: int, opcode: int, id: int, version: int, task: int,
                 guid_of_provider: Guid) -> None:
        keep: list = []
        options = new_options("etl_builder_options")
        options.guid = guid(guid_of_provider, keep)
        options.level, options.keyword, options.opcode = level, keyword, opcode
        options.id, options.version, options.task = id, version, task
        handle = ffi.new("etl_builder **")
        call(lib.etl_builder_create, c_text(provider, keep), c_text(event, keep), options, handle)
        self.handle = ffi.gc(handle[0], lib.etl_builder_free)

    def fill(self, fields: Mapping[str, Any]) -> "Builder":
        """Replaces the fields."""
        lib.etl_builder_clear(self.handle)
        for name, value in fields.items():
            self._add(name, value)
        return self

    def _add(self, key: str, given: Any) -> None:
        keep: list = []
        to, value = self.handle, _plain(given)
        name = c_text(key, keep)
        if isinstance(value, bool):
            lib.etl_builder_add_bool(to, name, value)
        elif isinstance(value, int):
            self._add_integer(name, Int(value, 8, value < 1 << 63))
        elif isinstance(value, Int):
            self._add_integer(name, value)
        elif isinstance(value, float):
            lib.etl_builder_add_double(to, name, value)
        elif isinstance(value, str):
            lib.etl_builder_add_text(to, name, c_text(value, keep))
        elif isinstance(value, (bytes, bytearray, memoryview)):
            lib.etl_builder_add_bytes(to, name, ffi.from_buffer(value), len(value))
        elif isinstance(value, datetime.datetime):
            lib.etl_builder_add_time(to, name, filetime_of(value))
        elif isinstance(value, uuid.UUID):
            lib.etl_builder_add_guid(to, name, guid(value, keep))
        elif isinstance(value, Pointer):
            lib.etl_builder_add_pointer(to, name, value.value)
        elif isinstance(value, Mapping):
            lib.etl_builder_begin_struct(to, name)
            for member, inner in value.items():
                self._add(member, inner)
            lib.etl_builder_end_struct(to)
        elif isinstance(value, Iterable):
            value = list(value)
            if value and all(isinstance(element, Mapping) for element in value):
                self._add_structures(key, name, value)
                return
            self._add_array(key, name, _unified(key, [_plain(element) for element in value]), keep)
        else:
            raise TypeError(f"{key}: events cannot contain {type(value).__name__}")

    def _add_structures(self, key: str, name: Any, elements: list) -> None:
        names = list(elements[0])
        if not names:
            raise TypeError(f"{key}: structures of an array have members")
        lib.etl_builder_begin_struct_array(self.handle, name)
        for element in elements:
            if list(element) != names:
                raise TypeError(f"{key}: the elements of an array have the same members, {', '.join(names)}; found "
                                f"{', '.join(element)}")
            lib.etl_builder_begin_struct(self.handle, name)
            for member, inner in element.items():
                self._add(member, inner)
            lib.etl_builder_end_struct(self.handle)
        lib.etl_builder_end_struct(self.handle)

    def _add_integer(self, name: Any, value: Int) -> None:
        add = lib.etl_builder_add_signed if value.is_signed else lib.etl_builder_add_unsigned
        add(self.handle, name, value.value, value.size)

    def _add_array(self, key: str, name: Any, values: list, keep: list) -> None:
        first = values[0] if values else Int(0)
        if isinstance(first, str):
            lib.etl_builder_add_text_array(self.handle, name, c_texts(values, keep), len(values))
        elif isinstance(first, float):
            lib.etl_builder_add_double_array(self.handle, name, values, len(values))
        elif isinstance(first, bool):
            lib.etl_builder_add_bool_array(self.handle, name, values, len(values))
        elif isinstance(first, uuid.UUID):
            guids = [guid(value, keep)[0] for value in values]
            lib.etl_builder_add_guid_array(self.handle, name, guids, len(values))
        elif isinstance(first, datetime.datetime):
            lib.etl_builder_add_time_array(self.handle, name, [filetime_of(value) for value in values], len(values))
        elif isinstance(first, (int, Int)):
            self._add_integers(name, first, values)
        else:
            raise TypeError(f"{key}: arrays cannot contain {type(first).__name__}")

    def _add_integers(self, name: Any, first: Union[int, Int], values: list) -> None:
        size, is_signed = (first.size, first.is_signed) if isinstance(first, Int) else (8, max(values) < 1 << 63)
        numbers = [value.value if isinstance(value, Int) else value for value in values]
        add = lib.etl_builder_add_signed_array if is_signed else lib.etl_builder_add_unsigned_array
        add(self.handle, name, numbers, len(numbers), size)


def record(keep: list, *, time: Time = None, pid: Optional[int] = None, tid: Optional[int] = None, cpu: int = 0,
           activity: Guid = None) -> Any:
    """The structure of time and origin."""
    result = new_options("etl_record")
    result.time = filetime_of(time)
    result.process_id = 0xFFFFFFFF if pid is None else pid
    result.thread_id = 0xFFFFFFFF if tid is None else tid
    result.processor = cpu
    if activity is not None:
        result.activity = guid(activity, keep)[0]
    return result


class _Builders:
    """Builders by provider, name, and properties."""

    def __init__(self) -> None:
        self._known: Dict[Any, Builder] = {}

    def get(self, *key: Any) -> Builder:
        """The builder with these arguments."""
        known = self._known.get(key)
        if known is None:
            if len(self._known) > 1000:
                self._known.clear()
            known = self._known[key] = Builder(*key)
        return known


class Writer(Handle):
    """A trace file with events of the program.

        with etl.Writer("coffee.etl") as writer:
            writer.write("MyCompany.Coffee", "CupFinished", {"Drink": "espresso", "Temperature": 93}, level=4)

    The file is complete after close(), which the `with` statement calls, and readable before."""

    _closed = "the writer is closed"

    def __init__(self, path: Path, *, replace: bool = False, start: Time = None, processors: int = 1,
                 buffer_size: int = 0, compression: str = "none") -> None:
        if compression not in _COMPRESSIONS:
            raise ValueError(f"compression: {compression!r} is none of {', '.join(_COMPRESSIONS)}")
        keep: list = []
        options = new_options("etl_writer_options")
        options.start_time = filetime_of(start)
        options.processors, options.buffer_size = processors, buffer_size
        options.compression, options.replace = _COMPRESSIONS[compression], replace
        handle = ffi.new("etl_writer **")
        call(lib.etl_writer_create, c_text(path, keep), options, handle)
        self._handle = ffi.gc(handle[0], lib.etl_writer_free)
        self._builders = _Builders()
        self._path = str(path)

    def write(self, provider: str, event: str, fields: Mapping[str, Any] = {}, *, time: Time = None,
              pid: Optional[int] = None, tid: Optional[int] = None, cpu: int = 0,
              activity: Guid = None, level: int = 5, keyword: int = 0, opcode: int = 0, id: int = 0, version: int = 0,
              task: int = 0, guid_of_provider: Guid = None) -> None:
        """Appends a self-describing event. `time` is a datetime or nanoseconds since 1970; None: now."""
        builder = self._builders.get(provider, event, level, keyword, opcode, id, version, task, guid_of_provider)
        builder.fill(fields)
        keep: list = []
        context = record(keep, time=time, pid=pid, tid=tid, cpu=cpu, activity=activity)
        call(lib.etl_writer_add_event, self._open_handle(), builder.handle, context)

    def write_record(self, provider: Union[str, uuid.UUID], id: int, payload: bytes, *, version: int = 0, level: int = 0,
                     opcode: int = 0, task: int = 0, channel: int = 0, keyword: int = 0, time: Time = None,
                     pid: Optional[int] = None, tid: Optional[int] = None, cpu: int = 0, activity: Guid = None) -> None:
        """Appends a record with a payload as it is."""
        keep: list = [payload]
        of = record(keep, time=time, pid=pid, tid=tid, cpu=cpu, activity=activity)
        of.provider = guid(provider, keep)[0]
        data = ffi.from_buffer(payload)
        of.payload, of.payload_size = data, len(payload)
        of.id, of.version, of.level, of.opcode = id, version, level, opcode
        of.task, of.channel, of.keyword = task, channel, keyword
        call(lib.etl_writer_add, self._open_handle(), of)

    @property
    def count(self) -> int:
        """The number of events so far."""
        return lib.etl_writer_count(self._open_handle())

    def flush(self) -> None:
        """Writes all events to the file."""
        call(lib.etl_writer_flush, self._open_handle())

    def close(self) -> None:
        """Completes the file."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            try:
                call(lib.etl_writer_close, handle)
            finally:
                ffi.release(handle)

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<etl.Writer {self._path}{' closed' if self._handle is None else ''}>"


class Relogger(Handle):
    """Receives what becomes of an event in Trace.relog. Valid during the call of the function."""

    _closed = "the function that relogs has ended"

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._builders = _Builders()

    def keep(self) -> None:
        """Writes the event unchanged."""
        call(lib.etl_relogger_pass, self._open_handle())

    def emit(self, *, time: Time = None, pid: Optional[int] = None, tid: Optional[int] = None,
             provider: Guid = None, activity: Guid = None,
             payload: Optional[bytes] = None) -> None:
        """Writes a copy of the event with changes."""
        keep: list = []
        change = new_options("etl_change")
        if time is not None:
            change.members |= lib.ETL_CHANGE_TIME
            change.time = filetime_of(time)
        if pid is not None:
            change.members |= lib.ETL_CHANGE_PROCESS_ID
            change.process_id = pid
        if tid is not None:
            change.members |= lib.ETL_CHANGE_THREAD_ID
            change.thread_id = tid
        if provider is not None:
            change.members |= lib.ETL_CHANGE_PROVIDER
            change.provider = guid(provider, keep)[0]
        if activity is not None:
            change.members |= lib.ETL_CHANGE_ACTIVITY
            change.activity = guid(activity, keep)[0]
        if payload is not None:
            change.members |= lib.ETL_CHANGE_PAYLOAD
            data = ffi.from_buffer(payload)
            keep.append(data)
            change.payload, change.payload_size = data, len(payload)
        call(lib.etl_relogger_emit, self._open_handle(), change)

    def add(self, provider: str, event: str, fields: Mapping[str, Any] = {}, *, time: Time = None,
            pid: Optional[int] = None, tid: Optional[int] = None, activity: Guid = None, level: int = 5, keyword: int = 0,
            opcode: int = 0, id: int = 0, version: int = 0, task: int = 0, guid_of_provider: Guid = None) -> None:
        """Writes another, self-describing event, by default at the time of this one."""
        builder = self._builders.get(provider, event, level, keyword, opcode, id, version, task, guid_of_provider)
        builder.fill(fields)
        keep: list = []
        context = record(keep, time=time, pid=pid, tid=tid, activity=activity)
        call(lib.etl_relogger_add_event, self._open_handle(), builder.handle, context)


class relogging:
    """What the callback of etl_trace_relog needs."""

    def __init__(self, trace: Reading, function: Callable[[Event, Relogger], Any]) -> None:
        self.trace = trace
        self.function = function
        self.exception: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)
        self.to: Optional[Relogger] = None

    def end(self) -> None:
        """What the function has kept becomes invalid."""
        if self.to is not None:
            self.to._handle = None


@ffi.def_extern(error=lib.ETL_INTERNAL)
def etl_py_relog(context: Any, event: Any, to: Any) -> int:
    state = ffi.from_handle(context)
    trace = state.trace
    if state.to is None or state.to._handle != to:
        state.to = Relogger(to)
    number = trace._number = trace._count = trace._count + 1
    try:
        state.function(Event(trace, event, number), state.to)
        return lib.ETL_OK
    except BaseException as exception:
        state.exception = exception
        return lib.ETL_CANCELED
    finally:
        trace._number = 0
