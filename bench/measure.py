"""What bench/table.py measures with: commands of a build, rounds of measurements, and the traces they read."""
import collections
import json
import pathlib
import statistics
import subprocess
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    pass


def busy_share(seconds=1.0):
    """The share of all processors' time that other programs take, or None where nothing tells it."""
    def ticks():
        fields = [int(x) for x in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
        return sum(fields), fields[3] + fields[4]
    try:
        total, idle = ticks()
        time.sleep(seconds)
        total_after, idle_after = ticks()
    except (OSError, ValueError, IndexError):
        return None
    return 1 - (idle_after - idle) / max(1, total_after - total)


def anonymous_peak(pid, stop):
    """The largest RssAnon of a process, in MB, sampled until `stop` is set."""
    peak = 0
    while not stop.is_set():
        try:
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    peak = max(peak, int(line.split()[1]))
        except OSError:
            break
        time.sleep(0.002)
    return peak / 1024


class Machine:
    """Runs commands of one build. In arguments, {etl} is its command line and {bench} the directory of its benches."""

    def __init__(self, build):
        self.etl = str(build / "tools" / "etl")
        self.bench = str(build / "bench")

    def arguments(self, command):
        return [part.format(etl=self.etl, bench=self.bench) for part in command]

    def run(self, command, accepted=(0, 1)):
        """Its standard output."""
        done = subprocess.run(self.arguments(command), capture_output=True, check=False)
        if done.returncode not in accepted:
            raise Failed(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}")
        return done.stdout

    def seconds(self, command, accepted=(0, 1)):
        started = time.perf_counter()
        done = subprocess.run(self.arguments(command), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        taken = time.perf_counter() - started
        if done.returncode not in accepted:
            raise Failed(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}")
        return taken

    def output_bytes(self, command):
        process = subprocess.Popen(self.arguments(command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        count = 0
        while piece := process.stdout.read(1 << 20):
            count += len(piece)
        process.wait()
        return count

    def anonymous_megabytes(self, command):
        process = subprocess.Popen(self.arguments(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stop = threading.Event()
        peak = []
        watch = threading.Thread(target=lambda: peak.append(anonymous_peak(process.pid, stop)))
        watch.start()
        process.wait()
        stop.set()
        watch.join()
        return peak[0]


class Rounds:
    """Measurements taken in turn; each is a function from a Machine to {name: figure}."""

    def __init__(self, machine, against, rounds):
        self.machine = machine
        self.against = against
        self.rounds = rounds
        self.figures = collections.defaultdict(list)
        self.before = collections.defaultdict(list)

    def take(self, measurements):
        for _ in range(self.rounds):
            for measure in measurements:
                for name, figure in measure(self.machine).items():
                    self.figures[name].append(figure)
                if self.against:
                    for name, figure in measure(self.against).items():
                        self.before[name].append(figure)

    def take_once(self, name, measure):
        self.figures[name] = [measure(self.machine)]
        if self.against:
            self.before[name] = [measure(self.against)]

    def of(self, figure, figures):
        """The median of `figure` over the rounds, and how far apart they are. What was measured once counts in every round."""
        def in_round(i):
            return figure(lambda name: figures[name][min(i, len(figures[name]) - 1)])
        values = [in_round(i) for i in range(self.rounds)]
        middle = statistics.median(values)
        return middle, (max(values) - min(values)) / max(1e-12, abs(middle))


def timed(name, command, accepted=(0, 1)):
    return lambda machine: {name: machine.seconds(command, accepted)}


def lines_of_bench_walk(prefix, trace):
    def measure(machine):
        lines = machine.run(["{bench}/bench_walk", "--once", str(trace)], accepted=(0,)).decode().splitlines()
        return {f"{prefix} {name}": float(seconds) for name, seconds in (line.split("\t") for line in lines)}
    return measure


class Traces:
    """The traces that rows use, made when first asked for."""

    def __init__(self, machine, folder, trace, schemas, megabytes):
        self.machine = machine
        self.folder = folder
        self.given = trace
        self.schemas = ["--schema", str(schemas)] if schemas else []
        self.bytes = megabytes * 1_000_000
        self.made = {}

    def make(self, name, commands):
        if name not in self.made:
            path = self.folder / f"{name}.etl"
            for command in commands(path):
                self.machine.run(command, accepted=(0,))
            self.made[name] = path
        return self.made[name]

    def generated(self, name, *options, share=1.0):
        events = int(self.bytes * share / 120)
        return self.make(name, lambda path: [["{etl}", "generate", "--events", str(events), "--rate", "1000000", "--kinds",
                                              "tracelogging:4,event:2,system:2,compact,perfinfo", *options,
                                              "-o", str(path)]])

    def repeated(self, name, share):
        if self.given is None:
            return self.generated(name, "--processors", "8", share=share)
        return self.make(name, lambda path: [["{bench}/repeat_trace", str(self.given), str(path), str(int(self.bytes * share))]])

    @property
    def main(self):
        return self.repeated("main", 1.0)

    @property
    def half(self):
        return self.repeated("half", 0.5)

    @property
    def fifth(self):
        return self.repeated("fifth", 0.2)

    @property
    def many_processors(self):
        return self.generated("processors64", "--processors", "64")

    @property
    def small_buffers(self):
        return self.generated("buffers4k", "--processors", "8", "--buffer-size", "4K")

    @property
    def huge_buffers(self):
        return self.generated("buffers16m", "--processors", "64", "--buffer-size", "16M")

    @property
    def tiny(self):
        return self.make("tiny", lambda path: [["{etl}", "generate", "--events", "20", "-o", str(path)]])

    def top_provider(self):
        """The provider of most events, by name or ID."""
        table = json.loads(self.machine.run(["{etl}", "stats", str(self.main), "--format", "json", "--limit", "1"]))
        return table[0]["provider"]

    def thread_of_one_percent(self):
        text = self.machine.run(["{etl}", "dump", str(self.main), "--format", "csv", "--fields", "tid", "--limit", "300000"])
        counts = collections.Counter(text.decode().split()[1:])
        total = sum(counts.values())
        return min(counts, key=lambda tid: abs(counts[tid] / total - 0.01))
