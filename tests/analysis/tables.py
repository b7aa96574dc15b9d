#!/usr/bin/env python3
"""Tables of the analysis verbs, computed from `etl dump` and the definitions of docs/analysis.md alone.

    tables.py ETL VERB [--by X] [--from TIME] [--to TIME] TRACE

Prints JSON lines as `etl VERB --format jsonl` does. It is the independent side of compare.py: it does not run the verbs,
and does not use --enrich. Symbols are not resolved. TIME is RFC 3339, in UTC.
"""
import argparse
import json
import sys
from typing import Callable

from census import stats, timeline
from counters import counters
from cpu import cpu
from inputs import disk, files, interrupts, network
from machine import images, processes
from runtime import gc
from scheduling import waits
from table import Context, Table
from events import Trace

VERBS: dict[str, tuple[Callable[[Context, str], Table], tuple[str, ...]]] = {
    "cpu": (cpu, ("process", "thread", "processor", "module", "function")),
    "counters": (counters, ("process", "source", "thread", "processor", "module", "function")),
    "waits": (waits, ("process", "thread", "reason", "waker")),
    "interrupts": (interrupts, ("routine", "module")),
    "disk": (disk, ("process", "file", "disk")),
    "files": (files, ("process", "file", "operation")),
    "network": (network, ("process", "peer")),
    "processes": (processes, ("",)),
    "images": (images, ("",)),
    "gc": (gc, ("",)),
    "stats": (stats, ("provider", "event", "process", "processor", "slice")),
    "timeline": (timeline, ("",)),
}
TOP = {"process": cpu, "thread": cpu, "module": cpu, "function": cpu, "provider": stats, "event": stats, "file": files,
       "peer": network}
TOP_ROWS = 20
WORDS = {"counters": ("cpu", "--source", "all")}  # of verbs with another name than their table


def compute(context: Context, verb: str, by: str) -> tuple[Table, list[dict]]:
    """The table and its lines; `top` has the first rows only."""
    if verb == "top":
        table = TOP[by](context, by)
        lines = table.lines()
        return table, lines[:-1][:TOP_ROWS] + lines[-1:]
    table = VERBS[verb][0](context, by)
    return table, table.lines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("etl")
    parser.add_argument("verb", choices=[*VERBS, "top"])
    parser.add_argument("--by")
    parser.add_argument("--from", dest="start")
    parser.add_argument("--to", dest="end")
    parser.add_argument("trace")
    arguments = parser.parse_args()
    choices = tuple(TOP) if arguments.verb == "top" else VERBS[arguments.verb][1]
    by = arguments.by or choices[0]
    if by not in choices:
        parser.error("--by: choose from %s" % ", ".join(choices))
    trace = Trace(arguments.etl, arguments.trace)
    trace.select(arguments.start, arguments.end)
    for line in compute(Context(trace), arguments.verb, by)[1]:
        print(json.dumps(line, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
