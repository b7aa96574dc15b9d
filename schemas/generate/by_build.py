"""Writes the schemas of providers with the builds of Windows of each layout (schemas/README.md).

by_build.py --etl ETL --manifests FOLDER -o FOLDER [--facts FILE] [--check] [--no-checks]

FOLDER of --manifests has the sources: events-by-build.tsv, provider-guids.tsv, and the folders apps, win7-7600,
win10-10240, win10-17134, and win10-18990 with manifests; each also as .zst or .tar.zst. ETL reads the manifests. The
same sources give the same bytes. The counts of the sources are checked (CHECKS): a source that changed fails loudly.

Facts come from: 1. manifests that applications publish; 2. the dumps of four builds (GUIDs, maps, out types, counts and
lengths by reference, numbers of tasks and keywords); 3. the layouts of 17 builds (names, types and order of fields);
4. schemas/additions. A layout is stored once, with the builds that have it.
"""

import argparse
import collections
import csv
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import uuid
from dataclasses import replace

import compact
import inferred

ROOT = pathlib.Path(__file__).resolve().parents[2]
DUMPS = {7600: "win7-7600", 10240: "win10-10240", 17134: "win10-17134", 18990: "win10-18990"}
CHECKS = {"layouts": 73764, "providers": 1022, "builds": 17, "providers in no dump": 130, "of their layouts": 11419,
          "GUIDs in names": 17, "GUIDs listed": 100, "GUIDs guessed": 12, "same name, other case": 1,
          "layouts under a GUID of a name": 8703, "layouts under a listed GUID": 2422,
          "events of 17763 and 28000": 44808, "whose layouts differ": 461,
          "events of 17134 in both sources": 47295, "that differ there": 3}
LEVELS = {"": 0, "Always": 0, "Critical": 1, "Error": 2, "Warning": 3, "Informational": 4, "Verbose": 5}
OPCODES = {"": 0, "Start": 1, "Stop": 2, "DC_Start": 3, "DC_Stop": 4, "Extension": 5, "Reply": 6, "Resume": 7,
           "Suspend": 8, "Send": 9, "Receive": 240}
TYPES = {"CountedUtf16String": "CountedUnicodeString", "CountedMbcsString": "CountedAnsiString", "25": "CountedBinary"}
MADE_UP = re.compile(r"(task|opcode|keyword)_[0-9A-Fa-f]+\Z")
MAX_SQUEEZED = 40  # characters of a name without its blanks; longer ones are sentences


def squeezed(name):
    """A name as the tables of layouts have it."""
    return re.sub(r"\s", "", name).lower()


def eventsource_guid(name):
    """The GUID that EventSource computes from a name."""
    space = bytes.fromhex("482C2DB2C39047C887F81A15BFC130FB")
    digest = bytearray(hashlib.sha1(space + name.upper().encode("utf-16-be")).digest()[:16])
    digest[7] = digest[7] & 0x0F | 0x50
    return str(uuid.UUID(bytes_le=bytes(digest)))


# Sources.

def unpacked(folder, name, to):
    """The path of a source, which may be compressed."""
    if (folder / name).exists():
        return folder / name
    if (folder / f"{name}.zst").exists():
        (to / name).write_bytes(subprocess.run(["zstd", "-dqc", folder / f"{name}.zst"], check=True,
                                               stdout=subprocess.PIPE).stdout)
    else:
        (to / name).mkdir()
        with subprocess.Popen(["zstd", "-dqc", folder / f"{name}.tar.zst"], stdout=subprocess.PIPE) as zstd:
            subprocess.run(["tar", "x", "-C", to / name], stdin=zstd.stdout, check=True)
    return to / name


def manifests(etl, path, to):
    out = to / f"{path.name}.compact.txt"
    done = subprocess.run([etl, "schema", "import", "--compact", path, "-o", out, "--force"], capture_output=True)
    if done.returncode > 1:
        sys.exit(f"by_build: {path}: {done.stderr.decode()}")
    return compact.read(out.read_text(encoding="utf-8"))


def table(path):
    csv.field_size_limit(1 << 30)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def fields_of(row):
    """(name, type) of each field. A name of an event with a parenthesis reaches into the column."""
    text = row["fields"]
    if "(" in text and re.match(r"[^ ,]*\)[^ ,]*\(", text):
        text = text.rpartition("(")[2]
    fields = []
    for one in re.split(r", (?=[A-Za-z0-9]+ )", text) if text else []:
        kind, _, name = one.partition(" ")
        kind = TYPES.get(kind, kind)
        fields.append((name, f"type {kind}" if kind.isdigit() else kind))
    return tuple(fields)


# Facts only, as authoring::facts_of in C++.

SENTENCES = set("a an are be been cannot did does has have is not the this was were will you your".split())


def is_sentence(name, max_words):
    parts = name.split(" ")
    words = sum(any(c.isascii() and c.isalnum() or not c.isascii() for c in part) for part in parts)
    return bool(set("\r\n%") & set(name)) or words > max_words or \
        words > 2 and not SENTENCES.isdisjoint(p.lower() for p in parts) or words > 1 and name[-1:] in (".", "!", "?")


def is_squeezed_sentence(name):
    """Of a name without its blanks."""
    return len(name) > MAX_SQUEEZED or name[-1:] in (".", "!", "?")


def fact(name, words=6):
    return "" if MADE_UP.match(name) or is_sentence(name, words) or name == "task_0" else name


def facts_of(provider):
    provider.levels = {v: n for v, n in provider.levels.items() if not is_sentence(n, 5) and v not in range(6)}
    provider.keywords = {v: fact(n) for v, n in provider.keywords.items() if fact(n)}
    provider.tasks = {v: (fact(n), g) for v, (n, g) in provider.tasks.items() if fact(n)}
    provider.opcodes = {k: fact(n) for k, n in provider.opcodes.items() if fact(n)}
    for event in provider.events:
        event.task_name, event.opcode_name = fact(event.task_name), fact(event.opcode_name)
        event.symbol = "" if event.task_name else event.symbol
        event.name = None
        event.fields = tuple(with_facts(f) for f in event.fields)
    return provider


def with_facts(one):
    if not one.map:
        return one
    entries = tuple(e for e in one.map[2] if e[1] and not is_sentence(e[1], 5))
    return replace(one, map=(one.map[0], one.map[1], entries) if entries else ())


# Layouts.

WIRE = {**{t: 1 for t in ("Int8", "UInt8")}, **{t: 2 for t in ("Int16", "UInt16")}, "Boolean": 4,
        **{t: 4 for t in ("Int32", "UInt32", "HexInt32", "Float")}, "SYSTEMTIME": 16, "GUID": 16,
        **{t: 8 for t in ("Int64", "UInt64", "HexInt64", "Double", "FILETIME")}}


def wire(layout):
    return tuple((n.strip(), WIRE.get(t, t)) for n, t in layout)


def whole_wire(event):
    """Equal for events whose payloads have the same bytes."""
    return tuple((f.name.strip(), WIRE.get(f.type, f.type), f.length, f.count, f.depth) for f in event.fields)


def matches(event, layout):
    """Whether an event has these top-level fields. The tables have a number in place of a structure."""
    own = event.layout
    return len(own) == len(layout) and all(
        a[0].strip() == b[0].strip() and (a[1] == b[1] or a[1] == "Struct") for a, b in zip(own, layout))


def restored(event, other):
    """Gives fields the maps and out types that only another source of the layout has: dumps lose some."""
    if len(event.fields) != len(other.fields):
        return
    event.fields = tuple(
        replace(a, map=a.map or b.map, out=a.out or (b.out if a.type == b.type else "")) if a.name == b.name else a
        for a, b in zip(event.fields, other.fields))


def is_known_in_full(event):
    return not any("?" in (f.length, f.count) or f.type.startswith("type ") or
                   f.type == "Struct" and not has_members(event.fields, i) for i, f in enumerate(event.fields))


def has_members(fields, index):
    return index + 1 < len(fields) and fields[index + 1].depth > fields[index].depth


def join_known_in_full(events):
    """A layout of an author has the builds of dumped ones that lack parts of it."""
    for full in [e for e in events if e.origin == "manifest" and has_opaque(e) and is_known_in_full(e)]:
        for one in [e for e in events if e.origin != "manifest" and has_names_of(e, full)]:
            full.builds |= one.builds
            events.remove(one)


def has_opaque(event):
    """Whether a dump would lose parts of it."""
    return any(f.depth or f.type == "Binary" for f in event.fields)


def has_names_of(event, full):
    names = [f.name.strip() for f in full.fields if f.depth == 0]
    return [f.name.strip() for f in event.fields if f.depth == 0] == names and \
        any(f.type != g.type for f, g in zip(event.fields, [f for f in full.fields if f.depth == 0]))


class Merged:
    """One provider of all sources."""

    def __init__(self, provider):
        self.provider = provider
        self.events = collections.defaultdict(list)  # (id, version) -> events, each layout once
        self.in_dump = set()  # id() of events that a dump has
        for event in provider.events:
            self.events[event.id, event.version].append(event)
        self.learn_names()

    def learn_names(self):
        self.task_values = {}
        self.opcode_values = {}
        self.masks = {squeezed(n): v for v, n in self.provider.keywords.items()}
        for value, (name, _) in self.provider.tasks.items():
            self.task_values.setdefault(squeezed(name), value)
        for (task, value), name in self.provider.opcodes.items():
            self.opcode_values.setdefault((task, squeezed(name)), value)
            self.opcode_values.setdefault(squeezed(name), value)

    def add_names(self, other):
        for word in ("channels", "levels", "keywords", "tasks", "opcodes"):
            for value, name in getattr(other, word).items():
                getattr(self.provider, word).setdefault(value, name)
        self.learn_names()

    def add_dumped(self, event, build):
        known = self.events[event.id, event.version]
        for one in known:
            if one.fields == event.fields or matches(one, event.layout):
                break
        else:
            one = next((e for e in known if id(e) not in self.in_dump and wire(e.layout) == wire(event.layout)), None)
            if one is None:
                one = event
                one.origin = "dump"
                known.append(one)
        restored(one, event)
        one.builds |= {build}
        self.in_dump.add(id(one))

    def add_row(self, row, layout):
        """True if the layout is new."""
        key, builds = (int(row["id"]), int(row["version"])), frozenset(map(int, row["builds"].split()))
        known = self.events[key]
        one = next((e for e in known if matches(e, layout)), None)
        if one is None:
            one = next((e for e in known if not e.builds and wire(e.layout) == wire(layout)), None)
        is_new = one is None
        if is_new:
            one = self.new_event(row, layout)
            known.append(one)
        one.builds |= builds
        return is_new

    def new_event(self, row, layout):
        number, version = int(row["id"]), int(row["version"])
        kin = [e for k in sorted(self.events) if k[0] == number for e in self.events[k]]
        kin.sort(key=lambda e: (e.version != version, -max(e.builds, default=0)))
        event = compact.Event(number, version, level=LEVELS.get(row["level"], 0), origin="table")
        if kin:
            event.channel, event.symbol = kin[0].channel, kin[0].symbol
        event.task, event.task_name = self.named(row["task"], "task", self.task_values, kin)
        if event.task_name:
            event.symbol = ""
            event.guid = self.provider.tasks.get(event.task, ("", ""))[1]
        event.opcode, event.opcode_name = self.opcode(row["opcode"], event.task, kin)
        for word in (row["keywords"] or "").split():
            if word.startswith("keyword_") and MADE_UP.match(word):
                event.keywords |= int(word[8:], 16)
            event.keywords |= self.masks.get(squeezed(word), 0)
        event.fields = tuple(compact.Field(n, t) for n, t in layout)
        return event

    def named(self, name, word, values, kin):
        """(number, name): of the provider, else of an event with the same ID."""
        if not name or name == f"{word}_0" or name == "None":
            return 0, ""
        if MADE_UP.match(name):
            return int(name[len(word) + 1:]), ""
        value = values.get(squeezed(name))
        if value is not None:
            return value, self.provider.tasks[value][0]
        for one in kin:
            if squeezed(one.task_name) == squeezed(name):
                return one.task, one.task_name
        return None, "" if is_squeezed_sentence(name) else name

    def opcode(self, name, task, kin):
        if name in OPCODES:
            value = OPCODES[name]
            return value, compact.OPCODES[value] if value else ""
        if MADE_UP.match(name):
            return int(name[7:]), ""
        value = self.opcode_values.get((task, squeezed(name)), self.opcode_values.get(squeezed(name)))
        if value is not None:
            return value, self.provider.opcodes.get((task, value)) or self.provider.opcodes.get((None, value)) or next(
                n for (_, v), n in self.provider.opcodes.items() if v == value and squeezed(n) == squeezed(name))
        for one in kin:
            if squeezed(one.opcode_name) == squeezed(name):
                return one.opcode, one.opcode_name
        return None, "" if is_squeezed_sentence(name) else name

    def finish(self, builds):
        for events in self.events.values():
            join_known_in_full(events)
            for one in events:
                if one.task and not one.task_name and one.task in self.provider.tasks:
                    one.task_name, guid = self.provider.tasks[one.task]
                    one.guid = one.guid or guid
                if one.opcode and not one.opcode_name:
                    one.opcode_name = self.provider.opcodes.get((one.task, one.opcode)) or ""
        self.provider.builds = tuple(sorted(builds))
        self.provider.events = [e for k in sorted(self.events) for e in self.events[k]]
        return self.provider


def checked(counts, name, value, errors):
    counts[name] = value
    if CHECKS.get(name, value) != value:
        errors.append(f"{name}: {value}, expected {CHECKS[name]}")


def guids_of(rows, by_name, listed, counts, errors):
    """name -> (GUID, is a guess) of the providers of the tables."""
    found, layouts = {}, collections.Counter(r["provider"] for r in rows)
    lower = {n.lower(): n for n in by_name}
    kinds = collections.defaultdict(list)
    for name in layouts:
        in_name = re.search(r"_([0-9a-f]{32})\Z", name)
        if name in by_name:
            found[name] = by_name[name], False
        elif in_name:
            kinds["GUIDs in names"].append(name)
            found[name] = str(uuid.UUID(in_name[1])), False
        elif name in listed:
            kinds["GUIDs listed"].append(name)
            found[name] = listed[name], False
        elif name.lower() in lower:
            kinds["same name, other case"].append(name)
            found[name] = by_name[lower[name.lower()]], False
        else:
            kinds["GUIDs guessed"].append(name)
            found[name] = eventsource_guid(name), True
    missing = [n for group in kinds.values() for n in group]
    checked(counts, "providers in no dump", len(missing), errors)
    checked(counts, "of their layouts", sum(layouts[n] for n in missing), errors)
    for kind in ("GUIDs in names", "GUIDs listed", "same name, other case", "GUIDs guessed"):
        checked(counts, kind, len(kinds[kind]), errors)
    checked(counts, "layouts under a GUID of a name", sum(layouts[n] for n in kinds["GUIDs in names"]), errors)
    checked(counts, "layouts under a listed GUID", sum(layouts[n] for n in kinds["GUIDs listed"]), errors)
    counts["guessed"] = sorted(kinds["GUIDs guessed"])
    return found


def check_table(rows, counts, errors):
    checked(counts, "layouts", len(rows), errors)
    checked(counts, "providers", len({r["provider"] for r in rows}), errors)
    checked(counts, "builds", len({b for r in rows for b in r["builds"].split()}), errors)
    of = {"17763": collections.defaultdict(set), "28000": collections.defaultdict(set)}
    for row in rows:
        for build in of.keys() & set(row["builds"].split()):
            of[build][row["provider"], row["id"], row["version"]].add(row["fields"])
    both = of["17763"].keys() & of["28000"].keys()
    checked(counts, "events of 17763 and 28000", len(both), errors)
    checked(counts, "whose layouts differ", sum(of["17763"][k] != of["28000"][k] for k in both), errors)


def check_twice_dumped(rows, merged, guids, counts, errors):
    """Two sources describe build 17134: how many of its events differ between them."""
    both = differ = 0
    layouts = collections.defaultdict(set)
    for row in rows:
        if "17134" in row["builds"].split():
            key = guids[row["provider"]][0], int(row["id"]), int(row["version"])
            layouts[key].add(tuple((n.strip(), t) for n, t in fields_of(row)))
    for (guid, *key), tables in layouts.items():
        dumped = {tuple((n.strip(), t) for n, t in e.layout) for e in merged[guid].events.get(tuple(key), ())
                  if 17134 in e.builds}
        both += bool(dumped)
        differ += bool(dumped) and not dumped >= tables and "Struct" not in {t for one in dumped for _, t in one}
    checked(counts, "events of 17134 in both sources", both, errors)
    checked(counts, "that differ there", differ, errors)


def combine(etl, folder, counts, errors, work):
    rows = table(unpacked(folder, "events-by-build.tsv", work))
    check_table(rows, counts, errors)
    listed = {r["name"]: r["guid"].lower() for r in table(unpacked(folder, "provider-guids.tsv", work))}
    merged = {}  # by GUID
    by_name = {}
    builds = collections.defaultdict(set)

    def of(provider):
        if provider.guid not in merged:
            merged[provider.guid] = Merged(compact.Provider(provider.name, provider.guid))
        merged[provider.guid].add_names(provider)
        return merged[provider.guid]

    for provider in manifests(etl, unpacked(folder, "apps", work), work):
        one = of(facts_of(provider))
        by_name.setdefault(provider.name, provider.guid)
        for event in provider.events:
            known = one.events[event.id, event.version]
            if not any(e.fields == event.fields and e.user_data == event.user_data for e in known):
                known.append(event)
    for build in sorted(DUMPS, reverse=True):  # the newest one names
        for provider in manifests(etl, unpacked(folder, DUMPS[build], work), work):
            one = of(facts_of(provider))
            by_name.setdefault(provider.name, provider.guid)
            builds[provider.guid].add(build)
            for event in provider.events:
                one.add_dumped(event, build)
    for path in sorted((ROOT / "schemas/additions").glob("*.txt")):
        for provider in compact.read(path.read_text(encoding="utf-8")):
            one = of(provider)
            for event in provider.events:
                known = one.events[event.id, event.version]
                if not any(whole_wire(e) == whole_wire(event) for e in known):
                    known.append(event)
    guids = guids_of(rows, by_name, listed, counts, errors)
    for name, (guid, guess) in guids.items():
        if guid not in merged:
            merged[guid] = Merged(compact.Provider(name, guid, guess=guess))
    check_twice_dumped(rows, merged, guids, counts, errors)
    counts["new layouts"] = 0
    for row in rows:
        one = merged[guids[row["provider"]][0]]
        builds[one.provider.guid].update(map(int, row["builds"].split()))
        counts["new layouts"] += one.add_row(row, fields_of(row))
    for guid, one in merged.items():
        one.finish(builds[guid])

    def order(item):  # of a name that moved to another GUID, the newest first
        provider = item[1].provider
        return provider.name, -max(provider.builds, default=0), item[0]

    return [m.provider for _, m in sorted(merged.items(), key=order) if m.provider.events]


def canonical(etl, files, to):
    """The texts as ETL writes them."""
    folder = to / "providers"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run([etl, "schema", "import", "--compact", folder, "-o", to / "providers.txt"], capture_output=True)
    if done.returncode or done.stderr:
        sys.exit(f"by_build: {done.stderr.decode()}")
    parts = re.split(r"^(?=provider )", (to / "providers.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    written = {part.split("\n", 1)[0]: part for part in parts}
    return {name: written[text.split("\n", 1)[0]] for name, text in files.items()}


def file_name(provider, taken):
    base = re.sub(r"[^A-Za-z0-9.\-]", "_", provider.name)
    return f"{base}.txt" if f"{base}.txt" not in taken else f"{base}-{provider.guid}.txt"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etl", required=True)
    parser.add_argument("--manifests", required=True, type=pathlib.Path)
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path)
    parser.add_argument("--facts", type=pathlib.Path, help="also write the table of inferred facts")
    parser.add_argument("--check", action="store_true", help="compare with the files in the folder; write none")
    parser.add_argument("--no-checks", action="store_true", help="do not compare counts of the sources")
    options = parser.parse_args()
    counts, errors = {}, []
    with tempfile.TemporaryDirectory() as work:
        providers = combine(options.etl, options.manifests, counts, errors, pathlib.Path(work))
    facts = inferred.apply(providers)
    for name, number in sorted(collections.Counter(f.rule for f in facts).items()):
        counts[f"inferred by {name}"] = number
    files = {}
    for provider in providers:
        files[file_name(provider, files)] = compact.write(provider)
    with tempfile.TemporaryDirectory() as work:
        files = canonical(options.etl, files, pathlib.Path(work))
    if options.check:
        known = {p.name: p.read_text(encoding="utf-8") for p in options.output.glob("*.txt")}
        errors += [f"{name}: differs" for name in sorted(files.keys() | known.keys()) if files.get(name) != known.get(name)]
    else:
        options.output.mkdir(parents=True, exist_ok=True)
        for path in set(options.output.glob("*.txt")) - {options.output / name for name in files}:
            path.unlink()
        for name, text in files.items():
            (options.output / name).write_text(text, encoding="utf-8")
    if options.facts:
        with tempfile.TemporaryDirectory() as work:
            made = pathlib.Path(work) / "facts.csv" if options.check else options.facts
            inferred.write_table(facts, made)
            if made.read_bytes() != options.facts.read_bytes():
                errors.append(f"{options.facts.name}: differs")
    for name, value in counts.items():
        print(f"{name}: {value}")
    print(f"{len(providers)} providers, {sum(len(p.events) for p in providers)} events, {len(facts)} inferred facts")
    if errors and not options.no_checks:
        sys.exit("by_build: the sources differ from what is expected:\n  " + "\n  ".join(errors))


if __name__ == "__main__":
    main()
