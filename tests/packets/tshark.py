#!/usr/bin/env python3
"""tshark.py ETL WORK [TRACE...]: tshark reads every capture file without a warning and counts the packets that were
written, whatever the options. In a capture of ours, it finds no error, no wrong checksum, the messages of DNS and HTTP
that were captured, and the names of hosts. Without tshark the test is skipped (exit 77)."""
import collections
import os
import shutil
import subprocess
import sys

import pcapng


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


# Like that of IPv4, which is on by default: an adapter sets the length in the header.
SEGMENTED = ["-o", "ipv6.tso_support:TRUE"]
VERIFIED = [word for protocol in ("ip", "tcp", "udp") for word in ("-o", protocol + ".check_checksum:TRUE")]


def check(etl, trace, is_sound, *options):
    out = "out.pcapng"
    code, _, said = run(etl, "pcapng", "--force", *options, trace, "-o", out)
    trace = " ".join([trace, *options])
    if code != 0:
        return "etl pcapng %s: exit %d\n%s" % (trace, code, said)
    with open(out, "rb") as file:
        _, packets, _ = pcapng.read(file.read())
    code, listed, said = run("tshark", "-n", *SEGMENTED, "-r", out, "-T", "fields", "-e", "frame.number", "-e", "frame.interface_name", "-e", "_ws.malformed")
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
    _, found, _ = run("tshark", "-n", "-q", "-r", out, *SEGMENTED, *VERIFIED, "-z", "expert")
    wrong = [line for line in found.decode().splitlines() if line.startswith("Errors") or "hecksum" in line]
    return "tshark on %s: %s" % (trace, wrong) if is_sound and wrong else ""


FIELDS = ("http.request.method http.request.full_uri http.response.code dns.flags.response dns.qry.type dns.qry.name dns.a dns.aaaa").split()


def message_of(line):
    """A message as the truth states it."""
    method, uri, code, is_response, kind, name, ipv4, ipv6 = (line + "\t" * len(FIELDS)).split("\t")[:len(FIELDS)]
    if not name:
        return "http,%s" % (code or "%s %s" % (method, uri))
    words = ["response" if is_response in ("1", "True") else "query", "A" if kind == "1" else "AAAA", name, ipv4 + ipv6]
    return "dns," + " ".join(words).rstrip()


def check_messages(etl):
    """At adapters, each message is in one packet."""
    run(etl, "pcapng", "--force", "--nic", "all.etl", "-o", "nic.pcapng")
    with open("all.txt") as file:
        truth = file.read().splitlines()
    _, listed, said = run("tshark", "-n", "-r", "nic.pcapng", "-Y", "http or dns", "-T", "fields", *(word for field in FIELDS for word in ("-e", field)))
    got = collections.Counter(message_of(line) for line in listed.decode().splitlines())
    wanted = collections.Counter(line.split(",", 1)[1] for line in truth if line.startswith("message,"))
    if got != wanted:
        return "messages: only tshark %r, only truth %r\n%s" % (got - wanted, wanted - got, said)
    _, listed, _ = run("tshark", "-N", "n", "-r", "nic.pcapng", "-T", "fields", "-e", "ip.src", "-e", "ip.src_host", "-Y", "ip")
    hosts = {tuple(line.split("\t")) for line in listed.decode().splitlines() if "," not in line}
    names = dict(line.split(",")[1:] for line in truth if line.startswith("name,"))
    wrong = [pair for pair in sorted(hosts) if names.get(pair[0], pair[0]) != pair[1]]
    return "hosts: %r" % wrong if wrong or len(hosts) < 5 else ""


def main(etl, work, traces):
    if shutil.which("tshark") is None:
        print("tshark is not installed")
        return 77
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    run(etl, "generate", "--capture", "--force", "-o", "capture.etl", "--events", "2000")
    run(etl, "generate", "--capture", "all", "--force", "-o", "all.etl", "--truth", "all.txt", "--events", "4000")
    ours = ["capture.etl", "all.etl"]
    ways = [(trace, *options) for trace in ours for options in ([], ["--link", "etw"], ["--events"], ["--anonymize"])] + [(trace,) for trace in traces]
    problems = [problem for problem in [*(check(etl, way[0], way[0] in ours, *way[1:]) for way in ways), check_messages(etl)] if problem]
    print("\n".join(problems) or "%d captures" % len(ways))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
