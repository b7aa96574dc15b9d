"""Each event has a value that is none of its type, then two that are good (docs/output.md)."""
import json
import struct

import pytest

import etl

PROVIDER = "11111111-2222-3333-4444-555555555555"
GOOD = struct.pack("<I", 12345) + "good".encode("utf-16le") + b"\0\0"
SIZE = '<data name="Size" inType="win:UInt16"/>'
TIME = (2024, 2, 4, 29, 1, 2, 3, 4)


def systemtime(*parts):
    return struct.pack("<8H", *parts)


def sized(data):
    return struct.pack("<H", len(data)) + data


# Before, attributes of the field, payload, value in JSON, decode_note.
KNOWN_SIZE = [
    ("", 'inType="win:UnicodeString"', b"a\0\0\xd8b\0\0\0", "a\ufffdb", None),
    ("", 'inType="win:AnsiString" outType="win:Utf8"', b"\xff\xfe\0", "\ufffd\ufffd", None),
    ("", 'inType="win:CountedUnicodeString"', b"\x03\0a\0b", "a\ufffd", "Bad: odd number of bytes"),
    (SIZE, 'inType="win:UnicodeString" length="Size"', b"\x03\0a\0\0\0b\0", "a", None),
    ("", 'inType="win:UInt32" map="V"', b"\x4d\0\0\0", "77", None),
    ("", 'inType="win:UInt32" map="B"', b"\x05\0\0\0", "One | 0x4", None),
    ("", 'inType="win:Boolean"', b"\x02\0\0\0", True, None),
    ("", 'inType="win:UInt8" outType="xs:boolean"', b"\xff", True, None),
    ("", 'inType="win:FILETIME"', b"\xff" * 8, "1600-12-31T23:59:59.9999999Z", "Bad: not a time"),
    ("", 'inType="win:FILETIME"', b"\xff" * 7 + b"\x7f", "+30828-09-14T02:48:05.4775807Z", None),
    ("", 'inType="win:SYSTEMTIME"', systemtime(2024, 13, 1, 1, 0, 0, 0, 0), "2024-13-01T00:00:00.0000000Z", "Bad: not a time"),
    ("", 'inType="win:SYSTEMTIME"', systemtime(2024, 2, 5, 30, 0, 0, 0, 0), "2024-02-30T00:00:00.0000000Z", "Bad: not a time"),
    ("", 'inType="win:SYSTEMTIME"', systemtime(*TIME), "2024-02-29T01:02:03.0040000Z", None),
    ("", 'inType="win:SYSTEMTIME"', bytes(16), "0000-00-00T00:00:00.0000000Z", None),  # not set
    ("", 'inType="win:Binary" outType="win:IPv6" length="4"', b"\1\2\3\4", "01020304", "Bad: not an IP address"),
    (SIZE, 'inType="win:Binary" outType="win:SocketAddress" length="Size"', sized(b"\2\0\0\x50"), "02000050",
     "Bad: not an IP address"),
    (SIZE, 'inType="win:Binary" outType="win:SocketAddress" length="Size"', sized(b"\x63\0\0\x50"), "63000050",
     "Bad: not an IP address"),
    (SIZE, 'inType="win:Binary" outType="win:SocketAddress" length="Size"', sized(bytes(4)), "00000000", None),  # not set
    ("", 'inType="win:GUID"', b"\xff" * 16, "ffffffff-ffff-ffff-ffff-ffffffffffff", None),
    ("", 'inType="win:SID"', bytes(8), "0000000000000000", "Bad: not a SID"),
    ("", 'inType="win:HexDump"', b"\x03\0\0\0abc", "616263", None),
    ("", 'inType="win:Double"', struct.pack("<d", float("inf")), "Infinity", None),
]
UNKNOWN_SIZE = [
    ("", 'inType="win:CountedAnsiString"', b"\x2c\1ab", "length exceeds the payload"),
    (SIZE, 'inType="win:Binary" length="Size"', b"\x88\x13abc", "length exceeds the payload"),
    (SIZE, 'inType="win:UInt32" count="Size"', b"\x88\x13\1\0\0\0", "count exceeds the payload"),
    ("", 'inType="win:HexDump"', b"\xb8\x0b\0\0abc", "length exceeds the payload"),
]


@pytest.fixture
def trace(tmp_path):
    fields = [case[:3] for case in KNOWN_SIZE + UNKNOWN_SIZE]
    events = "".join(f'<event value="{i}" symbol="E{i}" template="t{i}"/>' for i in range(len(fields)))
    templates = "".join(f'<template tid="t{i}">{before}<data name="Bad" {attributes}/><data name="Good" inType="win:UInt32"/>'
                        '<data name="Text" inType="win:UnicodeString"/></template>'
                        for i, (before, attributes, _) in enumerate(fields))
    manifest = tmp_path / "bad.man"
    manifest.write_text(f'''<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
<provider name="Bad" guid="{{{PROVIDER}}}" symbol="BAD" messageFileName="t.dll" resourceFileName="t.dll">
<maps><valueMap name="V"><map value="1" message="$(string.one)"/></valueMap>
<bitMap name="B"><map value="1" message="$(string.one)"/></bitMap></maps>
<events>{events}</events><templates>{templates}</templates></provider></events></instrumentation>
<localization><resources culture="en-US"><stringTable><string id="one" value="One"/></stringTable></resources></localization>
</instrumentationManifest>''')
    with etl.Writer(tmp_path / "bad.etl") as writer:
        for i, (_, _, payload) in enumerate(fields):
            writer.write_record(PROVIDER, i, payload + GOOD)
    return etl.open(tmp_path / "bad.etl", schemas=manifest, where="provider == Bad")


def test_later_fields_stand_and_the_bad_one_is_marked(trace):
    lines = [json.loads(event.json()) for event in trace]
    for (_, _, payload, value, note), line in zip(KNOWN_SIZE, lines):
        assert (line["data"]["Good"], line["data"]["Text"]) == (12345, "good"), payload
        assert (line["data"]["Bad"], line.get("decode_note"), line.get("decode_error")) == (value, note, None), payload
    for (_, _, payload, problem), line in zip(UNKNOWN_SIZE, lines[len(KNOWN_SIZE):]):
        assert "Good" not in line["data"] and line["decode_error"] == "Bad: " + problem, payload


def test_so_do_columns_and_values(trace):
    numpy = pytest.importorskip("numpy")
    arrays = trace.columns(details=True).numpy()
    count = len(KNOWN_SIZE)
    assert arrays["Good"][:count].tolist() == [12345] * count and arrays["Text"][:count].tolist() == ["good"] * count
    assert arrays["decode_note"][:count].tolist() == [case[4] for case in KNOWN_SIZE]
    assert numpy.ma.getmaskarray(arrays["Good"])[count:].all()
    for event, (_, _, payload, _, note) in zip(trace, KNOWN_SIZE):
        assert event["Good"] == 12345 and event["Text"] == "good" and event.assumption == (note or ""), payload
    when = trace.columns(f"{PROVIDER}/12").numpy()["Bad"]
    assert when[0] == numpy.datetime64("2024-02-29T01:02:03.004")
    for number in (10, 11, 13):
        assert numpy.isnat(trace.columns(f"{PROVIDER}/{number}").numpy()["Bad"][0])
