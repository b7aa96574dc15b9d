"""Writes the tables of docs/format/kernel-classes.md: kernel_table.py ROOT [--check]

With --check, the page is only compared: the exit code is 1 if it would change.

Every hook ID has one row: those of kernel-hooks.csv, and those that only a class of kernel/*.mof has. The sources are in
kernel-evidence.csv. A test (KernelTable) compares the page with the classes that the library reads.
"""

import csv
import pathlib
import re
import sys

BEGIN, END = "<!-- begin: kernel_table.py -->\n", "<!-- end -->\n"
CERTAINTY = {
    ("classes", "yes"): "documented, observed",
    ("classes", "no"): "documented",
    ("classes header", "yes"): "documented, observed",
    ("classes header", "no"): "documented",
    ("parsers", "yes"): "documented, observed",
    ("parsers", "no"): "documented",
    ("traces", "yes"): "observed",
    ("header", "no"): "inferred",
}
IMAGE_LOAD = 0x030A  # in the group of processes, but of the class Image


def groups_of(root: pathlib.Path) -> list:
    """(GUID, class) by group number."""
    known = (root / "libetl/src/storage/format/known_guids.hpp").read_text(encoding="utf-8")
    known += (root / "libetl/src/storage/format/kernel_group.hpp").read_text(encoding="utf-8")
    guids = dict(re.findall(r'(\w+_guid) =\s+\*parse_guid\("([0-9a-f-]{36})"\)', known))
    text = (root / "libetl/src/storage/format/kernel_group.cpp").read_text(encoding="utf-8")
    groups = re.findall(r'\{(?:"([0-9a-f-]{36})"_guid|(\w+_guid)), "(\w+)"\}', text)
    return [(guid or guids[name], group) for guid, name, group in groups]


def classes_of(folder: pathlib.Path):
    """(name, GUID, type, version) of each event that a class of *.mof describes; the version can be `any`."""
    for path in sorted(folder.glob("*.mof")):
        parents = {}
        for qualifiers, name, base in re.findall(r"^\[(.*?)\]\s*class (\w+)(?: : (\w+))?",
                                                 path.read_text(encoding="utf-8"), re.M | re.S):
            guid, version = parents.get(base, (None, "any"))
            if own := re.search(r'Guid\("\{([0-9a-fA-F-]+)\}"\)', qualifiers):
                guid = own[1].lower()
            if own := re.search(r"EventVersion\((\d+)\)", qualifiers):
                version = int(own[1])
            parents[name] = (guid, version)
            if types := re.search(r"EventType[({]([\d, ]+)[)}]", qualifiers):
                for number in types[1].split(","):
                    yield name, guid, int(number), version


def versions_by_event(root: pathlib.Path) -> dict:
    """(GUID, type) -> versions, as far as classes of kernel/*.mof describe it."""
    versions = {}
    for _, guid, number, version in classes_of(root / "schemas/kernel"):
        versions.setdefault((guid, number), set()).add(version)
    return versions


def text_of(versions: set) -> str:
    """`0 to 2, 4, any`"""
    numbers = sorted(v for v in versions if v != "any")
    parts = []
    while numbers:
        last = next((i for i, n in enumerate(numbers) if n != numbers[0] + i), len(numbers)) - 1
        first, numbers, end = numbers[0], numbers[last + 1:], numbers[last]
        parts.append(str(first) if first == end else f"{first}, {end}" if end == first + 1 else f"{first} to {end}")
    return ", ".join(parts + (["any"] if "any" in versions else []))


def rows_of(path: pathlib.Path) -> list:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table_of(root: pathlib.Path) -> str:
    groups, versions = groups_of(root), versions_by_event(root)
    group_of = {guid: number for number, (guid, _) in enumerate(groups)}
    hooks = {int(row["hook_id"], 16): row for row in rows_of(root / "schemas/kernel-hooks.csv")}
    evidence = {int(row["hook_id"], 16): row for row in rows_of(root / "schemas/kernel-evidence.csv")}
    for guid, number in versions:
        if guid in group_of:
            hooks.setdefault(group_of[guid] << 8 | number, {"symbol": "", "event": ""})
    lines, group = [], None
    for hook in sorted(hooks):
        guid, name = groups[0x14 if hook == IMAGE_LOAD else hook >> 8]
        if hook >> 8 != group:
            group = hook >> 8
            lines += ["", f"## Group 0x{group:02x}: {groups[group][1]}", "", f"Class GUID: `{groups[group][0]}`", "",
                      "| hook ID | type | event | versions | source | certainty | symbol |", "|---|---|---|---|---|---|---|"]
        row, known = hooks[hook], versions.get((guid, hook & 0xFF))
        source = evidence[hook]["source"] if known else ""
        cells = [f"`0x{hook:04x}`", str(hook & 0xFF), f"`{row['event']}`" if row["event"] else "",
                 text_of(known) if known else "layout not public", source.replace(" ", ", "),
                 CERTAINTY[source, evidence[hook]["seen"]] if known else "", f"`{row['symbol']}`" if row["symbol"] else ""]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines[1:]) + "\n"


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    page = root / "docs/format/kernel-classes.md"
    text = page.read_text(encoding="utf-8")
    head, tail = text[:text.index(BEGIN) + len(BEGIN)], text[text.index(END):]
    written = head + table_of(root) + tail
    if "--check" in sys.argv[2:]:
        if written != text:
            print(f"{page}: not up to date; run schemas/generate/kernel_table.py")
        return int(written != text)
    page.write_text(written, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
