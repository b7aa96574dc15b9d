#!/usr/bin/env python3
"""Starts and stops against an independent computation over a real trace of graphics packets.

    pairs.py ETL TRACE

Packets of a graphics processor begin and end on different threads. `etl dump --format jsonl` gives their events; equal fields of
a start and a stop make a packet. `etl slowest`, also in parts, and `etl export` must show the same packets, and count the rest.

Exit code 1 if there are differences, 77 if the trace does not exist.
"""
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from typing import Any, Iterator

Line = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Kind:
    """A task with its event IDs, the fields of equal values, and what is known of the trace."""
    task: str
    starts: tuple[int, ...]
    stops: tuple[int, ...]
    start_fields: tuple[str, ...]
    stop_fields: tuple[str, ...]
    pairs: int
    longest_us: int


KINDS = (
    Kind("QueuePacket", (178, 244, 245), (180,), ("hContext", "SubmitSequence"), ("hContext", "SubmitSequence"), 6969, 12_637),
    Kind("DmaPacket", (175,), (176,), ("hContext", "uliSubmissionId"), ("hContext", "uliCompletionId"), 2404, 1_690),
)
PARTS = 3


def run(etl: str, *arguments: str) -> bytes:
    result = subprocess.run([etl, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode not in (0, 1):
        raise RuntimeError("etl %s: %s" % (" ".join(arguments), result.stderr.decode(errors="replace")))
    return result.stdout


def expected(events: list[Line], kind: Kind, frequency: int) -> tuple[list[tuple], int, int]:
    """Begin, length in ns, process, and thread of the packets; numbers of the starts and stops that are left."""
    opened: dict[tuple, Line] = {}
    packets, lost = [], 0
    for event in events:
        if event["id"] in kind.starts:
            key = tuple(event["data"][field] for field in kind.start_fields)
            lost += key in opened
            opened[key] = event
        elif event["id"] in kind.stops:
            start = opened.pop(tuple(event["data"][field] for field in kind.stop_fields), None)
            if start is None:
                lost += 1
            else:
                length = (event["raw_time"] - start["raw_time"]) * 10**9 // frequency
                packets.append((start["time"], length, start["pid"], start["tid"]))
    return sorted(packets), len(opened), lost


def rows_of(text: bytes) -> tuple[list[tuple], Line, set]:
    lines = [json.loads(line) for line in text.splitlines()]
    rows = [(row["begin"], row["duration_ns"], row["pid"], row["tid"]) for row in lines[:-1] if row["kind"] == "activity"]
    return sorted(rows), lines[-1]["coverage"], {row["paired_by"] for row in lines[:-1] if row["kind"] == "activity"}


def differences(etl: str, trace: str, kind: Kind, events: list[Line], frequency: int) -> Iterator[str]:
    packets, starts, stops = expected(events, kind, frequency)
    if len(packets) != kind.pairs or max(packet[1] for packet in packets) // 1000 != kind.longest_us:
        yield "computed %d packets, the longest %d ns" % (len(packets), max(packet[1] for packet in packets))
    filters = ["--per-kind", "10000", "--event", kind.task + "/*", trace]
    whole = run(etl, "slowest", "--format", "jsonl", *filters)
    rows, coverage, pairing = rows_of(whole)
    if rows != packets:
        yield "slowest: %d rows, of which %d are packets" % (len(rows), len(set(rows) & set(packets)))
    if pairing != {"fields"}:
        yield "slowest: paired by %s" % pairing
    if (coverage.get("unpaired_starts", 0), coverage.get("unpaired_stops", 0)) != (starts, stops):
        yield "slowest: %s, not %d starts and %d stops" % (coverage, starts, stops)
    with tempfile.TemporaryDirectory() as folder:
        parts = [os.path.join(folder, "%d.part" % part) for part in range(1, PARTS + 1)]
        for number, part in enumerate(parts, 1):
            run(etl, "slowest", "--part", "%d/%d" % (number, PARTS), "--partial", "-o", part, *filters)
        if run(etl, "combine", "--format", "jsonl", *parts) != whole:
            yield "slowest: parts differ from the whole"
        profile = os.path.join(folder, "x.chrome.json")
        run(etl, "export", "-o", profile, "--event", kind.task + "/*", trace)
        yield from export_differences(profile, kind, packets)


def export_differences(profile: str, kind: Kind, packets: list[tuple]) -> Iterator[str]:
    """Slices are complete events, or begin and end with an ID."""
    with open(profile, encoding="utf-8") as file:
        events = [event for event in json.load(file)["traceEvents"] if event.get("name") == kind.task]
    begun = {(event["cat"], event["id"]): event["ts"] for event in events if event["ph"] == "b"}
    lengths = [event["dur"] for event in events if event["ph"] == "X"]
    lengths += [event["ts"] - begun[event["cat"], event["id"]] for event in events if event["ph"] == "e"]
    pairs = zip(sorted(lengths), sorted(packet[1] for packet in packets))
    if len(lengths) != len(packets) or any(abs(us * 1000 - ns) > 2 for us, ns in pairs):
        yield "export: %d slices, not the %d packets" % (len(lengths), len(packets))


def main() -> int:
    etl, trace = sys.argv[1:]
    if not os.path.isfile(trace):
        print("skipped: no trace")
        return 77
    frequency = json.loads(run(etl, "info", "--json", trace))["clock_frequency"]
    dumped = run(etl, "dump", "--raw", "--format", "jsonl", "--numbers", "--provider", "Microsoft-Windows-DxgKrnl", trace)
    events = [json.loads(line) for line in dumped.splitlines()]
    found = [(kind.task, text) for kind in KINDS for text in differences(etl, trace, kind, events, frequency)]
    for task, text in found:
        print("%s: %s" % (task, text))
    print("%d packets" % sum(kind.pairs for kind in KINDS))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
