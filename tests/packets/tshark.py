#!/usr/bin/env python3
"""tshark.py ETL WORK [TRACE...]: tshark reads every capture file without a warning and counts the packets that were
written. Without tshark the test is skipped (exit 77)."""
import os
import shutil
import subprocess
import sys

import pcapng


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def check(etl, trace, is_sound):
    out = "out.pcapng"
    code, _, said = run(etl, "pcapng", "--force", trace, "-o", out)
    if code != 0:
        return "etl pcapng %s: exit %d\n%s" % (trace, code, said)
    with open(out, "rb") as file:
        _, packets, _ = pcapng.read(file.read())
    code, listed, said = run("tshark", "-n", "-r", out, "-T", "fields", "-e", "frame.number", "-e", "frame.interface_name", "-e", "_ws.malformed")
    lines = listed.decode().splitlines()
    quiet = [line for line in said.splitlines() if "as user \"root\"" not in line and line.strip()]
    if code != 0 or quiet:
        return "tshark on %s: exit %d\n%s" % (trace, code, said)
    if len(lines) != len(packets):
        return "tshark on %s: %d packets, not %d" % (trace, len(lines), len(packets))
    # Packets of other captures may be malformed themselves.
    malformed = is_sound and [line for line in lines if line.split("\t")[2:] not in ([], [""])]
    if malformed:
        return "tshark on %s: %d malformed, first %s" % (trace, len(malformed), malformed[0])
    return ""


def main(etl, work, traces):
    if shutil.which("tshark") is None:
        print("tshark is not installed")
        return 77
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    run(etl, "generate", "--capture", "--force", "-o", "capture.etl", "--events", "2000")
    problems = [problem for problem in (check(etl, trace, trace == "capture.etl") for trace in ["capture.etl", *traces]) if problem]
    print("\n".join(problems) or "%d captures" % (1 + len(traces)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
