"""pprof.py ETL TRACE...: `etl export --to pprof` obeys the rules of the format, and its sums are those of `etl cpu`.

The rules are those that `Profile.CheckValid` of github.com/google/pprof states.
"""

import gzip
import pathlib
import sys

import protobuf_text
import tables
from protobuf_text import one
from tables import require

PROTO = pathlib.Path(__file__).with_name("pprof.proto")


class Profile:
    def __init__(self, data):
        self.message = protobuf_text.decode(PROTO, "etl.pprof.Profile", data)
        strings = self.message["string_table"]
        require(strings[0] == b"", "string_table[0] is not empty")
        self.strings = [text.decode() for text in strings]
        require(len(set(self.strings)) == len(self.strings), "texts repeat")
        self.check_types()
        self.mappings = self.by_id("mapping")
        self.functions = self.by_id("function")
        self.locations = self.by_id("location")
        self.check_tables()

    def text(self, number):
        require(0 <= number < len(self.strings), f"text {number} does not exist")
        return self.strings[number]

    def by_id(self, field):
        table = {one(message, "id"): message for message in self.message.get(field, [])}
        require(0 not in table and len(table) == len(self.message.get(field, [])), f"{field}: id 0, or the same twice")
        return table

    def check_types(self):
        types = [(self.text(one(t, "type")), self.text(one(t, "unit"))) for t in self.message["sample_type"]]
        require(types == [("samples", "count"), ("cpu", "nanoseconds")], f"sample_type: {types}")
        period = one(self.message, "period_type")
        require(self.text(one(period, "type")) == "cpu" and one(self.message, "period") > 0, "period")
        require(self.text(one(self.message, "default_sample_type")) == "cpu", "default_sample_type")
        require(one(self.message, "time_nanos") > 0, "time_nanos")

    def check_tables(self):
        for mapping in self.mappings.values():
            require(one(mapping, "memory_start") < one(mapping, "memory_limit"), "an empty mapping")
            require(self.text(one(mapping, "filename")) != "", "a mapping without a file")
            self.text(one(mapping, "build_id"))
        for function in self.functions.values():
            require(self.text(one(function, "name")) != "", "a function without a name")
        for location in self.locations.values():
            mapping = one(location, "mapping_id")
            require(mapping == 0 or mapping in self.mappings, f"mapping {mapping} does not exist")
            for line in location["line"]:
                require(one(line, "function_id") in self.functions, "a line without a function")

    def names(self, location):
        return [self.text(one(self.functions[one(line, "function_id")], "name"))
                for line in self.locations[location]["line"]]

    def labels(self, sample):
        labels = {}
        for label in sample["label"]:
            key = self.text(one(label, "key"))
            require(("str" in label) != ("num" in label) or label.get("num") is None, "a label of two values")
            labels[key] = self.text(one(label, "str")) if "str" in label else one(label, "num")
        return labels


def check(etl, trace):
    profile = Profile(gzip.decompress(tables.run(etl, "export", "--to", "pprof", "--no-progress", trace, expected=(0, 1))))
    threads, exclusive, inclusive = tables.Sums(), tables.Sums(), tables.Sums()
    for sample in profile.message["sample"]:
        values = sample["value"]
        require(len(values) == 2 and sample["location_id"], "a sample without a value or a location")
        names = [name for location in sample["location_id"] for name in profile.names(location)]
        labels = profile.labels(sample)
        process = labels["process"]
        if process == "unknown process" or process == f"process {labels.get('pid')}":
            process = None
        threads.add((process, labels.get("pid"), labels.get("tid")), *values)
        exclusive.add(names[0], *values)
        for name in set(names) - tables.MARKERS:
            inclusive.add(name, *values)
    tables.require_equal(f"{trace}: threads", threads.both(), tables.by_thread(etl, trace).both())
    tables.require_equal(f"{trace}: functions", exclusive.both(), tables.by_function(etl, trace).both())
    tables.require_equal(f"{trace}: functions, inclusive", inclusive.both(),
                         tables.by_function(etl, trace, "inclusive_").both())
    print(f"{trace}: {len(profile.message['sample'])} samples, {len(profile.locations)} locations")


if __name__ == "__main__":
    for path in sys.argv[2:]:
        check(sys.argv[1], path)
