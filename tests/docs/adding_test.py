"""Checks that scripts/adding finds blocks that do not apply, and runs those that do: adding_test.py. Each case is a small tree."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

LIST = "first\nsame\nsecond\nsame\nthird\n"

# What is printed, and the blocks: path and lines. The tree has the file `list`.
BAD = [
    ("neither the first nor the last line", [("list", "fourth\nfifth")]),
    ("neither the first nor the last line", [("list", "same\nfourth")]),
    ("do not follow each other", [("list", "first\nmore\nthird")]),
    ("two blocks of the example make this file", [("new", "one"), ("new", "two")]),
    ("an example has files and commands", []),
]
GOOD = [
    ("list", "first\nafter first"),
    ("list", "before third\nthird"),
    ("list", "second\nbetween\nsecond and a half"),
    ("folder/new", "  one\n\n  two"),
]
RESULT = "first\nafter first\nsame\nsecond\nbetween\nsecond and a half\nsame\nbefore third\nthird\n"


def page_of(blocks: list, commands: str) -> str:
    indented = [f"   ```text {path}\n" + "".join(f"   {line}\n" if line else "\n" for line in lines.split("\n")) + "   ```\n"
                for path, lines in blocks]
    return '# Adding\n\n<a id="one"></a>\n## One\n\n' + "\n".join(indented) + f"\n```sh\n{commands}\n```\n"


def run(page: str, *arguments: str):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in ("scripts", "docs"):
            (root / folder).mkdir()
        shutil.copy(pathlib.Path(__file__).parents[2] / "scripts" / "adding", root / "scripts")
        (root / "docs" / "adding.md").write_text(page, encoding="utf-8")
        (root / "list").write_text(LIST, encoding="utf-8")
        (root / ".gitignore").write_text("/build/\n", encoding="utf-8")
        if shutil.which("git"):
            subprocess.run(["git", "init", "--quiet", root], check=True)
        done = subprocess.run([root / "scripts" / "adding", *arguments], text=True, capture_output=True, check=False)
        return done, (root / "list").read_text(encoding="utf-8")


def main() -> int:
    failures = 0

    def expect(name: str, done, code: int, text: str):
        nonlocal failures
        if done.returncode != code or text not in done.stdout + done.stderr:
            print(f"{name}: exit code {done.returncode}, expected {code} and '{text}':\n{done.stdout}{done.stderr}")
            failures += 1

    for text, blocks in BAD:
        expect(text, run(page_of(blocks, "true"), "--check")[0], 1, text)
    expect("an unknown example", run(page_of(GOOD, "true"), "two")[0], 64, "the examples are: one")
    expect("a check", run(page_of(GOOD, "false"), "--check")[0], 0, "one: 2 files, 1 of them new")
    if shutil.which("git"):
        done, before = run(page_of(GOOD, "cat list folder/new\nrm list"))
        expect("a run", done, 0, RESULT + "  one\n\n  two\n")
        expect("the tree itself stays", done, 0 if before == LIST else -1, "")
        expect("a command that fails", run(page_of(GOOD, "false\ntrue"), "one")[0], 1, "one: a command failed")
    print(f"{len(BAD) + 5} cases, {failures} failures")
    return 1 if failures > 0 else 0


sys.exit(main())
