#!/usr/bin/env python3
"""The process and thread of SQL rows and of profiles against those of `etl dump --enrich`.

    exports.py ETL [--made N] TRACE...

`etl sql`: the IDs of `events`, and the sums of `stats_process` and `cpu_thread`. `etl export`: samples by process and thread
of firefox, pprof, and speedscope, and the running intervals of chrome. With --made, N traces of made_activity.py as well.

Exit code 1 if there are differences, 77 if none of the traces exists. Traces that do not exist are skipped.
"""
import argparse
import collections
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from typing import Any, Iterator, Optional

from compare import make
from events import EVENT_TRACE

Line = dict[str, Any]
Who = tuple[Optional[str], Optional[int], Optional[int]]  # process, its ID, thread
MERGE = "Etl-Merge"
ISR, DPC = 2, 1
UNKNOWN = "unknown process"
SHOWN = 5


def run(etl: str, *arguments: str) -> bytes:
    result = subprocess.run([etl, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode not in (0, 1):
        raise RuntimeError("etl %s: %s" % (" ".join(arguments), result.stderr.decode(errors="replace")))
    return result.stdout


def lines(etl: str, *arguments: str) -> list[Line]:
    return [json.loads(line) for line in run(etl, *arguments).splitlines() if line.startswith(b"{")]


def dumped(etl: str, trace: str) -> list[Line]:
    fields = "time,cpu,pid,tid,provider,provider_guid,event,process,data,enriched"
    return lines(etl, "dump", "--enrich", "--numbers", "--format", "jsonl", "--fields", fields, trace)


def who(event: Line, field: str) -> Who:
    """The process and thread of a thread ID in the payload."""
    tid = event["data"][field]
    if tid == 0:
        return "Idle", 0, None
    named = re.fullmatch(r"(?s)(.*) \((\d+)\)", event.get("enriched", {}).get(field, ""))
    if named:
        return named[1], int(named[2]), tid
    return event.get("process"), None, tid


def sample_of(event: Line) -> Who:
    bits = event["data"].get("Reserved", 0)
    return ("ISR", None, None) if bits & ISR else ("DPC", None, None) if bits & DPC else who(event, "ThreadId")


class Expected:
    """What `etl dump --enrich` says."""

    def __init__(self, events: list[Line]) -> None:
        self.ids = collections.Counter((event["provider_guid"], event["event"], event["pid"], event["tid"]) for event in events)
        about = [event for event in events if event["provider_guid"] != EVENT_TRACE and event.get("provider") != MERGE]
        self.processes = collections.Counter(event.get("process") for event in about)
        self.samples: collections.Counter = collections.Counter()
        self.counts: collections.Counter = collections.Counter()  # sums of `Count`
        self.switches = []
        for event in events:
            data = event.get("data", {})
            if event["event"] == "PerfInfo/SampleProf" and "ThreadId" in data:
                self.samples[sample_of(event)] += 1
                self.counts[sample_of(event)] += data.get("Count", 1)
            elif event["event"] == "Thread/CSwitch" and "NewThreadId" in data:
                self.switches.append((event["cpu"], data["NewThreadId"], who(event, "NewThreadId")[0]))

    def without_idle(self, counts: collections.Counter) -> collections.Counter:
        return collections.Counter({key: count for key, count in counts.items() if key[0] != "Idle"})


def sql(etl: str, trace: str, query: str) -> list[Line]:
    return lines(etl, "sql", "--format", "jsonl", trace, query)


def differing(what: str, found: collections.Counter, expected: collections.Counter) -> Iterator[str]:
    wrong = {key: (found[key], expected[key]) for key in found.keys() | expected.keys() if found[key] != expected[key]}
    for key, (ours, theirs) in list(sorted(wrong.items(), key=str))[:SHOWN]:
        yield "%s: %s: %d, not %d" % (what, key, ours, theirs)


def unnamed_idle(processes: collections.Counter) -> collections.Counter:
    """A dump names process 0 only if the trace does."""
    folded: collections.Counter = collections.Counter()
    for name, count in processes.items():
        folded[None if name == "Idle" else name] += count
    return folded


def sql_differences(etl: str, trace: str, expected: Expected) -> Iterator[str]:
    rows = sql(etl, trace, "SELECT provider_guid, event, pid, tid, count(*) AS n FROM events GROUP BY 1, 2, 3, 4")
    found = collections.Counter({(row["provider_guid"], row["event"], row["pid"], row["tid"]): row["n"] for row in rows})
    yield from differing("sql: events", found, expected.ids)
    rows = sql(etl, trace, "SELECT process, sum(events) AS n FROM stats_process GROUP BY 1")
    found = collections.Counter({row["process"]: row["n"] for row in rows})
    yield from differing("sql: stats_process", unnamed_idle(found), unnamed_idle(expected.processes))
    rows = sql(etl, trace, "SELECT process, pid, tid, samples FROM cpu_thread WHERE samples > 0")
    found = collections.Counter({(row["process"], row["pid"], row["tid"]): row["samples"] for row in rows})
    yield from differing("sql: cpu_thread", found, expected.samples)


def of_profile(process: str, pid: str, tid: int) -> Who:
    """The names that profiles have for what is unknown."""
    if process in ("ISR", "DPC"):
        return process, None, None
    return None if process == UNKNOWN or process.startswith("process ") else process, int(pid) if pid.isdecimal() else None, tid


def firefox(path: str) -> collections.Counter:
    with open(path, encoding="utf-8") as file:
        threads = json.load(file)["threads"]
    found: collections.Counter = collections.Counter()
    for thread in threads:
        found[of_profile(thread["processName"], thread["pid"], thread["tid"])] += sum(thread["samples"]["weight"] or ())
    return found


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Numbers, and bytes, of a message of Protocol Buffers."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
            yield key >> 3, value
        elif key & 7 == 2:
            size, at = varint(data, at)
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError("wire type %d" % (key & 7))


def numbers(value: Any) -> list[int]:
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        number, at = varint(value, at)
        found.append(number)
    return found


def pprof(path: str) -> tuple[collections.Counter, collections.Counter]:
    """Numbers of samples, and nanoseconds."""
    with gzip.open(path) as file:
        profile = list(fields(file.read()))
    texts = [value.decode() for number, value in profile if number == 6]
    samples: collections.Counter = collections.Counter()
    weights: collections.Counter = collections.Counter()
    for value in (value for number, value in profile if number == 2):
        values, labels = [], {}
        for number, part in fields(value):
            if number == 2:
                values += numbers(part)
            elif number == 3:
                label = dict(fields(part))
                labels[texts[label[1]]] = texts[label[2]] if 2 in label else label.get(3, 0)
        process = labels.get("process")
        key = of_profile(process or UNKNOWN, str(labels.get("pid", "")), labels.get("tid", 0))
        samples[key] += values[0]
        weights[key] += values[1]
    return samples, weights


def speedscope(path: str) -> collections.Counter:
    with open(path, encoding="utf-8") as file:
        profiles = json.load(file)["profiles"]
    found: collections.Counter = collections.Counter()
    for profile in profiles:
        named = re.fullmatch(r"(?s)(.*) \((\d+)\) thread (\d+)(?:: .*)?", profile["name"])
        key = (named[1], int(named[2]), int(named[3])) if named else (profile["name"], None, None)
        found[key] += sum(profile["weights"])
    return found


def chrome_differences(path: str, expected: Expected) -> Iterator[str]:
    """A running interval has the process of the context switch that began it."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    runs = collections.Counter((event["tid"], event["args"]["tid"], None if event["name"] in (UNKNOWN, "unknown") else event["name"])
                               for event in events if event["ph"] == "X" and event.get("cat") == "running")
    switches = collections.Counter(expected.switches)
    strange = {key: count for key, count in runs.items() if count > switches[key]}
    for key, count in list(strange.items())[:SHOWN]:
        yield "chrome: %s runs %d times, and is switched to %d times" % (key, count, switches[key])
    if expected.switches and not runs:
        yield "chrome: no running intervals"


def profile_differences(etl: str, trace: str, expected: Expected, folder: str) -> Iterator[str]:
    if expected.switches:
        path = os.path.join(folder, "x.chrome.json")
        run(etl, "export", "--force", "--to", "chrome", "-o", path, trace)
        yield from chrome_differences(path, expected)
    wanted = expected.without_idle(expected.samples)
    if not wanted:
        return
    paths = {to: os.path.join(folder, "x." + to) for to in ("firefox", "pprof", "speedscope")}
    for to, path in paths.items():
        run(etl, "export", "--force", "--to", to, "-o", path, trace)
    yield from differing("firefox", firefox(paths["firefox"]), expected.without_idle(expected.counts))
    samples, weights = pprof(paths["pprof"])
    yield from differing("pprof", samples, wanted)
    by_name: collections.Counter = collections.Counter()
    for key, weight in speedscope(paths["speedscope"]).items():
        by_name[key if key[1] is not None or key[0] in ("ISR", "DPC") else None] += weight
    wanted_weights: collections.Counter = collections.Counter()
    for key, weight in weights.items():
        is_named = key[0] in ("ISR", "DPC") or key[0] is not None and key[1] is not None
        wanted_weights[key if is_named else None] += weight
    yield from differing("speedscope", by_name, wanted_weights)


def differences(etl: str, trace: str, folder: str) -> Iterator[str]:
    expected = Expected(dumped(etl, trace))
    yield from sql_differences(etl, trace, expected)
    yield from profile_differences(etl, trace, expected, folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("etl")
    parser.add_argument("--made", type=int, default=0)
    parser.add_argument("traces", nargs="*")
    arguments = parser.parse_intermixed_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        paths = [make(arguments.etl, folder, seed) for seed in range(arguments.made)]
        paths += [path for path in arguments.traces if os.path.isfile(path)]
        if not paths:
            print("skipped: no traces")
            return 77
        for path in paths:
            for text in differences(arguments.etl, path, folder):
                failed = True
                print("%s: %s" % (os.path.basename(path), text))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
