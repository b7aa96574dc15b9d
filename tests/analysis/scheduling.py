"""Tables of context switches: running intervals, and waits (docs/analysis.md#cpu, #waits)."""
import dataclasses
from typing import Iterator, Optional

from table import Column, Context, Table
from events import PERF_INFO, THREAD, Event, Trace

WAITING, READY = (5, 6, 8, 9), (1, 3, 7)
# KWAIT_REASON, as documented for the class CSwitch and, from 37, in wdm.h.
WAIT_REASONS = ("Executive FreePage PageIn PoolAllocation DelayExecution Suspended UserRequest WrExecutive WrFreePage "
                "WrPageIn WrPoolAllocation WrDelayExecution WrSuspended WrUserRequest WrEventPair WrQueue WrLpcReceive "
                "WrLpcReply WrVirtualMemory WrPageOut WrRendezvous WrKeyedEvent WrTerminated WrProcessInSwap "
                "WrCpuRateControl WrCalloutStack WrKernel WrResource WrPushLock WrMutex WrQuantumEnd WrDispatchInt "
                "WrPreempted WrYieldExecution WrFastMutex WrGuardedMutex WrRundown WrAlertByThreadId "
                "WrDeferredPreempt WrPhysicalFault WrIoRing WrMdlCache WrRcu").split()


@dataclasses.dataclass(slots=True)
class Run:
    """A running interval of a thread, not cut to T."""
    cpu: int
    tid: int
    begin: int
    end: int
    counts: bool


@dataclasses.dataclass(slots=True)
class Wait:
    """Ends with a context switch in T: wait from `since` to `ready`, ready interval from `ready` to `end`."""
    tid: int
    waited: bool
    since: Optional[int]
    ready: Optional[int]
    end: int
    reason: Optional[int]
    readied_by: Optional[Event]


def switches_of(trace: Trace) -> Iterator[tuple[Event, int, int]]:
    for event in trace.used:
        if event.of(THREAD, 36) and "NewThreadId" in event.data and "OldThreadId" in event.data:
            yield event, event.value("NewThreadId"), event.value("OldThreadId")


def runs_of(trace: Trace) -> list[Run]:
    """Running intervals of all processors, Idle included."""
    runs, last = [], {}
    for event, new, old in switches_of(trace):
        tid, begin = last.get(event.cpu, (None, 0))
        if tid is not None and tid == old:
            runs.append(Run(event.cpu, tid, begin, event.raw, trace.counts(event)))
        last[event.cpu] = (new, event.raw)
    for cpu, (tid, begin) in last.items():
        runs.append(Run(cpu, tid, begin, trace.range.end, True))
    return runs


@dataclasses.dataclass(slots=True)
class State:
    kind: str = "unknown"  # waiting, ready, running
    since: int = 0
    reason: Optional[int] = None
    readied: Optional[Event] = None


def switched_out(state: State, event: Event) -> None:
    old = event.value("OldThreadState")
    state.kind = "waiting" if old in WAITING else "ready" if old in READY else "unknown"
    state.since, state.reason, state.readied = event.raw, event.value("OldThreadWaitReason"), None


def switched_in(state: State, tid: int, time: int) -> Optional[Wait]:
    readied = state.readied
    ready = readied.raw if readied else None
    if state.kind == "waiting":
        return Wait(tid, True, state.since, ready, time, state.reason, readied)
    if state.kind == "ready":
        return Wait(tid, False, None, state.since, time, None, None)
    if state.kind == "unknown" and readied:
        return Wait(tid, False, None, ready, time, None, readied)
    return None


def ended(state: State, is_start: bool) -> State:
    """Of a thread that waits or is ready when it ends, or when another one with its ID starts, the switch to it is missing."""
    if state.kind == "running" or (is_start and state.kind == "unknown"):
        return state
    return State()


def waits_of(trace: Trace) -> list[Wait]:
    found, states = [], {}
    for event in trace.used:
        if event.of(THREAD, 1, 2) and event.data.get("TThreadId") is not None and event.value("TThreadId") != 0:
            tid = event.value("TThreadId")
            states[tid] = ended(states.get(tid, State()), event.of(THREAD, 1))
        if event.of(THREAD, 50) and "TThreadId" in event.data:
            state = states.setdefault(event.value("TThreadId"), State())
            if state.kind not in ("ready", "running"):
                state.readied = event
        elif event.of(THREAD, 36) and "NewThreadId" in event.data:
            switched_out(states.setdefault(event.value("OldThreadId"), State()), event)
            new = event.value("NewThreadId")
            state = states.setdefault(new, State())
            wait = switched_in(state, new, event.raw)
            state.kind, state.readied = "running", None
            if wait and new != 0 and trace.counts(event):
                found.append(wait)
    return found


def is_recorded(trace: Trace, guid: str, field: str, *opcodes: int) -> bool:
    return any(event.of(guid, *opcodes) and field in event.data for event in trace.used)


def mark_sources(table: Table) -> None:
    trace = table.context.trace
    sources = {"samples": (PERF_INFO, "ThreadId", 46), "switches": (THREAD, "NewThreadId", 36),
               "readies": (THREAD, "TThreadId", 50)}
    table.recorded |= {name for name, source in sources.items() if is_recorded(trace, *source)}


def reason_name(reason: Optional[int]) -> Optional[str]:
    if reason is None:
        return None
    return WAIT_REASONS[reason] if 0 <= reason < len(WAIT_REASONS) else str(reason)


class Wakers:
    """The thread that ran on a processor when it readied another: of the last context switch there."""

    def __init__(self, context: Context) -> None:
        self.context, self.running = context, {}
        last: dict[int, tuple[int, int]] = {}  # thread, and when it began to run
        for event in context.trace.used:
            if event.of(THREAD, 36) and "NewThreadId" in event.data:
                last[event.cpu] = event.value("NewThreadId"), event.raw
            elif event.of(THREAD, 50):
                self.running[id(event)] = last.get(event.cpu)

    def key(self, readied: Optional[Event]) -> tuple[Optional[str], Optional[int]]:
        if readied is None:
            return None, None
        if (readied.value("Flag") or 0) & 1:
            return "DPC", None
        running = self.running[id(readied)]
        return (None, None) if running is None else self.context.facts.process_of_thread(*running)


WAIT_KEYS = {"process": ["process", "pid"], "thread": ["process", "pid", "tid"], "reason": ["reason"],
             "waker": ["waker", "waker_pid"]}
WAIT_COLUMNS = [Column("waits", source="switches"), Column("wait_ns", "ticks", "switches"),
                Column("max_wait_ns", "ticks", "switches", True), Column("readies", source="readies"),
                Column("ready_ns", "ticks", "readies"), Column("max_ready_ns", "ticks", "readies", True)]


def wait_key(context: Context, by: str, wait: Wait, wakers: Wakers) -> tuple:
    if by == "reason":
        return (reason_name(wait.reason),)
    if by == "waker":
        return wakers.key(wait.readied_by)
    who = context.facts.process_of_thread(wait.tid, wait.end)
    return who if by == "process" else (*who, wait.tid)


def waits(context: Context, by: str) -> Table:
    trace = context.trace
    table = Table(context, WAIT_KEYS[by], WAIT_COLUMNS, lambda row: row["wait_ns"])
    mark_sources(table)
    wakers = Wakers(context)
    for wait in waits_of(trace):
        if not wait.waited and by in ("reason", "waker"):
            continue
        key = wait_key(context, by, wait, wakers)
        if wait.waited:
            length = trace.range.cut(wait.since, wait.end if wait.ready is None else wait.ready)
            table.add(key, waits=1, wait_ns=length)
            table.raise_to(key, max_wait_ns=length)
        if wait.ready is not None:
            length = trace.range.cut(wait.ready, wait.end)
            table.add(key, readies=1, ready_ns=length)
            table.raise_to(key, max_ready_ns=length)
    table.used = trace.count_of(THREAD, 36, 50)
    return table
