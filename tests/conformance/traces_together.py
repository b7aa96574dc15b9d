"""traces_together.py ETL FOLDER...: what a trace is shown as does not depend on the traces beside it.

`etl dump` of all traces below the folders, in order and in reverse, has the lines of `etl dump` of each, no others: what one
trace does to any other shows there. So has `etl dump A B` of all pairs of small traces, where no third one can hide it, and
of the pairs of the largest. Exits with 77 if there is no folder, with 1 and the first differing lines if a set differs.
"""
import collections
import itertools
import os
import re
import subprocess
import sys

OPTIONS = ["dump", "--format", "jsonl", "--no-progress"]
SMALL = 2_000  # events of a trace that meets each other small one in pairs
LARGEST = 3  # that meet each other in pairs


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


def pairs_of(sums):
    """Every other pair starts with its second trace."""
    by_size = sorted(sums, key=lambda trace: sums[trace][0])
    small = [trace for trace in by_size if sums[trace][0] <= SMALL]
    for number, pair in enumerate(itertools.chain(itertools.combinations(small, 2), itertools.combinations(by_size[-LARGEST:], 2))):
        yield pair[::-1] if number % 2 else pair


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
    sets = [list(sums), list(reversed(sums)), *pairs_of(sums)]
    differing = 0
    for traces in sets:
        counts, hashes = zip(*(sums[trace] for trace in traces))
        together = lines_of(etl, *traces)
        if summed(together) != (sum(counts), sum(hashes) & (2**64 - 1)):
            differing += 1
            print(f"{' and '.join(traces)}: {len(together)} lines, alone {sum(counts)}")
            show_difference([line for trace in traces for line in lines_of(etl, trace)], together)
    print(f"{len(sums)} traces, {len(sets)} sets, {differing} differ")
    return 1 if differing or len(sums) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
