#!/usr/bin/env python3
"""anonymized.py ETL WORK: with --anonymize no address and no payload of the original is in the capture file, networks
stay networks, checksums are right, and the same key gives the same file."""
import os
import subprocess
import sys

import pcapng


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode, done.stderr.decode()))
    return done.stdout


def checksum_is_right(header):
    total = sum(header[i] << 8 | header[i + 1] for i in range(0, len(header), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total == 0xFFFF


def ip_offset(link, data):
    """Where the IP header of a generated packet is."""
    if link == 105:
        return 34 if data[0] & 0x80 else 32
    at = {1: 12, 101: 0}[link]
    while link == 1 and data[at:at + 2] in (b"\x81\x00", b"\x88\xa8"):
        at += 4
    return at + 2 if link == 1 else at


def check(etl, *kinds):
    run(etl, "generate", "--capture", *kinds, "--events", "2000", "--force", "-o", "c.etl")
    plain_interfaces, plain, _ = pcapng.read(run(etl, "pcapng", "c.etl"))
    data = run(etl, "pcapng", "--anonymize", "--anonymize-key", "secret", "c.etl")
    if data != run(etl, "pcapng", "--anonymize", "--anonymize-key", "secret", "c.etl"):
        sys.exit("the same key gives another file")
    interfaces, packets, _ = pcapng.read(data)
    if [(p["time"], p["original"]) for p in packets] != [(p["time"], p["original"]) for p in plain]:
        sys.exit("times or sizes differ")
    for secret in (b"abcdefgh", bytes((192, 0, 2)), bytes((198, 51, 100, 7)), bytes.fromhex("02005e100001"), b"kettle", "kettle".encode("utf-16le"), b"teapot", b"/leaf/", b"cup"):
        if secret in data:
            sys.exit("%r is in the capture file" % secret)
    networks, checked, cut, joined = set(), 0, 0, 0
    for packet, original in zip(packets, plain):
        at = ip_offset(interfaces[packet["interface"]]["link"], original["data"])
        is_joined = "ndis:9" in plain_interfaces[original["interface"]]["name"]
        ip = packet["data"][at:]
        if not ip or ip[0] != 0x45:
            continue
        joined += is_joined
        checked += 1
        cut += len(packet["data"]) < len(original["data"])
        if not checksum_is_right(ip[:20]):
            sys.exit("checksum of %s" % ip[:20].hex())
        for address, was in ((ip[12:16], original["data"][at + 12:at + 16]), (ip[16:20], original["data"][at + 16:at + 20])):
            networks.add((was[:3], address[:3]))
    if checked < 500 or cut < 300 or joined < 30:
        sys.exit("only %d packets, %d cut, %d joined" % (checked, cut, joined))
    if len(networks) != len({was for was, _ in networks}) or len(networks) != 2:
        sys.exit("networks do not stay networks: %r" % networks)
    print("%d packets" % checked)


def main(etl, work):
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    check(etl)
    check(etl, "all")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
