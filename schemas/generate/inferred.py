"""Facts that dumps of manifests lose, inferred by rules: structures, lengths, and counts.

A rule has a name, and is used only where nothing else states the fact. RULES states what each rules on; `test_rules.py`
measures them: against the dumps and manifests that keep the fact, and against payloads of real traces.
"""

import collections
import csv
import re
from dataclasses import dataclass, replace

RULES = {
    "struct-start": "A dump writes a structure as the number of its first member, and members come after all N fields: "
                    "a type above 25 or 24 is a structure, and so is the only field before it whose type has number N.",
    "struct-versions": "The type number of a field is the number of fields N, wherever the provider has it, and for two N.",
    "struct-array": "A counted field, the only one whose type has number N, unless the type is a 32- or 64-bit number, a "
                    "UnicodeString, or UInt8 with a length as count: arrays of those are common.",
    "struct-count": "As struct-array, with a field before it that is named as a count instead of a reference.",
    "no-struct": "A counted type (22, 23, 25) is no structure if no field has the type with number N.",
    "same-field": "Every layout of the provider with both fields that states the length or count, states this one.",
    "bin-length": "`__binLength` before a Binary is its length.",
    "named-length": "The integer before the field is named as its length (NameLength, NameSize, cbName), and no layout of "
                    "the provider contradicts such a name.",
}
CODES = {n: i for i, n in enumerate(
    "Null UnicodeString AnsiString Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Float Double Boolean Binary GUID "
    "Pointer FILETIME SYSTEMTIME SID HexInt32 HexInt64 CountedUnicodeString CountedAnsiString Struct CountedBinary"
    .split())}
LENGTHS = {"UInt8", "UInt16", "UInt32", "HexInt32"}  # types of fields that are lengths
SIZED = {"Binary", "UnicodeString", "AnsiString"}
COUNTED = {"UInt32", "HexInt32", "UInt64", "HexInt64", "Pointer", "UnicodeString"}  # also numbers and texts in arrays
COMMON = {"AnsiString", "UInt8", "UInt16", "Int32", "Int64"}  # too common to be judged by names alone
SUFFIXES = "length len size bytes bytelength bytecount sizeinbytes lengthinbytes datalength datasize cb buffersize " \
           "bufferlength".split()
PREFIXES = "cb cch sizeof lengthof size len length".split()
UNKNOWN = "?"


@dataclass(frozen=True)
class Inferred:
    provider: str
    id: int
    version: int
    field: str
    fact: str
    rule: str


def code(kind):
    return int(kind[5:]) if kind.startswith("type ") else CODES.get(kind, 0)


def structure_start(types):
    """Index of the field that is the first structure, if only one field can be; None otherwise."""
    total = len(types)
    found = [i for i, kind in enumerate(types) if code(kind) == total]
    return found[0] if len(found) == 1 and total > 0 else None


def has_sure_structure(types):
    return any(code(t) > 25 or t == "Struct" for t in types)


def is_length(count):
    """Whether the name of a count is that of a number of bytes."""
    return bool(re.search(r"(length|len|size|bytes\d*)$", count.lower())) or count.startswith("@cb")


def is_count_of(name, of):
    """Whether a name is that of the count of another field: ModuleCount of Module, NumBuffers of Buffers."""
    low = plain(name)
    stem = low[:-5] if low.endswith("count") else re.sub(r"^num(ber)?(of)?", "", low) if low.startswith("num") else ""
    return len(stem) > 2 and plain(of).startswith(stem[:-1] if stem.endswith("s") else stem)


class Structures:
    """Which fields of dumped layouts are structures."""

    def __init__(self):
        self.sizes = collections.defaultdict(set)  # (provider, field) -> numbers of fields where its type has that number
        self.others = set()  # (provider, field) with a type that is no structure

    def learn(self, provider, layout):
        start = structure_start([t for _, t in layout])
        for i, (name, kind) in enumerate(layout):
            if i == start:
                self.sizes[provider, name].add(len(layout))
            elif code(kind) <= len(layout) or start is None or i < start:
                self.others.add((provider, name))

    def follows_size(self, provider, name):
        sizes = self.sizes[provider, name]
        return len(sizes) > 1 and max(sizes) > 2 and (provider, name) not in self.others

    def rule_of(self, provider, layout, counts=()):
        """(index of the first structure, rule), or None. `counts`: of each field; empty: it states none."""
        types = [t for _, t in layout]
        start = structure_start(types)
        if start is None:
            return None
        name, kind = layout[start]
        if has_sure_structure(types):
            return start, "struct-start"
        if self.follows_size(provider, name):
            return start, "struct-versions"
        if counts and counts[start] and kind not in COUNTED and not (kind == "UInt8" and is_length(counts[start])):
            return start, "struct-array"
        before = layout[start - 1] if start else ("", "")
        if before[1] in LENGTHS and is_count_of(before[0], name) and kind not in COUNTED | COMMON:
            return start, "struct-count"
        return None


def with_structures(layout, start):
    """Decoding stops at a structure: its members are lost. So are the types of structures after it."""
    total, result, last = len(layout), [], len(layout) - 1
    for i, one in enumerate(layout):
        number = code(one.type)
        if i == start or i > start and number > max(last, total):
            result.append(replace(one, type="Struct", count=UNKNOWN, length="", map=(), out=""))
            last = number
        else:
            result.append(one)
    return tuple(result)


def plain(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_named_length(field, of):
    """Whether a name is that of the length of another field."""
    names = {plain(of), plain(re.sub(r"^(p|pb|psz|pwsz|lp|rgb)(?=[A-Z])", "", of))} - {""}
    length = plain(field)
    if length.endswith("prefixlength"):  # of an address, in bits
        return False
    return any(length == n + s for n in names for s in SUFFIXES) or any(length == p + n for n in names for p in PREFIXES)


def named_length(fields, index):
    """(name of the length of a field, rule), or None."""
    if index == 0:
        return None
    before = fields[index - 1]
    if before.depth != fields[index].depth or before.type not in LENGTHS or before.count:
        return None
    if before.name == "__binLength" and fields[index].type == "Binary":
        return before.name, "bin-length"
    return (before.name, "named-length") if is_named_length(before.name, fields[index].name) else None


class References:
    """Lengths and counts that some layouts of a provider state."""

    def __init__(self, provider):
        self.stated = collections.defaultdict(collections.Counter)  # by (name, type)
        self.maps = collections.defaultdict(set)
        self.outs = collections.defaultdict(set)
        self.misnamed = False  # a field that is named as the length of another one is not its length
        for event in provider.events:
            for index, one in enumerate(event.fields):
                if one.depth:
                    continue
                key = one.name, one.type
                self.maps[key].add(one.map)
                self.outs[key].add(one.out)
                if UNKNOWN in (one.length, one.count) or event.origin == "table":
                    continue
                if one.type in SIZED and not one.count and (named := named_length(event.fields, index)):
                    self.misnamed |= one.length != "@" + named[0]
                names = {f.name for f in event.fields[:index]}
                self.stated[key][one.length, one.count, frozenset(names)] += 1

    def of(self, fields, index):
        """(length, count) of a field that all layouts with its length or count state; None: they differ, or none does."""
        one = fields[index]
        before = {f.name: f.type for f in fields[:index] if f.depth == 0 and not f.count}
        found = set()
        for length, count, names in self.stated[one.name, one.type]:
            used = [x[1:] for x in (length, count) if x.startswith("@")]
            if used and all(before.get(u) in LENGTHS | {"Int32", "UInt64", "Int16"} for u in used):
                found.add((length, count))
            elif not used and (length or count) and "#" not in length + count:
                found.add((length, count))
        if len(found) != 1:
            return None
        length, count = next(iter(found))
        # A layout with the same fields before it that states nothing contradicts.
        used = {x[1:] for x in (length, count) if x.startswith("@")}
        if any(not k[0] and not k[1] and used <= k[2] for k in self.stated[one.name, one.type]):
            return None
        return length, count


def find_structures(providers):
    """Marks structures in layouts that come from dumps. Returns the facts."""
    known, facts = Structures(), []
    dumped = [(p, e) for p in providers for e in p.events if e.origin != "manifest"]
    for guid, layout in sorted({(p.guid, e.layout) for p, e in dumped}):
        known.learn(guid, layout)
    for provider, event in dumped:
        counts = ["" if f.count == UNKNOWN else f.count for f in event.fields]
        found = known.rule_of(provider.guid, event.layout, counts)
        if found:
            event.fields = with_structures(event.fields, found[0])
            facts.append(Inferred(provider.name, event.id, event.version, event.fields[found[0]].name, "structure",
                                  found[1]))
        else:
            event.fields, real = without_structures(event.fields)
            facts += [Inferred(provider.name, event.id, event.version, name, "no structure", "no-struct")
                      for name in real]
    return facts


def without_structures(fields):
    """Counted types are what they are called; other numbers are no types. Also returns the names of the former."""
    result, real = [], []
    is_known = not has_sure_structure([f.type for f in fields]) and len(fields) not in {code(f.type) for f in fields}
    for one in fields:
        if is_known and one.type in ("CountedUnicodeString", "CountedAnsiString", "CountedBinary"):
            one = replace(one, count="")
            real.append(one.name)
        elif one.type.startswith("type ") or one.type == "Struct" or one.type.startswith("Counted"):
            one = replace(one, count=UNKNOWN)
        result.append(one)
    return tuple(result), real


def find_references(provider):
    """Lengths, counts, maps, and out types of layouts that state none."""
    known, facts = References(provider), []
    for event in provider.events:
        if event.origin != "table":
            continue
        fields = list(event.fields)
        for index, one in enumerate(fields):
            if one.type == "Struct":
                break
            key = one.name, one.type
            values = {}
            if len(known.maps[key] - {()}) == 1:
                values["map"] = next(iter(known.maps[key] - {()}))
            if len(known.outs[key] - {""}) == 1:
                values["out"] = next(iter(known.outs[key] - {""}))
            stated = known.of(fields, index)
            rule, fact = "", ""
            if stated:
                values["length"], values["count"] = stated
                rule, fact = "same-field", f"length={stated[0]}" if stated[0] else f"count={stated[1]}"
            elif one.type in SIZED and not known.misnamed and (named := named_length(fields, index)):
                values["length"] = "@" + named[0]
                rule, fact = named[1], f"length=@{named[0]}"
            if values:
                fields[index] = replace(one, **values)
            if rule:
                facts.append(Inferred(provider.name, event.id, event.version, one.name, fact.replace("@", ""), rule))
        event.fields = tuple(fields)
    return facts


def apply(providers):
    facts = find_structures(providers)
    for provider in providers:
        facts += find_references(provider)
    return sorted(facts, key=lambda f: (f.provider, f.id, f.version, f.field))


def write_table(facts, path):
    """One line for each field, fact, and rule, with its events as ID/VERSION. `no-struct`: only how many."""
    lines = collections.defaultdict(set)
    for fact in facts:
        is_counted = fact.rule == "no-struct"
        key = fact.provider, "*" if is_counted else fact.field, fact.fact, fact.rule
        lines[key].add((fact.id, fact.version, fact.field if is_counted else ""))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["provider", "field", "fact", "rule", "events"])
        for key, events in sorted(lines.items()):
            writer.writerow([*key, len(events) if key[3] == "no-struct" else
                             " ".join(f"{i}/{v}" for i, v, _ in sorted(events))])
