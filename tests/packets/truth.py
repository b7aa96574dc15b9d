#!/usr/bin/env python3
"""truth.py ETL WORK: what `etl pcapng`, `packets`, and `flows` show is what `etl generate --capture` captured."""
import collections
import csv
import json
import os
import subprocess
import sys

import pcapng

CASES = [["--events", "3000"], ["--events", "4000", "--seed", "7", "--processors", "8", "--rate", "200"],
         ["--events", "3000", "--seed", "3", "--processors", "1", "--compress", "xpress"]]


def run(*command, code=0):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != code:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode, done.stderr.decode()))
    return done.stdout


def expect(what, got, wanted):
    if got != wanted:
        pairs = [(g, w) for g, w in zip(got, wanted) if g != w] if isinstance(got, list) else []
        sys.exit("%s differ: %s\n%r" % (what, (len(got), len(wanted)) if isinstance(got, list) else (got, wanted), pairs[:1]))


def check_packets(etl, trace, truth):
    wanted = [line.split(",") for line in truth if line.startswith("packet,")]
    interfaces, packets, _ = pcapng.read(run(etl, "pcapng", trace, "-o", "-"))
    got = []
    for packet in packets:
        interface = interfaces[packet["interface"]]
        reason = next((v.decode() for c, v in packet["options"] if c == 1 and v.startswith(b"drop: ")), "")
        drop = reason.split("(")[1].split(")")[0] if reason else "0"
        if (drop != "0") != any(c == 7 for c, _ in packet["options"]):
            sys.exit("a drop without a verdict, or the reverse")
        got.append(["packet", str(packet["time"]), interface["name"], str(interface["link"]), str(packet["flags"] & 3), str(packet["original"]),
                    drop, packet["data"].hex()])
    expect("packets", sorted(got), sorted(wanted))
    expect("times", [p["time"] for p in packets], sorted(p["time"] for p in packets))
    rows = run(etl, "packets", "--format", "jsonl", trace).decode().splitlines()
    expect("rows", collections.Counter(json.loads(row)["interface"] for row in rows), collections.Counter(w[2] for w in wanted))


def check_flows(etl, trace, truth):
    wanted = [line.strip().split(",")[1:] for line in truth if line.startswith("flow,")]
    columns = ("protocol source source_port destination destination_port packets bytes packets_back bytes_back retransmissions resets "
               "drops").split()
    rows = csv.DictReader(run(etl, "flows", "--format", "csv", trace).decode().splitlines())
    expect("flows", sorted([row[c] for c in columns] for row in rows), sorted(wanted))


def main(etl, work):
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    for n, case in enumerate(CASES):
        run(etl, "generate", "--capture", "--force", "-o", "%d.etl" % n, "--truth", "%d.txt" % n, *case)
        with open("%d.txt" % n) as file:
            truth = file.read().splitlines()
        check_packets(etl, "%d.etl" % n, truth)
        check_flows(etl, "%d.etl" % n, truth)
    print("%d captures" % len(CASES))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
