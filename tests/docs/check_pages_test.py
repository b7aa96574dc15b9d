"""Checks that check_pages.py finds what it is for: check_pages_test.py. Each problem is put into a small tree of its own."""

import pathlib
import subprocess
import sys
import tempfile

GOOD = {
    "README.md": "# Top\n\nAll [docs](docs/README.md).\n",
    "docs/README.md": "# Docs\n\nAn index of [one](one.md) and [more](more/README.md).\n\nUp: [top](../README.md)\n",
    "docs/one.md": "# One\n\nA page with an [anchor](#part).\n\n## Part\n\nUp: [docs](README.md)\n",
    "docs/more/README.md": "# More\n\nAn index of [two](two.md).\n\nUp: [docs](../README.md)\n",
    "docs/more/two.md": "# Two\n\nA page.\n\nUp: [more](README.md)\n",
    "tools/verb.cpp": "// docs/one.md#part\n",
}

# Name of the case, changed file, its text, what must be printed.
BAD = [
    ("dead link", "docs/one.md", "# One\n\nA [link](three.md).\n\nUp: [docs](README.md)\n", "docs/one.md:3: no file three.md"),
    ("dead anchor", "docs/more/two.md", "# Two\n\nA [link](../one.md#parts).\n\nUp: [more](README.md)\n",
     "docs/more/two.md:3: no anchor ../one.md#parts"),
    ("dead anchor of the page itself", "docs/one.md", "# One\n\nA [link](#past).\n\n## Part\n\nUp: [docs](README.md)\n",
     "docs/one.md:3: no anchor #past"),
    ("dead picture", "docs/one.md", "# One\n\nA ![picture](one.png).\n\n## Part\n\nUp: [docs](README.md)\n", "docs/one.md:3: no file one.png"),
    ("orphan", "docs/three.md", "# Three\n\nA page.\n\nUp: [docs](README.md)\n", "docs/three.md: orphan"),
    ("orphans that link to each other", "tests/README.md", "# Tests\n\nSee [itself](../tests/README.md).\n",
     "tests/README.md: orphan"),
    ("not in its index", "README.md", "# Top\n\nAll [docs](docs/README.md), [three](docs/three.md).\n",
     "docs/three.md: docs/README.md does not list it"),
    ("no link up", "docs/more/two.md", "# Two\n\nA page.\n", "docs/more/two.md: no link to docs/more/README.md"),
    ("no sentence", "docs/one.md", "# One\n\n## Part\n\nUp: [docs](README.md)\n", "docs/one.md:1: a page starts"),
    ("dead anchor in a comment", "tools/verb.cpp", "// docs/one.md#parts\n", "tools/verb.cpp:1: no anchor docs/one.md#parts"),
]


def check(files: dict):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        script = pathlib.Path(__file__).with_name("check_pages.py")
        return subprocess.run([sys.executable, script, root], text=True, capture_output=True, check=False)


def main() -> int:
    failures = 0
    good = check(GOOD)
    if good.returncode != 0:
        print(f"the tree without problems:\n{good.stdout}{good.stderr}")
        failures += 1
    for name, changed, text, expected in BAD:
        files = {**GOOD, changed: text}
        if name == "not in its index":
            files["docs/three.md"] = "# Three\n\nA page.\n\nUp: [docs](README.md)\n"
        done = check(files)
        if done.returncode != 1 or expected not in done.stdout:
            print(f"{name}: exit code {done.returncode}, expected '{expected}':\n{done.stdout}{done.stderr}")
            failures += 1
    print(f"{len(BAD) + 1} cases, {failures} failures")
    return 1 if failures > 0 else 0


sys.exit(main())
