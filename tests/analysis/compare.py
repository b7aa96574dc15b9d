#!/usr/bin/env python3
"""The analysis verbs against tables.py, an independent computation of their tables.

    compare.py ETL [--made N] [--verb VERB] TRACE...

Runs `ETL VERB --by X --format jsonl TRACE` for every verb and --by, and again for the middle half of the trace (--from, --to)
with the default --by. Compares all rows by key, all columns exactly, the order of the rows, the total, and the coverage
(without the texts of `not_recorded`). Prints the first differences of each table, and a summary.

Exit code 1 if there are differences, 77 if none of the traces exists. Traces that do not exist are skipped. With --made,
N traces of made_activity.py are compared as well; no other trace at hand has all the events that the tables need.
With --verb, only its tables are compared.
"""
import argparse
import collections
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from typing import Any, Iterator, Optional

from events import Trace
from made_activity import lines
from table import Context, Row, Table
from tables import TOP, VERBS, WORDS, compute

SHOWN = 5
NOT_COMPARED = ("not_recorded", "samples_of_assumed_interval", "counter_samples", "switches_with_counters",
                "other_versions", "untimed_events")


@dataclasses.dataclass(frozen=True)
class Job:
    verb: str
    by: str
    window: Optional[tuple[str, str]] = None

    def arguments(self) -> list[str]:
        by = ["--by", self.by] if self.by else []
        return [*WORDS.get(self.verb, (self.verb,)), *by, *(["--from", self.window[0], "--to", self.window[1]] if self.window else [])]


def jobs(trace: Trace) -> Iterator[Job]:
    for verb, (_, choices) in VERBS.items():
        yield from (Job(verb, by) for by in choices)
    yield from (Job("top", by) for by in TOP)
    if trace.duration >= 4:
        where = trace.range
        window = trace.clock.time(where.begin + trace.duration // 4), trace.clock.time(where.end - trace.duration // 4)
        if window[0] < window[1]:
            yield from (Job(verb, choices[0], window) for verb, (_, choices) in VERBS.items())


def printed(etl: str, path: str, job: Job) -> tuple[Optional[list[Row]], str]:
    """The lines of the verb, or what went wrong."""
    command = [etl, *job.arguments(), "--format", "jsonl", path]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode not in (0, 1):
        return None, "exit code %d: %s" % (result.returncode, result.stderr.decode(errors="replace").strip()[:200])
    try:
        found = [json.loads(line) for line in result.stdout.splitlines()]
    except ValueError as error:
        return None, "not JSON lines: %s" % error
    if not found or "total" not in found[-1]:
        return None, "the last line is not the total"
    return found, ""


def keyed(rows: list[Row], keys: list[str]) -> dict[tuple, Row]:
    """Rows by key; equal keys are numbered."""
    seen: collections.Counter = collections.Counter()
    found = {}
    for row in rows:
        key = tuple(str(row.get(name)) if isinstance(row.get(name), (list, dict)) else row.get(name) for name in keys)
        found[(*key, seen[key])] = row
        seen[key] += 1
    return found


def same(left: Any, right: Any) -> bool:
    """Equal, and of the same kind: 1 is not true."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def row_differences(name: str, expected: Row, actual: Row) -> Iterator[str]:
    for column, value in expected.items():
        if column not in actual:
            yield "%s: %s is missing, expected %s" % (name, column, json.dumps(value))
        elif not same(value, actual[column]):
            yield "%s: %s is %s, expected %s" % (name, column, json.dumps(actual[column]), json.dumps(value))


def extra_columns(name: str, expected: list[Row], actual: list[Row]) -> Iterator[str]:
    known = {column for row in expected for column in row}
    extra = {column for row in actual for column in row} - known - set(NOT_COMPARED)
    if expected and extra:
        yield "%s: unknown columns %s" % (name, ", ".join(sorted(extra)))


def table_differences(table: Table, expected: list[Row], actual: list[Row]) -> Iterator[str]:
    ours, theirs = keyed(expected[:-1], table.keys), keyed(actual[:-1], table.keys)
    for key in ours.keys() - theirs.keys():
        yield "row %s is missing: %s" % (key[:-1], json.dumps(ours[key]))
    for key in theirs.keys() - ours.keys():
        yield "row %s is not expected: %s" % (key[:-1], json.dumps(theirs[key]))
    for key in ours.keys() & theirs.keys():
        yield from row_differences("row %s" % (key[:-1],), ours[key], theirs[key])
    if ours.keys() == theirs.keys() and list(ours) != list(theirs):
        place = next(index for index, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1])
        yield "order: row %d is %s, expected %s" % (place + 1, list(theirs)[place][:-1], list(ours)[place][:-1])
    yield from extra_columns("rows", expected[:-1], actual[:-1])
    for part in ("total", "coverage"):
        mine, other = expected[-1][part], actual[-1].get(part, {})
        yield from row_differences(part, mine, other)
        yield from extra_columns(part, [mine], [other])


def check(etl: str, path: str, context: Context, job: Job) -> tuple[int, list[str]]:
    """Number of rows, and the differences."""
    context.trace.select(*(job.window or (None, None)))
    table, expected = compute(context, job.verb, job.by)
    actual, problem = printed(etl, path, job)
    if actual is None:
        return len(expected) - 1, [problem]
    return len(expected) - 1, list(table_differences(table, expected, actual))


def compare(etl: str, path: str, verb: Optional[str]) -> collections.Counter:
    """Prints what differs; counts tables, rows, and differences by verb."""
    trace = Trace(etl, path)
    context, counts = Context(trace), collections.Counter()
    for job in [job for job in jobs(trace) if verb in (None, job.verb)]:
        rows, differences = check(etl, path, context, job)
        counts["tables"] += 1
        counts["rows"] += rows
        counts["differences"] += len(differences)
        if differences:
            counts["different tables"] += 1
            print("%s: etl %s: %d differences" % (path, " ".join(job.arguments()), len(differences)))
            for text in sorted(differences)[:SHOWN]:
                print("    " + text[:1000])
    return counts


def make(etl: str, folder: str, seed: int) -> str:
    events, path = os.path.join(folder, "made-%d.jsonl" % seed), os.path.join(folder, "made-%d.etl" % seed)
    with open(events, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines(seed))
    subprocess.run([etl, "write", "--from-data", "--no-progress", events, "-o", path], check=True)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("etl")
    parser.add_argument("--made", type=int, default=0)
    parser.add_argument("--verb")
    parser.add_argument("traces", nargs="*")
    arguments = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = [make(arguments.etl, folder, seed) for seed in range(arguments.made)]
        paths += [path for path in arguments.traces if os.path.isfile(path)]
        if not paths:
            print("skipped: no traces")
            return 77
        return report({path: compare(arguments.etl, path, arguments.verb) for path in paths})


def report(summary: dict[str, collections.Counter]) -> int:
    print("\n%8s %8s %10s %12s  trace" % ("tables", "rows", "different", "differences"))
    for path, counts in summary.items():
        print("%8d %8d %10d %12d  %s" % (counts["tables"], counts["rows"], counts["different tables"],
                                         counts["differences"], os.path.basename(path)))
    return 1 if any(counts["differences"] for counts in summary.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
