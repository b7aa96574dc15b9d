#!/usr/bin/env python3
"""threads.py ETL FOLDER [generated]: with any number of threads, the output is the same bytes, and the findings are the same
text: of every trace below FOLDER and, if asked for, of generated ones with 1 to 256 processors, tiny and huge buffers, and
events out of order. Compared are `etl dump` as JSON lines, as text, and as CSV, and the trace that `etl relog` writes, with 2
and with 5 threads against 1. Exit code 77: FOLDER is absent."""
import hashlib
import itertools
import pathlib
import subprocess
import sys
import tempfile

THREADS = (2, 5)
PROCESSORS = (1, 4, 64, 256)
SHAPES = {
    "ordered": ["--events", "40K"],
    "out of order": ["--events", "40K", "--out-of-order", "0.01"],
    "tiny buffers": ["--events", "40K", "--buffer-size", "4K"],
    "tiny buffers, out of order": ["--events", "40K", "--buffer-size", "4K", "--out-of-order", "0.0005"],
    "huge buffers": ["--events", "20K", "--buffer-size", "1M"],
    "compressed": ["--events", "40K", "--buffer-size", "4K", "--compress", "xpress"],
}


def digest(command, threads, cwd):
    """Of standard output and standard error."""
    done = subprocess.run([*command, "--threads", str(threads)], capture_output=True, check=False, cwd=cwd)
    return done.returncode, hashlib.sha256(done.stdout).hexdigest(), done.stderr


def commands(etl, trace):
    for form in ("jsonl", "text", "csv"):
        yield f"dump {form}", [etl, "dump", "--format", form, "--no-progress", str(trace)], None
    copy = trace.parent / "copy.etl"
    yield "relog", [etl, "relog", "--no-progress", "--force", "-o", str(copy), str(trace)], copy


def result(command, written, threads, cwd):
    if written is not None:
        written.unlink(missing_ok=True)
    seen = digest(command, threads, cwd)
    content = written.read_bytes() if written is not None and written.exists() else b""
    return seen, hashlib.sha256(content).hexdigest()


def differences(etl, trace):
    """Yields the outputs that depend on the number of threads."""
    for name, command, written in commands(etl, trace):
        alone = result(command, written, 1, trace.parent)
        for threads in THREADS:
            if result(command, written, threads, trace.parent) != alone:
                yield f"{name} with {threads} threads"


# Both yield names and paths, one after the other in the same place.
def traces_of(folder, scratch):
    for path in sorted(path for path in folder.rglob("*") if ".etl" in path.suffixes and path.is_file()):
        trace = scratch / path.name
        trace.symlink_to(path.resolve())
        yield str(path.relative_to(folder)), trace
        trace.unlink()


def generated(etl, scratch):
    for processors in PROCESSORS:
        for shape, options in SHAPES.items():
            trace = scratch / "generated.etl"
            subprocess.run([etl, "generate", "--processors", str(processors), *options, "--force", "-o", str(trace)], check=True)
            yield f"{processors} processors, {shape}", trace
            trace.unlink()


def main():
    etl, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    if not folder.is_dir():
        return 77
    wrong = count = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        made = generated(etl, scratch) if "generated" in sys.argv[3:] else ()
        for name, trace in itertools.chain(traces_of(folder, scratch), made):
            bad = list(differences(etl, trace))
            wrong += len(bad)
            count += 1
            print(f"{name}: {'differs: ' + ', '.join(bad) if bad else 'the same'}", flush=True)
    print(f"{count} traces, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
