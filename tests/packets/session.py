#!/usr/bin/env python3
"""session.py ETL PROVIDER WORK: packets of a running session, as a capture file and as lines, until Ctrl-C, until --limit,
and until the session ends."""
import os
import shutil
import signal
import subprocess
import sys
import time

import pcapng

PKTMON = "4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"
PATIENCE = 100  # seconds, on a busy machine


def run(*command, exit_code=0):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
    if done.returncode != exit_code:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode, done.stderr.decode()))
    return done.stdout


def check(data, what, fewest):
    interfaces, packets, _ = pcapng.read(data)
    if len(packets) < fewest or [i["name"] for i in interfaces] != ["pktmon:13 edge 1"]:
        sys.exit("%s: %d packets at %r" % (what, len(packets), interfaces))
    if any(later["time"] < earlier["time"] for earlier, later in zip(packets, packets[1:])):
        sys.exit("%s: packets out of order" % what)
    return packets


def wait_for(is_so, what):
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            sys.exit("timeout: " + what)
        time.sleep(0.05)


def until_interrupted(etl):
    with open("interrupted.pcapng", "wb") as out:
        live = subprocess.Popen([etl, "pcapng", "--session", "Capture", "-o", "-"], stdout=out, stderr=subprocess.PIPE)
    wait_for(lambda: os.path.getsize("interrupted.pcapng") > 2000, "packets while the session runs")
    live.send_signal(signal.SIGINT)
    errors = live.communicate(timeout=PATIENCE)[1].decode()
    if live.returncode != 0 or "pktmon:13 edge 1" not in errors:
        sys.exit("interrupted: exit %d\n%s" % (live.returncode, errors))
    with open("interrupted.pcapng", "rb") as file:
        check(file.read(), "interrupted", 10)


def main(etl, provider, work):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    os.chdir(work)
    os.environ["ETL_HOST"] = os.path.join(os.getcwd(), "host")
    run(etl, "session", "start", "Capture", "--provider", PKTMON, "--live")
    program = subprocess.Popen([provider, "1000000", "5"], stdout=subprocess.DEVNULL)
    try:
        run(etl, "pcapng", "--session", "capture", "--limit", "20", "-o", "limit.pcapng")
        with open("limit.pcapng", "rb") as file:
            if len(check(file.read(), "limit", 20)) != 20:
                sys.exit("--limit")
        until_interrupted(etl)
        lines = run(etl, "packets", "--session", "Capture", "--limit", "3").decode().splitlines()
        if len(lines) != 3 or not all("192.0.2.1.51000 > 198.51.100.7.443" in line for line in lines):
            sys.exit("packets: %r" % lines)
        run(etl, "pcapng", "--session", "Capture", "--nic", "-o", "x.pcapng", exit_code=2)
        run(etl, "pcapng", "--session", "Other", "-o", "x.pcapng", exit_code=2)
        run(etl, "pcapng", "--session", "Capture", "trace.etl", "-o", "x.pcapng", exit_code=64)
        last = subprocess.Popen([etl, "pcapng", "--session", "Capture", "-o", "last.pcapng"], stderr=subprocess.DEVNULL)
        time.sleep(2)
        run(etl, "session", "stop", "Capture")
        if last.wait(timeout=PATIENCE) != 0:
            sys.exit("the session stopped: exit %d" % last.returncode)
        with open("last.pcapng", "rb") as file:
            check(file.read(), "stopped", 1)
    finally:
        program.kill()
        program.wait()
        subprocess.run([etl, "session", "stop", "Capture"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3])
