#!/usr/bin/env python3
"""two_machines.py ETL WORK: captures of two machines as one: interfaces name the trace even if the files have the same
name, packets are those of both in the order of time, and a conversation that both captured counts once."""
import json
import os
import subprocess
import sys

import pcapng


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode, done.stderr.decode()))
    return done.stdout


def packets_of(data):
    interfaces, packets, _ = pcapng.read(data)
    return [i["name"] for i in interfaces], packets


def content(packets):
    return sorted((p["time"], p["data"], p["original"], p["flags"]) for p in packets)


def flows_of(etl, *traces):
    rows = json.loads(run(etl, "flows", "--format", "json", *traces))
    return {tuple(r.get(key) for key in ("protocol", "source", "source_port", "destination", "destination_port")): r
            for r in rows if "protocol" in r}


def main(etl, work):
    os.makedirs(os.path.join(work, "kettle"), exist_ok=True)
    os.makedirs(os.path.join(work, "teapot"), exist_ok=True)
    os.chdir(work)
    traces = ["kettle/PktMon.etl", "teapot/PktMon.etl"]
    run(etl, "generate", "--capture", "--events", "700", "--force", "-o", traces[0])
    run(etl, "generate", "--capture", "--events", "700", "--seed", "2", "--start", "2024-05-17T04:00:00.005Z", "--force", "-o", traces[1])
    apart = [packets_of(run(etl, "pcapng", trace)) for trace in traces]
    names, both = packets_of(run(etl, "pcapng", *traces))
    if sorted(names) != sorted("%s [%s/PktMon]" % (name, machine) for (one, _), machine in zip(apart, ("kettle", "teapot")) for name in one):
        sys.exit("interfaces: %r" % names)
    if content(both) != sorted(content(apart[0][1]) + content(apart[1][1])):
        sys.exit("the packets are not those of both traces")
    whole = [p for p in both if not any(c == 1 and b"incomplete" in v for c, v in p["options"])]
    if any(later["time"] < earlier["time"] for earlier, later in zip(whole, whole[1:])):
        sys.exit("packets out of order")
    names, _ = packets_of(run(etl, "pcapng", "--anonymize", *traces))
    if any("PktMon" in name for name in names) or not any(name.endswith("[2]") for name in names):
        sys.exit("names of files with --anonymize: %r" % names)
    lines = run(etl, "packets", *traces).decode().splitlines()
    if len(lines) != len(both) or not any("[teapot/PktMon]" in line for line in lines):
        sys.exit("etl packets")
    one, other, merged = flows_of(etl, traces[0]), flows_of(etl, traces[1]), flows_of(etl, *traces)
    shared = 0
    for key, row in merged.items():
        turned = (key[0], key[3], key[4], key[1], key[2])
        rows = [r for r in (one.get(key), one.get(turned), other.get(key), other.get(turned)) if r]
        if row["packets"] + row["packets_back"] != max(r["packets"] + r["packets_back"] for r in rows):
            sys.exit("%r counts %r of %r" % (key, row, rows))
        shared += len(rows) > 1
    if shared == 0:
        sys.exit("no conversation in both traces")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
