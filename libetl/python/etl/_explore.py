"""Questions about moments of opened traces."""
from __future__ import annotations

import itertools
import json
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Union

from ._core import Handle, Path, blob, c_text, c_texts, call, ffi, lib, new_options, open_paths, paths_of, text
from ._interrupt import stopped_by_interrupt
from ._table import Table
from ._window import Time, text_of_time

_UNKNOWN = 0xFFFF_FFFF_FFFF_FFFF


class EventDetail(NamedTuple):
    """One event, with all that is known of it."""

    values: Dict[str, Any]  # what `etl dump --format jsonl --enrich` prints of it
    fields: Table  # field, value, and the offset and size of its bytes in the payload
    stack: Table  # address, frame; innermost first
    header: bytes  # as stored, decompressed
    payload: bytes
    file_offset: int  # of the record, in the decompressed trace


class Explorer(Handle):
    """Opened traces that answer questions about moments, of several threads at a time; what was found out about them is
    kept. Use it in a `with` statement, or close() it. Rows are those of `start` and `end`, which are times as text or
    datetime, that match `where` and are about `processes`; `first` and `rows` say which of them are returned. A Table of
    events has `next_row`, the row that follows, or None; each table has `row_count`, of all pages, or None: not known
    yet."""

    _closed = "the explorer is closed"

    def __init__(self, paths: Union[Path, Iterable[Path]], schemas: Union[Path, Iterable[Path]] = (),
                 symbols: Union[Path, Iterable[Path]] = (), recursive: bool = False, threads: int = 0) -> None:
        self._handle = None
        self._numbers = itertools.count(1)
        keep: list = []
        names, schemas, symbols = open_paths(paths), paths_of(schemas), paths_of(symbols)
        options = new_options("etl_explorer_options")
        options.schemas, options.schema_count = c_texts(schemas, keep), len(schemas)
        options.symbols, options.symbol_count = c_texts(symbols, keep), len(symbols)
        options.threads, options.recursive = threads, recursive
        handle = ffi.new("etl_explorer **")
        call(lib.etl_explorer_open, c_texts(names, keep), len(names), options, handle)
        self._handle = ffi.gc(handle[0], lib.etl_explorer_free)

    def close(self) -> None:
        self._handle = None

    def __enter__(self) -> Explorer:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    @property
    def is_indexed(self) -> bool:
        """Whether all traces have an index (`etl index`), so that questions about moments cost their share."""
        return lib.etl_explorer_is_indexed(self._open_handle()) != 0

    def _ask(self, name: str, ask: Callable[..., Any], keep: list, members: Dict[str, Any]) -> Table:
        """Asks a question that a table answers: `ask(explorer, question, table, page, error)`."""
        explorer = self._open_handle()
        question, page, handle = new_options("etl_question"), new_options("etl_page"), ffi.new("etl_table **")
        question.number = next(self._numbers)
        processes = members.pop("processes")
        processes = [processes] if isinstance(processes, str) else list(processes)
        question.processes, question.process_count = c_texts(processes, keep), len(processes)
        for member in ("start", "end"):
            members[{"start": "from", "end": "to"}[member]] = text_of_time(members.pop(member))
        for member, value in members.items():
            setattr(question, member, c_text(value, keep) if value is None or isinstance(value, str) else value)
        with stopped_by_interrupt(lambda: lib.etl_explorer_stop(explorer, question.number)):
            call(ask, explorer, question, handle, page)
        answer = Table(name, handle[0])
        answer.first_row = page.first_row
        answer.row_count = None if page.rows == _UNKNOWN else page.rows
        answer.next_row = None if page.next_row == _UNKNOWN else page.next_row
        return answer

    def table(self, name: str, *, by: Optional[str] = None, start: Optional[Time] = None, end: Optional[Time] = None,
              where: Optional[str] = None, processes: Union[str, Iterable[str]] = (), sort: Optional[str] = None,
              reverse: bool = False, first: int = 0, rows: int = 100_000, slices: int = 0) -> Table:
        """The table that etl.table() computes, in the order of the column `sort`."""
        keep: list = []

        def ask(explorer: Any, *rest: Any) -> int:
            return lib.etl_explorer_table(explorer, c_text(name, keep), *rest)

        return self._ask(name, ask, keep, dict(by=by, start=start, end=end, where=where, processes=processes, sort=sort,
                                               reverse=reverse, first_row=first, row_count=rows, slices=slices))

    def flame(self, kind: str = "cpu", *, start: Optional[Time] = None, end: Optional[Time] = None,
              where: Optional[str] = None, processes: Union[str, Iterable[str]] = (), smallest_share: float = 0.0,
              largest_depth: int = 0, frames: int = 0, grouping: Optional[str] = None, folding: Optional[str] = None,
              include: Optional[str] = None, exclude: Optional[str] = None, fold_percent: float = 0.0,
              inverted: bool = False, focus: Optional[str] = None) -> Table:
        """The frames of `etl flame --kind KIND`, each after those that called it: depth, module, function, kind, weight,
        own, count, merged, folded. Patterns group, fold, and select frames (docs/flame.md#patterns); `inverted`: functions first,
        then who called them; `focus`: what a frame called, or who called it."""
        keep: list = []

        def ask(explorer: Any, *rest: Any) -> int:
            return lib.etl_explorer_flame(explorer, c_text(kind, keep), *rest)

        return self._ask("frames", ask, keep, dict(start=start, end=end, where=where, processes=processes,
                                                   smallest_share=smallest_share, largest_depth=largest_depth,
                                                   frames=frames, grouping=grouping, folding=folding,
                                                   include=include, exclude=exclude, fold_percent=fold_percent,
                                                   inverted=inverted, focus=focus))

    def lod(self, *, start: Optional[Time] = None, end: Optional[Time] = None, where: Optional[str] = None,
            processes: Union[str, Iterable[str]] = (), columns: int = 1000, tracks: Iterable[str] = ()) -> Table:
        """What tracks ("thread", "disk", ...; empty: all) did over time, in at least `columns` bins: the rows of `etl
        tracks`."""
        keep: list = []
        kinds = [tracks] if isinstance(tracks, str) else list(tracks)
        return self._ask("tracks", lib.etl_explorer_lod, keep,
                         dict(start=start, end=end, where=where, processes=processes, columns=columns,
                              track_kinds=c_texts(kinds, keep), track_kind_count=len(kinds)))

    def events(self, *, start: Optional[Time] = None, end: Optional[Time] = None, where: Optional[str] = None,
               processes: Union[str, Iterable[str]] = (), first: int = 0, rows: int = 100) -> Table:
        """Events in the order of `etl dump`: row, time, cpu, pid, tid, process, provider, event, level, text, input, buffer,
        offset."""
        return self._ask("events", lib.etl_explorer_events, [],
                         dict(start=start, end=end, where=where, processes=processes, first_row=first, row_count=rows))

    def search(self, text: str, *, start: Optional[Time] = None, end: Optional[Time] = None, where: Optional[str] = None,
               processes: Union[str, Iterable[str]] = (), first: int = 0, rows: int = 100) -> Table:
        """Those events from the row `first` on whose names, values, or message contain a text, without regard to case."""
        keep: list = []

        def ask(explorer: Any, *rest: Any) -> int:
            return lib.etl_explorer_search(explorer, c_text(text, keep), *rest)

        return self._ask("events", ask, keep, dict(start=start, end=end, where=where, processes=processes, first_row=first,
                                                   row_count=rows))

    def follow(self, tid: int, at: Optional[Time] = None, *, input: int = 1, start: Optional[Time] = None,
               end: Optional[Time] = None) -> Table:
        """Why a thread waited at a time: the wait, what the thread that ended it did meanwhile, and so on. With `start` or
        `end`, instead: what the thread did between them, and instead of each wait what the thread that ended it did."""
        keep: list = []

        def ask(explorer: Any, *rest: Any) -> int:
            return lib.etl_explorer_follow(explorer, input, tid, c_text(text_of_time(at), keep), *rest)

        return self._ask("follow", ask, keep, dict(start=start, end=end, processes=()))

    def event(self, row: Dict[str, Any]) -> EventDetail:
        """The event of a row of events() or search(), by its input, buffer, and offset."""
        explorer, handle, number = self._open_handle(), ffi.new("etl_event_detail **"), next(self._numbers)
        with stopped_by_interrupt(lambda: lib.etl_explorer_stop(explorer, number)):
            call(lib.etl_explorer_event, explorer, row["input"], row["buffer"], row["offset"], number, handle)
        try:
            detail = handle[0]
            return EventDetail(json.loads(text(lib.etl_event_detail_json(detail))),
                               Table("fields", lib.etl_event_detail_fields(detail), is_view=True),
                               Table("stack", lib.etl_event_detail_stack(detail), is_view=True),
                               blob(lib.etl_event_detail_header(detail)), blob(lib.etl_event_detail_payload(detail)),
                               lib.etl_event_detail_file_offset(detail))
        finally:
            lib.etl_event_detail_free(handle[0])

    def stop(self) -> None:
        """Ends the questions that other threads are asking, which raise etl.Error."""
        lib.etl_explorer_stop(self._open_handle(), 0)

    def __repr__(self) -> str:
        return "<etl.Explorer>"


def explore(paths: Union[Path, Iterable[Path]], *, schemas: Union[Path, Iterable[Path]] = (),
            symbols: Union[Path, Iterable[Path]] = (), recursive: bool = False, threads: int = 0) -> Explorer:
    """Opens traces for questions about moments: with an index (`etl index`), each costs its share."""
    return Explorer(paths, schemas, symbols, recursive, threads)
