#!/usr/bin/env python3
"""one_attribution.py ETL FOLDER: an event has the same process wherever it is asked for. Of every trace below FOLDER, `process`
of `etl dump --enrich` is compared with `etl stats --by process` (all events), `etl cpu` (samples), `etl dump --process`, `etl
relog --process`, and `etl split --by process`. Exit code 77: FOLDER is absent."""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

NAMES = 4  # processes of a trace that are selected
HEADER = "68fdd900-4a3e-11d1-84f4-0000f80464e3"  # EventTrace: not part of tables


def lines(etl, *words):
    done = subprocess.run([etl, *words], capture_output=True, check=False, text=True, errors="replace")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def dumped(etl, trace, *words):
    fields = "time,provider_guid,event,opcode,pid,process,data"
    return [event for event in lines(etl, "dump", "--enrich", "--format", "jsonl", "--no-progress", "--fields", fields, *words, trace)
            if event.get("provider_guid") != HEADER]


def key(name):
    return name.lower().removesuffix(".exe") if name else None


def counted(rows, column):
    sums = collections.Counter()
    for row in rows:
        if "process" in row and row.get(column):
            sums[row["process"]] += row[column]
    return sums


def only(sums, names):
    """The sums of names; of all others together, None."""
    folded = collections.Counter()
    for name, count in sums.items():
        folded[name if name in names else None] += count
    return folded


def number(value):
    return int(value, 0) if isinstance(value, str) else value or 0


def samples_of(events):
    sums = collections.Counter()
    for event in events:
        if event.get("event") == "PerfInfo/SampleProf" and not number(event.get("data", {}).get("Reserved")) & 3:
            sums[event.get("process")] += 1
    return sums


def selected(etl, trace, events, name, scratch):
    """Yields what differs for one process."""
    expected = sum(key(event.get("process")) == key(name) for event in events)
    found = dumped(etl, trace, "--process", name)
    own = [event for event in found if key(event.get("process")) == key(name)]
    strange = {event.get("event") for event in found if key(event.get("process")) != key(name)} - {"Thread/CSwitch"}
    if len(own) != expected or strange:
        yield f"dump --process {name}: {len(own)} events, not {expected}; {strange}"
    part = scratch / "part.etl"
    subprocess.run([etl, "relog", "--force", "--no-progress", "--no-context", "--process", name, "-o", str(part), trace],
                   capture_output=True, check=False)
    kept = [event for event in lines(etl, "dump", "--format", "jsonl", "--no-progress", "--fields", "time,provider_guid", str(part))
            if event.get("provider_guid") != HEADER]
    if len(kept) != len(found):
        yield f"relog --process {name}: {len(kept)} events, not {len(found)}"


def differences(etl, trace, scratch):
    events = dumped(etl, trace)
    of_dump = collections.Counter(event.get("process") for event in events)
    names = {name for name in of_dump if name}
    stats = counted(lines(etl, "stats", "--by", "process", "--format", "jsonl", "--no-progress", trace), "events")
    if only(stats, names) != only(of_dump, names):
        yield f"stats: {only(stats, names) - only(of_dump, names)}, dump: {only(of_dump, names) - only(stats, names)}"
    samples = samples_of(events)
    cpu = counted(lines(etl, "cpu", "--format", "jsonl", "--no-progress", trace), "samples")
    known = {name for name in samples if name and name != "Idle"}
    if {name: cpu[name] for name in known} != {name: samples[name] for name in known}:
        yield f"cpu: {[(name, cpu[name], samples[name]) for name in known if cpu[name] != samples[name]]}"
    for name, _ in sorted(of_dump.items(), key=lambda one: -one[1])[:NAMES + 1]:
        if name and name != "Idle":
            yield from selected(etl, trace, events, name, scratch)


def main(etl, folder):
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        return 77
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(path for path in folder.rglob("*.etl*") if path.suffix != ".toml" and path.is_file()):
            for difference in differences(etl, str(path), pathlib.Path(scratch)):
                failed = True
                print(f"{path}: {difference}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
