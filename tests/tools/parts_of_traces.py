#!/usr/bin/env python3
"""parts_of_traces.py ETL FOLDER: the parts of every trace below FOLDER, concatenated, equal the complete output byte for
byte: with an index in 1, 2, 7, and 64 parts, without one in 2. Exit code 77: the folder is absent."""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile


def dump(etl, trace, *options):
    """Yields the bytes of the output."""
    command = [etl, "dump", "--format", "jsonl", "--no-progress", *options, str(trace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        while block := process.stdout.read(1 << 20):
            yield block


def digest(blocks):
    sha = hashlib.sha256()
    for block in blocks:
        sha.update(block)
    return sha.hexdigest()


def parts(etl, trace, count, *options):
    for number in range(1, count + 1):
        yield from dump(etl, trace, "--part", f"{number}/{count}", *options)


def main():
    etl, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if not folder.is_dir():
        return 77
    traces = sorted(path for path in folder.rglob("*") if ".etl" in path.suffixes and path.is_file())
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_STATE_HOME"] = scratch  # the key of the indexes
        for path in traces:
            trace = pathlib.Path(scratch) / path.name
            trace.symlink_to(path.resolve())
            whole, enriched = digest(dump(etl, trace)), digest(dump(etl, trace, "--enrich"))
            results = {"2 without an index": digest(parts(etl, trace, 2)) == whole}
            subprocess.run([etl, "index", str(trace)], stderr=subprocess.DEVNULL, check=False)
            has_index = trace.with_name(trace.name + ".index").exists()
            for count in (1, 2, 7, 64) if has_index else (1, 2, 7):
                results[str(count)] = digest(parts(etl, trace, count)) == whole
            results["3 enriched"] = digest(parts(etl, trace, 3, "--enrich")) == enriched
            bad = [name for name, is_equal in results.items() if not is_equal]
            wrong += len(bad)
            print(f"{path.relative_to(folder)}: {'differs in parts: ' + ', '.join(bad) if bad else 'equal'}"
                  f"{'' if has_index else ' (no index)'}", flush=True)
            trace.unlink()
    print(f"{len(traces)} traces")
    return 1 if wrong or not traces else 0


if __name__ == "__main__":
    sys.exit(main())
