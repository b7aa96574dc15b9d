#!/usr/bin/env python3
"""bench/fleet.py BUILD [--short] [--trace TRACE] [--parts N]: what parts of traces cost, and what workers need for 10 TB of traces a
day. docs/fleet.md

First it measures, as CPU time (user and system) of one thread: printing a trace as JSON lines, its index, and each of N parts, with
memory and sizes. Then it simulates workers that take parts with these times, fail from time to time, and start again. With --short,
the trace is small, and the exit code is 1 if the parts do not add up to the trace.
"""
import argparse
import hashlib
import heapq
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

MB, TB = 1e6, 1e12
DAY = 86_400

# A process begins with the peak memory of the one that starts it, so a small one does. Passes the output on, and prints CPU seconds
# and the peak of resident memory on standard error.
STARTER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, file=sys.stderr)
"""


def measure(command, sink, rounds):
    """CPU seconds, the least of several rounds, and peak memory in bytes. `sink` receives the blocks of the first output."""
    results = [run(command, sink if number == 0 else lambda _: None) for number in range(rounds)]
    return min(results)


def run(command, sink):
    with subprocess.Popen([sys.executable, "-S", "-E", "-c", STARTER, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while block := process.stdout.read(1 << 20):
            sink(block)
        code, seconds, memory = process.stderr.read().split()
    if code not in (b"0", b"1"):
        raise SystemExit(f"{' '.join(command)}: exit code {code.decode()}")
    return float(seconds), float(memory)


class Output:
    """The hash and the size of an output."""

    def __init__(self):
        self.sha, self.size = hashlib.sha256(), 0

    def __call__(self, block):
        self.sha.update(block)
        self.size += len(block)


def measured(etl, trace, parts, rounds):
    """The constants of docs/fleet.md."""
    dump = [etl, "dump", "--format", "jsonl", "--threads", "1", "--no-progress"]
    size, complete, joined = trace.stat().st_size, Output(), Output()
    whole, memory = measure([*dump, str(trace)], complete, rounds)
    index, _ = measure([etl, "index", "--threads", "1", "--force", str(trace)], lambda _: None, rounds)
    index_size = pathlib.Path(f"{trace}.index").stat().st_size
    each = [measure([*dump, "--part", f"{k}/{parts}", str(trace)], joined, rounds) for k in range(1, parts + 1)]
    seconds = [one for one, _ in each]
    packed = trace.with_suffix(".packed.etl.zst")
    subprocess.run([etl, "compress", "--threads", "1", "-o", str(packed), str(trace)], check=True, stderr=subprocess.DEVNULL)
    packed_share = packed.stat().st_size / size
    unpacking, _ = measure([*dump, str(packed)], lambda _: None, rounds)
    packed.unlink()
    extra = max(0.0, (sum(seconds) - whole) / parts)
    print(f"trace                        {size / MB:10.1f} MB, {complete.size / size:.2f} bytes of JSON lines for each byte, "
          f"{packed_share:.2f} as .etl.zst")
    print(f"etl dump, one thread         {size / whole / MB:10.1f} MB/s of CPU time, {memory / MB:.0f} MB resident")
    print(f"the same from .etl.zst       {size / unpacking / MB:10.1f} MB/s of the decompressed trace")
    print(f"etl index                    {size / index / MB:10.1f} MB/s, {index_size / size * MB:.0f} bytes for each MB")
    print(f"{f'all of {parts} parts':<28} {sum(seconds) / whole:10.3f} times the CPU time of one run; {extra * 1000:.1f} ms more for each part")
    print(f"a part of {size / parts / MB:<6.1f} MB          {statistics.median(seconds):10.3f} s (median), {max(seconds):.3f} s (slowest), "
          f"{max(memory for _, memory in each) / MB:.0f} MB resident")
    print(f"skew                         {max(seconds) / statistics.mean(seconds):10.2f} (slowest / mean)")
    return {"size": size, "seconds": seconds, "whole": whole, "index": index, "extra": extra,
            "is_equal": complete.sha.digest() == joined.sha.digest()}


def simulate(durations, workers, mean_failure, restart, seed=1):
    """Workers that take parts in turn. Each fails after a random time with this mean; its part goes back, and it starts again after
    `restart` seconds. Returns the time at the end, and the seconds of work that was lost."""
    chance = random.Random(seed)
    waiting = list(reversed(durations))
    free = [(0.0, worker) for worker in range(workers)]
    fails = [chance.expovariate(1 / mean_failure) for _ in range(workers)]
    end = lost = 0.0
    while waiting:
        now, worker = heapq.heappop(free)
        part = waiting.pop()
        if now + part <= fails[worker]:
            end = max(end, now + part)
            heapq.heappush(free, (now + part, worker))
            continue
        waiting.append(part)
        stop = max(now, fails[worker])
        lost += stop - now
        fails[worker] = stop + restart + chance.expovariate(1 / mean_failure)
        heapq.heappush(free, (stop + restart, worker))
    return end, lost


def plan(of, part_size, total, mean_failure, restart):
    """A table of the fleet for `total` bytes in parts of `part_size` bytes, with the skew that was measured."""
    rate = of["size"] / of["whole"]
    mean = statistics.mean(of["seconds"])
    chance = random.Random(1)
    count = int(total / part_size)
    durations = [part_size / rate * chance.choice(of["seconds"]) / mean + of["extra"] for _ in range(count)]
    work, indexing = sum(durations), total / (of["size"] / of["index"])
    print(f"\n{total / TB:.0f} TB in {count} parts of {part_size / MB:.0f} MB: {(work + indexing) / 3600:.1f} core-hours, of which the indexes "
          f"take {indexing / 3600:.1f}; at least {(work + indexing) / DAY:.2f} processors all day")
    print(f"workers fail on average every {mean_failure / 3600:.0f} h and start again after {restart:.0f} s")
    print(f"{'workers':>8} {'hours':>8} {'busy':>6} {'lost':>8}")
    for workers in (1, 2, 4, 8, 16, 64, 256):
        end, lost = simulate(durations, workers, mean_failure, restart)
        print(f"{workers:>8} {end / 3600:>8.2f} {work / (workers * end):>6.1%} {lost / work:>8.3%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="directory of a build, such as build/gcc")
    parser.add_argument("--short", action="store_true", help="a small trace; check that the parts add up")
    parser.add_argument("--trace", type=pathlib.Path, help="a trace of yours (default: one that is generated)")
    parser.add_argument("--parts", type=int, default=16, help="parts of the trace (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="measure each command as often, and take the least (default: %(default)s)")
    parser.add_argument("--part-size", type=float, default=64, help="MB of a part in the simulation (default: %(default)s)")
    parser.add_argument("--total", type=float, default=10, help="TB a day (default: %(default)s)")
    parser.add_argument("--failure", type=float, default=24, help="mean hours between failures of a worker (default: %(default)s)")
    parser.add_argument("--restart", type=float, default=120, help="seconds until a worker starts again (default: %(default)s)")
    given = parser.parse_args()
    etl = str((given.build / "tools" / "etl").resolve())
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder  # the key of the index
        trace = pathlib.Path(folder) / "trace.etl"
        if given.trace:
            trace.symlink_to(given.trace.resolve())
        else:
            events = "50K" if given.short else "4M"
            subprocess.run([etl, "generate", "--events", events, "-o", str(trace)], check=True, stderr=subprocess.DEVNULL)
        of = measured(etl, trace, given.parts, given.rounds)
    plan(of, given.part_size * MB, given.total * TB, given.failure * 3600, given.restart)
    print("\nthe parts equal the trace" if of["is_equal"] else "\nthe parts differ from the trace")
    return 0 if of["is_equal"] else 1


sys.exit(main())
