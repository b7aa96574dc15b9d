"""etl stats and timeline (docs/analysis.md#stats, #timeline)."""
from typing import Any

from attribution import process_about
from cpu import samples_of
from inputs import DISK_KINDS
from scheduling import mark_sources, runs_of
from table import Column, Context, Row, Table, ratio
from events import DISK_IO, LOST_EVENT, Event

SLICES = 60
KEYS = {"provider": ["provider"], "event": ["provider", "event", "id", "version"], "process": ["process", "pid"],
        "processor": ["cpu"], "slice": ["slice", "begin"]}


class StatsTable(Table):
    """Sums with the times of the first and the last event, in the total as well."""

    def is_idle(self, key: tuple) -> bool:
        return False

    def total(self) -> Row:
        total = super().total()
        rows = [row for key, row in self.cells.items() if "first" in row]
        time = self.context.trace.clock.time
        total["first"] = time(min(row["first"] for row in rows)) if rows else None
        total["last"] = time(max(row["last"] for row in rows)) if rows else None
        return total


def slice_of(context: Context, raw: int) -> int:
    return (raw - context.trace.range.begin) * SLICES // (context.trace.duration + 1)


def slice_begin(context: Context, number: int) -> int:
    """The least raw timestamp in a slice."""
    return context.trace.range.begin - (-number * (context.trace.duration + 1) // SLICES)


def slice_keys(context: Context) -> list[tuple[int, str]]:
    time = context.trace.clock.time
    return [(number, time(slice_begin(context, number))) for number in range(SLICES)] if context.trace.all else []


def stats_key(context: Context, event: Event, by: str) -> tuple[Any, ...]:
    if by == "provider":
        return (event.provider,)
    if by == "event":
        return event.provider, event.name, event.opcode if event.classic else event.id, event.version
    if by == "processor":
        return (event.cpu,)
    pid = process_about(context.facts, event)
    return context.facts.process_name(pid, event.raw), pid


def stats(context: Context, by: str) -> Table:
    trace = context.trace
    columns = [Column("events"), Column("bytes"), Column("first", "time"), Column("last", "time")]
    if by == "processor":
        columns += [Column("lost"), Column("max_gap_ns", "ticks", largest=True)]
    duration = trace.clock.ns(trace.duration)

    def rate(row: Row) -> None:
        row["events_per_second"] = ratio(row["events"] * 10**9, duration)
    sort = (lambda row: -row["slice"]) if by == "slice" else (lambda row: row["events"])
    table = StatsTable(context, KEYS[by], columns, sort, rate)
    slices = slice_keys(context) if by == "slice" else []
    for key in slices:
        table.add(key, events=0, bytes=0)
    for event in trace.in_range():
        key = slices[slice_of(context, event.raw)] if slices else stats_key(context, event, by)
        table.add(key, events=1, bytes=event.size)
        if by == "processor":
            gap = event.raw - table.cells[key].get("last", event.raw) if event.time is not None else 0
            table.add(key, lost=int(event.classic and event.guid == LOST_EVENT))
            table.raise_to(key, max_gap_ns=max(0, gap))
        if event.time is not None: # else only its place among the others is known
            table.cells[key].setdefault("first", event.raw)
            table.cells[key]["last"] = event.raw
        table.used += 1
    return table


TIMELINE = [Column("events"), Column("bytes"), Column("samples", source="samples"),
            Column("running_ns", "ticks", "switches"), Column("disk_bytes", source="disk"), Column("lost")]


def timeline(context: Context, _: str) -> Table:
    trace = context.trace
    table = Table(context, ["slice", "begin"], TIMELINE, lambda row: -row["slice"])
    mark_sources(table)
    begins = [slice_begin(context, number) for number in range(SLICES + 1)]
    keys = slice_keys(context)
    for key in keys:
        table.add(key, events=0)
    for event in trace.events:
        is_disk = event.of(DISK_IO, *DISK_KINDS) and "DiskNumber" in event.data
        is_lost = event.classic and event.guid == LOST_EVENT
        table.recorded |= {"disk"} if is_disk else set()
        if trace.counts(event):
            table.add(keys[slice_of(context, event.raw)], events=1, bytes=event.size, lost=int(is_lost),
                      disk_bytes=(event.value("TransferSize") or 0) if is_disk else 0)
            table.used += 1
    for sample in samples_of(context):
        if sample.tid != 0:
            table.add(keys[slice_of(context, sample.event.raw)], samples=1)
    for run in runs_of(trace):
        if run.counts and run.tid != 0:
            add_run(context, table, keys, begins, run.begin, run.end)
    return table


def add_run(context: Context, table: Table, keys: list[tuple], begins: list[int], begin: int, end: int) -> None:
    where = context.trace.range
    begin, end = max(begin, where.begin), min(end, where.end)
    if begin >= end:
        return
    for number in range(slice_of(context, begin), slice_of(context, end) + 1):
        table.add(keys[number], running_ns=max(0, min(end, begins[number + 1]) - max(begin, begins[number])))
