"""Checks that verbs and options that pages mention exist, and that verbs and formats are on their pages: check_options.py ETL
ROOT

Looks at the code in text, such as `etl dump --where EXPR`, on all pages of docs and in README; run_commands.py runs blocks of
commands. The help of the verb must contain each long option. docs/README.md, or for tables docs/analysis.md, must list each
verb, and the page of a verb each value of its --format.
"""

import pathlib
import re
import subprocess
import sys

WITH_VERBS = {"schema", "session", "wevtutil"}  # verbs that have verbs of their own
WINDOWS = {"tracerpt", "tracefmt", "wevtutil", "xperf"}  # options of these command lines are not long ones
FORMATS = {"dump": "output.md", "cpu": "analysis.md"}  # the page with the values of --format
# One code in backticks, within one paragraph: a line break in it is a blank.
CODE = re.compile(r"`((?:[^`\n]|\n(?!\n))+)`")


class Help:
    def __init__(self, etl: str):
        self.etl = etl
        self.texts = {}

    def of(self, *verbs: str):
        """The help of a verb; None if there is no such verb."""
        if verbs not in self.texts:
            done = subprocess.run([self.etl, *verbs, "--help"], text=True, capture_output=True, check=False, timeout=60)
            self.texts[verbs] = done.stdout if f"Usage: etl {' '.join(verbs)} " in done.stdout else None
        return self.texts[verbs]


def problems_of(code: str, help_of: Help):
    words = code.split(" | ")[0].split()
    if len(words) < 2 or words[0] != "etl" or not re.fullmatch(r"[a-z]+", words[1]):
        return
    verbs = [words[1]]
    if words[1] in WITH_VERBS and len(words) > 2 and re.fullmatch(r"[a-z-]+", words[2]) and words[2][0] != "-":
        verbs.append(words[2])
    if help_of.of(verbs[0]) is None:
        yield f"no verb {verbs[0]}"
        return
    if verbs[0] in WINDOWS:
        return
    text = help_of.of(*verbs) or help_of.of(verbs[0])
    known = set(re.findall(r"--[a-z][\w-]*", text))
    own = words[: words.index("--")] if "--" in words else words  # of `etl record`, not of its command
    for word in own[len(verbs) + 1 :]:
        option = re.match(r"--[a-z][\w-]*", word)
        if option and option[0] not in known:
            yield f"etl {' '.join(verbs)} has no option {option[0]}"


def values(etl: str, *words: str) -> list:
    """What completion offers for the last word."""
    done = subprocess.run([etl, "complete", "etl", *words], text=True, capture_output=True, check=True, timeout=60)
    return [line.split("\t")[0] for line in done.stdout.splitlines() if line[0] not in ":-"]


def problems_of_lists(etl: str, root: pathlib.Path):
    pages = {name: (root / "docs" / name).read_text(encoding="utf-8") for name in ("README.md", *FORMATS.values())}
    for verb in values(etl, ""):
        if verb != "help" and not re.search(rf"`{verb}\b", pages["README.md"] + pages["analysis.md"]):
            yield f"docs/README.md: the verb {verb} is missing"
    for verb, page in FORMATS.items():
        for name in values(etl, verb, "--format", ""):
            if not re.search(rf"`(--format )?{name}`|--format {name}\b", pages[page]):
                yield f"docs/{page}: the format {name} of etl {verb} is missing"


def main() -> int:
    etl, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    help_of = Help(str(etl))
    mentions = failures = 0
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        text = re.sub(r"^ *```.*?^ *```", lambda block: "\n" * block[0].count("\n"), page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for code in CODE.finditer(text):
            mentions += code[1].startswith("etl ")
            for problem in problems_of(code[1], help_of):
                failures += 1
                print(f"{page.relative_to(root)}:{text.count(chr(10), 0, code.start()) + 1}: {problem}: {' '.join(code[1].split())}")
    for problem in problems_of_lists(str(etl), root):
        failures += 1
        print(problem)
    print(f"{mentions} commands, {failures} problems")
    return 1 if failures > 0 or mentions == 0 else 0


sys.exit(main())
