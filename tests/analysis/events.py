"""Events of a trace as `etl dump --raw` prints them, and the range and the clock that the tables use.

Nothing else of the tool is used: the tables are computed from these lines and from the definitions of docs/analysis.md.
"""
import collections
import dataclasses
import datetime
import json
import subprocess
from typing import Any, Iterable, Optional

EVENT_TRACE = "68fdd900-4a3e-11d1-84f4-0000f80464e3"
PROCESS = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"
THREAD = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"
PAGE_FAULT = "3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c"
DISK_IO = "3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c"
FILE_IO = "90cbdc39-4a3e-11d1-84f4-0000f80464e3"
IMAGE = "2cb15d1d-5fc1-11d2-abe1-00a0c911f518"
PERF_INFO = "ce1dbfb4-137e-4da6-87b0-3f59aa102cbc"
STACK_WALK = "def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"
TCP_IP = "9a280ac0-c8e0-11d1-84e2-00c04fb998a2"
UDP_IP = "bf3a50c5-a9c9-4988-a005-2df0b7c80f80"
LOST_EVENT = "6a399ae0-4bc6-4de9-870b-3657f8947e7e"
IMAGE_ID = "b3e675d7-2554-4f18-830b-2762732560de"
# SystemConfig, SystemConfigEx, EventMetadata, EventTrace
CONFIG = ("01853a65-418f-4f36-aefc-dc0f1d2fd235", "9b79ee91-b5fd-41c0-a243-4248e266e9d0",
          "bbccf6c1-6cd1-48c4-80ff-839482e37671", EVENT_TRACE)

KERNEL_PROCESS = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"
KERNEL_NETWORK = "7dd42a49-5329-4832-8dfd-43d979153a88"
KERNEL_DISK = "c7bde69a-e1e0-4177-b6ef-283ad1525271"
KERNEL_MEMORY = "d1d93ef7-e1f2-4f45-9943-03d245fe6c00"
KERNEL_FILE = "edd08927-9cc4-4e65-b970-c2560fb5c289"
RUNTIME = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"
RUNDOWN = "a669021c-c450-4609-a035-5af59af4df18"
JSCRIPT = "57277741-3638-4a4b-bdba-0ac6e45da56c"

# The classes and providers that tables other than stats and timeline use.
USED = frozenset((PROCESS, THREAD, PAGE_FAULT, DISK_IO, FILE_IO, IMAGE, PERF_INFO, STACK_WALK, TCP_IP, UDP_IP,
                  KERNEL_PROCESS, KERNEL_NETWORK, KERNEL_FILE, KERNEL_DISK, RUNTIME, RUNDOWN, JSCRIPT))

EPOCH = datetime.datetime(1601, 1, 1)
# docs/format/record.md#dispatch; the headers of other kinds are printed in full, or depend on flags.
HEADER_SIZES = {"SYSTEM": 0x20, "COMPACT": 0x18, "PERFINFO": 0x10, "FULL": 0x30, "INSTANCE": 0x48, "EVENT": 0x50}
MESSAGE_FIELDS = ((0x01, 4), (0x04, 4), (0x18, 8), (0x20, 8))


def number(value: Any) -> Optional[int]:
    """A JSON number, or hexadecimal text."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.startswith("0x"):
        return int(value, 16)
    return None


@dataclasses.dataclass(slots=True)
class Event:
    time: Optional[str]
    raw: int
    cpu: int
    pid: Optional[int]
    tid: Optional[int]
    provider: str
    guid: str
    id: int
    version: int
    opcode: int
    name: Optional[str]
    classic: bool
    kernel: bool
    data: dict[str, Any]
    size: int

    def of(self, guid: str, *opcodes: int) -> bool:
        """An event of a classic class with one of the event types."""
        return self.classic and self.guid == guid and self.opcode in opcodes

    def value(self, field: str) -> Optional[int]:
        return number(self.data.get(field))


def record_size(line: dict[str, Any]) -> int:
    """Size of the record without padding (docs/format/record.md)."""
    payload = len(line.get("payload", "")) // 2
    if "header_bytes" in line:
        return len(line["header_bytes"]) // 2 + payload
    kind = line["header"]
    if kind == "MESSAGE":
        flags = line["message_flags"]
        header = 8 + sum(size for flag, size in MESSAGE_FIELDS if flags & flag)
        return header + (16 if flags & 0x02 and not flags & 0x04 else 0) + payload
    header = HEADER_SIZES[kind.rstrip("0123456789")]
    items = sum((8 + len(item[1]) // 2 + 7) // 8 * 8 for item in line.get("items", ()))
    extra = line.get("ext", {})
    counters = 0 if kind.startswith("EVENT") else 8 * (len(extra.get("pmc", ())) + ("pebs_index" in extra))
    return header + items + counters + payload


def parse_event(line: dict[str, Any]) -> Event:
    classic = not line["header"].startswith(("EVENT", "MESSAGE"))
    guid = line["provider_guid"]
    return Event(line["time"], line["raw_time"], line["cpu"], line["pid"], line["tid"], line["provider"] or guid, guid,
                 line["id"], line["version"], line["opcode"], line["event"], classic,
                 line["provider"] == "MSNT_SystemTrace" and classic, line.get("data", {}), record_size(line))


def fill_times(events: list[Event], places: list[tuple[int, int]]) -> None:
    """Gives records without a usable time that of the previous one of their stream (docs/format/time.md#unstamped)."""
    if all(event.raw is not None for event in events):
        return
    streams: dict[int, list[int]] = {}
    for index in sorted(range(len(events)), key=places.__getitem__):
        streams.setdefault(events[index].cpu, []).append(index)
    header = next((event.raw for event in events if event.of(EVENT_TRACE, 0)), None) or 0
    for stream in streams.values():
        for place, index in enumerate(stream):
            if events[index].raw is None:
                events[index].raw = unstamped(events, places, stream, place, header)


def unstamped(events: list[Event], places: list[tuple[int, int]], stream: list[int], place: int, header: int) -> int:
    """Time of a record of a stream, all earlier ones having one."""
    later = [index for index in stream[place + 1:] if events[index].raw is not None]
    follows = events[later[0]].raw if later else None
    if place == 0:
        return header if follows is None else follows
    last, buffer = places[stream[place - 1]][0], places[stream[place]][0]
    if last == buffer:
        return events[stream[place - 1]].raw
    before = max(events[index].raw for index in stream[:place] if places[index][0] == last)
    return min(before, follows) if later and places[later[0]][0] == buffer else before


def filetime(text: str) -> int:
    """FILETIME of an RFC 3339 time in UTC with up to seven fractional digits."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    seconds = (datetime.datetime.fromisoformat(whole) - EPOCH) // datetime.timedelta(seconds=1)
    return seconds * 10**7 + int((fraction + "0" * 7)[:7])


def rfc3339(time: int) -> str:
    seconds, fraction = divmod(time, 10**7)
    return (EPOCH + datetime.timedelta(seconds=seconds)).isoformat() + ".%07dZ" % fraction


class Clock:
    """Converts raw timestamps and durations (docs/format/time.md#reference)."""

    def __init__(self, info: dict[str, Any], header: Optional[Event]) -> None:
        self.frequency = info.get("clock_frequency") or 10**7
        system_time = header is None or info.get("clock") == "system_time" or not info.get("clock_frequency")
        self.origin, self.start = (0, 0) if system_time else (header.raw, filetime(info["start_time"]))
        if system_time:
            self.frequency = 10**7

    def ns(self, ticks: int) -> int:
        return ticks * 10**9 // self.frequency

    def time(self, raw: int) -> str:
        return rfc3339(self.start + (raw - self.origin) * 10**7 // self.frequency)

    def least_raw(self, text: str) -> int:
        """The least raw timestamp whose time is not earlier."""
        return self.origin - (self.start - filetime(text)) * self.frequency // 10**7


@dataclasses.dataclass
class Range:
    """T: `begin` to `end`; events are in it from `least`, and before `limit`, both raw or None."""
    begin: int
    end: int
    least: Optional[int]
    limit: Optional[int]

    def contains(self, raw: int) -> bool:
        return (self.least is None or raw >= self.least) and (self.limit is None or raw < self.limit)

    def cut(self, begin: int, end: int) -> int:
        """Length of the part of an interval in T, in ticks."""
        return max(0, min(end, self.end) - max(begin, self.begin))


class Trace:
    """All events of a trace, without those about the trace itself, by time."""

    def __init__(self, etl: str, path: str) -> None:
        self.info: dict[str, Any] = json.loads(run(etl, "info", "--json", path))
        events, places = [], []
        for line in run(etl, "dump", "--raw", "--numbers", "--format", "jsonl", path).splitlines():
            parsed = json.loads(line)
            events.append(parse_event(parsed))
            places.append((parsed["buffer"], parsed["offset"]))
        if any(event.time is not None for event in events):
            for event in events:
                event.raw = event.raw if event.time is not None else None
        fill_times(events, places)
        headers = [event for event in events if event.of(EVENT_TRACE, 0)]
        self.header = headers[0] if headers else None
        self.all = sorted((event for event in events if event.guid != EVENT_TRACE), key=lambda event: event.raw)
        self.clock = Clock(self.info, self.header)
        self.all_used = [event for event in self.all if event.guid in USED]
        self.window: tuple[Optional[str], Optional[str]] = ("", "")
        self.select(None, None)

    def select(self, start: Optional[str], end: Optional[str]) -> None:
        """Restricts the tables to `--from` and `--to`."""
        if self.window == (start, end):
            return
        self.window = start, end
        least = self.clock.least_raw(start) if start else None
        limit = self.clock.least_raw(end) if end else None
        self.events = [event for event in self.all if limit is None or event.raw < limit]
        self.used = [event for event in self.events if event.guid in USED]
        first, last = (self.all[0].raw, self.all[-1].raw) if self.all else (0, 0)
        begin = first if least is None else max(first, least)
        stop = last if limit is None else min(last, limit)
        self.range = Range(begin, max(begin, stop), least, limit)
        self.count = sum(1 for _ in self.in_range())
        self.kinds = collections.Counter((event.guid, event.opcode) for event in self.used
                                         if event.classic and self.counts(event))

    @property
    def duration(self) -> int:
        return self.range.end - self.range.begin

    def in_range(self) -> Iterable[Event]:
        return (event for event in self.events if self.counts(event))

    def counts(self, event: Event) -> bool:
        """Whether an event is in T: one without a usable time is in no window."""
        return self.range.contains(event.raw) and (event.time is not None or self.window == (None, None))

    def count_of(self, guid: str, *opcodes: int) -> int:
        """Number of events in T of a class and event types."""
        return sum(self.kinds[guid, opcode] for opcode in opcodes)


def run(etl: str, *arguments: str) -> bytes:
    result = subprocess.run([etl, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if result.returncode not in (0, 1):
        raise RuntimeError("etl %s: exit code %d" % (" ".join(arguments), result.returncode))
    return result.stdout
