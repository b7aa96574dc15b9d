#!/usr/bin/env python3
"""Measures reading, printing, rewriting, packing, writing, and starting, and prints a table (Markdown).

    bench/table.py BUILD [--against BUILD] [--trace FILE] [--schemas PATH] [--size MB] [--rounds N] [--only GROUP,...] [--anyway]

BUILD is a build directory with tools/etl and the target `benches`. Everything that a row compares is measured in turn, several
rounds; the row is the median of its figure over the rounds, and its spread how far they are apart. Nothing is asserted: a row
that misses its goal says so. scripts/bench builds and calls this.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from measure import HERE, Failed, Machine, Rounds, Traces, busy_share, lines_of_bench_walk, timed

# figure: a function that makes the figure of the row from what was measured, by name. least: the goal is a minimum.
Row = collections.namedtuple("Row", "what figure goal unit least")


def per_thread_rows(prefix, what, goals):
    return [Row(f"{what}, {threads} thread{'s' if threads > 1 else ''}, of hop",
                lambda m, threads=threads, key=key: m(f"{prefix} hop") / m(f"{prefix} {key} {threads}"), goal, "", True)
            for key, threads, goal in goals]


def walking(traces, rounds):
    rounds.take([lines_of_bench_walk("main", traces.main), lines_of_bench_walk("64", traces.many_processors),
                 lines_of_bench_walk("4k", traces.small_buffers)])

    def gain(prefix):
        return lambda m: m(f"{prefix} walk 1") / m(f"{prefix} walk 2")
    return [
        *per_thread_rows("main", "ordered walk", [("walk", 1, 0.9), ("walk", 2, 1.6)]),
        *per_thread_rows("main", "ordered walk and read_header", [("headers", 1, 0.7), ("headers", 2, 1.3)]),
        Row("ordered walk, 64 processors, 2 threads against 1", gain("64"), 1.5, "x", True),
        Row("ordered walk, 4 KB buffers, 2 threads against 1", gain("4k"), 1.2, "x", True),
    ]


def printing(traces, rounds):
    main, many, provider = str(traces.main), str(traces.many_processors), traces.top_provider()

    def dump(trace, *options, threads=1):
        return ["{etl}", "dump", trace, *traces.schemas, "--threads", str(threads), *options]

    lines = ("--format", "jsonl")
    rounds.take_once("bytes of lines", lambda machine: machine.output_bytes(dump(main, *lines, threads=2)))
    rounds.take_once("bytes of trace", lambda _: os.path.getsize(main))
    rounds.take([
        lines_of_bench_walk("main", main),
        timed("lines 1", dump(main, *lines)), timed("lines 2", dump(main, *lines, threads=2)),
        timed("text", dump(main, "--format", "text", "--no-pager")), timed("csv", dump(main, "--format", "csv")),
        timed("provider", dump(main, *lines, "--provider", provider)),
        timed("no name", dump(main, *lines, "--provider", "No-Such-Provider")),
        timed("no pid", dump(main, *lines, "--pid", "4294967280")),
        timed("64 lines 1", dump(many, *lines)), timed("64 lines 2", dump(many, *lines, threads=2)),
    ])

    def of_memcpy(name):
        return lambda m: m("bytes of lines") / m(name) / (m("bytes of trace") / m("main memcpy"))
    return [
        Row("JSON lines, decoded, 1 thread, output of memcpy", of_memcpy("lines 1"), 0.15, "", True),
        Row("JSON lines, decoded, 2 threads, output of memcpy", of_memcpy("lines 2"), 0.29, "", True),
        Row("JSON lines, 64 processors, 2 threads against 1", lambda m: m("64 lines 1") / m("64 lines 2"), 1.8, "x", True),
        Row("text against JSON lines, time", lambda m: m("text") / m("lines 1"), 0.9, "x", False),
        Row("CSV against JSON lines, time", lambda m: m("csv") / m("lines 1"), 0.9, "x", False),
        Row("--provider of most events against no filter, time", lambda m: m("provider") / m("lines 1"), 1.05, "x", False),
        Row("a name that matches nothing against such a --pid, time", lambda m: m("no name") / m("no pid"), 1.1, "x", False),
    ]


def tables(traces, rounds, scratch):
    main = str(traces.main)

    def export(threads):
        return ["{etl}", "export", "--to", "parquet", main, *traces.schemas, "--threads", str(threads), "--force",
                "-o", str(scratch / "tables")]
    rounds.take_once("bytes of trace", lambda _: os.path.getsize(main))

    def verb(*words):
        return ["{etl}", *words, main, *traces.schemas, "--threads", "1"]
    lines = ("dump", "--format", "jsonl")
    rounds.take([timed("parquet 1", export(1)), timed("parquet 2", export(2)),
                 *(timed(name, verb(name)) for name in ("stats", "cpu", "waits")),
                 timed("lines", verb(*lines)), timed("enriched", verb(*lines, "--enrich"))])
    return [
        Row("etl cpu against etl stats, time", lambda m: m("cpu") / m("stats"), 1.0, "x", False),
        Row("etl waits against etl stats, time", lambda m: m("waits") / m("stats"), 1.0, "x", False),
        Row("JSON lines with --enrich against without, time", lambda m: m("enriched") / m("lines"), 1.9, "x", False),
        Row("export to Parquet, 1 thread", lambda m: m("bytes of trace") / 1e6 / m("parquet 1"), 200, " MB/s", True),
        Row("export to Parquet, 2 threads against 1", lambda m: m("parquet 1") / m("parquet 2"), 1.8, "x", True),
    ]


def windows(traces, rounds, scratch):
    """0.1 s two thirds into a trace of a machine at work, with an index that each build makes for itself."""
    trace = scratch / "windows.etl"
    events = traces.bytes // 43
    rounds.machine.run(["{etl}", "generate", "--workload", "--events", str(events), "-o", str(trace)])
    os.environ["XDG_STATE_HOME"] = str(scratch)  # the key of the index
    info = json.loads(rounds.machine.run(["{etl}", "info", "--json", str(trace)]))
    first, last = (datetime.datetime.fromisoformat(info[name][:26]) for name in ("first_own_event", "last_own_event"))
    begin = (last - first).total_seconds() * 2 / 3
    verbs = {"cpu": ["cpu"], "waits": ["waits"], "disk": ["disk"], "slowest": ["slowest"], "flame": ["flame"], "dump": ["dump"],
             "dump --enrich": ["dump", "--enrich"]}

    def measure(machine):
        pathlib.Path(f"{trace}.index").unlink(missing_ok=True)
        figures = {f"whole {name}": machine.seconds(["{etl}", *verbs[name], str(trace)])
                   for name in ("cpu", "waits", "disk", "slowest")}
        figures["index"] = machine.seconds(["{etl}", "index", "--force", str(trace)])
        figures["indexed cpu"] = machine.seconds(["{etl}", "cpu", str(trace)])
        for name, words in verbs.items():
            figures[f"window {name}"] = machine.seconds(
                ["{etl}", *words, "--from", f"+{begin:.6f}s", "--to", f"+{begin + 0.1:.6f}s", str(trace)])
        return figures
    rounds.take([measure])
    return [
        Row("index against cpu, waits, disk, and slowest, one after the other, time",
            lambda m: m("index") / sum(m(f"whole {name}") for name in ("cpu", "waits", "disk", "slowest")), 1.3, "x", False),
        *(Row(f"{name} of 0.1 s with an index", lambda m, name=name: m(f"window {name}") * 1e3, 60, " ms", False)
          for name in verbs),
        Row("cpu of all with an index", lambda m: m("indexed cpu") * 1e3, 60, " ms", False),
    ]


def queries(traces, rounds, scratch):
    """What is asked about a whole trace of a machine at work: queries in SQL, and the report."""
    trace = str(scratch / "queries.etl")
    rounds.machine.run(["{etl}", "generate", "--workload", "--events", str(traces.bytes // 43), "-o", trace])
    kind, event = "MSNT_SystemTrace/Thread/ReadyThread", "Thread/ReadyThread"
    output, lines = str(scratch / "rows.csv"), str(scratch / "rows.jsonl")
    rounds.take([
        timed("stats", ["{etl}", "stats", "--by", "event", trace]),
        timed("groups", ["{etl}", "sql", trace, "SELECT provider, event, count(*) FROM events GROUP BY 1, 2"]),
        timed("dump", ["{etl}", "dump", "--event", event, "--format", "csv", "-o", output, "--force", trace]),
        timed("rows", ["{etl}", "sql", trace, "-o", output, "--force", f'SELECT * FROM "{kind}"']),
        timed("dump lines", ["{etl}", "dump", "--event", event, "--format", "jsonl", "-o", lines, "--force", trace]),
        timed("lines", ["{etl}", "sql", trace, "-o", lines, "--force", f'SELECT * FROM "{kind}"']),
        timed("report", ["{etl}", "report", "-o", str(scratch / "report.html"), "--force", trace])])
    return [
        Row("a query that counts by event against etl stats --by event, time", lambda m: m("groups") / m("stats"), 1.3, "x", False),
        Row("SELECT * of one kind as CSV against etl dump --event, time", lambda m: m("rows") / m("dump"), 1.3, "x", False),
        Row("the same as JSON lines, time", lambda m: m("lines") / m("dump lines"), 1.3, "x", False),
        Row("report, seconds per GB", lambda m: m("report") / (os.path.getsize(trace) / 1e9), 5, " s", False),
    ]


def explore(traces, rounds, scratch):
    """Questions about 0.1 s, a row, or an event of a trace that stays open, with an index: medians, and the longest of all."""
    trace = scratch / "explore.etl"
    rounds.machine.run(["{etl}", "generate", "--workload", "--events", str(traces.bytes // 43), "-o", str(trace)])
    os.environ["XDG_STATE_HOME"] = str(scratch)  # the key of the index
    rounds.machine.run(["{etl}", "index", str(trace)])

    def measure(machine):
        lines = machine.run(["{bench}/bench_explore", str(trace)], accepted=(0,)).decode().splitlines()
        figures = {}
        for name, median, longest in (line.split() for line in lines):
            figures[name] = float(median)
            figures[f"longest {name}"] = float(longest)
        lines = machine.run(["{bench}/bench_pictures", str(trace)], accepted=(0,)).decode().splitlines()
        for name, median, percentile, _ in (line.split() for line in lines):
            figures[name], figures[f"95% {name}"] = float(median), float(percentile)
        return figures
    rounds.take([measure])
    pictures = ["picture.1", "picture.3", "picture.10", "picture.100", "picture.1000"]
    names = {"lod": ["lod.1", "lod.3", "lod.10", "lod.100", "lod.1000", "lod.all"],
             "table": ["cpu", "waits", "disk", "slowest", "stats"], "flame": ["flame", "flame.wait"],
             "events": ["events.row", "events.window"], "event": ["event"], "search": ["search", "events.filter"]}
    goals = {"lod": 50, "table": 30, "flame": 50, "events": 50, "event": 50, "search": 300}
    return [
        Row("opening for questions, and the first one", lambda m: (m("open") + m("first")) * 1e3, 200, " ms", False),
        *(Row(f"{name} as numbers, 95th percentile", lambda m, name=name: m(f"95% {name}") * 1e3, 50, " ms", False)
          for name in pictures),
        *(Row(f"question {name}, median", lambda m, name=name: m(name) * 1e3, goals[group], " ms", False)
          for group, all_names in names.items() for name in all_names),
        *(Row(f"longest question of {group}",
              lambda m, all_names=all_names: max(m(f"longest {name}") for name in all_names) * 1e3, 2 * goals[group], " ms", False)
          for group, all_names in names.items()),
    ]


def viewer(traces, rounds, scratch):
    """The page of `etl view` in a browser, of an indexed trace; nothing without a browser."""
    if not shutil.which("node") or not shutil.which("chromium") or not (HERE / "build/npm/node_modules/playwright-core").is_dir():
        return []
    trace = scratch / "viewer.etl"
    rounds.machine.run(["{etl}", "generate", "--workload", "--events", str(traces.bytes // 43), "-o", str(trace)])
    os.environ["XDG_STATE_HOME"] = str(scratch)  # the key of the index
    rounds.machine.run(["{etl}", "index", str(trace)])
    script = str(pathlib.Path(__file__).with_name("viewer.mjs"))

    def measure(machine):
        lines = machine.run(["node", script, "{etl}", str(trace)], accepted=(0,)).decode().splitlines()
        return {name: float(value) for name, value in map(str.split, lines)}
    rounds.take([measure])
    rows = [("overview", "viewer: overview", 300, " ms"), ("tracks", "viewer: all tracks", 400, " ms"),
            ("frame.95", "viewer: a frame while zooming and moving, 95th percentile", 16, " ms"),
            ("lod.95", "viewer: a picture of tracks, 95th percentile", 50, " ms"),
            ("table", "viewer: CPU table of 1% of the time", 50, " ms"),
            ("flame", "viewer: flame graph of 1% of the time", 200, " ms"),
            ("heap", "viewer: heap of the page", 150, " MB"), ("memory", "viewer: own memory of the server", 200, " MB")]
    return [Row(text, lambda m, name=name: m(name), goal, unit, False) for name, text, goal, unit in rows]


def reading(traces, rounds):
    main = str(traces.main)
    rounds.take([lines_of_bench_walk("main", main),
                 timed("info", ["{etl}", "info", main]), timed("check", ["{etl}", "check", main])])
    return [Row(f"{verb}, input of memcpy", lambda m, verb=verb: m("main memcpy") / m(verb), 0.4, "", True)
            for verb in ("info", "check")]


def rewriting(traces, rounds, scratch):
    main, half = str(traces.main), str(traces.half)
    out = str(scratch / "out.etl")
    parts = str(scratch / "parts" / "%d.etl")
    (scratch / "parts").mkdir(exist_ok=True)

    def relog(*options):
        return ["{etl}", "relog", main, *options, "--force", "-o", out]

    def split(by):
        return ["{etl}", "split", main, "--by", by, "--force", "-o", parts]
    tid = traces.thread_of_one_percent()
    rounds.take([
        lines_of_bench_walk("main", main),
        timed("relog", relog()), timed("merge", ["{etl}", "merge", half, half, "--restamp", "--force", "-o", out]),
        timed("split cpu", split("cpu")), timed("split process", split("process")),
        timed("repair", ["{etl}", "repair", main, "--force", "-o", out]),
        timed("lines", ["{etl}", "dump", main, *traces.schemas, "--format", "jsonl", "--threads", "1"]),
        timed("anonymize", relog("--anonymize", "--anonymize-key", "a key for measuring", "--keep-undecodable",
                                 "--threads", "1", *traces.schemas)),
        timed("one percent", relog("--tid", tid)), timed("window", relog("--from", "+1s", "--to", "+1.5s")),
    ])

    def of_memcpy(what, name, goal):
        return Row(f"{what}, input of memcpy", lambda m: m("main memcpy") / m(name), goal, "", True)

    def of_relog(what, name):
        return Row(f"{what} against relog that keeps all, time", lambda m: m(name) / m("relog"), 0.35, "x", False)
    return [
        of_memcpy("relog, identity, to memory", "relog", 0.3), of_memcpy("merge of 2", "merge", 0.25),
        of_memcpy("split by cpu", "split cpu", 0.2), of_memcpy("split by process", "split process", 0.2),
        of_memcpy("repair", "repair", 0.25),
        Row("relog --anonymize against JSON lines, time", lambda m: m("anonymize") / m("lines"), 2.2, "x", False),
        of_relog("relog that keeps 1 %", "one percent"), of_relog("relog of half a second", "window"),
    ]


def packing(traces, rounds, scratch):
    plain = str(traces.fifth)

    def compress(method, threads=1):
        return ["{etl}", "compress", plain, "--format", method, "--threads", str(threads), "--force",
                "-o", str(scratch / f"packed.{'etl.zst' if method == 'zst' else 'etl'}")]
    packed = scratch / "once.etl.zst"
    rounds.machine.run(["{etl}", "compress", plain, "--format", "zst", "--force", "-o", str(packed)])

    def decompress(threads):
        return ["{etl}", "decompress", str(packed), "--threads", str(threads), "--force", "-o", str(scratch / "plain.etl")]
    measurements = [lines_of_bench_walk("fifth", plain)]
    for method in ("xpress", "lznt1", "zst"):
        measurements += [timed(f"{method} {threads}", compress(method, threads)) for threads in (1, 2)]
    measurements += [timed(f"unzst {threads}", decompress(threads)) for threads in (1, 2)]
    rows = [Row(f"compress {method}, 1 thread, input of memcpy",
                lambda m, method=method: m("fifth memcpy") / m(f"{method} 1"), goal, "", True)
            for method, goal in (("xpress", 0.06), ("lznt1", 0.03))]
    rows += [Row(f"{verb}, 2 threads against 1", lambda m, name=name: m(f"{name} 1") / m(f"{name} 2"), 1.8, "x", True)
             for verb, name in (("compress xpress", "xpress"), ("compress lznt1", "lznt1"), ("compress zst", "zst"),
                                ("decompress zst", "unzst"))]
    if shutil.which("zstd"):
        measurements.append(timed("zstd", ["zstd", "-3", "-q", "-T1", "-c", plain]))
        rounds.take_once("size of zstd", lambda machine: machine.output_bytes(["zstd", "-3", "-q", "-T1", "-c", plain]))
        rounds.take_once("size of ours", lambda _: os.path.getsize(packed))
        rows += [
            Row("compress zst against zstd -3, time, 1 thread", lambda m: m("zst 1") / m("zstd"), 1.0, "x", False),
            Row("compress zst against zstd -3, size", lambda m: m("size of ours") / m("size of zstd"), 1.05, "x", False),
        ]
    rounds.take(measurements)
    return rows


def writing(traces, rounds, scratch):
    rows = []
    measurements = []
    for kind, options, goal in (("raw", ["--raw", "--no-decode"], 600), ("data", [], 400)):
        lines = scratch / f"{kind}.jsonl"
        with open(lines, "wb") as file:
            command = ["{etl}", "dump", str(traces.fifth), "--format", "jsonl", *traces.schemas, *options]
            subprocess.run(rounds.machine.arguments(command), stdout=file, stderr=subprocess.DEVNULL, check=False)
        rounds.take_once(f"bytes of {kind}", lambda _, lines=lines: os.path.getsize(lines) / 1e6)
        for threads in (1, 2):
            measurements.append(timed(f"write {kind} {threads}", ["{etl}", "write", str(lines), *traces.schemas, "--threads",
                                                                  str(threads), "--force", "-o", str(scratch / "written.etl")]))
        rows.append(Row(f"write of {kind} lines, 2 threads",
                        lambda m, kind=kind: m(f"bytes of {kind}") / m(f"write {kind} 2"), goal, " MB/s", True))
    rounds.take(measurements)
    return rows


def memory(traces, rounds, scratch):
    command = ["{etl}", "relog", str(traces.huge_buffers), "--force", "-o", str(scratch / "out.etl")]
    rounds.take_once("relog MB", lambda machine: machine.anonymous_megabytes(command))
    return [Row("relog of 64 processors with 16 MB buffers, anonymous memory", lambda m: m("relog MB"), 128, " MB", False)]


def starting(traces, rounds):
    runs = 25
    loop = f'i=0; while [ $i -lt {runs} ]; do "$@" >/dev/null; i=$((i+1)); done'

    def repeated(name, command):
        return timed(name, ["sh", "-c", loop, "sh", *command])
    rounds.take([repeated("version", ["{etl}", "--version"]), repeated("tiny", ["{etl}", "dump", str(traces.tiny)])])
    return [
        Row("start: etl --version", lambda m: m("version") / runs * 1e3, 3, " ms", False),
        Row("start: etl dump of a tiny trace", lambda m: m("tiny") / runs * 1e3, 5, " ms", False),
    ]


def sessions(rounds, build):
    def disabled(machine):
        figures = {}
        for line in machine.run(["{bench}/bench_session"]).decode().splitlines():
            for key in ("a load and a branch", "disabled: write(values)", "disabled: write(record)"):
                if line.startswith(key):
                    figures[key] = float(line[len(key):].split()[0])
        return figures
    for name, figure in disabled(rounds.machine).items():
        rounds.figures[name] = [figure]
    if rounds.against:
        for name, figure in disabled(rounds.against).items():
            rounds.before[name] = [figure]
    rows = [Row(f"disabled write() of {what} beyond a load and a branch",
                lambda m, of=of: m(f"disabled: write({of})") - m("a load and a branch"), 1, " ns", False)
            for what, of in (("values", "values"), ("a record", "record"))]
    if not shutil.which("lttng-sessiond"):
        print("LTTng is not installed (Debian: lttng-tools liblttng-ust-dev): its rows are left out", file=sys.stderr)
        return rows
    kind = None
    for line in rounds.machine.run([str(HERE / "bench" / "lttng" / "run"), str(build), "3"]).decode().splitlines():
        if not line.startswith(" "):
            kind = line.split(":")[0]
        elif " / lttng: median " in line:
            name = f"lttng {kind}"
            rounds.figures[name] = rounds.before[name] = [float(line.split("median ")[1].split(",")[0])]
            goal = 0.6 if kind.startswith("session") else 0.8
            rows.append(Row(f"event of 32 bytes to disk against lttng-ust, time: {kind}", lambda m, name=name: m(name), goal, "x", False))
    return rows


# --- the table ------------------------------------------------------------------------------------------------------------

def number(value, unit):
    return f"{value:.2f}{unit}" if abs(value) < 10 else f"{value:.0f}{unit}"


def print_rows(rows, rounds):
    for row in rows:
        value, spread = rounds.of(row.figure, rounds.figures)
        met = value >= row.goal if row.least else value <= row.goal
        cells = [row.what, number(value, row.unit), ("at least " if row.least else "at most ") + number(row.goal, row.unit),
                 "met" if met else "MISSED", f"{spread:.0%}"]
        if rounds.against:
            cells.append(number(rounds.of(row.figure, rounds.before)[0], row.unit))
        print("| " + " | ".join(cells) + " |", flush=True)


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build directory")
    parser.add_argument("--against", type=pathlib.Path, help="another build directory, measured in turn")
    parser.add_argument("--trace", type=pathlib.Path, help="uncompressed trace to repeat (default: a generated one)")
    parser.add_argument("--schemas", type=pathlib.Path, help="schemas of its events")
    parser.add_argument("--size", type=int, default=300, metavar="MB", help="size of the traces (default: 300)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each measurement (default: 5)")
    parser.add_argument("--only", help="these groups only: walking, printing, tables, windows, queries, explore, viewer, reading, rewriting, packing, writing, memory, starting, sessions")
    parser.add_argument("--anyway", action="store_true", help="measure although other programs run")
    arguments = parser.parse_args()
    for build in filter(None, (arguments.build, arguments.against)):
        if not (build / "tools" / "etl").exists():
            parser.error(f"{build} has no tools/etl: build the targets etl_tool and benches there first")
    return arguments


def main():
    args = options()
    share = busy_share()
    if share is not None and share > 0.05:
        print(f"the machine is busy: other programs take {share:.0%} of its processors; figures would not be comparable"
              f"{'' if args.anyway else '. Stop them, or measure all the same with --anyway'}", file=sys.stderr)
        if not args.anyway:
            return 2
    machine = Machine(args.build.resolve())
    with tempfile.TemporaryDirectory(prefix="etl-bench.") as folder, \
            tempfile.TemporaryDirectory(prefix="etl-bench.", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as memory_folder:
        traces = Traces(machine, pathlib.Path(folder), args.trace, args.schemas, args.size)
        scratch = pathlib.Path(memory_folder)
        groups = {
            "walking": lambda r: walking(traces, r), "printing": lambda r: printing(traces, r),
            "tables": lambda r: tables(traces, r, scratch), "windows": lambda r: windows(traces, r, scratch),
            "queries": lambda r: queries(traces, r, scratch),
            "explore": lambda r: explore(traces, r, scratch), "viewer": lambda r: viewer(traces, r, scratch), "reading": lambda r: reading(traces, r),
            "rewriting": lambda r: rewriting(traces, r, scratch), "packing": lambda r: packing(traces, r, scratch),
            "writing": lambda r: writing(traces, r, scratch), "memory": lambda r: memory(traces, r, scratch),
            "starting": lambda r: starting(traces, r), "sessions": lambda r: sessions(r, args.build.resolve()),
        }
        wanted = args.only.split(",") if args.only else list(groups)
        if unknown := [name for name in wanted if name not in groups]:
            print(f"no group is named {unknown[0]}: there are {', '.join(groups)}", file=sys.stderr)
            return 64
        head = ["path", "measured", "goal", "", "spread"] + (["against"] if args.against else [])
        print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
        failed = False
        for name in wanted:
            rounds = Rounds(machine, Machine(args.against.resolve()) if args.against else None, args.rounds)
            try:
                print_rows(groups[name](rounds), rounds)
            except (Failed, OSError, KeyError, ValueError) as problem:
                print(f"{name}: {problem}", file=sys.stderr)
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
