"""etl cpu --source all (docs/analysis.md#counters)."""
import dataclasses
from typing import Iterator, Optional

from cpu import DPC, ISR, code_at
from events import PERF_INFO, Event
from table import Column, Context, Row, Table

# KPROFILE_SOURCE, as far as the traces at hand need it.
USUAL = {2: "TotalIssues", 6: "BranchInstructions", 10: "CacheMisses", 11: "BranchMispredictions", 19: "TotalCycles"}
CODE_KEYS = {"module": ["module"], "function": ["module", "function"]}


@dataclasses.dataclass(slots=True)
class Sample:
    event: Event
    source: int
    tid: int
    address: int
    events: Optional[int]  # for which it stands; None: unknown
    kind: Optional[str]  # DPC or ISR


def intervals(context: Context) -> Iterator[Event]:
    for event in context.trace.all_used:
        if event.of(PERF_INFO, 72, 73, 74) and event.value("Source") is not None:
            yield event


def names(context: Context) -> dict[int, str]:
    found: dict[int, str] = {}
    for event in intervals(context):
        if event.opcode != 72 and event.data.get("SourceName"):
            found.setdefault(event.value("Source"), event.data["SourceName"])
    return found


def first_intervals(context: Context) -> dict[int, int]:
    """Those before the first event that states one."""
    found: dict[int, int] = {}
    for event in intervals(context):
        if event.value("NewInterval"):
            before = event.value("OldInterval") if event.opcode == 72 else 0
            found.setdefault(event.value("Source"), before or event.value("NewInterval"))
    return found


def samples_of(context: Context) -> Iterator[Sample]:
    """Samples in T."""
    held = first_intervals(context)
    for event in context.trace.used:
        if event.of(PERF_INFO, 72, 73, 74) and event.value("NewInterval"):
            held[event.value("Source")] = event.value("NewInterval")
        elif event.of(PERF_INFO, 47) and "ThreadId" in event.data and context.trace.range.contains(event.raw):
            bits = event.value("Reserved") or 0
            kind = "ISR" if bits & ISR else "DPC" if bits & DPC else None
            source = event.value("ProfileSource")
            yield Sample(event, source, event.value("ThreadId"), event.value("InstructionPointer"), held.get(source), kind)


class CounterTable(Table):
    """Sums of events are of one source."""

    def __init__(self, context: Context, keys: list[str], inclusive: bool) -> None:
        columns = [Column("samples", source="samples"), Column("events", source="samples")]
        if inclusive:
            columns += [Column("inclusive_samples", source="samples", in_total=False),
                        Column("inclusive_events", source="samples", in_total=False)]
        super().__init__(context, ["source", *keys], columns, lambda row: row["samples"])
        self.inclusive = inclusive
        self.unknown: set[str] = set()  # sources without an interval

    def rows(self) -> list[Row]:
        rows = super().rows()
        for row in rows:
            if row["source"] in self.unknown:
                row |= {name: None for name in row if name.endswith("events")}
        return rows

    def total(self) -> Row:
        total = super().total()
        sources = {key[0] for key in self.cells}
        if len(sources) > 1 or sources & self.unknown:
            total["events"] = None
        if self.inclusive:
            total |= {"inclusive_samples": total["samples"], "inclusive_events": total["events"]}
        return total


def counters(context: Context, by: str) -> Table:
    keys = {"source": [], "process": ["process", "pid"], "thread": ["process", "pid", "tid"], "processor": ["cpu"],
            **CODE_KEYS}[by]
    table, known = CounterTable(context, keys, by in CODE_KEYS), names(context)
    if any(event.of(PERF_INFO, 47) for event in context.trace.used):
        table.recorded.add("samples")
    for sample in samples_of(context):
        if sample.tid == 0 and sample.kind is None:
            table.note(idle_samples=1)
            continue
        number = sample.source
        source = known.get(number) or "%d%s" % (number, " (%s)" % USUAL[number] if number in USUAL else "")
        if sample.events is None:
            table.unknown.add(source)
            table.note(samples_without_interval=1)
        add_sample(table, by, source, sample)
    table.used = context.trace.count_of(PERF_INFO, 47)
    return table


def add_sample(table: CounterTable, by: str, source: str, sample: Sample) -> None:
    context, time, events = table.context, sample.event.raw, sample.events or 0
    process, pid = context.facts.process_of_thread(sample.tid, time)
    if by not in CODE_KEYS:
        owner = (sample.kind, None, None) if sample.kind else (process, pid, sample.tid)
        key = {"source": (), "process": owner[:2], "thread": owner, "processor": (sample.event.cpu,)}[by]
        table.add((source, *key), samples=1, events=events)
        return
    stack = context.stacks.of(time, sample.tid)
    frames = stack[1:] if stack and stack[0] == sample.address else stack
    own = code_at(context, pid, sample.address, time, 0, by)
    table.add((source, *own), samples=1, events=events)
    for code in {own, *(code_at(context, pid, frame, time, 1, by) for frame in frames)}:
        table.add((source, *code), inclusive_samples=1, inclusive_events=events)
    if not stack:
        table.note(samples_without_stack=1)
