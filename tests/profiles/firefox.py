"""firefox.py ETL TRACE...: `etl export --to firefox` obeys the rules of processed profiles of version 66 (profile.ts of
github.com/firefox-devtools/profiler), and its sums are those of `etl cpu`."""

import json
import sys

import tables
from tables import require

THREAD = {"name": str, "processName": str, "pid": str, "tid": int, "isMainThread": bool, "processType": str,
          "processStartupTime": (int, float), "processShutdownTime": (int, float, type(None)), "registerTime": (int, float),
          "unregisterTime": (int, float, type(None)), "pausedRanges": list, "showMarkersInTimeline": bool,
          "samples": dict, "markers": dict}
SHARED = {"stackTable": {"frame", "prefixOffset"},
          "frameTable": {"address", "inlineDepth", "category", "subcategory", "func", "nativeSymbol", "innerWindowID",
                         "line", "column", "originalLocation"},
          "funcTable": {"name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber",
                        "originalLocation"},
          "resourceTable": {"lib", "name", "host", "type"},
          "nativeSymbols": {"libIndex", "address", "name", "functionSize"},
          "sources": {"id", "filename", "startLine", "startColumn", "sourceMapURL", "content"},
          "sourceLocationTable": {"source", "line", "column"}}


def check_table(name, table, columns):
    require(set(table) - {"weightType"} == columns | {"length"}, f"{name}: columns {sorted(table)}")
    for column in columns:
        require(len(table[column]) == table["length"], f"{name}.{column}: {len(table[column])} of {table['length']}")


def check_indices(name, values, size, lowest=0):
    require(all(isinstance(value, int) and lowest <= value < size for value in values), f"{name}: an index out of range")


class Profile:
    def __init__(self, data):
        self.file = json.loads(data.decode())
        require(set(self.file) == {"meta", "libs", "shared", "threads"}, "members of the profile")
        meta = self.file["meta"]
        require(meta["preprocessedProfileVersion"] == 66 and meta["interval"] > 0 and meta["startTime"] > 0, "meta")
        for lib in self.file["libs"]:
            require({"arch", "name", "path", "debugName", "debugPath", "breakpadId", "codeId"} == set(lib), "libs")
        self.check_shared(self.file["shared"], len(meta["categories"]))
        for thread in self.file["threads"]:
            self.check_thread(thread)

    def check_shared(self, shared, categories):
        for name, columns in SHARED.items():
            check_table(name, shared[name], columns)
        texts = len(shared["stringArray"])
        require(all(isinstance(text, str) for text in shared["stringArray"]), "stringArray")
        frames, functions, resources = (shared[name] for name in ("frameTable", "funcTable", "resourceTable"))
        check_indices("stackTable.frame", shared["stackTable"]["frame"], frames["length"])
        for i, offset in enumerate(shared["stackTable"]["prefixOffset"]):
            require(0 <= offset <= i, f"stackTable.prefixOffset[{i}]: parents come first")
        check_indices("frameTable.func", frames["func"], functions["length"])
        check_indices("frameTable.category", frames["category"], categories)
        check_indices("frameTable.address", frames["address"], 1 << 64, -1)
        check_indices("funcTable.name", functions["name"], texts)
        check_indices("funcTable.resource", functions["resource"], resources["length"], -1)
        check_indices("resourceTable.name", resources["name"], texts)
        check_indices("resourceTable.lib", resources["lib"], len(self.file["libs"]))

    def check_thread(self, thread):
        require(set(thread) == set(THREAD), f"members of a thread: {sorted(thread)}")
        for name, kind in THREAD.items():
            require(isinstance(thread[name], kind), f"{thread['name']}: {name}")
        samples, markers = thread["samples"], thread["markers"]
        check_table("samples", samples, {"stack", "timeDeltas", "weight"})
        check_indices("samples.stack", samples["stack"], self.file["shared"]["stackTable"]["length"])
        require(samples["weightType"] == "samples" and all(delta >= 0 for delta in samples["timeDeltas"]), "samples")
        check_table("markers", markers, {"name", "data", "startTime", "endTime", "phase", "category"})
        check_indices("markers.name", markers["name"], len(self.file["shared"]["stringArray"]))
        for start, end, phase in zip(markers["startTime"], markers["endTime"], markers["phase"]):
            require((phase == 0 and end is None) or (phase == 1 and end >= start), "markers")

    def names(self, stack):
        """The functions of a stack, innermost first."""
        shared = self.file["shared"]
        while True:
            function = shared["frameTable"]["func"][shared["stackTable"]["frame"][stack]]
            yield shared["stringArray"][shared["funcTable"]["name"][function]]
            offset = shared["stackTable"]["prefixOffset"][stack]
            if offset == 0:
                return
            stack -= offset


def check(etl, trace):
    data = tables.run(etl, "export", "--to", "firefox", "--no-progress", trace, expected=(0, 1))
    if not data:
        print(f"{trace}: nothing")
        return
    profile = Profile(data)
    threads, exclusive, inclusive = tables.Sums(), tables.Sums(), tables.Sums()
    counters, of_counters = tables.Sums(), tables.by_counter(etl, trace)
    sources = {source for source, _ in of_counters}
    markers = 0
    for thread in profile.file["threads"]:
        markers += thread["markers"]["length"]
        pid = int(thread["pid"]) if thread["pid"].isdigit() else None
        key = (pid, thread["tid"] or None)
        source = thread["name"].rpartition(": ")[2]
        for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
            names = list(profile.names(stack))
            if source in sources:
                counters.add((source, names[0]), 0, weight)
                continue
            threads.add(key, weight, 0)
            exclusive.add(names[0], weight, 0)
            for name in set(names) - tables.MARKERS:
                inclusive.add(name, weight, 0)
    expected = tables.Sums()
    for (_, pid, tid), (samples, _) in tables.by_thread(etl, trace).by_key.items():
        expected.add((pid, tid), samples, 0)
    counts = lambda sums: {key: pair[0] for key, pair in sums.by_key.items() if pair[0]}
    tables.require_equal(f"{trace}: threads", counts(threads), counts(expected))
    tables.require_equal(f"{trace}: counters", counters.nanoseconds(), of_counters)
    tables.require_equal(f"{trace}: functions", counts(exclusive), counts(tables.by_function(etl, trace)))
    tables.require_equal(f"{trace}: functions, inclusive", counts(inclusive),
                         counts(tables.by_function(etl, trace, "inclusive_")))
    print(f"{trace}: {len(profile.file['threads'])} threads, {markers} markers")


if __name__ == "__main__":
    for path in sys.argv[2:]:
        check(sys.argv[1], path)
