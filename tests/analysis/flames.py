"""The sums of flame graphs are the totals of tables: flames.py ETL TRACE...

Traces that do not exist are skipped; 77: all of them.
"""
import json
import pathlib
import subprocess
import sys

# The kind of a graph; the table, and its column with the same total.
KINDS = {
    "cpu": (["cpu", "--by", "function"], "sampled_ns"),
    "wait": (["waits"], "wait_ns"),
    "disk": (["disk"], "elapsed_ns"),
    "alloc": (["gc"], "allocated_bytes"),
}


def output_of(etl, *arguments):
    done = subprocess.run([etl, *arguments], text=True, capture_output=True, check=False, timeout=900)
    if done.returncode not in (0, 1):
        raise SystemExit(f"etl {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def sum_of_lines(etl, kind, trace):
    """Of `frame;frame weight`; 0: there is no graph."""
    return sum(int(line.rpartition(" ")[2]) for line in output_of(etl, "flame", "--kind", kind, trace).splitlines())


def total_of(etl, kind, trace):
    words, column = KINDS[kind]
    lines = output_of(etl, *words, "--format", "jsonl", trace).splitlines()
    return json.loads(lines[-1])["total"][column] or 0


def main():
    etl, traces = sys.argv[1], [trace for trace in sys.argv[2:] if pathlib.Path(trace).exists()]
    if not traces:
        print("skipped: no trace is there")
        return 77
    problems, graphs = [], 0
    for trace in traces:
        report = json.loads(output_of(etl, "report", "--json", trace))
        reported = {flame["kind"]: sum(flame["graph"]["nodes"]["weight"]) for flame in report["flames"]}
        for kind in KINDS:
            total, drawn = total_of(etl, kind, trace), sum_of_lines(etl, kind, trace)
            graphs += drawn > 0
            if drawn != total:
                problems.append(f"{trace}: {kind}: the graph has {drawn}, the table {total}")
            if reported.get(kind, total) != total:
                problems.append(f"{trace}: {kind}: the report has {reported[kind]}, the table {total}")
    print("\n".join([*problems, f"{len(traces)} traces, {graphs} graphs, {len(problems)} problems"]))
    return 1 if problems or graphs == 0 else 0


sys.exit(main())
