"""Trace files made of others, and packets of captures."""
from __future__ import annotations

import datetime
from typing import Any, Callable, Iterable, List, Mapping, NamedTuple, Optional, Union

from ._core import Path, c_text, c_texts, call, ffi, lib, new_options, open_paths, paths_of, text
from ._interrupt import run_interruptibly
from ._table import Table

Paths = Union[Path, Iterable[Path]]

_COMPRESSIONS = {None: lib.ETL_COMPRESSION_NONE, "xpress": lib.ETL_COMPRESSION_XPRESS,
                 "xpress-huffman": lib.ETL_COMPRESSION_XPRESS_HUFFMAN, "lznt1": lib.ETL_COMPRESSION_LZNT1}
_ALIGNMENTS = {None: lib.ETL_ALIGN_NONE, "start": lib.ETL_ALIGN_START, "first-event": lib.ETL_ALIGN_FIRST_EVENT}
_KEYS = {"size": lib.ETL_SPLIT_BY_SIZE, "time": lib.ETL_SPLIT_BY_TIME, "count": lib.ETL_SPLIT_BY_COUNT,
         "provider": lib.ETL_SPLIT_BY_PROVIDER, "process": lib.ETL_SPLIT_BY_PROCESS, "cpu": lib.ETL_SPLIT_BY_PROCESSOR}
_CONTEXTS = {"copy": lib.ETL_SPLIT_CONTEXT_COPIED, "shared": lib.ETL_SPLIT_CONTEXT_SHARED,
             "none": lib.ETL_SPLIT_CONTEXT_NONE}
_UNDECODABLE = {"refuse": lib.ETL_UNDECODABLE_REFUSE, "drop": lib.ETL_UNDECODABLE_DROP,
                "keep": lib.ETL_UNDECODABLE_KEEP, "clear": lib.ETL_UNDECODABLE_CLEAR}
_DROPS = {"with": lib.ETL_DROPS_WITH, "only": lib.ETL_DROPS_ONLY, "without": lib.ETL_DROPS_WITHOUT}
_COUNTS = ("events", "bytes", "events_lost", "findings", "repeated_context", "embedded_schemas", "losses",
           "missing_buffers", "session_events_lost", "session_buffers_lost", "changed_events", "changed_values",
           "undecodable_events", "packets")


class Part(NamedTuple):
    """A part of a trace that was split. `key` is what its events have in common; empty: context alone."""

    path: str
    key: str
    events: int
    context: int
    bytes: int


class Report:
    """What was written, and what was wrong: one line of `remarks` for each problem. Counts that do not apply to the call
    are 0."""

    events: int
    bytes: int
    events_lost: int
    findings: int
    repeated_context: int
    embedded_schemas: int
    losses: int
    missing_buffers: int
    session_events_lost: int
    session_buffers_lost: int
    changed_events: int
    changed_values: int
    undecodable_events: int
    packets: int

    def __init__(self, handle: Any) -> None:
        handle = ffi.gc(handle, lib.etl_report_free)
        counts = new_options("etl_report_counts")
        call(lib.etl_report_get_counts, handle, counts)
        for name in _COUNTS:
            setattr(self, name, getattr(counts, name))
        self.are_losses_known: bool = counts.are_losses_known != 0
        self.is_complete: bool = counts.is_complete != 0
        self.remarks: List[str] = [text(lib.etl_report_remark(handle, index))
                                   for index in range(lib.etl_report_remark_count(handle))]
        self.parts: List[Part] = [self._part(handle, index) for index in range(lib.etl_report_part_count(handle))]

    @staticmethod
    def _part(handle: Any, index: int) -> Part:
        part = new_options("etl_split_part")
        call(lib.etl_report_part, handle, index, part)
        return Part(text(part.path), text(part.key), part.events, part.context, part.bytes)

    def __repr__(self) -> str:
        return f"<etl.Report: {self.events} events, {self.bytes} bytes, {len(self.remarks)} remarks>"


def _choice(choices: Mapping[Any, int], value: Any, name: str) -> int:
    if value not in choices:
        known = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{name} is one of {known}; found {value!r}")
    return choices[value]


def _ticks(value: Union[datetime.timedelta, float]) -> int:
    """Units of 100 ns of a timedelta or of seconds."""
    if isinstance(value, datetime.timedelta):
        return value // datetime.timedelta(microseconds=1) * 10
    return round(value * 10_000_000)


def _files(keep: list, schemas: Paths, threads: int, recursive: bool, replace: bool, buffer_size: int,
           compression: Optional[str]) -> Any:
    """An etl_file_options."""
    listed = paths_of(schemas)
    files = new_options("etl_file_options")
    files.schemas, files.schema_count = c_texts(listed, keep), len(listed)
    files.threads, files.recursive, files.replace, files.buffer_size = threads, recursive, replace, buffer_size
    files.compression = _choice(_COMPRESSIONS, compression, "compression")
    keep.append(files)
    return files


def _report_of(function: Callable[..., int], *arguments: Any) -> Report:
    def make() -> Report:
        handle = ffi.new("etl_report **")
        call(function, *arguments, handle)
        return Report(handle[0])

    return run_interruptibly(make)


def merge(paths: Paths, output: Path, *, restamp: bool = False, align: Optional[str] = None,
          offsets: Optional[Mapping[str, Union[datetime.timedelta, float]]] = None, tag_sources: bool = False,
          embed_schemas: bool = False, schemas: Paths = (), threads: int = 0, recursive: bool = False,
          replace: bool = False, buffer_size: int = 0, compression: Optional[str] = None) -> Report:
    """Merges traces by time, as `etl merge` does. `restamp` converts timestamps to system time, for traces of different
    boots, machines, or clocks; so do `align` ("start", "first-event") and `offsets`, which shift inputs by a timedelta or
    by seconds."""
    keep: list = []
    names, shifts = open_paths(paths), dict(offsets or {})
    options = new_options("etl_merge_options")
    options.files = _files(keep, schemas, threads, recursive, replace, buffer_size, compression)
    options.offset_inputs, options.offset_count = c_texts(shifts, keep), len(shifts)
    ticks = ffi.new("int64_t[]", [_ticks(shift) for shift in shifts.values()])
    options.offsets = ticks
    options.restamp, options.align = restamp, _choice(_ALIGNMENTS, align, "align")
    options.tag_sources, options.embed_schemas = tag_sources, embed_schemas
    keep.append(ticks)
    return _report_of(lib.etl_merge, c_texts(names, keep), len(names), c_text(output, keep), options)


def split(path: Path, pattern: Path, by: str, limit: Union[int, float, datetime.timedelta] = 0, *,
          context: str = "copy", where: Optional[str] = None, start: Optional[str] = None, end: Optional[str] = None,
          schemas: Paths = (), threads: int = 0, replace: bool = False, buffer_size: int = 0,
          compression: Optional[str] = None) -> Report:
    """Splits a trace, as `etl split` does. `pattern` is a path with `%d` for the number of a part. `by` is "size" (`limit`
    in bytes), "time" (a timedelta or seconds), "count" (events), "provider", "process", or "cpu". `context` says where
    context events are written: "copy" (into every part), "shared" (part 0), or "none"."""
    keep: list = []
    options = new_options("etl_split_options")
    options.files = _files(keep, schemas, threads, False, replace, buffer_size, compression)
    options.where, options.to = c_text(where, keep), c_text(end, keep)
    setattr(options, "from", c_text(start, keep))
    options.by, options.context = _choice(_KEYS, by, "by"), _choice(_CONTEXTS, context, "context")
    options.limit = _ticks(limit) if by == "time" or isinstance(limit, datetime.timedelta) else int(limit)
    return _report_of(lib.etl_split, c_text(path, keep), c_text(pattern, keep), options)


def repair(path: Path, output: Path, *, header_from: Optional[Path] = None, live_buffers: Optional[Path] = None,
           accept_any_header: bool = False, threads: int = 0, replace: bool = False,
           compression: Optional[str] = None) -> Report:
    """Recovers the intact records of a trace into a valid one, as `etl repair` does. `remarks` list the losses."""
    keep: list = []
    options = new_options("etl_repair_options")
    options.files = _files(keep, (), threads, False, replace, 0, compression)
    options.header_from, options.live_buffers = c_text(header_from, keep), c_text(live_buffers, keep)
    options.accept_any_header = accept_any_header
    return _report_of(lib.etl_repair, c_text(path, keep), c_text(output, keep), options)


def anonymize(paths: Paths, output: Path, *, key: Optional[Path] = None, redact: Union[str, Iterable[str]] = (),
              redact_only: bool = False, undecodable: str = "refuse", schemas: Paths = (), threads: int = 0,
              recursive: bool = False, replace: bool = False, buffer_size: int = 0,
              compression: Optional[str] = None) -> Report:
    """Replaces personal data with pseudonyms, as `etl relog --anonymize` does; several traces are merged. `key` is a file
    or a text: the same key yields the same pseudonyms. `redact` are fields to clear, "PROVIDER/EVENT/FIELD".
    `undecodable` events "refuse" the output, or are dropped ("drop"), kept ("keep"), or become zeros of the same
    size ("clear")."""
    keep: list = []
    names, redactions = open_paths(paths), [redact] if isinstance(redact, str) else list(redact)
    options = new_options("etl_anonymize_options")
    options.files = _files(keep, schemas, threads, recursive, replace, buffer_size, compression)
    options.key = c_text(key, keep)
    options.redactions, options.redaction_count = c_texts(redactions, keep), len(redactions)
    options.redact_only, options.undecodable = redact_only, _choice(_UNDECODABLE, undecodable, "undecodable")
    return _report_of(lib.etl_anonymize, c_texts(names, keep), len(names), c_text(output, keep), options)


def _packet_options(keep: list, where: Optional[str], start: Optional[str], end: Optional[str],
                    components: Union[str, Iterable[str]], drops: str, adapters_only: bool, skip: int, limit: int,
                    schemas: Paths, threads: int) -> Any:
    """An etl_packet_options."""
    chosen, listed = [components] if isinstance(components, str) else list(components), paths_of(schemas)
    options = new_options("etl_packet_options")
    options.where, options.to = c_text(where, keep), c_text(end, keep)
    setattr(options, "from", c_text(start, keep))
    options.components, options.component_count = c_texts(chosen, keep), len(chosen)
    options.schemas, options.schema_count = c_texts(listed, keep), len(listed)
    options.skip, options.limit, options.threads = skip, limit, threads
    options.drops, options.adapters_only = _choice(_DROPS, drops, "drops"), adapters_only
    return options


def _packet_table(name: str, function: Callable[..., int], paths: Paths, keep: list, options: Any) -> Table:
    names = open_paths(paths)

    def compute() -> Table:
        handle = ffi.new("etl_table **")
        call(function, c_texts(names, keep), len(names), options, handle)
        return Table(name, handle[0])

    return run_interruptibly(compute)


def packets(paths: Paths, *, where: Optional[str] = None, start: Optional[str] = None, end: Optional[str] = None,
            components: Union[str, Iterable[str]] = (), drops: str = "with", adapters_only: bool = False, skip: int = 0,
            limit: int = 0, schemas: Paths = (), threads: int = 0) -> Table:
    """The packets of captures, as `etl packets` prints them: of `components` of PktMon or interfaces, with, without, or
    only those that were dropped (`drops`). `limit` 0 is no limit."""
    keep: list = []
    options = _packet_options(keep, where, start, end, components, drops, adapters_only, skip, limit, schemas, threads)
    return _packet_table("packets", lib.etl_packets_create, paths, keep, options)


def flows(paths: Paths, *, where: Optional[str] = None, start: Optional[str] = None, end: Optional[str] = None,
          components: Union[str, Iterable[str]] = (), drops: str = "with", adapters_only: bool = False, skip: int = 0,
          limit: int = 0, schemas: Paths = (), threads: int = 0) -> Table:
    """The conversations of captures, as `etl flows` prints them."""
    keep: list = []
    options = _packet_options(keep, where, start, end, components, drops, adapters_only, skip, limit, schemas, threads)
    return _packet_table("flows", lib.etl_flows_create, paths, keep, options)


def write_capture(paths: Paths, output: Path, *, where: Optional[str] = None, start: Optional[str] = None,
                  end: Optional[str] = None, components: Union[str, Iterable[str]] = (), drops: str = "with",
                  adapters_only: bool = False, skip: int = 0, limit: int = 0, schemas: Paths = (), threads: int = 0,
                  replace: bool = False) -> Report:
    """Writes the packets of captures to a file (pcapng) for Wireshark. Report.packets is their number; without packets, no
    file is written, and a remark says why."""
    keep: list = []
    names = open_paths(paths)
    options = _packet_options(keep, where, start, end, components, drops, adapters_only, skip, limit, schemas, threads)
    options.replace = replace
    return _report_of(lib.etl_write_capture, c_texts(names, keep), len(names), c_text(output, keep), options)
