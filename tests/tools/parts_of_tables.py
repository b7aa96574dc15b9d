#!/usr/bin/env python3
"""parts_of_tables.py ETL FOLDER COUNTS: the parts of every table of every trace below FOLDER, combined, equal the complete
table byte for byte, for each number of parts of COUNTS (1,2,7,64). Exit code 77: the folder is absent."""
import pathlib
import subprocess
import sys
import tempfile

TABLES = [("cpu", by) for by in ("process", "thread", "processor", "module", "function", "process-module",
                                 "process-function", "call")]
TABLES += [("waits", by) for by in ("process", "thread", "reason", "waker")]
TABLES += [("network", by) for by in ("process", "peer")]
TABLES += [("stacks", by) for by in ("function", "call", "event")]
TABLES += [("stats", by) for by in ("provider", "event", "process", "processor", "slice")]
TABLES += [("timeline", by) for by in ("all", "provider", "process")]
TABLES += [("interrupts", by) for by in ("routine", "module", "slice")]
TABLES += [("disk", by) for by in ("process", "file", "disk")]
TABLES += [("files", by) for by in ("process", "file", "operation")]
TABLES += [("processes", ""), ("images", ""), ("gc", ""), ("slowest", "")]


def run(etl, *words):
    return subprocess.run([etl, *map(str, words)], capture_output=True, check=False)


def by_of(by):
    return ["--by", by] if by else []


def combined(etl, trace, verb, by, count, scratch):
    """The output of `combine`; what was printed instead, if a part failed."""
    files = []
    for number in range(1, count + 1):
        files.append(scratch / f"{number}.part")
        made = run(etl, verb, *by_of(by), "--no-progress", "--part", f"{number}/{count}", "--partial", "--force", "-o",
                   files[-1], trace)
        if made.returncode > 1:
            return made.stderr
    result = run(etl, "combine", "--format", "json", *reversed(files))
    return result.stdout or result.stderr


def main():
    etl, folder, counts = sys.argv[1], pathlib.Path(sys.argv[2]), [int(count) for count in sys.argv[3].split(",")]
    if not folder.is_dir():
        return 77
    traces = sorted(path for path in folder.rglob("*") if ".etl" in path.suffixes and path.is_file())
    wrong = compared = 0
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for path in traces:
            trace = scratch / path.name
            trace.symlink_to(path.resolve())
            if run(etl, "info", trace).returncode > 1:
                trace.unlink()
                continue
            run(etl, "index", trace)
            bad = []
            for verb, by in TABLES:
                whole = run(etl, verb, *by_of(by), "--no-progress", "--format", "json", trace).stdout
                for count in counts:
                    compared += 1
                    if not whole or combined(etl, trace, verb, by, count, scratch) != whole:
                        bad.append(f"{verb} --by {by} in {count}")
            wrong += len(bad)
            print(f"{path.relative_to(folder)}: {'differs: ' + ', '.join(bad) if bad else 'equal'}", flush=True)
            trace.unlink()
            trace.with_name(trace.name + ".index").unlink(missing_ok=True)
    print(f"{compared} comparisons, {wrong} differ")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
