"""Processes, threads, images, and files of a trace at a time, by the rules of docs/enrich.md#time."""
import bisect
import dataclasses
from typing import Any, Callable, Hashable, Iterator, Optional

import methods
from thread_facts import Threads
from events import (CONFIG, FILE_IO, IMAGE, IMAGE_ID, KERNEL_FILE, KERNEL_PROCESS, PROCESS, STACK_WALK, THREAD, Event,
                    Trace)

BEFORE = -(2**63)  # the begin of what the trace found there
MERGED = (IMAGE_ID, *CONFIG[1:])  # written by a merge, from a thread of another time
START, END, RUNDOWN = "start", "end", "rundown"
GONE = "gone"  # a process that had ended earlier, but still has handles


@dataclasses.dataclass(slots=True)
class Observation:
    time: int
    kind: str
    key: Hashable
    value: Any
    kernel: bool  # recorded by a kernel class, not by a provider
    event: Event


@dataclasses.dataclass
class Life:
    """The interval in which a number or address has one meaning."""
    begin: int
    end: Optional[int]
    value: Any
    seen: list[Observation] = dataclasses.field(default_factory=list)

    def recorded(self, kind: str, kernel: bool) -> bool:
        return any(seen.kind == kind and seen.kernel == kernel for seen in self.seen)


def starts_new(last: Life, seen: Observation) -> bool:
    """False if another source has recorded the same start already."""
    return not last.recorded(START, not seen.kernel) or last.recorded(START, seen.kernel) or last.end is not None


def ends_last(last: Life, seen: Observation) -> bool:
    return last.end is None or (last.recorded(END, not seen.kernel) and not last.recorded(END, seen.kernel))


def add(lives: list[Life], seen: Observation) -> None:
    last = lives[-1] if lives else None
    if seen.kind == GONE and last is not None:
        if last.value == seen.value:
            last.seen.append(seen)
        return
    if seen.kind == START:
        if last is None or starts_new(last, seen):
            lives.append(Life(seen.time, None, seen.value))
    elif last is None:
        lives.append(Life(BEFORE, seen.time if seen.kind in (END, GONE) else None, seen.value))
    elif seen.kind == END:
        if last.end is None:
            last.end = seen.time
        elif not ends_last(last, seen) and seen.value is not None:
            lives.append(Life(last.end, seen.time, seen.value))
    elif last.end is not None:
        lives.append(Life(seen.time, None, seen.value))
    lives[-1].seen.append(seen)
    if lives[-1].value is None:
        lives[-1].value = seen.value


class Lives:
    """The lives of all numbers or addresses, by time."""

    def __init__(self, observations: Iterator[Observation]) -> None:
        self.of: dict[Hashable, list[Life]] = {}
        for seen in observations:
            add(self.of.setdefault(seen.key, []), seen)

    def at(self, key: Hashable, time: int) -> Optional[Life]:
        """The last life that began at or before the time, even if it has ended."""
        lives = self.of.get(key)
        if not lives:
            return None
        if len(lives) == 1:
            return lives[0] if lives[0].begin <= time else None
        place = bisect.bisect_right(lives, time, key=lambda life: life.begin)
        return lives[place - 1] if place else None


def file_name(path: Optional[str]) -> Optional[str]:
    return path.replace("/", "\\").rpartition("\\")[2] if path is not None else None


def field(event: Event, *names: str) -> Any:
    """The first of the fields that the event has, by name without case."""
    for name in names:
        if name in event.data:
            return event.data[name]
    folded = {key.lower(): value for key, value in event.data.items()}
    return next((folded[name.lower()] for name in names if name.lower() in folded), None)


def kind_of(event: Event, classes: dict[str, dict[int, str]], providers: dict[str, dict[int, str]]) -> Optional[str]:
    if event.classic:
        return classes.get(event.guid, {}).get(event.opcode)
    return providers.get(event.guid, {}).get(event.id)


LIFETIME = {1: START, 2: END, 3: RUNDOWN, 4: RUNDOWN}


def observe(trace: Trace, classes: dict[str, dict[int, str]], providers: dict[str, dict[int, str]],
            key_and_value: Callable[[Event], Optional[tuple[Hashable, Any]]]) -> Iterator[Observation]:
    for event in trace.all_used:
        kind = kind_of(event, classes, providers)
        if kind is None:
            continue
        found = key_and_value(event)
        if found is not None and found[0] is not None:
            yield Observation(event.raw, kind, found[0], found[1], event.classic, event)


def process_of_event(event: Event) -> Optional[tuple[Hashable, Any]]:
    pid = event.value("ProcessId") if event.classic else field(event, "ProcessID")
    return pid, file_name(field(event, "ImageFileName", "ImageName"))


def thread_of_event(event: Event) -> Optional[tuple[Hashable, Any]]:
    tid, pid = field(event, "TThreadId", "ThreadID"), field(event, "ProcessId", "ProcessID")
    return (as_number(tid), as_number(pid))


def as_number(value: Any) -> Optional[int]:
    if isinstance(value, str):
        return int(value, 16) if value.startswith("0x") else None
    return value


def image_of_event(event: Event) -> Optional[tuple[Hashable, Any]]:
    base, size = as_number(field(event, "ImageBase", "BaseAddress")), as_number(field(event, "ImageSize", "ModuleSize"))
    pid = as_number(field(event, "ProcessId", "ProcessID"))
    if base is None or size is None or pid is None:
        return None
    name = field(event, "FileName", "ImageFileName", "ImageName")
    return (pid, base), (size, name)


def file_of_event(event: Event) -> Optional[tuple[Hashable, Any]]:
    key = as_number(field(event, "FileKey") if event.id in (10, 11) else field(event, "FileObject"))
    return key, field(event, "FileName", "OpenPath")


def named_lives(trace: Trace, kinds: dict[str, dict[int, str]], key: str, name: str) -> Lives:
    """Modules or scripts, by process and ID."""
    return Lives(observe(trace, {}, kinds, lambda event: ((event.pid, event.value(key)), event.data.get(name))))


def statements(trace: Trace) -> Iterator[tuple[Optional[int], int, Optional[int]]]:
    """(thread, time, process) of headers and stack records."""
    for event in trace.all:
        if event.guid not in MERGED:
            yield event.tid, event.raw, event.pid
        if event.of(STACK_WALK, 32, 37, 38) and event.value("EventTimeStamp") is not None:
            yield event.value("StackThread"), event.value("EventTimeStamp"), event.value("StackProcess")


class Facts:
    """What the trace records about its machine."""

    def __init__(self, trace: Trace) -> None:
        self.processes = Lives(observe(trace, {PROCESS: {**LIFETIME, 39: GONE}},
                                       {KERNEL_PROCESS: {1: START, 2: END, 15: RUNDOWN}}, process_of_event))
        self.threads = Threads(observe(trace, {THREAD: {**LIFETIME, 72: RUNDOWN}},
                                     {KERNEL_PROCESS: {3: START, 4: END, 7: RUNDOWN, 8: RUNDOWN, 9: RUNDOWN, 10: RUNDOWN}}, thread_of_event),
                               statements(trace), self.process_bounds)
        self.images = Lives(observe(trace, {IMAGE: {10: START, 2: END, 3: RUNDOWN, 4: RUNDOWN}},
                                    {KERNEL_PROCESS: {5: START, 6: END}}, image_of_event))
        self.files = Lives(observe(trace, {FILE_IO: {0: RUNDOWN, 32: START, 35: END, 36: RUNDOWN, 64: START, 66: END}},
                                   {KERNEL_FILE: {10: START, 11: END, 12: START, 14: END}}, file_of_event))
        self.process_ends = {pid: [life.end for life in lives if life.end is not None]
                             for pid, lives in self.processes.of.items()}
        self.end_images()
        self.methods = methods.Methods(trace, self.process_ends, named_lives)
        self.bases: dict[int, list[int]] = {}
        for pid, base in sorted(self.images.of):
            self.bases.setdefault(pid, []).append(base)
        self.largest = max((life.value[0] for lives in self.images.of.values() for life in lives), default=0)

    def end_images(self) -> None:
        """An image whose load is recorded ends with its process at the latest."""
        for (pid, _), lives in self.images.of.items():
            for life in lives:
                ends = [end for end in self.process_ends.get(pid, ()) if end >= life.begin]
                if pid and ends and any(seen.kind == START for seen in life.seen):
                    life.end = min(ends) if life.end is None else min(life.end, *ends)

    def process_name(self, pid: Optional[int], time: int) -> Optional[str]:
        if pid == 0:
            return "Idle"
        life = self.processes.at(pid, time)
        return life.value if life else None

    def thread_process(self, tid: Optional[int], time: int) -> Optional[int]:
        life = self.threads.at(tid, time)
        return life[1] if life else None

    def process_bounds(self, pid: int, time: int) -> tuple[int, Optional[int]]:
        """Of the process that existed then; unbounded if it had ended."""
        life = self.processes.at(pid, time)
        return (life.begin, life.end) if life and (life.end is None or time < life.end) else (BEFORE, None)

    def process_of_thread(self, tid: Optional[int], time: int) -> tuple[Optional[str], Optional[int]]:
        """Name and ID; thread 0 is Idle."""
        if tid == 0:
            return "Idle", 0
        pid = self.thread_process(tid, time)
        return self.process_name(pid, time), pid

    def file(self, key: Optional[int], time: int) -> Optional[str]:
        life = self.files.at(key, time) if key is not None else None
        return life.value if life else None

    def image(self, pid: Optional[int], address: int, time: int) -> Optional[tuple[int, str]]:
        """Base and file name of the image at an address: of the process, otherwise of the kernel."""
        for owner in (pid, 0) if pid else (0,):
            found = self.image_in(owner, address, time)
            if found:
                return found
        return None

    def image_in(self, pid: int, address: int, time: int) -> Optional[tuple[int, str]]:
        bases = self.bases.get(pid, [])
        place = bisect.bisect_right(bases, address)
        while place and bases[place - 1] + self.largest > address:
            place -= 1
            base = bases[place]
            life = self.images.at((pid, base), time)
            if life and base + life.value[0] > address and (life.end is None or time < life.end):
                return base, file_name(life.value[1])
        return None
