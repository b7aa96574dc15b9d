"""Traces, and columns of them."""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

import datetime

from ._columns import Columns
from ._core import (Canceled, Path, c_text, c_texts, call, datetime_of, ffi, lib, new_options, open_paths, paths_of,
                    raise_error, text)
from ._event import Event
from ._reading import Reading
from ._window import Time, Window
from ._write import Relogger, relogging

_ORDERS = {"time": 0, "recorded": 1, "file": 2}


class TraceInfo(NamedTuple):
    """What is known about a trace file."""

    name: str
    start_time: Optional[datetime.datetime]
    end_time: Optional[datetime.datetime]
    size: int
    buffers: int
    events_lost: int
    buffers_lost: int
    processors: int
    pointer_size: int
    is_finalized: bool


def open_options(keep: list, schemas: Union[Path, Iterable[Path]] = (), where: Optional[str] = None, start: Optional[str] = None,
                 end: Optional[str] = None, culture: Optional[str] = None, order: str = "time", threads: int = 0,
                 recursive: bool = False, enrich: bool = False, symbols: Union[Path, Iterable[Path]] = (),
                 part: Optional[Tuple[int, int]] = None) -> Any:
    """The structure of these options; `keep` holds its memory."""
    if order not in _ORDERS:
        raise ValueError(f"order: {order!r} is none of {', '.join(_ORDERS)}")
    options = new_options("etl_open_options")
    schemas, symbols = paths_of(schemas), paths_of(symbols)
    options.where = c_text(where, keep)
    setattr(options, "from", c_text(start, keep))
    options.to = c_text(end, keep)
    options.schemas = c_texts(schemas, keep)
    options.schema_count = len(schemas)
    options.symbols = c_texts(symbols, keep)
    options.symbol_count = len(symbols)
    options.culture = c_text(culture, keep)
    options.order = _ORDERS[order]
    options.threads = threads
    options.recursive = recursive
    options.enrich = enrich
    if part is not None:
        number, count = part
        if not 1 <= number <= count:
            raise ValueError(f"part: {part!r} is not (k, n) with k from 1 to n")
        options.part, options.parts = number, count
    keep.append(options)
    return options


class Trace(Reading):
    """The events of one or several traces, or of a live session. Each loop over files starts with the first event; a
    loop over a session continues. Used by one thread at a time, which does not hold the GIL inside the library.

        for event in etl.open("trace.etl"):
            print(event.time, event.name, event.fields)
    """

    def columns(self, event: Optional[str] = None, *, rows: int = 0, details: bool = False, messages: bool = False,
                structures: bool = False) -> Columns:
        """The events as typed columns. `event` selects them: "Provider/Event", where both are names, globs, or numbers
        and GUIDs, or "Provider" alone; None: all that match `where`. `rows` is the size of a batch. With `details`, the
        columns include id, version, level, opcode, task, channel, keyword, activities, the file, and others. With
        `messages`, they include `message`, as Windows renders it. With `structures`, an array of structures is one
        column, a list of structures (of dicts, in NumPy); without, it is a list for each member."""
        return Columns(self, event, rows, details, messages=messages, structures=structures)

    _opened: Optional[Tuple[List[Path], Dict[str, Any]]] = None  # names and options; None: not of files

    def window(self, start: Optional[Time] = None, end: Optional[Time] = None) -> Window:
        """The time from `start` to before `end` in the files that are open: text as in etl.open(), or datetimes with a
        zone. Only of traces of etl.open()."""
        if self._opened is None:
            raise ValueError("only traces that etl.open() opened have windows")
        return Window(*self._opened, start, end)

    def save(self, path: Path, *, replace: bool = False) -> int:
        """Writes the events that match to a trace file, with the context that decoding needs. Returns their number."""
        self._leave()
        count = ffi.new("uint64_t *")
        call(lib.etl_trace_save, self._open_handle(), c_text(path, []), replace, count)
        return count[0]

    def relog(self, path: Path, function: Callable[[Event, Relogger], Any], *, replace: bool = False) -> int:
        """Writes a trace of what `function(event, to)` makes of each event: `to.keep()` passes it, `to.emit(...)` writes
        a changed copy, `to.add(...)` another event; neither drops it. Returns the number of events written. An
        exception in the function ends relogging, and no file remains."""
        self._leave()
        count = ffi.new("uint64_t *")
        state = relogging(self, function)
        error = ffi.new("etl_error **")
        status = lib.etl_trace_relog(self._open_handle(), c_text(path, []), replace, lib.etl_py_relog, state.handle,
                                     count, error)
        self._leave()
        state.end()
        if state.exception is not None:
            lib.etl_error_free(error[0])
            if not isinstance(state.exception, Canceled):
                raise state.exception
            return 0
        if status != lib.ETL_OK:
            raise_error(status, error)
        return count[0]

    @property
    def infos(self) -> List[TraceInfo]:
        """What is known about each of the traces that were opened."""
        return [self._info(i) for i in range(lib.etl_trace_count(self._open_handle()))]

    def _info(self, index: int) -> TraceInfo:
        info = new_options("etl_trace_info")
        call(lib.etl_trace_info_of, self._handle, index, info)
        return TraceInfo(text(info.name), datetime_of(info.start_time) if info.start_time else None,
                         datetime_of(info.end_time) if info.end_time else None, info.size, info.buffers,
                         info.events_lost, info.buffers_lost, info.processors, info.pointer_size,
                         info.is_finalized != 0)

    def _lines(self, count: Any, line: Any) -> List[str]:
        handle = self._open_handle()
        return [text(line(handle, i)) for i in range(count(handle))]

    @property
    def problems(self) -> List[str]:
        """Inputs that could not be opened, or only in part."""
        return self._lines(lib.etl_trace_problem_count, lib.etl_trace_problem)

    @property
    def findings(self) -> List[str]:
        """Damage found so far in this loop: the first 1000."""
        return self._lines(lib.etl_trace_finding_count, lib.etl_trace_finding)

    @property
    def remarks(self) -> List[str]:
        """Schemas that were rejected and, after the loop, names in `where` that no event has."""
        return self._lines(lib.etl_trace_remark_count, lib.etl_trace_remark)

    def __repr__(self) -> str:
        if self._handle is None:
            return "<etl.Trace closed>"
        return f"<etl.Trace {', '.join(info.name for info in self.infos)}>"

    def _repr_html_(self) -> str:
        from ._html import table
        return table(TraceInfo._fields, self.infos, "etl.Trace")


def open(paths: Union[Path, Iterable[Path]], *, schemas: Union[Path, Iterable[Path]] = (), where: Optional[str] = None,
         start: Optional[str] = None, end: Optional[str] = None, culture: Optional[str] = None, order: str = "time",
         threads: int = 0, recursive: bool = False, enrich: bool = False, symbols: Union[Path, Iterable[Path]] = (),
         part: Optional[Tuple[int, int]] = None) -> Trace:
    """Opens trace files, archives, directories, globs, or `-`, as `etl dump` does; several are merged by time.

    schemas    schema files, directories, archives, or traces
    where      expression that events must match (docs/filters.md)
    start, end time window, such as "+5s" or "2010-10-29 19:10"; the end is exclusive
    culture    language of messages
    order      "time", "recorded", or "file"
    threads    threads that read ahead; 0: one per processor
    recursive  include subdirectories
    enrich     resolve processes, images, files, and stacks
    symbols    directories and symbol stores, with `enrich`
    part       (k, n): the kth of n spans of time, from 1; all of them, one after the other, are all events (docs/parts.md)

    Raises Error if no trace can be opened."""
    keep: list = []
    names, schemas, symbols = open_paths(paths), paths_of(schemas), paths_of(symbols)
    handle = ffi.new("etl_trace **")
    options = open_options(keep, schemas, where, start, end, culture, order, threads, recursive, enrich, symbols, part)
    call(lib.etl_open, c_texts(names, keep), len(names), options, handle)
    trace = Trace(handle[0])
    trace._opened = (names, {"schemas": schemas, "where": where, "culture": culture, "order": order, "threads": threads,
                             "recursive": recursive, "enrich": enrich, "symbols": symbols, "part": part})
    return trace


def open_bytes(data: bytes, *, name: str = "memory", schemas: Union[Path, Iterable[Path]] = (),
               where: Optional[str] = None, start: Optional[str] = None, end: Optional[str] = None,
               culture: Optional[str] = None, order: str = "time", threads: int = 0, enrich: bool = False,
               symbols: Union[Path, Iterable[Path]] = (), part: Optional[Tuple[int, int]] = None) -> Trace:
    """Opens the content of a trace file. Options as for open()."""
    keep: list = []
    handle = ffi.new("etl_trace **")
    options = open_options(keep, schemas, where, start, end, culture, order, threads, False, enrich, symbols, part)
    call(lib.etl_open_memory, ffi.from_buffer(data), len(data), c_text(name, keep), options, handle)
    return Trace(handle[0])
