"""Tests the rules of inferred.py and the layouts that by_build.py writes against what states the facts.

test_rules.py --etl ETL --schemas FOLDER --facts FILE [--manifests FOLDER] [--build BUILD] TRACE...

1. Lengths: the dumps and manifests keep references. Each rule is applied to them as if they had lost them.
2. Structures: manifests of applications have structures that dumps of the same events lost.
3. Payloads of traces: the layout of the trace's build is walked. A fact of a layout that leaves bytes over, or needs more,
   in every payload of a trace is contradicted. Payloads are those of `etl dump --format jsonl --raw`.

Exit code 1: a rule is wrong where RULES_MUST says that it is not, or a fact is contradicted.
"""

import argparse
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import replace

import by_build
import compact
import inferred

RULES_MUST = {"bin-length": 1.0, "named-length": 1.0, "named-count": 1.0, "fixed-by-name": 1.0}  # share that is right
SIZES = {"Int8": 1, "UInt8": 1, "Int16": 2, "UInt16": 2, "Int32": 4, "UInt32": 4, "HexInt32": 4, "Int64": 8, "UInt64": 8,
         "HexInt64": 8, "Float": 4, "Double": 8, "Boolean": 4, "GUID": 16, "FILETIME": 8, "SYSTEMTIME": 16}
MAX_LISTED = 20


# 1. Lengths.

def lengths(sources):
    """rule -> [right, wrong, examples of wrong], without the providers that the rules leave out"""
    result = collections.defaultdict(lambda: [0, 0, []])
    seen, left_out, miscounted = set(), set(), set()
    for provider in (p for providers in sources for p in providers):
        known = inferred.References(provider)
        left_out |= {provider.guid} if known.misnamed else set()
        miscounted |= {provider.guid} if known.miscounted else set()
    result["providers left out"] = [len(left_out | miscounted), 0, []]
    for providers in sources:
        for provider in providers:
            for fields in {e.fields for e in provider.events}:
                if (provider.guid, fields) in seen or provider.guid in left_out:
                    continue
                seen.add((provider.guid, fields))
                for index, one in enumerate(fields):
                    counted = inferred.named_count(fields, index) if not one.depth and not one.length else None
                    if counted and one.count != "?" and provider.guid not in miscounted:
                        result["named-count"][0 if one.count == "@" + counted else 1] += 1
                        if one.count != "@" + counted:
                            result["named-count"][2].append((provider.name, counted, one.name, one.count or "none"))
                    fixed = inferred.fixed_length(one)
                    if fixed and one.length and one.length[0] not in "?@":
                        result["fixed-by-name"][0 if one.length == fixed[0] else 1] += 1
                        if one.length != fixed[0]:
                            result["fixed-by-name"][2].append((provider.name, one.name, one.length))
                    if one.type not in inferred.SIZED or one.length == "?" or one.count:
                        continue
                    found = inferred.named_length(fields, index)
                    if found:
                        right = one.length == "@" + found[0]
                        result[found[1]][0 if right else 1] += 1
                        if not right:
                            result[found[1]][2].append((provider.name, found[0], one.name, one.length or "none"))
    return result


# 2. Structures.

def structures(manifests, dumps):
    """[confirmed, missed, false, of events in both whose fields have the same names]"""
    truth = collections.defaultdict(dict)
    for provider in manifests:
        for event in provider.events:
            names = tuple(f.name for f in event.fields if f.depth == 0)
            truth[provider.guid, event.id, event.version][names] = [
                f.type == "Struct" for f in event.fields if f.depth == 0]
    known = inferred.Structures()
    for providers in dumps:
        for provider in providers:
            for layout in {e.layout for e in provider.events}:
                known.learn(provider.guid, layout)
    counts = collections.Counter()
    seen = set()
    for providers in dumps:
        for provider in providers:
            for event in provider.events:
                names = tuple(n for n, _ in event.layout)
                right = truth[provider.guid, event.id, event.version].get(names)
                if right is None or (provider.guid, event.id, event.layout) in seen:
                    continue
                seen.add((provider.guid, event.id, event.layout))
                found = known.rule_of(provider.guid, event.layout, ["" if f.count == "?" else f.count for f in event.fields])
                first = right.index(True) if True in right else None
                at = found[0] if found else None
                counts["confirmed" if at == first and at is not None else "no structure, as found" if at == first else
                       "missed" if at is None else f"false ({provider.name} {event.id})"] += 1
    return counts


# 3. Payloads.

class Walk:
    """The end of a layout in a payload: `at`; `stopped`: a part is unknown, and what follows is not looked at."""

    def __init__(self, fields, payload, pointer):
        self.payload, self.pointer = payload, pointer
        self.at, self.stopped, self.short = 0, False, False
        self.walk(fields, 0, {})

    def walk(self, fields, depth, values):
        index = 0
        while index < len(fields) and not self.stopped and not self.short:
            one, end = fields[index], index + 1
            while end < len(fields) and fields[end].depth > depth:
                end += 1
            count = self.extent(one.count, values)
            for _ in range(1 if count is None else count):
                if self.stopped or self.short:
                    break
                if one.type == "Struct" and end > index + 1:
                    self.walk(fields[index + 1:end], depth + 1, dict(values))
                else:
                    values[one.name] = self.value(one, values)
            index = end

    def extent(self, text, values):
        if not text:
            return None
        if text.startswith("@"):
            return values.get(text[1:]) or 0
        if text.isdigit():
            return int(text)
        self.stopped = True
        return 0

    def take(self, size):
        self.at += size
        self.short = self.at > len(self.payload)
        return self.payload[self.at - size:self.at]

    def value(self, one, values):
        kind = one.type
        if kind in SIZES or kind == "Pointer":
            return int.from_bytes(self.take(SIZES.get(kind, self.pointer)), "little")
        length = self.extent(one.length, values)
        if self.stopped:
            return None
        if kind in ("UnicodeString", "AnsiString"):
            unit = 2 if kind == "UnicodeString" else 1
            if length is not None:
                self.take(length * unit)
                return None
            while self.at < len(self.payload):
                if not any(self.take(unit)):
                    break
        elif kind == "SID":
            head = self.payload[self.at:self.at + 2]
            self.take(8 + 4 * head[1] if len(head) == 2 else 8)
        elif kind in ("CountedUnicodeString", "CountedAnsiString", "CountedBinary"):
            self.take(int.from_bytes(self.take(2), "little"))
        elif kind == "Binary" and (length is not None or one.out == "IPv6"):
            self.take(16 if length is None else length)
        else:
            self.stopped = True
        return None


def fits(fields, payload, pointer):
    walk = Walk(fields, payload, pointer)
    return "unknown" if walk.stopped and not walk.short else "short" if walk.short else \
        "exact" if walk.at == len(payload) else "trailing"


def of_build(events, build):
    """The layouts of a build: as in docs/decisions/0042."""
    bound = [e for e in events if e.builds]
    if build and bound:
        near = [b for b in sorted({b for e in bound for b in e.builds}) if b <= build]
        events_of = [e for e in bound if near and near[-1] in e.builds]
        if events_of:
            return events_of + [e for e in events if not e.builds]
    return sorted(events, key=lambda e: -max(e.builds, default=1 << 20))


def payloads(etl, paths, schemas, build):
    """(trace, guid, id, version) -> Counter of how the layouts of the build and all layouts match"""
    result = collections.defaultdict(lambda: [collections.Counter(), collections.Counter(), None])
    for path in paths:
        own, command = build, [etl, "dump", "--format", "jsonl", "--raw", "--no-harvest", path]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as dump:
            for line in dump.stdout:
                event = json.loads(line)
                if event.get("event") == "EventTrace/Header" and not own:
                    own = event.get("data", {}).get("ProviderVersion", 0)
                if event.get("flags", 0) & 0x100 or event.get("channel") == 11 or "payload" not in event:
                    continue
                key = event.get("provider_guid"), event.get("id"), event.get("version")
                layouts = schemas.get(key)
                if not layouts:
                    continue
                payload, pointer = bytes.fromhex(event["payload"]), 4 if event["flags"] & 0x20 else 8
                chosen = of_build(layouts, own)
                entry = result[path.name, own, *key]
                ways = [fits(e.fields, payload, pointer) for e in chosen]
                entry[0]["exact" if "exact" in ways else ways[0]] += 1
                best = [fits(e.fields, payload, pointer) for e in layouts]
                entry[1]["exact" if "exact" in best else "unknown" if "unknown" in best else best[0]] += 1
                entry[2] = chosen[0]
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etl", required=True)
    parser.add_argument("--schemas", required=True, type=pathlib.Path)
    parser.add_argument("--facts", required=True, type=pathlib.Path)
    parser.add_argument("--manifests", type=pathlib.Path)
    parser.add_argument("--build", type=int, default=0, help="of traces whose header does not state it")
    parser.add_argument("traces", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    failed = False
    if options.manifests:
        with tempfile.TemporaryDirectory() as work:
            to = pathlib.Path(work)
            dumps = [by_build.manifests(options.etl, by_build.unpacked(options.manifests, name, to), to)
                     for name in by_build.DUMPS.values()]
            apps = by_build.manifests(options.etl, by_build.unpacked(options.manifests, "apps", to), to)
        for rule, (right, wrong, examples) in sorted(lengths(dumps + [apps]).items()):
            share = right / max(right + wrong, 1)
            failed |= share < RULES_MUST.get(rule, 0)
            print(f"{rule}: right {right}, wrong {wrong} ({share:.1%})")
            for one in sorted(set(examples))[:MAX_LISTED]:
                print("   wrong:", *one)
        print("structures:", dict(structures(apps, dumps)))
    schemas, names = collections.defaultdict(list), {}
    for path in sorted(options.schemas.glob("*.txt")):
        for provider in compact.read(path.read_text(encoding="utf-8")):
            names[provider.guid] = provider.name
            for event in provider.events:
                schemas[provider.guid, event.id, event.version].append(event)
    with options.facts.open(encoding="utf-8", newline="") as file:
        facts = {(f["provider"], *map(int, e.split("/")), f["field"]): f["rule"]
                 for f in csv.DictReader(file) if f["field"] != "*" for e in f["events"].split()}
    totals, tested = collections.Counter(), collections.Counter()
    for (trace, build, guid, number, version), (chosen, all_of, event) in sorted(
            payloads(options.etl, options.traces, schemas, options.build).items(), key=str):
        totals.update({f"layout of the build: {k}": v for k, v in chosen.items()})
        totals.update({f"best layout: {k}": v for k, v in all_of.items()})
        rules = {f.name: facts[names[guid], number, version, f.name] for f in event.fields
                 if (names[guid], number, version, f.name) in facts}
        bad = chosen["short"] + chosen["trailing"]
        for field, rule in rules.items():
            tested[rule, "contradicted" if bad and not chosen["exact"] + chosen["unknown"] else "held"] += 1
        if bad:
            print(f"{trace} ({build}): {names[guid]} {number} {version}: {dict(chosen)}; of all layouts: {dict(all_of)}", rules or "")
    print(dict(totals), dict(tested))
    failed |= any(k[1] == "contradicted" for k in tested)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
