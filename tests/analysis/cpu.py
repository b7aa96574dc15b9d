"""etl cpu (docs/analysis.md#cpu)."""
import dataclasses
from typing import Iterator, Optional

from scheduling import Run, mark_sources, runs_of, switches_of, waits_of
from table import Column, Context, Row, Table, percent
from events import PERF_INFO, THREAD, Event

DPC, ISR = 1, 2  # bits of Reserved
DEFAULT_INTERVAL = 10_000


@dataclasses.dataclass(slots=True)
class Sample:
    event: Event
    tid: int
    address: int
    weight: int  # ns
    kind: Optional[str]  # DPC or ISR

    @property
    def is_idle(self) -> bool:
        return self.tid == 0 and self.kind is None


def states_interval(event: Event) -> bool:
    return bool(event.of(PERF_INFO, 72, 73, 74) and event.value("Source") == 0 and event.value("NewInterval"))


def first_interval(context: Context) -> int:
    """That before the first event that states one."""
    first = next((event for event in context.trace.all_used if states_interval(event)), None)
    if first is None:
        return DEFAULT_INTERVAL
    return (first.opcode == 72 and first.value("OldInterval")) or first.value("NewInterval")


def samples_of(context: Context) -> Iterator[Sample]:
    """Samples in T."""
    interval = first_interval(context)
    for event in context.trace.used:
        if states_interval(event):
            interval = event.value("NewInterval")
        elif event.of(PERF_INFO, 46) and "ThreadId" in event.data and context.trace.counts(event):
            bits = event.value("Reserved") or 0
            kind = "ISR" if bits & ISR else "DPC" if bits & DPC else None
            yield Sample(event, event.value("ThreadId"), event.value("InstructionPointer"),
                         event.value("Count") * interval * 100, kind)


def cpu_columns(ready: bool) -> list[Column]:
    columns = [Column("samples", source="samples"), Column("sampled_ns", source="samples"),
               Column("running_ns", "ticks", "switches"), Column("switches", source="switches")]
    return columns + [Column("ready_ns", "ticks", "readies")] if ready else columns


def with_percent(context: Context, table: Table):
    duration = context.trace.clock.ns(context.trace.duration)

    def derive(row: Row) -> None:
        running = row.get("running_ns")
        row["cpu_percent"] = percent(row["sampled_ns"] if running is None else running, duration)
    table.derive = derive
    return table


def by_running_or_sampled(row: Row) -> Optional[int]:
    return row["sampled_ns"] if row["running_ns"] is None else row["running_ns"]


def count_used(table: Table) -> None:
    table.used = table.context.trace.count_of(PERF_INFO, 46) + table.context.trace.count_of(THREAD, 36, 50)


def note_unknown(table: Table, runs: list[Run]) -> None:
    trace = table.context.trace
    unknown = len({run.cpu for run in runs}) * trace.duration
    unknown -= sum(trace.range.cut(run.begin, run.end) for run in runs if run.counts)
    table.note(unknown_ns=trace.clock.ns(unknown))


def by_thread(context: Context, by: str) -> Table:
    keys = ["process", "pid", "tid"] if by == "thread" else ["process", "pid"]
    table = with_percent(context, Table(context, keys, cpu_columns(True), by_running_or_sampled))
    mark_sources(table)
    trace = context.trace

    def key(tid: Optional[int], time: int) -> tuple:
        return (*context.facts.process_of_thread(tid, time), tid or None)[:len(keys)]
    for sample in samples_of(context):
        owner = (sample.kind, None, None)[:len(keys)] if sample.kind else key(sample.tid, sample.event.raw)
        table.add(owner, samples=1, sampled_ns=sample.weight)
    runs = runs_of(trace)
    for run in runs:
        if run.counts:
            table.add(key(run.tid, run.begin), running_ns=trace.range.cut(run.begin, run.end))
    for event, new, _ in switches_of(trace):
        if trace.counts(event):
            table.add(key(new, event.raw), switches=1)
    for wait in waits_of(trace):
        if wait.ready is not None:
            table.add(key(wait.tid, wait.end), ready_ns=trace.range.cut(wait.ready, wait.end))
    note_unknown(table, runs)
    count_used(table)
    return table


def by_processor(context: Context) -> Table:
    columns = [Column("samples", source="samples"), Column("sampled_ns", source="samples"),
               Column("running_ns", "ticks", "switches"), Column("idle_samples", source="samples"),
               Column("dpc_samples", source="samples"), Column("isr_samples", source="samples"),
               Column("idle_ns", "ticks", "switches"), Column("switches", source="switches")]
    table = with_percent(context, Table(context, ["cpu"], columns, by_running_or_sampled))
    mark_sources(table)
    trace = context.trace
    for sample in samples_of(context):
        key = (sample.event.cpu,)
        if sample.is_idle:
            table.add(key, idle_samples=1)
        else:
            table.add(key, samples=1, sampled_ns=sample.weight, dpc_samples=int(sample.kind == "DPC"),
                      isr_samples=int(sample.kind == "ISR"))
    runs = runs_of(trace)
    for run in runs:
        if run.counts:
            table.add((run.cpu,), **{"running_ns" if run.tid else "idle_ns": trace.range.cut(run.begin, run.end)})
    for event, _, _ in switches_of(trace):
        if trace.counts(event):
            table.add((event.cpu,), switches=1)
    note_unknown(table, runs)
    count_used(table)
    return table


def code_at(context: Context, pid: Optional[int], address: int, time: int, back: int, by: str) -> tuple:
    """Module and function; a return address belongs to the code of the address before it (`back` 1)."""
    method = context.facts.methods.of_frame(pid, address, time, back)
    named = context.facts.methods.name(pid, method, time) if method else None
    if named is not None:
        return named if by == "function" else named[:1]
    image = context.facts.image(pid, address - back, time)
    if by == "module":
        return (image[1] if image else None,)
    return (image[1], "%s!0x%x" % (image[1], address - image[0])) if image else (None, "0x%x" % address)


CODE_COLUMNS = [Column("samples", source="samples"), Column("sampled_ns", source="samples"),
                Column("inclusive_samples", source="samples", in_total=False),
                Column("inclusive_ns", source="samples", in_total=False)]


CODE_KEYS = {"module": ["module"], "function": ["module", "function"]}


class CodeTable(Table):
    def total(self) -> Row:
        total = super().total()
        return total | {"inclusive_samples": total["samples"], "inclusive_ns": total["sampled_ns"]}


def by_code(context: Context, by: str) -> Table:
    table = with_percent(context, CodeTable(context, CODE_KEYS[by], CODE_COLUMNS, lambda row: row["sampled_ns"]))
    mark_sources(table)
    for sample in samples_of(context):
        if sample.is_idle:
            continue
        time = sample.event.raw
        pid = context.facts.process_of_thread(sample.tid, time)[1]
        stack = context.stacks.of(time, sample.tid)
        frames = stack[1:] if stack and stack[0] == sample.address else stack
        own = code_at(context, pid, sample.address, time, 0, by)
        table.add(own, samples=1, sampled_ns=sample.weight)
        for code in {own, *(code_at(context, pid, frame, time, 1, by) for frame in frames)}:
            table.add(code, inclusive_samples=1, inclusive_ns=sample.weight)
        if not stack:
            table.note(samples_without_stack=1)
    table.used = context.trace.count_of(PERF_INFO, 46)
    return table


def cpu(context: Context, by: str) -> Table:
    if by == "processor":
        return by_processor(context)
    return by_code(context, by) if by in ("module", "function") else by_thread(context, by)
