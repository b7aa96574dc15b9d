#!/usr/bin/env python3
"""truth.py ETL WORK: what `etl pcapng`, `packets`, and `flows` show is what `etl generate --capture` captured."""
import collections
import csv
import json
import os
import subprocess
import sys

import pcapng

KINDS = ("ndis fragments wifi mobile switch ras pktmon pktmon-wifi pktmon-24h2 vlan segmentation ras-users layers dns http").split()
CASES = [["--capture", "--events", "3000"],
         ["--capture", "--events", "4000", "--seed", "7", "--processors", "8", "--rate", "200"],
         ["--capture", "--events", "3000", "--seed", "3", "--processors", "1", "--compress", "xpress"],
         ["--capture", "all", "--events", "5000"],
         ["--capture", "all:2,vlan:20,dns:9", "--events", "5000", "--seed", "4", "--processors", "9"],
         *(["--capture", kind, "--events", "400"] for kind in KINDS)]
PACKET = "time interface link direction size drop vlan segmented group hash data comment".split()


def run(*command, code=0):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != code:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode, done.stderr.decode()))
    return done.stdout


def expect(what, got, wanted):
    if got != wanted:
        pairs = [(g, w) for g, w in zip(got, wanted) if g != w] if isinstance(got, list) else []
        sys.exit("%s differ: %s\n%r" % (what, (len(got), len(wanted)) if isinstance(got, list) else (got, wanted), pairs[:1]))


def lines_of(truth, kind, most=-1):
    return [line.split(",", most)[1:] for line in truth if line.startswith(kind + ",")]


def packet_of(packet, interface):
    """The columns of the truth, from a capture file. The VLAN is not among its options."""
    comments = [v.decode() for c, v in packet["options"] if c == 1]
    options = dict(packet["options"])
    reason = next((text for text in comments if text.startswith("drop: ")), "")
    drop = reason.split("(")[1].split(")")[0] if reason else "0"
    if (drop != "0") != (7 in options):
        sys.exit("a drop without a verdict, or the reverse")
    return dict(time=str(packet["time"]), interface=interface["name"], link=str(interface["link"]), direction=str(packet["flags"] & 3),
                size=str(packet["original"]), drop=drop, segmented=str(packet["flags"] >> 11 & 1),
                group=str(int.from_bytes(options[5], "little")) if 5 in options else "",
                hash=str(int.from_bytes(options[3][1:], "big")) if 3 in options else "",
                data=packet["data"].hex(), comment="; ".join(text for text in comments if text != reason))


def check_packets(etl, trace, truth):
    wanted = [dict(zip(PACKET, line)) for line in lines_of(truth, "packet", len(PACKET))]
    interfaces, packets, _ = pcapng.read(run(etl, "pcapng", trace, "-o", "-"))
    got = [packet_of(packet, interfaces[packet["interface"]]) for packet in packets]
    columns = [column for column in PACKET if column != "vlan"]
    expect("packets", sorted([p[c] for c in columns] for p in got), sorted([p[c] for c in columns] for p in wanted))
    expect("times", [p["time"] for p in packets], sorted(p["time"] for p in packets))
    rows = [json.loads(row) for row in run(etl, "packets", "--format", "jsonl", trace).decode().splitlines()]
    shown = collections.Counter((r["interface"], r["direction"], str(r["bytes"]), r["captured_bytes"], str(r.get("vlan") or "")) for r in rows)
    expect("rows", shown, collections.Counter((w["interface"], "sent" if w["direction"] == "2" else "received", w["size"], len(w["data"]) // 2, w["vlan"])
                                              for w in wanted))


def check_interfaces(etl, trace, truth):
    data = run(etl, "pcapng", trace, "-o", "-")
    wanted = {line[0]: line[1:] for line in lines_of(truth, "interface")}
    got = {}
    for interface in pcapng.read(data)[0]:
        counters = [str(interface[key]) if key in interface else "" for key in ("received", "dropped")]
        got[interface["name"]] = counters + [interface[key] for key in ("mac", "addresses", "description", "filter")]
    expect("interfaces", got, {name: texts[1:] for name, texts in wanted.items()})
    adapters = {name for name, texts in wanted.items() if texts[0] == "1"}
    interfaces, packets, _ = pcapng.read(run(etl, "pcapng", "--nic", trace, "-o", "-"))
    expect("adapters", {i["name"] for i in interfaces}, adapters)
    expect("packets at adapters", len(packets), sum(line[1] in adapters for line in lines_of(truth, "packet", 3)))
    expect("names", sorted(pcapng.names(data)), sorted(tuple(line) for line in lines_of(truth, "name")))


def check_flows(etl, trace, truth):
    wanted = lines_of(truth, "flow")
    columns = ("protocol source source_port destination destination_port packets bytes packets_back bytes_back retransmissions resets "
               "drops").split()
    rows = csv.DictReader(run(etl, "flows", "--format", "csv", trace).decode().splitlines())
    expect("flows", sorted([row[c] for c in columns] for row in rows), sorted(wanted))


def check_contents(truth):
    """A capture of all kinds has some of everything that it can have."""
    packets = [dict(zip(PACKET, line)) for line in lines_of(truth, "packet", len(PACKET))]
    vlans = {p["vlan"] for p in packets}
    small = [p for p in packets if p["segmented"] == "1" and int(p["size"]) <= 1522]
    found = [{"", "100", "200", "20", "30"} <= vlans, any(p["segmented"] == "1" for p in packets), bool(small), any(p["hash"] for p in packets),
             any(p["comment"] for p in packets), {p["drop"] for p in packets} == {"0", "1204", "1207"}, len(lines_of(truth, "name")) > 5,
             {line[0] for line in lines_of(truth, "message")} == {"http", "dns"}, sum(line[0].startswith("ras:") for line in lines_of(truth, "interface")) == 3]
    expect("contents", found, [True] * len(found))


def main(etl, work):
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    for n, case in enumerate(CASES):
        run(etl, "generate", "--force", "-o", "%d.etl" % n, "--truth", "%d.txt" % n, *case)
        with open("%d.txt" % n) as file:
            truth = file.read().splitlines()
        print(*case, flush=True)
        check_packets(etl, "%d.etl" % n, truth)
        check_interfaces(etl, "%d.etl" % n, truth)
        check_flows(etl, "%d.etl" % n, truth)
        if case[1] == "all":
            check_contents(truth)
    print("%d captures" % len(CASES))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
