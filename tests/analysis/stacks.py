"""Stacks recorded separately from their events, by the rules of docs/enrich.md#stacks."""
import bisect
import dataclasses
from typing import Optional

from machine_facts import as_number
from thread_facts import Threads
from events import STACK_WALK, Trace

STACK, KEY_CREATE, KEY_DELETE, KEY_RUNDOWN, KEY_KERNEL, KEY_USER = 32, 34, 35, 36, 37, 38


NO_USER_PART = (0, 4)  # the processes Idle and System


@dataclasses.dataclass(slots=True)
class Reference:
    """A part of a stack: its frames, or the key of them."""
    time: int
    key: Optional[int]
    frames: list[int]
    process: Optional[int]


def is_kernel(address: int) -> bool:
    return address >= 2**63 or 2**31 <= address < 2**32


class Definitions:
    """The frames of stack keys, which are reused, and shared by kernel and user parts."""

    def __init__(self) -> None:
        self.created: dict[tuple[int, bool], list[tuple[int, list[int]]]] = {}
        self.released: dict[tuple[int, bool], list[tuple[int, list[int]]]] = {}

    def frames(self, key: int, kernel: bool, time: int) -> list[int]:
        created, released = self.created.get((key, kernel), []), self.released.get((key, kernel), [])
        after = bisect.bisect_left(released, time, key=lambda item: item[0])
        next_created = bisect.bisect_right(created, time, key=lambda item: item[0])
        if after < len(released):
            if next_created == len(created) or created[next_created][0] > released[after][0]:
                return released[after][1]
        return created[next_created - 1][1] if next_created else []


class Stacks:
    """The first kernel part and the first user part of each time and thread."""

    def __init__(self, trace: Trace, threads: Threads) -> None:
        self.threads, self.definitions = threads, Definitions()
        self.parts: dict[tuple[int, Optional[int]], dict[bool, Reference]] = {}
        for event in trace.all_used:
            if event.classic and event.guid == STACK_WALK:
                self.add(event)
        for parts in self.parts.values():
            for kernel, part in list(parts.items()):
                part.frames = part.frames or self.definitions.frames(part.key, kernel, part.time)
                if not part.frames:
                    del parts[kernel]
        self.user_times: dict[Optional[int], list[int]] = {}
        for time, tid in sorted(key for key, parts in self.parts.items() if False in parts):
            self.user_times.setdefault(tid, []).append(time)

    def add(self, event) -> None:
        if event.opcode in (KEY_CREATE, KEY_DELETE, KEY_RUNDOWN):
            kept = self.definitions.created if event.opcode == KEY_CREATE else self.definitions.released
            frames = [as_number(frame) for frame in event.data.get("StackFrame", ())]
            if frames:
                kept.setdefault((event.value("key"), is_kernel(frames[-1])), []).append((event.raw, frames))
        elif event.opcode in (KEY_KERNEL, KEY_USER):
            self.refer(event, event.opcode == KEY_KERNEL, event.value("StackKey"), [])
        elif event.opcode == STACK:
            frames = [as_number(frame) for frame in event.data.get("Stack", ())]
            if frames:
                self.refer(event, is_kernel(frames[0]), None, frames)

    def refer(self, event, kernel: bool, key: Optional[int], frames: list[int]) -> None:
        time_and_thread = event.value("EventTimeStamp"), event.value("StackThread")
        part = Reference(event.raw, key, frames, event.value("StackProcess"))
        self.parts.setdefault(time_and_thread, {}).setdefault(kernel, part)

    def user_part(self, time: int, tid: Optional[int]) -> Optional[Reference]:
        """That of the time, or the next one of the thread: it is recorded when the thread leaves the kernel."""
        parts = self.parts[time, tid]
        if False in parts or True not in parts or parts[True].process in NO_USER_PART:
            return parts.get(False)
        times = self.user_times.get(tid, [])
        place = bisect.bisect_left(times, time)
        if place == len(times) or self.threads.at(tid, times[place]) != self.threads.at(tid, time):
            return None
        return self.parts[times[place], tid][False]

    def of(self, time: int, tid: Optional[int]) -> list[int]:
        """Addresses, kernel before user."""
        parts = self.parts.get((time, tid))
        if parts is None:
            return []
        return [frame for part in (parts.get(True), self.user_part(time, tid)) if part for frame in part.frames]
