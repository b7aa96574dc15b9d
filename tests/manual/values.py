"""Checks that completion offers the values of options: values.py ETL

Walks the option tables of all verbs, which `etl help --man-pages` writes. An option has values of its own unless its type is
one of OPEN; then `etl complete` must offer some.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# Parts of types whose values are numbers, names, files, or texts of the user's. A new type belongs here, or its option needs
# add_choice() or suggest_values() (tools/cli/option_values.hpp).
OPEN = set(
    """N S K MIN MAX KB MB MS SHARE SECONDS SIZE BYTES TIME OFFSET LIMIT MASK CPU PID TID ID GUID NAME TEXT EXPR QUERY CONDITION
    CULTURE PAGE PROVIDER EVENT FIELD KEYWORDS SPEC FILE DIR PATH TRACE LIST COLUMN SESSION REGEX MARK VALUE""".split()
)
# Options of such types that have values nevertheless, and types that have none although they have other words as parts.
CLOSED = {"--pointer-size", "--kinds", "--damage"}
OTHER = {"PROVIDER [KEYWORDS [LEVEL]]", "COUNTER|all"}


def run(etl: str, *words: str) -> str:
    return subprocess.run([etl, *words], text=True, capture_output=True, check=True, timeout=300).stdout


def options_of(page: str):
    """The names, the type, and the help of each option of a man page that takes a value."""
    for names, value, text in re.findall(r"^\.TP\n\\fB(-.*)\\fR \\fI(.*)\\fR\n(.*)$", page.replace("\\-", "-"), re.M):
        yield names.split(", "), value, text


def has_values(names: list[str], value: str) -> bool:
    is_open = value in OTHER or OPEN.issuperset(re.findall(r"[A-Za-z]+", value))
    return bool(CLOSED.intersection(names)) or not is_open


def main() -> int:
    etl = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as directory:
        run(etl, "help", "--man-pages", directory)
        pages = [page.read_text(encoding="utf-8") for page in sorted(pathlib.Path(directory).glob("*.1"))]
    answers = {}  # of options that several verbs share: same names, type, and help
    for page in pages:
        verb = re.search(r"^\.SH SYNOPSIS\n\\fB(.*?)\\fR", page, re.M)[1].replace("\\-", "-").split()
        for names, value, text in options_of(page):
            if has_values(names, value) and (names[-1], value, text) not in answers:
                answers[names[-1], value, text] = (verb, run(etl, "complete", *verb, names[-1], "").split())
    problems = [f"{' '.join(verb)} {option} {value}: no values" for (option, value, _), (verb, words) in answers.items()
                if all(word.startswith(":") for word in words)]
    print("\n".join(problems + [f"{len(pages)} verbs, {len(answers)} kinds of options with values, {len(problems)} problems"]))
    return 1 if problems or len(answers) < 30 else 0


sys.exit(main())
