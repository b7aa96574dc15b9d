#!/usr/bin/env python3
"""bench/scale.py BUILD [--short] [AXIS ...]: how time and memory of `etl` grow with the size of its input.

For each axis, traces of growing sizes are made, verbs read them, and a table shows the size, the CPU time (user and system, so that
other programs count little), the peak of resident memory, and their growth exponents between the last two sizes: 1 is linear. Exponents are
those of what exceeds a run on the smallest input. With --short, sizes are small, and the exit code is 1 if growth is faster than
linear (docs/limits.md). Traces are made in a temporary directory (TMPDIR) and removed.
"""
import argparse
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

MOST_EXPONENT = 1.3  # above it, growth is not linear; small sizes are noisy


# A process begins with the peak of the one that starts it, so a small one does.
STARTER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                       file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def measure(command):
    """CPU seconds, and the peak of resident memory in MB."""
    done = subprocess.run([sys.executable, "-S", "-E", "-c", STARTER, *command], capture_output=True, text=True, check=True)
    code, seconds, megabytes = done.stdout.split()
    if code not in ("0", "1"):
        raise SystemExit(f"{' '.join(command)}: exit code {code}: {done.stderr[-400:]}")
    return float(seconds), float(megabytes)


def run(command, **options):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)


def write_lines(etl, path, lines):
    """A trace of events in JSON."""
    writer = subprocess.Popen([etl, "write", "-", "-o", str(path)], stdin=subprocess.PIPE, text=True)
    for line in lines:
        writer.stdin.write(json.dumps(line) + "\n")
    writer.stdin.close()
    if writer.wait() != 0:
        raise SystemExit(f"{path}: cannot be written")


def time_of(i):
    return f"2024-05-17T{4 + i // 3_600_000:02}:{i // 60_000 % 60:02}:{i // 1000 % 60:02}.{i % 1000:03}Z"


# What makes the input of each axis: (etl, directory, size) -> path.

def overlapping_files(etl, folder, size):
    """Links to one small trace: all begin and end at the same time. A file has at most 65,000 links."""
    folder.mkdir()
    for i in range(size):
        if i % 50_000 == 0:
            first = folder / f"{i:07}.etl"
            run([etl, "generate", "--events", "20", "--processors", "1", "--buffer-size", "4K", "-o", str(first)])
        else:
            os.link(first, folder / f"{i:07}.etl")
    return folder


def successive_files(etl, folder, size):
    """The files of one session, each of which begins when the one before ends."""
    folder.mkdir()
    run([etl, "generate", "--events", str(size * 60), "--processors", "1", "--buffer-size", "4K", "--kinds", "event", "--max-size", "16K",
         "--mode", "newfile", "-o", str(folder / "log_%d.etl")])
    for path in sorted(folder.iterdir())[size:]:
        path.unlink()
    return folder


def sparse_bytes(etl, path, size):
    """Buffers of 16 MB of which a few KB hold events; the rest is a hole. `size` is in MB."""
    extent = 16 << 20
    small = path.with_suffix(".small")
    run([etl, "generate", "--events", "300", "--processors", "1", "--buffer-size", "16M", "--kinds", "event", "-o", str(small)])
    trace = small.read_bytes()
    small.unlink()
    header, data = bytearray(trace[:extent]), bytearray(trace[extent:2 * extent])
    used = struct.unpack_from("<I", data, 0x30)[0]
    count = max(1, size * (1 << 20) // extent - 1)
    logfile = 0x48 + 0x20
    struct.pack_into("<I", header, logfile + 0x24, count + 1)
    with path.open("wb") as out:
        out.write(header.rstrip(b"\0"))
        for i in range(count):
            struct.pack_into("<Q", data, 0x18, i + 1)
            out.seek((i + 1) * extent)
            out.write(data[:used])
        out.truncate((count + 1) * extent)
    return path


def processors(etl, path, size):
    """As many events, at such a rate that buffers are full: the file is as large with any number of processors."""
    run([etl, "generate", "--events", "1M", "--rate", "1000000", "--processors", str(size), "--buffer-size", "4K", "-o", str(path)])
    return path


def processes(etl, path, size):
    kernel = {"provider": "MSNT_SystemTrace", "provider_guid": "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c", "opcode": 1, "version": 4}
    write_lines(etl, path, ({"time": time_of(i // 100), "cpu": 0, **kernel,
                             "payload": struct.pack("<QIIIIQI", 0xffffa00000000000 + i, 4 * (i + 1), 4, 1, 259, 0x1aa000, 0).hex()
                                        + (4 * b"\0" + f"p{i}.exe".encode() + 7 * b"\0").hex()} for i in range(size)))
    return path


def providers(etl, path, size):
    write_lines(etl, path, ({"time": time_of(i // 100), "provider": f"Provider-{i}", "event": "E", "data": {"A": i}} for i in range(size)))
    return path


def kinds(etl, path, size):
    write_lines(etl, path, ({"time": time_of(i // 100), "provider": "Provider", "event": f"Event{i}", "data": {"A": i}} for i in range(size)))
    return path


CHECK, INFO, DUMP = ["check"], ["info", "--json"], ["dump", "--format", "jsonl"]
CPU, MERGE = ["cpu"], ["merge", "--force", "-o", os.devnull]

# axis: what makes its input, its unit, verbs, short sizes, long sizes.
AXES = {
    "files": (overlapping_files, "files", [CHECK, INFO, DUMP, CPU, MERGE], [2_000, 8_000], [1_000, 10_000, 100_000]),
    "series": (successive_files, "files", [CHECK, DUMP, MERGE], [2_000, 8_000], [1_000, 10_000, 100_000]),
    "bytes": (sparse_bytes, "MB", [CHECK, INFO, DUMP, CPU], [320, 1_280], [1_000, 10_000, 100_000]),
    "processors": (processors, "processors", [CHECK, DUMP, CPU], [64, 256], [64, 512, 2_048]),
    "processes": (processes, "processes", [DUMP + ["--enrich"], ["processes"]], [2_000, 8_000], [100_000, 1_000_000, 10_000_000]),
    "providers": (providers, "providers", [INFO, DUMP, ["stats"]], [2_000, 8_000], [1_000, 10_000, 100_000]),
    "kinds": (kinds, "kinds", [INFO, DUMP, ["stats", "--by", "event"]], [2_000, 8_000], [10_000, 100_000, 1_000_000]),
}


def exponent(before, after):
    (size, value), (next_size, next_value) = before, after
    return math.log(next_value / value) / math.log(next_size / size) if value > 0 and next_value > 0 else 0.0


def shown(exponent_or_none):
    return "" if exponent_or_none is None else f"{exponent_or_none:.2f}"


def measure_axis(etl, name, sizes, folder):
    """Prints a row for each verb and size. Returns the verbs whose growth exceeds the limit."""
    make, unit, verbs, _, _ = AXES[name]
    rows = {index: [] for index in range(len(verbs))}
    least = make(etl, folder / "least", 1 if name != "bytes" else 32)
    bases = [measure([etl, verb[0], *verb[1:], str(least)]) for verb in verbs]
    steep = []
    for size in sizes:
        trace = make(etl, folder / f"size{size}", size)
        for index, verb in enumerate(verbs):
            seconds, megabytes = measure([etl, *verb, str(trace)])
            net = (size, max(seconds - bases[index][0], 1e-3), max(megabytes - bases[index][1], 0.1))
            growth = [None, None]
            if rows[index]:
                last = rows[index][-1]
                growth = [exponent((last[0], last[field]), (size, net[field])) for field in (1, 2)]
                # Growth of what is hardly measurable means nothing.
                if size == sizes[-1] and ((growth[0] > MOST_EXPONENT and net[1] > 0.3) or (growth[1] > MOST_EXPONENT and net[2] > 20)):
                    steep.append(" ".join(verb))
            rows[index].append(net)
            print(f"{name:<11} {' '.join(verb[:3])[:24]:<24} {size:>9} {unit:<11} {seconds:>9.2f} {shown(growth[0]):>5} "
                  f"{megabytes:>8.0f} {shown(growth[1]):>5}", flush=True)
        run(["rm", "-r", str(trace)])
    return steep


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="directory of a build, such as build/gcc")
    parser.add_argument("axis", nargs="*", metavar="AXIS", help=f"{', '.join(AXES)} (default: all)")
    parser.add_argument("--short", action="store_true", help="small sizes; check the exponents")
    parser.add_argument("--most", type=int, help="leave out sizes above this number")
    given = parser.parse_intermixed_args()
    if unknown := set(given.axis) - set(AXES):
        parser.error(f"no axis is named {', '.join(sorted(unknown))}")
    etl = str((given.build / "tools" / "etl").resolve())
    print(f"{'axis':<11} {'verb':<24} {'size':>9} {'':<11} {'CPU s':>9} {'exp':>5} {'RSS MB':>8} {'exp':>5}")
    steep = []
    for name in given.axis or AXES:
        sizes = AXES[name][3 if given.short else 4]
        sizes = [size for size in sizes if given.most is None or size <= given.most]
        with tempfile.TemporaryDirectory() as folder:
            steep += [f"{name}: {verb}" for verb in measure_axis(etl, name, sizes, pathlib.Path(folder))]
    if steep:
        print("grows faster than the limit: " + "; ".join(steep))
        return 1 if given.short else 0
    print("nothing grows faster than the limit")
    return 0


sys.exit(main())
