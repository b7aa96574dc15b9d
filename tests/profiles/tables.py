"""Tables of etl, for comparison with what its exports contain."""

import collections
import json
import subprocess

MARKERS = {"(no stack)", "(no user stack)", "(truncated)", "(incomplete)", "(other)"}


def run(etl, *arguments, expected=(0,)):
    """Runs etl, and returns its standard output as bytes."""
    done = subprocess.run([etl, *arguments], capture_output=True, check=False)
    if done.returncode not in expected:
        raise SystemExit(f"etl {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def rows(etl, table, by, trace, *options):
    """The rows of a table; without those that the total lacks."""
    text = run(etl, table, "--by", by, "--format", "jsonl", "--no-progress", *options, trace, expected=(0, 1))
    lines = [json.loads(line) for line in text.decode().splitlines()]
    return [line for line in lines if "total" not in line]


def full_name(module, function):
    """A function as the exports name it."""
    if not module or function.startswith(module + "!"):
        return function
    return module + "!" + function


class Sums:
    """Samples and nanoseconds by some key."""

    def __init__(self):
        self.by_key = collections.defaultdict(lambda: [0, 0])

    def add(self, key, samples, nanoseconds):
        pair = self.by_key[key]
        pair[0] += samples
        pair[1] += nanoseconds

    def nanoseconds(self):
        return {key: pair[1] for key, pair in self.by_key.items() if pair[1]}

    def both(self):
        return {key: tuple(pair) for key, pair in self.by_key.items() if any(pair)}


def by_thread(etl, trace):
    """Of `etl cpu`: by process, process ID, and thread ID, without Idle."""
    sums = Sums()
    for row in rows(etl, "cpu", "thread", trace):
        if row["pid"] != 0:
            sums.add((row["process"], row["pid"], row["tid"]), row["samples"] or 0, row["sampled_ns"] or 0)
    return sums


def by_counter(etl, trace):
    """Of `etl cpu --source all`: weights by counter and function; samples of a counter without an interval."""
    sums = Sums()
    for row in rows(etl, "cpu", "function", trace, "--source", "all"):
        weight = row["samples"] if row["events"] is None else row["events"]
        sums.add((row["source"], full_name(row["module"], row["function"])), 0, weight)
    return sums.nanoseconds()


def by_function(etl, trace, prefix=""):
    """Of `etl cpu`: by function; exclusive, or with the prefix `inclusive_`."""
    names = ("inclusive_samples", "inclusive_ns") if prefix else ("samples", "sampled_ns")
    sums = Sums()
    for row in rows(etl, "cpu", "function", trace):
        sums.add(full_name(row["module"], row["function"]), row[names[0]], row[names[1]])
    return sums


def require_equal(what, got, expected):
    if got != expected:
        keys = [key for key in {**got, **expected} if got.get(key) != expected.get(key)]
        shown = "\n".join(f"  {key}: {got.get(key)}, expected {expected.get(key)}" for key in sorted(keys, key=str)[:10])
        raise SystemExit(f"{what}: {len(keys)} differ\n{shown}")


def require(condition, what):
    if not condition:
        raise SystemExit(what)
