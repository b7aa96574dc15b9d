"""etl gc (docs/analysis.md#gc)."""
import dataclasses
from typing import Optional

from table import Column, Context, Table
from events import RUNTIME, Event

GC_START, RESTART_END, SUSPEND_END, SUSPEND_BEGIN = 1, 3, 8, 9
ALLOCATION, EXCEPTION, CONTENTION, CONTENTION_STOP = 10, 80, 81, 91
METHODS = (141, 143)
JITTED = 8
COLLECTIONS = (1, 6)  # reasons of a suspension
COLUMNS = [Column("gcs", source="gcs"), Column("gen0_gcs", source="gcs"), Column("gen1_gcs", source="gcs"),
           Column("gen2_gcs", source="gcs"), Column("background_gcs", source="gcs"), Column("pauses", source="pauses"),
           Column("pause_ns", "ticks", "pauses"), Column("max_pause_ns", "ticks", "pauses", True),
           Column("suspend_ns", "ticks", "pauses"), Column("allocated_bytes", source="allocations"),
           Column("jitted_methods", source="methods"), Column("exceptions", source="exceptions"),
           Column("contentions", source="contentions"), Column("contention_ns", "ticks", "contentions")]


@dataclasses.dataclass(slots=True)
class Pause:
    begin: int
    suspended: Optional[int] = None


class Runtime:
    """The pauses and contentions that are open, and the table they are added to."""

    def __init__(self, context: Context, table: Table) -> None:
        self.context, self.table = context, table
        self.pauses: dict[tuple, Pause] = {}
        self.contentions: dict[tuple, int] = {}
        self.collections: dict[tuple, Optional[int]] = {}  # Count of the last GCStart

    def key(self, event: Event) -> tuple:
        return self.context.facts.process_name(event.pid, event.raw), event.pid, event.value("ClrInstanceID")

    def counted(self, event: Event, source: str) -> bool:
        self.table.recorded.add(source)
        return self.context.trace.counts(event)

    def started(self, event: Event) -> None:
        instance, count = (event.pid, event.value("ClrInstanceID")), event.value("Count")
        repeated = instance in self.collections and self.collections[instance] == count
        self.collections[instance] = count
        if self.counted(event, "gcs") and not repeated:
            depth = event.value("Depth") if event.version >= 1 else None
            generation = {"gen%d_gcs" % depth: 1} if depth in (0, 1, 2) else {}
            self.table.add(self.key(event), gcs=1, background_gcs=int(event.value("Type") == 1), **generation)

    def paused(self, event: Event) -> None:
        instance = event.pid, event.value("ClrInstanceID"), event.tid
        if event.id == SUSPEND_BEGIN:
            self.table.recorded.add("pauses")
            self.pauses.pop(instance, None)
            if event.value("Reason") in COLLECTIONS:
                self.pauses[instance] = Pause(event.raw)
        elif event.id == SUSPEND_END:
            pause = self.pauses.get(instance)
            if pause and pause.suspended is None:
                pause.suspended = event.raw
        else:
            pause = self.pauses.pop(instance, None)
            if pause and self.context.trace.counts(event):
                self.add_pause(event, pause)

    def add_pause(self, event: Event, pause: Pause) -> None:
        cut = self.context.trace.range.cut
        length = cut(pause.begin, event.raw)
        suspend = cut(pause.begin, pause.suspended) if pause.suspended is not None else 0
        self.table.add(self.key(event), pauses=1, pause_ns=length, suspend_ns=suspend)
        self.table.raise_to(self.key(event), max_pause_ns=length)

    def allocated(self, event: Event) -> None:
        amount = event.value("AllocationAmount64")
        amount = event.value("AllocationAmount") if amount is None else amount
        if amount is not None and self.counted(event, "allocations"):
            self.table.add(self.key(event), allocated_bytes=amount)

    def loaded(self, event: Event) -> None:
        if self.counted(event, "methods") and (event.value("MethodFlags") or 0) & JITTED:
            self.table.add(self.key(event), jitted_methods=1)

    def thrown(self, event: Event) -> None:
        if self.counted(event, "exceptions"):
            self.table.add(self.key(event), exceptions=1)

    def contended(self, event: Event) -> None:
        in_range = self.counted(event, "contentions")
        thread = event.pid, event.tid
        if event.id == CONTENTION:
            self.contentions[thread] = event.raw
            return
        begin = self.contentions.pop(thread, None)
        if begin is not None and in_range:
            length = self.context.trace.range.cut(begin, event.raw)
            self.table.add(self.key(event), contentions=1, contention_ns=length)


def gc(context: Context, _: str) -> Table:
    table = Table(context, ["process", "pid", "clr_instance"], COLUMNS, lambda row: row["pause_ns"])
    runtime = Runtime(context, table)
    handlers = {GC_START: runtime.started, SUSPEND_BEGIN: runtime.paused, SUSPEND_END: runtime.paused,
                RESTART_END: runtime.paused, ALLOCATION: runtime.allocated, **dict.fromkeys(METHODS, runtime.loaded),
                EXCEPTION: runtime.thrown, CONTENTION: runtime.contended, CONTENTION_STOP: runtime.contended}
    for event in context.trace.used:
        if event.guid == RUNTIME and not event.classic and event.id in handlers:
            handlers[event.id](event)
            table.used += context.trace.counts(event)
    table.note(open_pauses=len(runtime.pauses))
    return table
