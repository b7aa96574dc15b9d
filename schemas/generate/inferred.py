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
    "struct-count": "As struct-array, with an integer before it that is named as its count instead of a reference.",
    "struct-name": "The only field whose type has number N, if a rule above finds that field elsewhere in the provider: "
                   "the field has such a type everywhere or for four N, or its count precedes it.",
    "no-struct": "A counted type (22, 23, 25) is no structure if no field has the type with number N.",
    "same-field": "Every layout of the provider with both fields that states the length or count, states this one.",
    "bin-length": "`__binLength` before a Binary is its length.",
    "named-count": "The integer before the field is named as its count (ModuleCount of Module or Modules), and no layout of "
                   "the provider contradicts such a name. Not for UnicodeString, Binary, and Pointer.",
    "fixed-by-name": "A Binary that no other rule measures and that is named as a SHA-1 or SHA-256 hash, a MAC address, or "
                     "an IPv6 address has its size.",
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


def count_of(count, count_type, name, kind):
    """Whether a field is named exactly as the count of another one."""
    if count_type not in LENGTHS or kind in ("UnicodeString", "Binary", "Pointer"):
        return False
    low = plain(count)
    stem = low[:-5] if low.endswith("count") else re.sub(r"^num(ber)?(of)?", "", low) if low.startswith("num") else ""
    stem = stem[:-1] if stem.endswith("s") else stem
    return len(stem) > 2 and plain(name) in (stem, stem + "s", stem + "es")


class Structures:
    """Which fields of dumped layouts are structures."""

    def __init__(self):
        self.sizes = collections.defaultdict(set)  # (provider, field) -> numbers of fields where its type has that number
        self.names = set()  # (provider, field) of structures that rule_of() found
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
        is_exact = start and count_of(before[0], before[1], name, kind)
        if kind not in COUNTED and (is_exact or before[1] in LENGTHS and is_count_of(before[0], name) and
                                    kind not in COMMON):
            return start, "struct-count"
        is_sure = (provider, name) not in self.others or len(self.sizes[provider, name]) > 3 or \
            before[1] in LENGTHS and is_count_of(before[0], name)
        return (start, "struct-name") if (provider, name) in self.names and is_sure else None


def with_structures(layout, start):
    """Decoding stops at a structure: its members are lost. So are the types of structures after it."""
    total, result, last = len(layout), [], len(layout) - 1
    lengths = {text[1:] for one in layout for text in (one.length, one.count) if text.startswith("@")}
    for i, one in enumerate(layout):
        number = code(one.type)
        is_text = one.length or i > 0 and one.type in SIZED and is_named_length(layout[i - 1].name, one.name)
        if i == start or i > start and number > max(last, total) and one.name not in lengths and not is_text:
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


def named_count(fields, index):
    """The name of the count of a field, or None. A type with number N may be a structure: it has none."""
    before, one = fields[index - 1], fields[index]
    if index == 0 or before.depth != one.depth or before.count or structure_start([f.type for f in fields]) == index:
        return None
    return before.name if count_of(before.name, before.type, one.name, one.type) else None


FIXED = (
    (re.compile(r"sha-?1(hash)?$", re.I), "20", ""),
    (re.compile(r"sha-?256(hash)?$", re.I), "32", ""),
    (re.compile(r"(^|[a-z_])MAC$|mac_?addr(ess)?[0-9]*$|bssid$", re.I), "6", ""),
    (re.compile(r"ipv6_?(addr(ess)?)?[0-9]*$|endpointv6$", re.I), "16", "IPv6"),
)


def fixed_length(one):
    """(length, out type) of a Binary by its name, or None."""
    return next(((length, out) for name, length, out in FIXED if one.type == "Binary" and name.search(one.name)), None)


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
        self.shown = collections.defaultdict(set)  # (map, out type) by (name, type), and by (ID, name, type)
        self.miscounted = False
        self.misnamed = False  # a field that is named as the length of another one is not its length
        for event in provider.events:
            for index, one in enumerate(event.fields):
                if one.depth:
                    continue
                key = one.name, one.type
                if event.origin != "table":
                    self.shown[key].add((one.map, one.out))
                    self.shown[event.id, *key].add((one.map, one.out))
                if UNKNOWN in (one.length, one.count) or event.origin == "table":
                    continue
                if one.type in SIZED and not one.count and (named := named_length(event.fields, index)):
                    self.misnamed |= one.length != "@" + named[0]
                if event.origin != "table" and not one.length and named_count(event.fields, index):
                    self.miscounted |= one.count != "@" + named_count(event.fields, index)
                names = {f.name for f in event.fields[:index]}
                self.stated[key][one.length, one.count, frozenset(names)] += 1

    def shown_as(self, event, one):
        """(map, out type) of a field: as in all other layouts of the event, else as in all of the provider."""
        key = one.name, one.type
        found = self.shown[event.id, *key] or self.shown[key]
        return next(iter(found)) if len(found) == 1 else ((), "")

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

    def found_in(provider, event):
        counts = ["" if f.count == UNKNOWN else f.count for f in event.fields]
        return known.rule_of(provider.guid, event.layout, counts)

    known.names = {(p.guid, e.fields[found[0]].name) for p, e in dumped if (found := found_in(p, e))}
    for provider, event in dumped:
        found = found_in(provider, event)
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
        fields = list(event.fields)
        for index, one in enumerate(fields):
            if one.type == "Struct" or event.origin == "manifest":
                break
            values, found = {}, None
            if event.origin == "table":
                kind, out = known.shown_as(event, one)
                values = {k: v for k, v in (("map", kind), ("out", out)) if v}
                found = rule_for(known, fields, index)
            if not found and not one.length and not one.count and one.out != "IPv6" and fixed_length(one):
                length, out = fixed_length(one)
                found = {"length": length} | ({"out": out} if out else {}), "fixed-by-name"
            if found:
                values |= found[0]
                fact = " ".join(f"{k}={v}".replace("@", "") for k, v in found[0].items() if v and k != "out")
                facts.append(Inferred(provider.name, event.id, event.version, one.name, fact, found[1]))
            if values:
                fields[index] = replace(one, **values)
        event.fields = tuple(fields)
    return facts


def rule_for(known, fields, index):
    """(values, rule) of a field in a table, which states neither lengths nor counts; None: no rule has them."""
    stated = known.of(fields, index)
    if stated:
        return {"length": stated[0], "count": stated[1]}, "same-field"
    if fields[index].type in SIZED and not known.misnamed and (named := named_length(fields, index)):
        return {"length": "@" + named[0]}, named[1]
    if not known.miscounted and (counted := named_count(fields, index)):
        return {"count": "@" + counted}, "named-count"
    return None


def with_unknown_lengths(event):
    """Decoding stops at a Binary whose length nothing states; the last field takes what is left."""
    unmeasured = [i for i, f in enumerate(event.fields) if f.type == "Binary" and not f.length and f.out != "IPv6"]
    if event.origin == "manifest" or not unmeasured or unmeasured == [len(event.fields) - 1]:
        return event.fields
    return tuple(replace(f, length=UNKNOWN) if i in unmeasured else f for i, f in enumerate(event.fields))


def apply(providers):
    facts = find_structures(providers)
    for provider in providers:
        facts += find_references(provider)
        for event in provider.events:
            event.fields = with_unknown_lengths(event)
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
