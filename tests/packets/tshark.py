#!/usr/bin/env python3
"""tshark.py ETL WORK [TRACE...]: tshark reads every capture file without a warning and counts the packets that were
written, whatever the options. In a capture of ours, it finds no error and no wrong checksum. Without tshark the test is
skipped (exit 77)."""
import os
import shutil
import subprocess
import sys

import pcapng


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


VERIFIED = [word for protocol in ("ip", "tcp", "udp") for word in ("-o", protocol + ".check_checksum:TRUE")]


def check(etl, trace, is_sound, *options):
    out = "out.pcapng"
    code, _, said = run(etl, "pcapng", "--force", *options, trace, "-o", out)
    trace = " ".join([trace, *options])
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
    _, found, _ = run("tshark", "-n", "-q", "-r", out, *VERIFIED, "-z", "expert")
    wrong = [line for line in found.decode().splitlines() if line.startswith("Errors") or "hecksum" in line]
    return "tshark on %s: %s" % (trace, wrong) if is_sound and wrong else ""


def main(etl, work, traces):
    if shutil.which("tshark") is None:
        print("tshark is not installed")
        return 77
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    run(etl, "generate", "--capture", "--force", "-o", "capture.etl", "--events", "2000")
    ways = [("capture.etl", *options) for options in ([], ["--link", "etw"], ["--events"], ["--anonymize"])] + [(trace,) for trace in traces]
    problems = [problem for problem in (check(etl, way[0], way[0] == "capture.etl", *way[1:]) for way in ways) if problem]
    print("\n".join(problems) or "%d captures" % len(ways))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
