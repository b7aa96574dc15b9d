"""traces_together.py ETL FOLDER...: what a trace is shown as does not depend on the traces beside it.

For all pairs of traces below the folders: `etl dump A B` has the lines of `etl dump A` and of `etl dump B`, no others. Exits
with 77 if there is no folder, with 1 and the first differing lines if a pair differs.
"""
import collections
import itertools
import os
import re
import subprocess
import sys

OPTIONS = ["dump", "--format", "jsonl", "--no-progress"]
LARGEST_SUM = 600_000  # events of a pair: larger ones take long and add nothing


def traces_below(folders):
    for folder in folders:
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if ".etl" in name and not name.endswith(".toml"):
                    yield os.path.join(path, name)


# That there are several traces is all that may be told of the others.
ORIGIN = re.compile(rb',"trace":\d+,"file":"(?:[^"\\]|\\.)*"(?:,"machine":"(?:[^"\\]|\\.)*")?(?:,"boot":"[^"]*")?(?=,"provider":)')


def lines_of(etl, *traces):
    result = subprocess.run([etl, *OPTIONS, *traces], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"etl dump {' '.join(traces)}: exit code {result.returncode}")
    return [ORIGIN.sub(b"", line, count=1) for line in result.stdout.splitlines()]


def summed(lines):
    """Tells multisets of lines apart, whatever their order."""
    return len(lines), sum(map(hash, lines)) & (2**64 - 1)


def show_difference(alone, together):
    alone = collections.Counter(alone)
    together = collections.Counter(together)
    for sign, lines in (("-", alone - together), ("+", together - alone)):
        for line in list(lines)[:5]:
            print(sign, line.decode(errors="replace")[:2000])


def main():
    etl, folders = sys.argv[1], [folder for folder in sys.argv[2:] if os.path.isdir(folder)]
    if not folders:
        print("skipped: no traces at hand")
        return 77
    sums = {}
    for trace in traces_below(folders):
        lines = lines_of(etl, trace)
        if lines:
            sums[trace] = summed(lines)
    pairs = differing = 0
    for number, (first, second) in enumerate(itertools.combinations(sums, 2)):
        if number % 2:
            first, second = second, first
        expected = tuple(a + b for a, b in zip(sums[first], sums[second]))
        if expected[0] > LARGEST_SUM:
            continue
        pairs += 1
        together = lines_of(etl, first, second)
        if summed(together) != (expected[0], expected[1] & (2**64 - 1)):
            differing += 1
            print(f"{first} and {second}: {len(together)} lines, alone {expected[0]}")
            show_difference(lines_of(etl, first) + lines_of(etl, second), together)
    print(f"{len(sums)} traces, {pairs} pairs, {differing} differ")
    return 1 if differing or pairs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
