#!/usr/bin/env python3
"""Every field of a kind of event has one JSON type, whatever its value (docs/output.md#values).

    one_form_per_field.py ETL PROJECT SHARED

Dumps every trace below PROJECT/corpus, and below SHARED where that folder exists, and groups the values of `data` by
(provider_guid, id, opcode of classic events, version, field). Prints each group that holds more than one type. Exit code 1
if there is one.

Two exceptions are part of the contract: null (a SID that is absent), and NaN and the infinities, which are strings among the
numbers of a float.
"""
import collections
import json
import os
import re
import subprocess
import sys

NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


def type_of(value):
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object"


def walk(path, value, found):
    if value is None:
        return
    if isinstance(value, dict):
        found.add((path, "object"))
        for name, member in value.items():
            walk(path + "." + name, member, found)
    elif isinstance(value, list):
        found.add((path, "array"))
        for element in value:
            walk(path + "[]", element, found)
    elif isinstance(value, str) and value in NO_NUMBERS:
        found.add((path, "no number"))
    else:
        found.add((path, type_of(value)))


def lines(etl, arguments):
    with subprocess.Popen([etl, "dump", "--format", "jsonl", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as dump:
        yield from dump.stdout


def sweep(etl, arguments):
    """(kind, field) -> types."""
    types = collections.defaultdict(set)
    events = 0
    for line in lines(etl, arguments):
        event = json.loads(line)
        if "data" not in event:
            continue
        events += 1
        kind = (event["provider_guid"], event["id"], event["opcode"] if event["source"] == "mof" else 0, event["version"],
                event["event"] if event["source"] == "tracelogging" else "")
        found = set()
        for name, value in event["data"].items():
            walk(name, value, found)
        for path, form in found:
            types[kind, path].add(form)
    return types, events


def mixed(types):
    for (kind, path), forms in sorted(types.items(), key=str):
        # A text may read "NaN"; among numbers it is one of a float.
        forms = forms - {"no number"} or {"number"}
        if len(forms) > 1:
            yield "%s %s: %s" % (kind, path, " and ".join(sorted(forms)))


def traces(folder):
    return sorted(os.path.join(root, name) for root, _, names in os.walk(folder) for name in names
                  if re.search(r"\.(etl|etlgz)(\.(gz|xz|bz2|lz4|zst))?$", name))


def main():
    etl, project, shared = sys.argv[1:4]
    own = [[path] for path in traces(os.path.join(project, "corpus"))]
    types_man = os.path.join(project, "tests", "golden", "manifest-types", "types.man")
    described = [os.path.join(project, "corpus", "good", "manifest-types.etl"), "--schema", types_man]
    own += [described, described + ["--names"], described + ["--numbers"]]
    real = [[path] for path in traces(shared)]
    manifests = os.path.join(shared, "manifests", "win10-18990.tar.zst")
    if os.path.exists(manifests):
        real += [[path, "--schema", manifests] for path in traces(shared)]
    failed = events = 0
    for arguments in own + real:
        types, count = sweep(etl, arguments)
        events += count
        for text in mixed(types):
            print("%s: %s" % (" ".join(arguments), text))
            failed += 1
    print("%d dumps, %d decoded events, %d fields of more than one type" % (len(own + real), events, failed))
    return 1 if failed or not events else 0


if __name__ == "__main__":
    sys.exit(main())
