#!/usr/bin/env python3
"""anonymized_bytes.py ETL WORK: no byte of what `etl relog --anonymize` writes has a secret of its input.

The traces are made here, byte for byte, and not by libetl: all kinds of records and extended data items, with secrets in
fields, items, padding, bytes after the last field, unused bytes of buffers, and reserved fields. A secret is a name, SID,
or address in each of its forms: UTF-8, UTF-16, and binary. First the script checks that it finds them in its inputs,
place by place, and in a copy without --anonymize."""
import ipaddress
import os
import struct
import subprocess
import sys
import uuid

BUFFER_HEADER = 0x48
START = 133_603_920_000_000_000  # FILETIME
USER, MACHINE, DOMAIN = "Marguerite", "QUILLFISH", "VERMILLION"
SID_NUMBERS = (21, 3141592653, 2718281828, 1618033988, 2107)
SID_TEXT = "S-1-5-" + "-".join(map(str, SID_NUMBERS))
SID = struct.pack("<BB6s5I", 1, 5, b"\0\0\0\0\0\5", *SID_NUMBERS)
MAC_TEXT = "3C-52-82-9A-1F-E7"
MAC = bytes.fromhex(MAC_TEXT.replace("-", ""))
IPV4_TEXT = "198.18.77.203"
IPV4 = ipaddress.ip_address(IPV4_TEXT).packed
IPV6_TEXT = "2001:db8:4c1f:7a2e:91b3:c0de:5eed:f15d"
IPV6 = ipaddress.ip_address(IPV6_TEXT).packed

WORDS = {"user": USER, "machine": MACHINE, "domain": DOMAIN}
TEXTS = {"SID": "3141592653-2718281828-1618033988", "MAC": MAC_TEXT, "MAC with colons": MAC_TEXT.replace("-", ":"),
         "IPv4": IPV4_TEXT, "IPv6": IPV6_TEXT}
BINARIES = {"SID": SID[12:24], "MAC": MAC, "IPv4": IPV4, "IPv6": IPV6}


def utf16(text):
    return text.encode("utf-16-le")


def forms(words, binaries):
    """Name of a form -> its bytes, ASCII letters in lower case: everything is searched so."""
    found = {}
    for name, text in words.items():
        found[name + " as UTF-8"] = text.encode().lower()
        found[name + " as UTF-16"] = utf16(text).lower()
    for name, data in binaries.items():
        found[name + " in binary"] = data.lower()
    return found


ALL = forms({**WORDS, **TEXTS}, BINARIES)
NAMES = forms({**WORDS, "SID": TEXTS["SID"]}, {})  # all that is promised of undecodable events that are kept

# Not a multiple of 4, so that no item of numbers can have it.
SECRETS = (USER.encode() + b"\0" + utf16(f"{USER} {MACHINE} {DOMAIN}\0") + MACHINE.encode() + b" " + DOMAIN.encode() + b"\0" +
           SID + MAC + IPV4 + IPV6 + f"{SID_TEXT} {MAC_TEXT} {TEXTS['MAC with colons']} {IPV4_TEXT} {IPV6_TEXT}".encode() + b"\0" +
           utf16(f"{SID_TEXT} {MAC_TEXT} {TEXTS['MAC with colons']} {IPV4_TEXT} {IPV6_TEXT}\0"))
SECRETS += b"." * ((3 - len(SECRETS)) % 4)


def fail(text):
    sys.exit("anonymized_bytes: " + text)


# Records. docs/format/record.md

def guid(text):
    return uuid.UUID(text).bytes_le


PROVIDER = guid("5a1e0000-0000-4000-8000-00000000cafe")
MESSAGES = "7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f99"
PROCESS_CLASS = guid("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c")
PROCESS_HOOK = 0x0301
clock = START


def now():
    global clock
    clock += 10_000
    return clock


def event(payload=b"", items=b"", kind=19, flags=0, event_id=0):
    size = 0x50 + len(items) + len(payload)
    return struct.pack("<HBBHHIIq16sHBBBBHQII16s", size, kind, 0xC0, flags | (1 if items else 0), 0, 77, 88, now(), PROVIDER,
                       event_id, 0, 11 if items else 0, 4, 0, 0, 0, 0, 0, bytes(16)) + items + payload


def stale_padding(size):
    """Secrets that fit into padding."""
    pad = -size % 8
    return (MAC + IPV4 if pad >= len(MAC) else IPV4 + MAC)[:pad]


def item(kind, data, last=False, padding=False, more=b""):
    """`more` follows the padding, and is part of the item as well."""
    body = data + (stale_padding(len(data)) if padding else bytes(-len(data) % 8)) + more
    return struct.pack("<HHHH", 8 + len(body), kind, 0 if last else 1, len(data)) + body


def items(*pairs, **how):
    return b"".join(item(kind, data, last=i + 1 == len(pairs), **how) for i, (kind, data) in enumerate(pairs))


def sized(body):
    return struct.pack("<H", 2 + len(body)) + body


def metadata(name, fields, tail=b""):
    body = b"\0" + name.encode() + b"\0"
    for field, in_type, out_type in fields:
        body += field.encode() + b"\0" + (bytes((in_type | 0x80, out_type)) if out_type else bytes((in_type,)))
    return sized(body) + tail


def traits(name, *chunks, tail=b""):
    return sized(name.encode() + b"\0" + b"".join(struct.pack("<HB", 3 + len(data), kind) + data for kind, data in chunks)) + tail


def counted(data):
    return struct.pack("<H", len(data)) + data


UTF16, ANSI, I32, U32, BINARY, SID_TYPE = 1, 2, 7, 8, 14, 19
FIELDS = [("UserName", UTF16, 0), ("HostName", ANSI, 0), ("Message", UTF16, 0), ("Ipv4Address", U32, 8), ("Ipv6Address", BINARY, 9),
          ("Who", SID_TYPE, 0), ("MacAddress", BINARY, 0), ("Blob", BINARY, 0), ("Cups", I32, 0)]
VALUES = (utf16(f"{DOMAIN}\\{USER}\0") + f"{MACHINE}.{DOMAIN.lower()}.example\0".encode() +
          utf16(f"{USER} at {MACHINE}: {SID_TEXT} {MAC_TEXT} {TEXTS['MAC with colons']} {IPV4_TEXT} {IPV6_TEXT}\0") + IPV4 + counted(IPV6) +
          SID + counted(MAC) + counted(SECRETS) + struct.pack("<i", 7))


def self_describing(payload=VALUES, fields=FIELDS, more=(), kind=19, name="Order", provider="Coffee.Shop", **how):
    return event(payload, items(*more, (11, metadata(name, fields)), (12, traits(provider)), **how), kind=kind)


def process(pointer):
    """The payload of Process/Start, version 3."""
    word = "<Q" if pointer == 8 else "<I"
    return (struct.pack(word, 0xABCD) + struct.pack("<IIIi", 4711, 4, 1, 0) + struct.pack(word, 0x1000) +
            struct.pack(word, 1) + bytes(pointer) + SID + b"brew.exe\0" + utf16(f"brew.exe --for {USER} --on {MACHINE} {IPV4_TEXT}\0"))


def kernel(kind, payload, head, flags=0):
    size = head + len(payload)
    front = struct.pack("<HBBHH", 3 | flags, kind, 0xC0, size, PROCESS_HOOK)
    if head == 0x10:
        return front + struct.pack("<q", now()) + payload
    return front + struct.pack("<IIq", 1, 2, now()) + bytes(head - 0x18) + payload


def full(kind, payload, more=b""):
    head = struct.pack("<HBBBBHIIq16sII", 0x30 + len(more) + len(payload), kind, 0xC0, 1, 0, 3, 1, 2, now(), PROCESS_CLASS, 0, 0)
    return head + more + payload


def message(payload, number=10, unused_time=None):
    options = 0x02 | 0x20 | 0x80 | (0x10 if unused_time else 0x08)
    body = uuid.UUID(MESSAGES).bytes_le + (unused_time or struct.pack("<q", now())) + struct.pack("<II", 1, 2) + payload
    return struct.pack("<HBBHH", 8 + len(body), 0, 0x90, number, options) + body


def wnode(payload):
    return struct.pack("<HHIQq16sII", 0x30 + len(payload), 0xC00E, 0, 0, now(), PROVIDER, 0, 0) + payload


TMF = f"""// PDB:  shop.pdb
{MESSAGES} shop // SRC=Shop.c MJ= MN=
#typev Shop_c1 10 "%0for %10!s! on %11!s!, %12!d!" //   LEVEL=TRACE_LEVEL_INFORMATION FUNC=Serve
{{
UserName, ItemWString -- 10
HostName, ItemString -- 11
Cups, ItemLong -- 12
}}
"""
MESSAGE = utf16(f"{USER} {MAC_TEXT} {SID_TEXT}\0") + f"{MACHINE} {IPV4_TEXT}\0".encode() + struct.pack("<i", 7)

# Items that stay, with what to find in the output.
# Item type -> size; the bytes of each type are its own.
SIZES = {1: 16, 3: 4, 4: 24, 5: 12, 6: 32, 7: 8, 8: 16, 9: 8, 10: 8, 13: 8, 14: 16, 15: 8, 17: 12, 18: 16}
KEPT = {kind: bytes([0xE0 + kind]) * size for kind, size in SIZES.items()} | {16: b"5a1e0000-0000-4000-8000-00000000cafe"}


def decodable():
    """Place -> record; every payload can be decoded, with the TMF."""
    places = {
        "fields of EVENT64": self_describing(),
        "fields of EVENT32": self_describing(kind=18),
        "bytes after the last field of EVENT64": self_describing(VALUES + SECRETS),
        "names in TraceLogging metadata": self_describing(b"", [], name=f"{USER} on {MACHINE}"),
        "names of TraceLogging fields": self_describing(bytes(8), [(USER, I32, 0), (f"of {MACHINE}", I32, 0)]),
        "name of a provider": self_describing(struct.pack("<i", 1), [("Cups", I32, 0)], provider=f"{DOMAIN}.Shop"),
        "bytes after TraceLogging metadata": event(b"", items((11, metadata("Order", [], SECRETS)), (12, traits("Shop")))),
        "bytes after provider traits": event(b"", items((11, metadata("Order", [])), (12, traits("Shop", tail=SECRETS)))),
        "unknown provider traits": event(b"", items((11, metadata("Order", [])), (12, traits("Shop", (1, PROVIDER + SECRETS), (3, SECRETS), (240, SECRETS))))),
        "padding of items": self_describing(more=((3, b"\1\2\3\4"), (99, b"\1")), padding=True),
        "bytes after the padding of items": event(b"", item(3, b"\1\2\3\4", more=(SECRETS + b"." * 8)[:len(SECRETS) // 8 * 8]) + items((11, metadata("Order", [])))),
        "two SIDs": self_describing(more=((2, SID), (2, SID))),
        "short SID": self_describing(more=((2, SID[:-1]), (2, SID[:24]))),
        "long SID": self_describing(more=((2, SID + MAC), (2, SID + SID))),
        "SID with a wrong count": self_describing(more=((2, SID[:1] + b"\4" + SID[2:]), (2, SID[:1] + b"\6" + SID[2:]), (2, SID[:1] + b"\x10" + SID[2:]))),
        "SID of another revision": self_describing(more=((2, b"\2" + SID[1:]),)),
        "FULL64": full(20, process(8) + SECRETS),
        "FULL32": full(10, process(4) + SECRETS),
        "INSTANCE64": full(21, process(8) + SECRETS, struct.pack("<II", 1, 2) + PROCESS_CLASS),
        "INSTANCE32": full(11, process(4) + SECRETS, struct.pack("<II", 1, 2) + PROCESS_CLASS),
        "SYSTEM64": kernel(2, process(8) + SECRETS, 0x20),
        "SYSTEM32": kernel(1, process(4) + SECRETS, 0x20),
        "COMPACT64": kernel(4, process(8) + SECRETS, 0x18),
        "COMPACT32": kernel(3, process(4) + SECRETS, 0x18),
        "PERFINFO64": kernel(17, process(8) + SECRETS, 0x10),
        "PERFINFO32": kernel(16, process(4) + SECRETS, 0x10),
        "PERFINFO64 with counters": kernel(17, bytes(16) + process(8) + SECRETS, 0x10, flags=0x8100),
        "MESSAGE": message(MESSAGE + SECRETS),
        "MESSAGE with space for a timestamp": message(MESSAGE, unused_time=MAC + b".."),
        "string of EVENT64": event(utf16(f"{USER} at {MACHINE}.{DOMAIN}: {SID_TEXT} {MAC_TEXT} {IPV4_TEXT} {IPV6_TEXT}\0"), flags=4),
        "items that stay": event(b"", items(*KEPT.items())),
    }
    for kind in [*range(19, 25), 0, 127, 999, 0xFFFF]:
        places[f"item of unknown type {kind}"] = event(b"", items((kind, SECRETS), (kind, USER.encode()), (kind, utf16(MACHINE)), (kind, SID), (kind, MAC), (kind, IPV6)))
    for kind in range(1, 19):
        places[f"item {kind} with the wrong size"] = event(b"", items((kind, SECRETS), (kind, SECRETS + SECRETS)))
    places["item of the wrong size before a schema"] = self_describing(more=((1, SECRETS), (6, SECRETS), (16, USER.encode() + bytes(26))))
    return places


def undecodable():
    places = {
        "items that do not parse": event(b"", items((2, SID), (999, SECRETS))[:-8]),
        "counters that do not fit": kernel(17, SECRETS[:40], 0x10, flags=0x0700),
        "EVENT64 without a schema": event(SECRETS, event_id=9),
        "MESSAGE without a TMF": message(MESSAGE + SECRETS, number=99),
        "TIMED": struct.pack("<HBBIq", 0x10 + len(SECRETS), 12, 0xC0, 1, now()) + SECRETS,
        "ERROR": struct.pack("<HBB", 4 + len(SECRETS), 13, 0xC0) + SECRETS,
        "WNODE": wnode(SECRETS),
        "ULONG32": struct.pack("<HBBIq", 0x10 + len(SECRETS), 0, 0xB0, 1, now()) + SECRETS,
        "FULL64 that contradicts its schema": full(20, process(8)[:48] + b"\1\xC8" + SECRETS),
    }
    return {"fields of EVENT64": self_describing(), **places}


# Buffers. docs/format/buffer.md

def buffer(records, size, sequence, kind=0):
    """With secrets where nothing is read: padding, reserved fields, and everything after the records."""
    body = b""
    for record in records:
        body += record + stale_padding(len(record))
    used = BUFFER_HEADER + len(body)
    if used > size:
        fail(f"{used} bytes for a buffer of {size}")
    head = struct.pack("<IIIIqq8sHHIIHH16s", size, used, used, 0, 0 if kind else now(), sequence, MAC + IPV4[:2], 0, 1, 3, used,
                       0x20, kind, IPV6)
    return head + body + (SECRETS * (size // len(SECRETS) + 1))[:size - used]


def log_file_header(size, buffers, name=f"C:\\Users\\{USER}\\{MACHINE}.etl"):
    zone = utf16(f"{DOMAIN} Time\0{USER}")
    zone += bytes(64 - len(zone))
    date = bytes(16)
    payload = struct.pack("<IBBBBIIqIIIIIIII", size, 10, 0, 1, 5, 19045, 1, clock + 1, 156250, 0, 1, buffers, 1, 8, 0, 2400)
    payload += IPV6 + struct.pack("<i", 0) + zone + date + struct.pack("<i", 0) + zone + date + struct.pack("<i", 0)
    payload += IPV4 + struct.pack("<qqqII", START, 10_000_000, START, 2, 0)
    payload += utf16(f"Session of {USER}\0") + utf16(name + "\0") + SECRETS
    return struct.pack("<HBBHHIIqII", 2, 2, 0xC0, 0x20 + len(payload), 0, 1, 2, START, 0, 0) + payload


def trace(records, size, **header):
    buffers, batch, used = [], [], BUFFER_HEADER
    for record in records:
        if used + len(record) + 8 > size:
            buffers.append(batch)
            batch, used = [], BUFFER_HEADER
        batch.append(record)
        used += len(record) + -len(record) % 8
    buffers.append(batch)
    data = b"".join(buffer(batch, size, i + 1) for i, batch in enumerate(buffers))
    return buffer([log_file_header(size, len(buffers) + 1, **header)], size, 0, kind=4) + data


# Checks.

def found(data, wanted):
    data = data.lower()
    return [name for name, secret in wanted.items() if secret in data]


def run(*command, exits=(0,)):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in exits:
        fail(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
    return done


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def expect_secrets(path, what, wanted):
    missing = sorted(set(wanted) - set(found(read(path), wanted)))
    if missing:
        fail(f"{what} lacks {', '.join(missing)}")


def expect_none(data, what, wanted):
    left = found(data, wanted)
    if left:
        fail(f"{what} has {', '.join(left)}")


def plain_bytes(etl, path):
    """All that the file says: without its container, and with its buffers decompressed."""
    data = [read(path)]
    for suffix in (".zst", ".lz4"):
        if path.endswith(suffix):
            run(etl, "decompress", path, "-o", "plain.etl", "--force")
            data.append(read("plain.etl"))
    return data


def check_outputs(etl, source, wanted, options, exits=(0,)):
    for output, how in (("out.etl", ("--compress", "none")), ("xpress.etl", ("--compress", "xpress")),
                        ("huffman.etl", ("--compress", "xpress-huffman")), ("lznt1.etl", ("--compress", "lznt1")),
                        ("out.etl.zst", ()), ("out.etl.lz4", ())):
        run(etl, "relog", source, "--anonymize", "--anonymize-key", "a key", "--force", "--schema", "shop.tmf", *options, *how,
            "-o", output, exits=exits)
        data = plain_bytes(etl, output)
        if "--compress" in how and how[1] != "none":
            run(etl, "decompress", output, "-o", "plain.etl", "--force")
            data.append(read("plain.etl"))
        for part in data:
            expect_none(part, f"{output} of {source} with {' '.join(options) or 'no option'}", wanted)
        run(etl, "check", output)


def events_of(etl, path):
    return run(etl, "dump", "--schema", "shop.tmf", "--format", "jsonl", path, exits=(0, 1)).stdout.splitlines()


def main(etl, work):
    etl = os.path.abspath(etl)
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    write("shop.tmf", TMF.encode())
    sides = {"decodable": decodable(), "undecodable": undecodable()}
    for places in sides.values():
        for place, record in places.items():
            if place != "items that stay" and not found(record, ALL):
                fail(f"{place}: no secret is planted")
    for size in (0x10000, 0x200000):  # records of large buffers are written from where they are mapped
        for side, places in sides.items():
            source = f"{side}-{size:x}.etl"
            records = list(places.values()) * (1 if size == 0x10000 else 20)
            write(source, trace(records, size))
            expect_secrets(source, source, ALL)
            run(etl, "relog", source, "--force", "-o", "copy.etl", exits=(0, 1))
            expect_secrets("copy.etl", "a copy without --anonymize", ALL)
            if len(events_of(etl, source)) < len(records):
                fail(f"{source}: {len(events_of(etl, source))} events of {len(records)}")
    for size in ("10000", "200000"):
        source = f"decodable-{size}.etl"
        check_outputs(etl, source, ALL, ())
        for mark in KEPT.values():
            if mark not in read("out.etl"):
                fail(f"{source}: an item of numbers did not stay")
        if len(events_of(etl, "out.etl")) != len(events_of(etl, source)):
            fail(f"{source}: events are missing")
        source = f"undecodable-{size}.etl"
        run(etl, "relog", source, "--anonymize", "--force", "-o", "none.etl", exits=(2,))
        check_outputs(etl, source, ALL, ("--drop-undecodable",))
        check_outputs(etl, source, ALL, ("--clear-undecodable",), exits=(0, 1))
        check_outputs(etl, source, NAMES, ("--keep-undecodable",), exits=(0, 1))
    # Without a name in the header, no path of the output either.
    write("nameless.etl", trace([self_describing()], 0x10000, name=""))
    os.makedirs(f"home/{USER}", exist_ok=True)
    run(etl, "relog", "nameless.etl", "--anonymize", "--force", "-o", f"home/{USER}/out.etl")
    expect_none(read(f"home/{USER}/out.etl"), "the output of nameless.etl", ALL)
    # Two inputs as one trace.
    run(etl, "relog", "decodable-10000.etl", "undecodable-10000.etl", "--anonymize", "--drop-undecodable", "--schema", "shop.tmf",
        "--force", "-o", "both.etl", exits=(0, 1))
    expect_none(read("both.etl"), "both.etl", ALL)
    # Bytes after the last buffer.
    write("more.etl", read("decodable-10000.etl") + SECRETS)
    check_outputs(etl, "more.etl", ALL, (), exits=(0, 1))
    done = run(etl, "relog", "decodable-10000.etl", "--anonymize", "--force", "--schema", "shop.tmf", "--anonymize-report", "-", "-o", "out.etl")
    if b"extended data items of unknown type or invalid size" not in done.stderr or b'"items":' not in done.stderr:
        fail("cleared items are not reported:\n" + done.stderr.decode())
    print(f"{len(sides['decodable'])} places with decodable and {len(sides['undecodable'])} with undecodable records, "
          f"{len(ALL)} forms of secrets")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
