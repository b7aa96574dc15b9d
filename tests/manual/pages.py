"""Checks the man pages: pages.py ETL DIRECTORY

Each verb has a page that man formats without a warning, with each option of its --help and a summary that `whatis` finds.
"""

import gzip
import pathlib
import re
import shutil
import subprocess
import sys


def run(*words: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(words, text=True, capture_output=True, check=False, timeout=120, **options)


def verbs_of(etl: str, *verbs: str) -> list[tuple[str, ...]]:
    """A verb and its verbs, as --help lists them."""
    found = [verbs]
    listed = False
    for line in run(etl, *verbs, "--help").stdout.splitlines():
        listed = bool(re.match(r"(Verbs|Actions|Not supported|Command lines of Windows):$", line)) or (listed and line != "")
        verb = re.match(r"  ([a-z][a-z-]*) ", line + " ") if listed else None
        if verb:
            found += verbs_of(etl, *verbs, verb[1])
    return found


def text_of(page: pathlib.Path):
    """What man prints, and its warnings."""
    done = run("man", "--warnings", "-E", "UTF-8", "-l", str(page), env={"MANWIDTH": "200", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
    return re.sub(".\b", "", done.stdout), done.stderr


def main() -> int:
    if not shutil.which("man") or not shutil.which("groff"):
        print("skipped: man or groff is not installed (man-db, groff)")
        return 77
    etl, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    problems = []
    verbs = verbs_of(etl)
    pages = {page.name for page in directory.iterdir()} - {"etld.1.gz"}
    expected = {"-".join(["etl", *words]) + ".1.gz" for words in verbs}
    problems += [f"no page {name}" for name in expected - pages] + [f"no verb of page {name}" for name in pages - expected]
    for words in verbs:
        name = "-".join(["etl", *words])
        page = directory / f"{name}.1.gz"
        if not page.exists():
            continue
        text, warnings = text_of(page)
        problems += [f"{name}: {line}" for line in warnings.splitlines()]
        for option in re.findall(r"^  (?:-\w,)?(--?[\w-]+)", run(etl, *words, "--help").stdout.split("\nExamples:")[0], re.MULTILINE):
            if option != "-a" and option not in text and words != ("xperf",):
                problems.append(f"{name}: no option {option}")
        if not re.search(r"^NAME\n +" + re.escape(name) + r" - \w", text, re.MULTILINE):
            problems.append(f"{name}: no summary")
        if name == "etl-dump" and "etl dump --format jsonl trace.etl | jq -c 'select(.event == \"Brewing\") | .data'" not in text:
            problems.append(f"{name}: the example differs from --help")
    if "etld - host" not in text_of(directory / "etld.1.gz")[0] or not gzip.open(directory / "etl.1.gz").read(1):
        problems.append("etld.1.gz")
    print("\n".join(problems + [f"{len(verbs)} pages, {len(problems)} problems"]))
    return 1 if problems or len(verbs) < 40 else 0


sys.exit(main())
