"""perfetto.py ETL TRACE...: `etl export --to perfetto` obeys the rules of the format, and its sums are those of `etl cpu`."""

import collections
import pathlib
import sys

import protobuf_text
import tables
from protobuf_text import one
from tables import require

PROTO = pathlib.Path(__file__).with_name("perfetto.proto")
FILE_IO_INFO = ("SetInfo", "Delete", "Rename", "QueryInfo", "FSControl")
# The messages of I/O, with the events that they are made from and the fields that must be there.
IO_EVENTS = {
    "file_io_create": {"FileIo/Create"},
    "file_io_dir_enum": {"FileIo/DirEnum", "FileIo/DirNotify"},
    "file_io_info": {f"FileIo/{name}" for name in FILE_IO_INFO},
    "file_io_read_write": {"FileIo/Read", "FileIo/Write"},
    "file_io_simple_op": {"FileIo/Cleanup", "FileIo/Close", "FileIo/Flush"},
    "file_io_op_end": {"FileIo/OperationEnd"},
    "file_io_path_operation": {"FileIo/DeletePath", "FileIo/RenamePath", "FileIo/SetLinkPath"},
    "disk_io": {"DiskIo/Read", "DiskIo/Write"},
}
IO_FIELDS = {kind: {"irp_ptr", "file_object", "ttid"} for kind in IO_EVENTS}
IO_FIELDS["file_io_create"] |= {"open_path"}
IO_FIELDS["file_io_read_write"] |= {"offset", "io_size", "opcode"}
IO_FIELDS["file_io_op_end"] = {"irp_ptr", "nt_status"}
IO_FIELDS["disk_io"] = {"disk_number", "transfer_size", "byte_offset", "response_time", "opcode"}
TYPES = {"TYPE_SLICE_BEGIN", "TYPE_SLICE_END", "TYPE_INSTANT", "TYPE_COUNTER"}


class Trace:
    """A trace, read packet by packet as an importer does."""

    def __init__(self, data):
        packets = protobuf_text.decode(PROTO, "etl.perfetto.Trace", data).get("packet", [])
        self.interned = {}  # by sequence, kind, and iid
        self.tracks, self.processes, self.threads = {}, {}, {}
        self.samples, self.slices, self.switches, self.events = [], {}, [], 0
        self.last_count = {}
        self.sequence, self.timebases, self.counters = 0, {}, tables.Sums()
        self.io = collections.Counter()
        self.stateful = set()
        for packet in packets:
            self.read(packet)
        for track, events in self.slices.items():
            self.check_nesting(track, events)

    def read(self, packet):
        sequence = one(packet, "trusted_packet_sequence_id")
        require(sequence > 0 and "timestamp" in packet, "a packet without a sequence or a time")
        flags = one(packet, "sequence_flags")
        if flags == 1:
            self.stateful.add(sequence)
        require(flags != 2 or sequence in self.stateful, "state is needed, and was not cleared before")
        self.sequence = sequence
        for data in packet.get("trace_packet_defaults", []):
            sampling = one(one(data, "perf_sample_defaults"), "timebase")
            self.timebases[sequence] = one(sampling, "name").decode()
        for data in packet.get("interned_data", []):
            require(flags in (1, 2), "interned data on a sequence without state")
            self.intern(data)
        handlers = {"track_descriptor": self.describe, "track_event": self.event, "perf_sample": self.sample,
                    "process_tree": self.tree, "etw_events": self.etw, "clock_snapshot": self.clocks}
        for name, handler in handlers.items():
            for message in packet.get(name, []):
                handler(message, one(packet, "timestamp"))

    def intern(self, data):
        for kind, messages in data.items():
            for message in messages:
                key = (self.sequence, kind, one(message, "iid"))
                require(key[2] != 0 and key not in self.interned, f"{key} is interned twice")
                self.interned[key] = message
        for frame in data.get("frames", []):
            require((self.sequence, "function_names", one(frame, "function_name_id")) in self.interned, "a frame without a function")
            mapping = one(frame, "mapping_id")
            require(mapping == 0 or (self.sequence, "mappings", mapping) in self.interned, "a frame without its mapping")
        for mapping in data.get("mappings", []):
            require(one(mapping, "start") < one(mapping, "end"), "an empty mapping")
            for path in mapping["path_string_ids"]:
                require((self.sequence, "mapping_paths", path) in self.interned, "a mapping without a path")
            build = one(mapping, "build_id")
            require(build == 0 or (self.sequence, "build_ids", build) in self.interned, "a mapping without its build ID")

    def clocks(self, message, _):
        clocks = {one(clock, "clock_id"): one(clock, "timestamp") for clock in message["clocks"]}
        require(set(clocks) == {1, 6} and clocks[6] == 0 and clocks[1] > 0, f"clocks {clocks}")

    def tree(self, message, _):
        for process in message.get("processes", []):
            self.processes[one(process, "pid")] = one(process, "cmdline").decode()
        for thread in message.get("threads", []):
            require(one(thread, "tgid") in self.processes, "a thread without its process")
            self.threads[one(thread, "tid")] = one(thread, "tgid")

    def describe(self, message, _):
        uuid = one(message, "uuid")
        require(uuid != 0 and uuid not in self.tracks, f"track {uuid}")
        require(one(message, "parent_uuid", None) in (None, *self.tracks), "a track without its parent")
        self.tracks[uuid] = message

    def event(self, message, time):
        track = one(message, "track_uuid")
        require(track in self.tracks and one(message, "type") in TYPES, f"an event on track {track}")
        self.events += 1
        kind = one(message, "type")
        if kind in ("TYPE_SLICE_BEGIN", "TYPE_SLICE_END"):
            self.slices.setdefault(track, []).append((time, kind))
            require(kind == "TYPE_SLICE_END" or one(message, "name"), "a slice without a name")
        if kind == "TYPE_COUNTER":
            require("counter" in self.tracks[track] and "counter_value" in message, "a counter")

    def check_nesting(self, track, events):
        """Begins and ends are written in pairs; those of one track must be disjoint or nested."""
        pairs = sorted((begin[0], -end[0]) for begin, end in zip(events[::2], events[1::2]))
        open_ends = []
        for begin, minus_end in pairs:
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            require(not open_ends or -minus_end <= open_ends[-1], f"track {track}: slices overlap at {begin}")
            open_ends.append(-minus_end)

    def sample(self, message, time):
        stack = self.interned.get((self.sequence, "callstacks", one(message, "callstack_iid")))
        require(stack is not None, "a sample without its stack")
        names = []
        for frame in stack["frame_ids"]:
            function = one(self.interned[(self.sequence, "frames", frame)], "function_name_id")
            names.append(one(self.interned[(self.sequence, "function_names", function)], "str").decode())
        cpu, count = (self.sequence, one(message, "cpu")), one(message, "timebase_count")
        weight = count - self.last_count.get(cpu, 0)
        require(weight >= 0 and one(message, "cpu_mode") in (1, 2), "a sample")
        self.last_count[cpu] = count
        source = self.timebases[self.sequence]
        if source != "SampledProfile":
            self.counters.add((source, names[-1]), 0, weight)
            return
        self.samples.append((time, one(message, "pid", None), one(message, "tid", None), names, weight))

    def etw(self, bundle, _):
        for event in bundle["event"]:
            require(one(event, "cpu") == one(bundle, "cpu") and "timestamp" in event, "an event of another processor")
            if "c_switch" in event:
                switch = one(event, "c_switch")
                self.switches.append(one(switch, "new_thread_id"))
            for kind in IO_EVENTS:
                for message in event.get(kind, []):
                    require(set(message) >= IO_FIELDS[kind], f"{kind} has {sorted(message)}")
                    self.io[kind] += 1


def check(etl, trace):
    data = tables.run(etl, "export", "--to", "perfetto", "--no-progress", trace, expected=(0, 1))
    if not data:
        print(f"{trace}: nothing")
        return
    read = Trace(data)
    exclusive, inclusive, processes = tables.Sums(), tables.Sums(), tables.Sums()
    for _, pid, tid, names, weight in read.samples:
        exclusive.add(names[-1], 1, weight)
        processes.add((pid, tid), 1, weight)
        for name in set(names) - tables.MARKERS:
            inclusive.add(name, 1, weight)
    expected = tables.Sums()
    switches = 0
    for row in tables.rows(etl, "cpu", "thread", trace):
        switches += row["switches"] or 0
        if row["pid"] != 0:
            expected.add((row["pid"], row["tid"]), row["samples"] or 0, row["sampled_ns"] or 0)
    tables.require_equal(f"{trace}: threads", processes.both(), expected.both())
    tables.require_equal(f"{trace}: counters", read.counters.nanoseconds(), tables.by_counter(etl, trace))
    tables.require_equal(f"{trace}: functions", exclusive.both(), tables.by_function(etl, trace).both())
    tables.require_equal(f"{trace}: functions, inclusive", inclusive.both(),
                         tables.by_function(etl, trace, "inclusive_").both())
    require(len(read.switches) == switches, f"{trace}: {len(read.switches)} switches, expected {switches}")
    recorded = collections.Counter({row["event"]: row["events"] for row in tables.rows(etl, "stats", "event", trace)
                                    if row["provider"] == "MSNT_SystemTrace"})
    for kind, events in IO_EVENTS.items():
        count = sum(recorded[event] for event in events)
        require(read.io[kind] == count, f"{trace}: {read.io[kind]} {kind}, expected {count}")
    print(f"{trace}: {len(read.samples)} samples, {len(read.switches)} switches, {read.events} events of tracks")


if __name__ == "__main__":
    for path in sys.argv[2:]:
        check(sys.argv[1], path)
