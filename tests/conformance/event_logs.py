"""Event logs that we write, read by three readers: evtxexport, python-evtx, and etl itself.

event_logs.py ETL CORPUS SHARED_CORPUS

Every trace of CORPUS becomes an event log. All readers must see the same records with the same values. The log of a session
that Windows saved as an event log as well must have the values of Windows' own (docs/format/errata.md#event-logs). Readers
that are not installed are left out; without evtxexport the test is skipped.
"""
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

NS = "{http://schemas.microsoft.com/win/2004/08/events/event}"
SKIPPED = 77
PAYLOADS = ("EventData", "UserData", "DebugData", "BinaryEventData", "ProcessingErrorData")
PYTHON_EVTX = """
import sys
from Evtx.Evtx import Evtx
with Evtx(sys.argv[1]) as log:
    assert log.get_file_header().verify()
    for chunk in log.chunks():
        assert chunk.verify()
        for record in chunk.records():
            try:
                text = record.xml()
            except KeyError: # it knows no arrays but those of texts
                text = "<Unreadable/>"
            sys.stdout.buffer.write(text.encode() + b"\\0")
"""


def parsed(text):
    return xml.fromstring(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "?", text))


def system_of(event):
    """The properties of System that a reader cannot spell in its own way."""
    values = {}
    for element in event.find(NS + "System"):
        name = element.tag[len(NS):]
        values[name] = (element.text or "").strip()
        for key, value in element.attrib.items():
            values[f"{name}.{key}"] = value.lower()
    return values


def local(tag):
    return tag[tag.find("}") + 1:]


def payload_of(event):
    """(name, value) of each attribute in UserData and of each element with text, in order."""
    values = []
    for element in event:
        if local(element.tag) not in PAYLOADS:
            continue
        for part in element.iter():
            if local(element.tag) == "UserData":
                values += part.attrib.items()
            if len(part) == 0 and (part is not element or part.text):
                values.append((part.get("Name") or local(part.tag), part.text or ""))
    return values


def by_evtxexport(path):
    text = subprocess.run(["evtxexport", "-f", "xml", path], check=True, capture_output=True).stdout.decode("utf-8", "replace")
    assert "Unable" not in text, text[text.index("Unable"):][:200]
    begin = text.find("<Event ")
    return list(parsed("<Events>" + (text[begin:] if begin >= 0 else "") + "</Events>"))


def by_python_evtx(path):
    done = subprocess.run(["/usr/bin/python3", "-c", PYTHON_EVTX, path], capture_output=True)
    if b"No module named" in done.stderr:
        return None
    assert done.returncode == 0, done.stderr.decode()[-500:]
    return [parsed(text) for text in done.stdout.decode().split("\0")[:-1]]


def by_etl(etl, path):
    printed = subprocess.run([etl, "dump", "--format", "jsonl", "--numbers", path], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in printed.splitlines()]


def normal(text):
    """One spelling of a value."""
    text = re.sub("[\U00010000-\U0010ffff]", "", text).strip() # evtxexport shows other characters for pairs
    if re.fullmatch("0[xX][0-9a-fA-F]+", text):
        return str(int(text, 16))
    if re.match(r"\d{4}-\d\d-\d\d[ T]\d\d:", text):
        return re.sub(r"\.?0*Z?$", "", text.replace(" ", "T"))[:26]
    try:
        return repr(float(f"{float(text):.6g}")) if "." in text or "e" in text or "E" in text else str(int(text))
    except ValueError:
        return re.sub("[{}\x00-\x1f\ufffd?]", "", text).lower()


def texts_of(value):
    """The values of a JSON value, in order."""
    if isinstance(value, dict):
        return [text for member in value.values() for text in texts_of(member)]
    if isinstance(value, list):
        return [text for member in value for text in texts_of(member)]
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def compare(etl, path, problems):
    theirs, python, ours = by_evtxexport(path), by_python_evtx(path), by_etl(etl, path)
    if len(theirs) != len(ours) or (python is not None and len(python) != len(ours)):
        problems.append(f"{path}: {len(ours)} events, evtxexport {len(theirs)}, python-evtx {python and len(python)}")
    for number, (event, other) in enumerate(zip(ours, theirs)):
        system = system_of(other)
        # A record without a usable time has no SystemTime.
        time = system.get("TimeCreated.SystemTime", event["time"] or "")[:27].upper()
        keys = (str(event["id"]), str(event["record_id"]), event.get("channel_name", ""), event.get("computer", ""))
        if keys != tuple(system[name] for name in ("EventID", "EventRecordID", "Channel", "Computer")) or \
                normal(event["time"] or "") != normal(time):
            problems.append(f"{path}: {number}: {event['id']} {event['time']} {system}")
        # Null is no element to evtxexport, and an empty text to others.
        mine = [normal(text) for text in texts_of(event["data"]) if text]
        values = [normal(text) for _, text in payload_of(other) if text]
        # evtxexport shows negative integers as others.
        if len(mine) != len(values) or any(a != b and not re.fullmatch(r"-\d+", a) for a, b in zip(mine, values)):
            problems.append(f"{path}: {number}: {[pair for pair in zip(mine, values) if pair[0] != pair[1]]} of {len(mine)}, {len(values)}")
    unreadable = 0
    for number, (event, other) in enumerate(zip(python or [], theirs)):
        if event.tag == "Unreadable":
            unreadable += 1
        elif system_of(event)["EventRecordID"] != system_of(other)["EventRecordID"] or \
                len([1 for _, text in payload_of(event) if text]) != len([1 for _, text in payload_of(other) if text]):
            problems.append(f"{path}: {number}: python-evtx {payload_of(event)} {payload_of(other)}")
    return len(ours), unreadable


def export(etl, trace, log, *options):
    done = subprocess.run([etl, "export", "--force", *options, trace, "-o", log], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr


def windows(etl, shared, folder, problems):
    """Our log of a session against that of Windows: records, properties, values, and their types by their spelling."""
    source = os.path.join(shared, "tx", "HTTP_Server")
    if not os.path.exists(source + ".etl"):
        return
    log = os.path.join(folder, "windows.evtx")
    export(etl, source + ".etl", log, "--schema", source + ".man", "--where", "provider == Microsoft-Windows-HttpService")
    with gzip.open(source + ".evtx.xml.gz", "rt", encoding="utf-8") as file:
        text = file.read()
    theirs = list(parsed("<Events>" + text[text.index("<Event "):] + "</Events>"))
    ours = by_evtxexport(log)
    if len(ours) != len(theirs):
        problems.append(f"{len(ours)} records, Windows {len(theirs)}")
    equal, decoded = 0, 0
    for number, (mine, other) in enumerate(zip(ours, theirs)):
        own, of_windows = system_of(mine), system_of(other)
        for key in ("Computer", "EventRecordID", "Channel"): # errata.md#event-logs
            own.pop(key), of_windows.pop(key)
        if own != of_windows:
            problems.append(f"{number}: {set(own.items()) ^ set(of_windows.items())}")
        if other.find(NS + "ProcessingErrorData") is not None and mine.find(NS + "EventData") is not None:
            decoded += 1
        elif payload_of(mine) == payload_of(other):
            equal += 1
        else:
            problems.append(f"{number}: {set(payload_of(mine)) ^ set(payload_of(other))}")
    print(f"as Windows: {equal} payloads equal, {decoded} that only we decode")


def main(etl, corpus, shared):
    if not shutil.which("evtxexport"):
        return SKIPPED
    problems, events, unreadable = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        windows(etl, shared, folder, problems)
        for trace in sorted(glob.glob(os.path.join(corpus, "good", "*.etl"))):
            log = os.path.join(folder, os.path.basename(trace) + ".evtx")
            export(etl, trace, log, "--computer", "conformance.example")
            read, not_read = compare(etl, log, problems)
            events, unreadable = events + read, unreadable + not_read
    for problem in problems[:20]:
        print(problem[:300])
    print(f"{events} events, {unreadable} with arrays that python-evtx cannot read, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
