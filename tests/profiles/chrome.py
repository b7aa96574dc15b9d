"""chrome.py ETL TRACE...: `etl export --to chrome` obeys the rules of the Trace Event Format (JSON Object Format), and its sums
are those of `etl cpu`."""

import json
import sys

import tables
from tables import require

MACHINE = 1  # the process of the tracks of processors
NEEDS = {"X": {"name", "cat", "ts", "dur", "pid", "tid"}, "i": {"name", "ts", "s", "pid", "tid"},
         "b": {"name", "cat", "id", "ts", "pid", "tid"}, "e": {"name", "cat", "id", "ts", "pid", "tid"},
         "C": {"name", "ts", "pid", "args"}, "M": {"name", "pid", "tid", "args"}}


def nanoseconds(micros):
    return round(micros * 1000)


def check_events(events):
    open_slices = {}
    tracks = {}
    for event in events:
        phase = event["ph"]
        require(phase in NEEDS and NEEDS[phase] <= set(event), f"{phase}: {sorted(event)}")
        require(event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0, f"times of {event}")
        require(phase != "i" or event["s"] in ("g", "p", "t"), "scope of an instant")
        if phase == "M":
            require(event["name"] in ("process_name", "thread_name") and isinstance(event["args"]["name"], str), "names")
        if phase == "b":
            open_slices[(event["cat"], event["id"])] = event["ts"]
        if phase == "e":
            require(open_slices.pop((event["cat"], event["id"])) <= event["ts"], "an asynchronous slice")
        if phase == "X":
            begin = nanoseconds(event["ts"])
            kind = "running" if event["cat"] == "running" else ""
            tracks.setdefault((event["pid"], event["tid"], kind), []).append((begin, -begin - nanoseconds(event["dur"])))
    require(not open_slices, "slices that do not end")
    for track, slices in tracks.items():
        check_nesting(track, sorted(slices))


def check_nesting(track, slices):
    ends = []
    for begin, minus_end in slices:
        while ends and ends[-1] <= begin:
            ends.pop()
        require(not ends or -minus_end <= ends[-1] + 1, f"{track}: slices overlap at {begin} ns")
        ends.append(-minus_end)


def names_of(file, stack):
    while stack is not None:
        frame = file["stackFrames"][stack]
        yield frame["name"]
        stack = frame.get("parent")


def check_samples(etl, trace, file):
    exclusive, inclusive, threads = tables.Sums(), tables.Sums(), tables.Sums()
    counters = tables.Sums()
    last = 0
    for sample in file["samples"]:
        require(sample["ts"] >= last, "samples are not in time order")
        last = sample["ts"]
        names = list(names_of(file, sample["sf"]))
        if sample["name"] != "sample":
            counters.add((sample["name"], names[0]), 0, sample["weight"])
            continue
        threads.add(sample["tid"], 1, sample["weight"])
        exclusive.add(names[0], 1, sample["weight"])
        for name in set(names) - tables.MARKERS:
            inclusive.add(name, 1, sample["weight"])
    expected = tables.Sums()
    for (_, _, tid), pair in tables.by_thread(etl, trace).by_key.items():
        expected.add(tid or 0, *pair)
    tables.require_equal(f"{trace}: threads", threads.both(), expected.both())
    tables.require_equal(f"{trace}: counters", counters.nanoseconds(), tables.by_counter(etl, trace))
    tables.require_equal(f"{trace}: functions", exclusive.both(), tables.by_function(etl, trace).both())
    tables.require_equal(f"{trace}: functions, inclusive", inclusive.both(),
                         tables.by_function(etl, trace, "inclusive_").both())


def check_running(etl, trace, events):
    """Differs from the table by less than a nanosecond for each run: times are rounded down one by one."""
    runs = [event for event in events if event.get("cat") == "running"]
    total = sum(nanoseconds(event["dur"]) for event in runs)
    expected = sum(row["running_ns"] or 0 for row in tables.rows(etl, "cpu", "thread", trace) if row["pid"] != 0)
    require(abs(total - expected) <= len(runs) + 1, f"{trace}: {total} ns running, expected {expected}")


def check(etl, trace):
    data = tables.run(etl, "export", "--to", "chrome", "--no-progress", trace, expected=(0, 1))
    if not data:
        print(f"{trace}: nothing")
        return
    file = json.loads(data.decode())
    require({"displayTimeUnit", "otherData", "traceEvents", "stackFrames", "samples"} == set(file), "members")
    check_events(file["traceEvents"])
    for number, frame in file["stackFrames"].items():
        require("name" in frame and int(frame.get("parent", 0)) < int(number), f"stack frame {number}")
    check_samples(etl, trace, file)
    check_running(etl, trace, file["traceEvents"])
    print(f"{trace}: {len(file['traceEvents'])} events, {len(file['samples'])} samples")


if __name__ == "__main__":
    for path in sys.argv[2:]:
        check(sys.argv[1], path)
