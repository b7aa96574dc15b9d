"""Event XML of a trace against what Windows saved of the same session.

event_log_parity.py ETL CORPUS

Windows saved the events of CORPUS/tx/HTTP_Server.etl as an event log. Its values, as another program lists them, must be
those of `etl export --to xml`, event by event, by meaning: without computer and record number. Events that Windows could
not decode (a text without terminator) are compared by their payload; docs/format/errata.md#http-server explains them.
"""
import gzip
import ipaddress
import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as xml

NS = "{http://schemas.microsoft.com/win/2004/08/events/event}"
SKIPPED = 77


def events_of(text):
    """The events of a sequence of elements."""
    root = xml.fromstring("<Events>" + text[text.index("<Event "):] + "</Events>")
    return list(root)


def system_of(event):
    """The properties of System, without those that a trace does not contain."""
    values = {}
    for element in event.find(NS + "System"):
        name = element.tag[len(NS):]
        if name in ("Computer", "EventRecordID", "Channel"):  # Channel: Windows left it empty, ours is from the manifest
            continue
        values[name] = (element.text or "").strip()
        for key, value in element.attrib.items():
            values[name + "." + key] = value.lower()
    time = values["TimeCreated.SystemTime"].rstrip("z").ljust(29, "0")
    return values | {"TimeCreated.SystemTime": time}


def data_of(event):
    return [(data.get("Name"), data.text or "") for data in event.iterfind(f"{NS}EventData/{NS}Data")]


def address_of(hexadecimal):
    """A socket address as text."""
    raw = bytes.fromhex(hexadecimal)
    family, port = struct.unpack_from("<H", raw)[0], struct.unpack_from(">H", raw, 2)[0]
    if family == 2:
        return f"{ipaddress.IPv4Address(raw[4:8])}:{port}"
    scope = struct.unpack_from("<I", raw, 24)[0]
    return f"[{ipaddress.IPv6Address(raw[8:24])}{'%' + str(scope) if scope else ''}]:{port}"


def is_same(ours, theirs):
    if ours == theirs or ours.lower() == theirs.lower():
        return True
    if ours.startswith("0x") or theirs.startswith("0x"):  # the event log does not know output types
        return ours[:1].isdigit() and theirs[:1].isdigit() and int(ours, 0) == int(theirs, 0)
    if len(theirs) >= 32 and len(theirs) % 2 == 0:
        try:
            return normal(ours) == normal(address_of(theirs))
        except (ValueError, struct.error):
            return False
    return False


def normal(address):
    """One spelling of `[address%scope]:port`, where port 0 may be missing."""
    host, _, port = address.rpartition(":") if not address.endswith("]") else (address, "", "0")
    host, _, scope = host.strip("[]").partition("%")
    return ipaddress.ip_address(host), scope, int(port)


def is_in_payload(ours, payload):
    """Whether the values that we decoded are those of a payload that Windows left alone: the last is a text up to its end."""
    raw = bytes.fromhex(payload)
    name, text = ours[-1]
    return name == "Url" and raw.endswith(text.encode("utf-16-le")) and not raw.endswith(b"\0\0")


def main(etl, corpus):
    folder = os.path.join(corpus, "tx")
    if not os.path.isdir(folder):
        return SKIPPED
    with gzip.open(os.path.join(folder, "HTTP_Server.evtx.xml.gz"), "rt", encoding="utf-8") as file:
        theirs = events_of(file.read())
    printed = subprocess.run(
        [etl, "export", "--to", "xml", "--root", "", "--schema", os.path.join(folder, "HTTP_Server.man"),
         os.path.join(folder, "HTTP_Server.etl")], check=True, capture_output=True, text=True)
    ours = [event for event in events_of(printed.stdout) if event.find(NS + "System/" + NS + "Provider").get("Name")]
    problems = []
    if len(ours) != len(theirs):
        problems.append(f"{len(ours)} events, expected {len(theirs)}")
    values, errors = 0, 0
    for number, (mine, other) in enumerate(zip(ours, theirs)):
        if system_of(mine) != system_of(other):
            problems.append(f"{number}: System {set(system_of(mine).items()) ^ set(system_of(other).items())}")
        payload = other.find(f"{NS}ProcessingErrorData/{NS}EventPayload")
        mine_data, other_data = data_of(mine), data_of(other)
        if payload is not None:
            errors += 1
            if not is_in_payload(mine_data, payload.text):
                problems.append(f"{number}: {mine_data} is not {payload.text}")
            continue
        values += len(other_data)
        if [name for name, _ in mine_data] != [name for name, _ in other_data] or not all(
                is_same(a, b) for (_, a), (_, b) in zip(mine_data, other_data)):
            problems.append(f"{number}: {mine_data} {other_data}")
    for problem in problems[:20]:
        print(problem)
    print(f"{len(theirs)} events, {values} values, {errors} payloads that only we decode, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
