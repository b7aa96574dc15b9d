"""Methods of .NET and of scripts at an address and a time, by the rules of docs/enrich.md#methods."""
import bisect
import dataclasses
from typing import Any, Callable, Iterator, Optional

from events import JSCRIPT, RUNDOWN, RUNTIME, Event, Trace

BEFORE = -(2**63)
START, END, SEEN = "start", "end", "rundown"  # as in machine_facts.py
METHODS = {RUNTIME: {141: START, 143: START, 142: END, 144: END}, RUNDOWN: dict.fromkeys((141, 142, 143, 144), SEEN),
           JSCRIPT: {5: SEEN, 6: SEEN, 9: START, 10: END}}
MODULES = {RUNTIME: {152: START, 153: END}, RUNDOWN: {153: SEEN, 154: SEEN}}
SCRIPTS = {JSCRIPT: {39: SEEN, 40: SEEN, 41: START, 42: END}}


@dataclasses.dataclass
class Method:
    """A range of addresses that has one meaning from `begin` to `end`."""
    start: int
    size: int
    identity: tuple
    begin: int
    end: Optional[int]
    seen: int  # time of the first event about it
    event: Event  # the first with names


def kind_of(event: Event, kinds: dict[str, dict[int, str]]) -> Optional[str]:
    return None if event.classic else kinds.get(event.guid, {}).get(event.id)


def file_of(path: Optional[str]) -> Optional[str]:
    """File name of a path or of a URL."""
    if not path:
        return None
    if "://" in path:
        path = path.partition("?")[0].partition("#")[0]
    return path.replace("/", "\\").rpartition("\\")[2] or None


def has_names(event: Event) -> bool:
    return "MethodName" in event.data


def identity_of(event: Event) -> tuple:
    return event.guid == JSCRIPT, event.value("MethodID"), event.value("ModuleID"), event.value("SourceID")


class ProcessMethods:
    """The methods of a process; ranges that exist at the same time do not overlap."""

    def __init__(self) -> None:
        self.all: list[Method] = []
        self.open: dict[int, Method] = {}
        self.largest = 0

    def overlapping(self, methods: Iterator[Method], start: int, size: int) -> list[Method]:
        return [method for method in methods if method.start < start + size and start < method.start + method.size]

    def begin(self, event: Event, time: int, start: int, size: int) -> None:
        method = Method(start, size, identity_of(event), time, None, event.raw, event)
        self.all.append(method)
        self.open[start] = method

    def add(self, event: Event, kind: str, ended: int) -> None:
        """`ended`: when the last process of that ID ended."""
        start, size = event.value("MethodStartAddress"), event.value("MethodSize")
        if start is None or not size:
            return
        same = self.open.get(start)
        if same is not None and (same.size != size or same.identity != identity_of(event) or same.seen < ended):
            same = None
        if kind == START or (kind == SEEN and same is None) or (kind == END and same is None):
            self.add_new(event, kind, start, size, same)
        elif kind == END:
            self.close(same, event.raw)
        elif not has_names(same.event):
            same.event = event

    def close(self, method: Method, time: int) -> None:
        method.end = time
        del self.open[method.start]

    def add_new(self, event: Event, kind: str, start: int, size: int, same: Optional[Method]) -> None:
        if same is not None:
            if not has_names(same.event):
                same.event = event
            return
        earlier = self.overlapping(iter(self.all), start, size)
        for other in self.overlapping(iter(list(self.open.values())), start, size):
            self.close(other, event.raw)
        left = max((other.end for other in earlier if other.end is not None), default=BEFORE)
        self.begin(event, event.raw if kind == START else left, start, size)
        if kind == END:
            self.close(self.open[start], event.raw)


class Methods:
    """All methods of a trace; `process_ends` are the times at which processes of an ID ended."""

    def __init__(self, trace: Trace, process_ends: dict[int, list[int]], lives: Callable) -> None:
        self.ends = process_ends
        self.of: dict[int, ProcessMethods] = {}
        self.modules = lives(trace, MODULES, "ModuleID", "ModuleILPath")
        self.scripts = lives(trace, SCRIPTS, "SourceID", "Url")
        for event in trace.all_used:
            kind = kind_of(event, METHODS)
            if kind is not None and event.pid is not None:
                self.of.setdefault(event.pid, ProcessMethods()).add(event, kind, self.last_end(event.pid, event.raw))
        self.sorted = {pid: sorted(found.all, key=lambda method: method.start) for pid, found in self.of.items()}
        self.starts = {pid: [method.start for method in found] for pid, found in self.sorted.items()}
        self.largest = {pid: max((method.size for method in found), default=0) for pid, found in self.sorted.items()}

    def last_end(self, pid: int, time: int) -> int:
        return max((end for end in self.ends.get(pid, ()) if end < time), default=BEFORE)

    def exists(self, pid: int, method: Method, time: int) -> bool:
        ends = [end for end in self.ends.get(pid, ()) if end >= method.seen]
        if method.end is not None:
            ends.append(method.end)
        return method.begin <= time and (not ends or time < min(ends))

    def at(self, pid: Optional[int], address: int, time: int) -> Optional[Method]:
        starts = self.starts.get(pid)
        if not starts:
            return None
        place = bisect.bisect_right(starts, address)
        while place and starts[place - 1] + self.largest[pid] > address:
            place -= 1
            method = self.sorted[pid][place]
            if method.start + method.size > address and self.exists(pid, method, time):
                return method
        return None

    def of_frame(self, pid: Optional[int], address: int, time: int, back: int) -> Optional[Method]:
        """A return address belongs to the method of the byte before it, unless it is the first byte of a method."""
        if back:
            first = self.at(pid, address, time)
            if first is not None and first.start == address:
                return first
        return self.at(pid, address - back, time)

    def name(self, pid: int, method: Method, time: int) -> Optional[tuple[Optional[str], str]]:
        """Module and function, or None if the method has no names."""
        event = method.event
        if not has_names(event):
            return None
        if event.guid == JSCRIPT:
            life = self.scripts.at((pid, event.value("SourceID")), time)
            return file_of(life.value if life else None), "%s:%d" % (event.data["MethodName"], event.value("Line"))
        life = self.modules.at((pid, event.value("ModuleID")), time)
        return file_of(life.value if life else None), managed_name(event.data)


def managed_name(data: dict[str, Any]) -> str:
    """Type, method, and arguments."""
    place = data["MethodSignature"].find("(")
    arguments = data["MethodSignature"][place:] if place >= 0 else ""
    return ".".join(part for part in (data["MethodNamespace"], data["MethodName"]) if part) + arguments
