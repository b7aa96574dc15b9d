#!/usr/bin/env python3
"""check_sizes.py TOP: holds the sources against the sizes that CONTRIBUTING.md states. Headers of Windows programs
(compat) are as long as those of Windows. Prints what is too large; exits with 1 if anything is."""
import pathlib
import sys

FILE_LINES, FOLDER_LINES, FOLDER_SOURCES = 350, 3000, 20
FOLDERS = ("libetl", "tools", "tests", "fuzz", "bench", "examples")


def lines_of(path):
    return path.read_bytes().count(b"\n")


def main(top):
    problems, seen = [], 0
    folders = {}
    for folder in FOLDERS:
        for path in sorted((top / folder).rglob("*.[ch]pp")):
            lines = lines_of(path)
            seen += 1
            if lines > FILE_LINES:
                problems.append(f"{path.relative_to(top)}: {lines} lines (limit {FILE_LINES})")
            sources, total = folders.get(path.parent, (0, 0))
            folders[path.parent] = (sources + (path.suffix == ".cpp"), total + lines)
    for folder, (sources, total) in folders.items():
        name = folder.relative_to(top)
        if sources > FOLDER_SOURCES:
            problems.append(f"{name}: {sources} .cpp files (limit {FOLDER_SOURCES})")
        if total > FOLDER_LINES:
            problems.append(f"{name}: {total} lines (limit {FOLDER_LINES})")
    print("\n".join(problems + [f"{seen} files, {len(problems)} problems"]))
    return 1 if problems or seen < 1000 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
