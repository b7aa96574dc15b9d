#!/usr/bin/env python3
"""parts_of_tables.py ETL FOLDER COUNTS: the parts of every table of every trace below FOLDER, combined, equal the complete
table byte for byte, for each number of parts of COUNTS (1,2,7,64). Exit code 77: the folder is absent."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def run(etl, *words):
    return subprocess.run([etl, *map(str, words)], capture_output=True, check=False)


def tables_of(etl):
    """The forms of tables that have parts and a verb."""
    forms = map(json.loads, run(etl, "help", "--tables").stdout.splitlines())
    return [(form["table"], form["by"]) for form in forms if form["has_parts"] and form["is_verb"]]


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


def differing(etl, trace, tables, counts, scratch):
    """The tables whose parts do not add up to the complete table; none, if the trace cannot be read."""
    if run(etl, "info", trace).returncode > 1:
        return None
    run(etl, "index", trace)
    bad = []
    for verb, by in tables:
        whole = run(etl, verb, *by_of(by), "--no-progress", "--format", "json", trace).stdout
        bad += [f"{verb} --by {by} in {count}" for count in counts
                if not whole or combined(etl, trace, verb, by, count, scratch) != whole]
    return bad


def compare(etl, path, tables, counts):
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        trace = scratch / path.name
        trace.symlink_to(path.resolve())
        return differing(etl, trace, tables, counts, scratch)


def main():
    etl, folder, counts = sys.argv[1], pathlib.Path(sys.argv[2]), [int(count) for count in sys.argv[3].split(",")]
    if not folder.is_dir():
        return 77
    traces = sorted(path for path in folder.rglob("*") if ".etl" in path.suffixes and path.is_file())
    tables = tables_of(etl)
    wrong = compared = 0
    with tempfile.TemporaryDirectory() as state, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.environ["XDG_STATE_HOME"] = state  # the key of the indexes
        for path, bad in zip(traces, pool.map(lambda path: compare(etl, path, tables, counts), traces)):
            if bad is None:
                continue
            compared += len(tables) * len(counts)
            wrong += len(bad)
            print(f"{path.relative_to(folder)}: {'differs: ' + ', '.join(bad) if bad else 'equal'}", flush=True)
    print(f"{compared} comparisons, {wrong} differ")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
