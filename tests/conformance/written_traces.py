"""written_traces.py WRITE_SHAPES ETL WHAT [PATH]: holds files of every mode and packing against others.

WRITE_SHAPES is the program beside this file that writes them, ETL the command line. Exits with 77, and a message,
when what it needs is not there. WHAT is one of

check     `etl check` has no finding; of a file that was never closed, notes only
unpacked  the stock `zstd -d` and `lz4 -d` give back the plain trace, byte for byte
decoder   an independent decoder sees the same records, times, providers and payloads: PATH is the Python file that
          compares `etl dump` with it, which may lie beside the project
"""
import filecmp
import glob
import os
import shutil
import subprocess
import sys
import tempfile


class Absent(Exception):
    pass


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def is_sound(etl, path):
    result = run(etl, "check", path)
    text = result.stdout.decode()
    findings = [line for line in text.splitlines() if ": warning: " in line or ": note: " in line]
    # The last file of an interrupted series is unfinished; that is a note.
    if result.returncode != 0 or (findings and "unfinished" not in os.path.basename(path)):
        print(os.path.basename(path), "exit", result.returncode, text)
        return False
    return True


def check(etl, folder):
    files = sorted(glob.glob(os.path.join(folder, "*")))
    bad = sum(not is_sound(etl, path) for path in files)
    return len(files) - bad, bad


def unpacked(etl, folder):
    good = bad = 0
    for ending, tool in ((".zst", "zstd"), (".lz4", "lz4")):
        if not shutil.which(tool):
            raise Absent("no program " + tool)
        for path in sorted(glob.glob(os.path.join(folder, "*" + ending))):
            plain = path[:-len(ending)]
            with open(plain, "wb") as file:
                failed = subprocess.run([tool, "-dc", path], stdout=file, check=False).returncode != 0
            twin = plain.replace("-" + tool, "")
            # Where a packed series goes on in the next file the plain one does not.
            same = is_sound(etl, plain) if "new-file" in plain else filecmp.cmp(plain, twin, shallow=False)
            if failed or not same:
                bad += 1
                print(os.path.basename(path), "does not unpack" if failed else "unpacks to something else")
            else:
                good += 1
    return good, bad


def decoder(etl, folder, path):
    if not os.path.exists(path):
        raise Absent("no file " + os.path.basename(path))
    for packed in glob.glob(os.path.join(folder, "*-xpress-huffman*")):
        os.remove(packed)  # a form that it does not know; other_decoders.py holds the codec against wimlib
    result = run(sys.executable, "-B", path, "--etl", etl, "--corpus", folder, "records")
    lines = result.stdout.decode().splitlines()
    for line in lines:
        if not line.startswith("ok "):
            print(line)
    good = sum(line.startswith("ok ") for line in lines)
    return good, 0 if result.returncode == 0 and good == len(os.listdir(folder)) else 1


def main(write_shapes, etl, what, *path):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([write_shapes, folder], check=True)
        try:
            good, bad = {"check": check, "unpacked": unpacked, "decoder": decoder}[what](etl, folder, *path)
        except Absent as absent:
            print("skipped:", absent)
            return 77
    print("%d files good, %d bad" % (good, bad))
    return 0 if bad == 0 and good > 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
