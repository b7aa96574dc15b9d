"""Compares the tables of reports with the commands that they name: report.py ETL TRACE...

Traces that do not exist are skipped; 77: all of them.
"""
import json
import pathlib
import shlex
import subprocess
import sys


def output_of(etl, *arguments):
    done = subprocess.run([etl, *arguments], text=True, capture_output=True, check=False, timeout=900)
    if done.returncode not in (0, 1):
        raise SystemExit(f"etl {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def without_begin(table, row):
    """Series of a report have no column `begin`."""
    is_series = table["verb"] == "timeline" and table["by"] != "all"
    return {key: value for key, value in row.items() if not (is_series and key == "begin")}


def is_same(reported, printed):
    if isinstance(reported, str) and reported.endswith("\u2026"):
        return printed.startswith(reported[:-1])
    return reported == printed


def compare(etl, trace, table):
    words = shlex.split(table["command"])[1:]
    lines = [json.loads(line) for line in output_of(etl, *words, "--format", "jsonl").splitlines()]
    last = lines.pop()
    names = [column["name"] for column in table["columns"]]
    problems = []
    if table["row_count"] != len(lines):
        problems.append(f"{table['row_count']} rows, printed {len(lines)}")
    for row, line in zip(table["rows"], lines):
        printed = without_begin(table, line)
        if list(printed) != names or not all(is_same(cell, printed[name]) for name, cell in zip(names, row)):
            problems.append(f"{row}\n  printed {line}")
            break
    for name, cell in zip(names, table["total"]):
        if last["total"].get(name) != cell:
            problems.append(f"total of {name}: {cell}, printed {last['total'].get(name)}")
    return [f"{trace}: {table['command']}: {problem}" for problem in problems]


def compare_packets(etl, trace, table):
    """The report has some of the columns, and the place of the event."""
    words = shlex.split(table["command"])[1:]
    lines = [json.loads(line) for line in output_of(etl, *words, "--format", "jsonl").splitlines()]
    names = [column["name"] for column in table["columns"]]
    problems = [] if table["row_count"] == len(lines) else [f"{table['row_count']} packets, printed {len(lines)}"]
    for row, line in zip(table["rows"], lines):
        pairs = [(cell, line[name]) for name, cell in zip(names, row) if name in line]
        if len(pairs) < 5 or not all(is_same(cell, printed) for cell, printed in pairs):
            problems.append(f"{row}\n  printed {line}")
            break
    return [f"{trace}: {table['command']}: {problem}" for problem in problems]


def main():
    etl, traces = sys.argv[1], [trace for trace in sys.argv[2:] if pathlib.Path(trace).exists()]
    if not traces:
        print("skipped: no trace is there")
        return 77
    problems, tables = [], 0
    for trace in traces:
        report = json.loads(output_of(etl, "report", "--json", trace))
        for table in report["tables"]:
            if table["verb"] == "packets":
                problems += compare_packets(etl, trace, table)
            elif table["verb"] != "flows":
                problems += compare(etl, trace, table)
            tables += 1
        brief = output_of(etl, "report", "--brief", trace)
        if len(brief.encode()) > 4096:
            problems.append(f"{trace}: --brief has {len(brief.encode())} bytes")
    print("\n".join([*problems, f"{len(traces)} traces, {tables} tables, {len(problems)} problems"]))
    return 1 if problems or tables == 0 else 0


sys.exit(main())
