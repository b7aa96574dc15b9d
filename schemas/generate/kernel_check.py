"""Compares the built-in classes of classic events with the list of the classes of Windows by build.

kernel_check.py --etl ETL --classes FILE

FILE is kernel-classes-by-build.tsv, also as .zst. Each row is an event: provider, class GUID, type, version, class, fields
as `TYPE NAME, TYPE NAME`, name of the type, and builds. Its class and version must have the same fields in schemas/kernel
or schemas/classic; the list has lost qualifiers, so that types can only contradict each other. An event whose fields have
unknown types must be named in classic-events.csv, and its provider be in NAMED_ONLY. Other differences are in EXCEPTIONS.

Exit code 1: there are other differences, or a reason that nothing needs.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import kernel_table

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMED_SINCE = 26200  # the build since which the list has one row per type, with its name

TEXTS = "how the texts are stored is not listed"
NAMED_ONLY = {
    "ACPI Driver Trace Provider": TEXTS,
    "Active Directory Domain Services: SAM": TEXTS,
    "Active Directory: Kerberos Client": TEXTS,
    "Active Directory: NetLogon": TEXTS,
    "Deduplication Tracing Provider": TEXTS,
    "File Kernel Trace; Operation Set 1": TEXTS + ", nor the lengths of three arrays",
    "Local Security Authority (LSA)": TEXTS,
    "MUI Resource Trace": TEXTS,
    "NTLM Security Protocol": TEXTS + ", nor the width of contexts",
    "VSS tracing provider": TEXTS,
    "WSAT_TraceProvider": TEXTS + ", nor that objects are GUIDs",
}
# (class, type, version) -> reason. Classes are called as the project calls them.
EXCEPTIONS = {
    ("Hypervisor", 245, 0): "Text: " + TEXTS,
    ("Object", 34, 3): "the fields of version 2: what changed is a qualifier, which the list has lost",
    ("Thread", 67, 2): "10586 has two fields of 16 bits where newer builds have BoostBitmap",
}
# Listed type -> types that a class with qualifiers can make of it.
TYPES = {
    "Boolean": {"UInt8"}, "Char16": {"UnicodeChar", "UnicodeString"}, "UInt8": {"UInt8", "Binary"}, "SInt8": {"Int8"},
    "UInt16": {"UInt16"}, "SInt16": {"Int16"}, "UInt32": {"UInt32", "Pointer"}, "SInt32": {"Int32"},
    "UInt64": {"UInt64", "Int64", "Struct"}, "SInt64": {"Int64"}, "String": {"AnsiString", "UnicodeString", "GUID"},
    "Object": {"AnsiString", "Binary", "GUID", "SizeT", "Struct", "UInt16", "UInt32", "UInt64", "UnicodeString", "WBEMSid"},
}

Event = collections.namedtuple("Event", "provider guid type version name fields builds")


def listed(path):
    """The events of the list; fields are (type, name)."""
    data = subprocess.run(["zstd", "-dqc", path], check=True, stdout=subprocess.PIPE).stdout if path.suffix == ".zst" \
        else path.read_bytes()
    for line in data.decode("utf-8").splitlines()[1:]:
        provider, guid, number, version, name, fields, type_name, builds = line.split("\t")
        if type_name and int(builds.split()[-1]) >= NAMED_SINCE:
            name = f"{re.sub(f'_{re.escape(type_name)}(_V[0-9]+)?$', '', name)}/{type_name}"
        # Types above 255 are hook IDs.
        yield Event(provider, guid.strip("{}").lower(), int(number) & 0xFF, int(version), name,
                    [tuple(field.split(" ")) for field in fields.split(", ") if field], builds.split())


def built_in(etl):
    """(GUID, type) -> (version, name, fields) of each class; fields are (type, name)."""
    shown = {}
    for line in subprocess.run([etl, "schema", "show", "*", "--json"], check=True, stdout=subprocess.PIPE).stdout.splitlines():
        provider = json.loads(line)
        for event in provider["events"]:
            if event["source"] == "mof":
                shown[provider["guid"], event["id"], event["symbol"]] = event
    classes = collections.defaultdict(list)
    for folder in ("kernel", "classic"):
        for name, guid, number, version in kernel_table.classes_of(ROOT / "schemas" / folder):
            event = shown[guid, number, name]
            classes[guid, number].append((version, event["event"], [(f["in"], f["name"]) for f in event.get("fields", [])]))
    return classes


def is_same(fields, ours):
    """Whether fields of the list are those of a class, which states padding, and has numbered frames as one array."""
    fields = [(type_, "Stack" if name == "Stack1" else name) for type_, name in fields
              if not re.fullmatch(r"Stack([2-9]|\d\d)", name)]
    if "Padding" not in (name for _, name in fields):
        ours = [field for field in ours if field[1] != "Padding"]
    return [name for _, name in fields] == [name for _, name in ours] and \
        all(type_of_ours in TYPES[type_] for (type_, _), (type_of_ours, _) in zip(fields, ours))


def problem_of(event, classes, named):
    """(What is missing or different, empty if nothing is; whether the event is decoded)"""
    known = classes.get((event.guid, event.type), [])
    candidates = [c for c in known if c[0] == event.version] or [c for c in known if c[0] == "any"]
    if any(is_same(event.fields, fields) for _, _, fields in candidates):
        nameless = "/Opcode(" in candidates[0][1] and "/" in event.name
        return ("the event has no name here" if nameless else ""), True
    if candidates:
        return "other fields here: " + " or ".join(", ".join(map(" ".join, fields)) for _, _, fields in candidates), True
    if known:
        return "no class of this version", True
    name, provider = named.get((event.guid, event.type), (None, None))
    if event.provider not in NAMED_ONLY:
        return "no class", False
    if provider != event.provider or ("/" in event.name and name != event.name):
        return "not in classic-events.csv", False
    return "", False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--etl", required=True)
    parser.add_argument("--classes", required=True, type=pathlib.Path)
    options = parser.parse_args()
    classes = built_in(options.etl)
    groups = {guid: name for guid, name in kernel_table.groups_of(ROOT)}
    named = {(row["class_guid"], int(row["type"])): (row["event"], row["provider"])
             for row in kernel_table.rows_of(ROOT / "schemas/classic-events.csv")}
    counts, problems = collections.Counter(), []
    unused = {*EXCEPTIONS, *NAMED_ONLY}
    for event in listed(options.classes):
        problem, is_decoded = problem_of(event, classes, named)
        key = (groups.get(event.guid), event.type, event.version)
        if problem and key in EXCEPTIONS:
            unused.discard(key)
            counts["excepted"] += 1
        elif problem:
            problems.append(f"{event.provider}: {event.name}, {event.guid} type {event.type} version {event.version}, builds "
                            f"{event.builds[0]} to {event.builds[-1]}: {', '.join(map(' '.join, event.fields))}: {problem}")
        else:
            counts["decoded" if is_decoded else "named only"] += 1
            unused -= set() if is_decoded else {event.provider}
    problems += [f"needless reason: {key}" for key in unused]
    print("\n".join([*problems, ", ".join(f"{count} {what}" for what, count in counts.items()) + f", {len(problems)} problems"]))
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
