"""The processes of threads at a time, by the rules of docs/processes.md#threads."""
import bisect
import dataclasses
from typing import Callable, Iterable, Optional

NO_ID = 0xffffffff
BEFORE = -(2**63)
Bounds = Callable[[int, int], tuple[int, Optional[int]]]  # of a process at a time


@dataclasses.dataclass
class Stated:
    """The times in which one process is stated."""
    pid: int
    first: int
    last: int
    started: bool = False
    ended: bool = False


def of_events(seen: Iterable) -> list[Stated]:
    """Of the events about a thread; START, END, and rundowns, in time order."""
    stated: list[Stated] = []
    before = None
    for one in seen:
        if (before is not None and before.kind == one.kind != "rundown" and before.kernel != one.kernel
                and before.value == one.value):
            if one.kind == "end" and one.kernel:
                stated[-1].last = one.time
            before = None
            continue
        before = one
        current = stated[-1] if stated and not stated[-1].ended else None
        same = current is not None and current.pid == one.value
        if one.kind == "start" or not same:
            stated.append(Stated(one.value, one.time, one.time, one.kind == "start", one.kind == "end"))
        else:
            current.last, current.ended = one.time, one.kind == "end"
    return stated


def with_others(events: list[Stated], others: list[tuple[int, int]]) -> list[Stated]:
    """With what other records state, (time, process), outside of the intervals."""
    free = [one for one in others if not any(event.first <= one[0] <= event.last for event in events)]
    parts = sorted([(event.first, 1, event) for event in events] + [(time, 0, Stated(pid, time, time)) for time, pid in free],
                   key=lambda part: part[:2])
    merged: list[Stated] = []
    for _, is_event, part in parts:
        last = merged[-1] if merged else None
        if last is not None and last.pid == part.pid and not part.started and (not is_event or not last.ended):
            if not last.ended:
                last.last, last.ended = part.last, part.ended
        else:
            merged.append(dataclasses.replace(part))
    return merged


def begins_of(stated: list[Stated], bounds: Bounds) -> list[tuple[int, int]]:
    """(begin, process) of each interval."""
    found = []
    for index, one in enumerate(stated):
        born = bounds(one.pid, one.first)[0]
        before = stated[index - 1] if index else None
        if one.started:
            begin = one.first
        elif before is None:
            begin = born if born <= one.first else BEFORE
        elif before.ended:
            begin = max(before.last, born if born <= one.first else BEFORE)
        else:
            between = one.first - before.last
            begin = before.last + between // 2 + 1 if between else one.first
            died = bounds(before.pid, before.last)[1]
            if died is not None and died > before.last:
                begin = min(begin, died)
            if born <= one.first:
                begin = max(begin, born)
        found.append((begin, one.pid))
    return found


class Threads:
    def __init__(self, observations: Iterable, statements: Iterable[tuple[int, int, int]], bounds: Bounds) -> None:
        """`statements`: (thread, time, process)."""
        seen: dict[int, list] = {}
        for one in observations:
            if one.value is not None:
                seen.setdefault(one.key, []).append(one)
        others: dict[int, list[tuple[int, int]]] = {}
        for tid, time, pid in statements:
            if tid not in (0, NO_ID, None) and pid not in (0, NO_ID, None):
                others.setdefault(tid, []).append((time, pid))
        self.of = {}
        for tid in seen.keys() | others.keys():
            events = of_events(sorted(seen.get(tid, ()), key=lambda one: one.time))
            self.of[tid] = begins_of(with_others(events, sorted(set(others.get(tid, ())))), bounds)

    def at(self, tid: Optional[int], time: int) -> Optional[tuple[int, int]]:
        """(begin, process) of what the thread ID was at a time."""
        found = self.of.get(tid, [])
        place = bisect.bisect_right(found, time, key=lambda one: one[0])
        return found[place - 1] if place else None
