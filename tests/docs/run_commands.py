"""Runs every command that a Markdown page shows: run_commands.py ETL ROOT PAGE [--update]

Blocks marked `sh` contain commands, blocks marked `console` commands after `$ ` and what they print, on either stream; `...`
in that output stands for any text. The commands of a page run in their order in a directory that files.sh has filled.
A command must end with 0, or with the code that EXIT_CODES gives. Millions of events become thousands. Pages of docs/guide
start in an empty directory with the corpus, so that a reader can follow them: they make what they use. --update writes what
the commands print into the page, where it differs from what is shown.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

# Commands that other tests run: those of this build itself, the example programs (tests/examples), and pages in a browser
# (tests/view).
ELSEWHERE = re.compile(
    r"(scripts/(test|check)|python3 schemas/generate/|cmake|ninja|build/(?!examples/service)|(etl|scripts/run) view|ssh -N)\b")

EXIT_CODES = {
    # It searches the output for names that must not occur.
    "etl dump --format jsonl shareable.etl | grep -i -e alice": 1,
    # The manifests differ.
    "etl schema diff windows10/ windows11.zip --provider 'Microsoft-Windows-Kernel-*'": 1,
    "etl schema diff --build 19041 --build 22621 --provider Microsoft-Windows-WLAN-AutoConfig": 1,
    # The inputs are damaged.
    "scripts/run check corpus/damaged": 1,
    "etl repair broken.etl -o fixed.etl": 1,
    "etl repair --buffers elsewhere log.etl -o all.etl": 1,
    "etl check corpus/damaged": 1,
    # Refused: the output is the input.
    "etl dump trace.etl --force -o link.etl": 2,
    # The traces that the page is tried on have no samples to compare.
    "etl diff before.etl after.etl --fail-if 'cpu(kettle.exe) > +10%'": 4,
}


def commands_of(text: str):
    """Yields (line number, command, output lines or None)."""
    blocks = re.finditer(r"^```(sh|console)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    for block in blocks:
        first = text.count("\n", 0, block.start(2)) + 1
        lines = block.group(2).replace("\\\n", "\\\0").split("\n")[:-1]
        number = first
        command = None
        for line in lines:
            here, number = number, number + 1 + line.count("\0")
            line = line.replace("\\\0", "")
            if block.group(1) == "sh":
                if line.strip():
                    yield here, line.strip(), None
            elif line.startswith("$ "):
                if command:
                    yield command
                command = (here, line[2:], [])
            else:
                command[2].append(line)
        if command:
            yield command


def code_of(command: str) -> int:
    return EXIT_CODES.get(re.sub(r" +#.*", "", command).strip(), 0)


def matches(shown: list, printed: str) -> bool:
    pattern = "\n".join(".*".join(map(re.escape, line.split("..."))) for line in shown)
    return re.fullmatch(pattern, printed.rstrip("\n"), re.DOTALL) is not None


def update(page: pathlib.Path, wrong: list):
    lines = page.read_text(encoding="utf-8").split("\n")
    for number, shown, printed in reversed(wrong):
        start = number  # of the output: the line after the command, which can be continued
        while lines[start - 1].endswith("\\"):
            start += 1
        lines[start : start + len(shown)] = printed.rstrip("\n").split("\n") if printed.strip() else []
    page.write_text("\n".join(lines), encoding="utf-8")


def main() -> int:
    etl, root, page = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    is_guide = page.parent.name in ("guide", "json")
    with tempfile.TemporaryDirectory() as scratch:
        bin_folder = pathlib.Path(scratch) / "bin"
        work = pathlib.Path(scratch) / "work"
        (work / "scripts").mkdir(parents=True)
        bin_folder.mkdir()
        (bin_folder / "etl").symlink_to(etl)
        (work / "scripts" / "run").symlink_to(etl)
        (work / "corpus").symlink_to(root / "corpus")
        (work / "build").mkdir()
        (work / "build" / "examples").symlink_to(etl.parent.parent / "examples")
        environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "ROOT": str(root), "PAGE": page.stem, "TZ": "UTC",
                       "ETL_HOST": f"{scratch}/host", "XDG_STATE_HOME": f"{scratch}/state"}
        environment.pop("ETL_SCHEMA_PATH", None)

        def shell(script: str):
            return subprocess.run(["sh", "-c", script], cwd=work, env=environment, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)

        if not is_guide:
            files = shell(f"set -eu; . {root / 'tests/docs/files.sh'}")
            if files.returncode != 0:
                print(files.stdout)
                return 2
        count = failures = 0
        is_after_background = False
        wrong = []
        for number, command, shown in commands_of(page.read_text(encoding="utf-8")):
            if ELSEWHERE.match(command):
                continue
            count += 1
            done = shell(re.sub(r"--events (\d+)M", r"--events \1K", command))
            # A program in the background takes a while to be seen.
            deadline = time.monotonic() + (60 if is_after_background else 0)
            while shown is not None and not matches(shown, done.stdout) and time.monotonic() < deadline:
                time.sleep(0.1)
                done = shell(command)
            is_after_background = " & " in command
            problem = ""
            if done.returncode != code_of(command):
                problem = f"ends with {done.returncode}, not {code_of(command)}"
            elif shown is not None and not matches(shown, done.stdout):
                problem = "prints something else"
                wrong.append((number, shown, done.stdout))
            if problem:
                failures += 1
                print(f"{page.name}:{number}: {command}\n  {problem}:\n{done.stdout}")
        if "--update" in sys.argv[4:]:
            update(page, wrong)
        print(f"{count} commands, {failures} failures")
        return 1 if failures > 0 or count == 0 else 0


sys.exit(main())
