"""Types into a real shell and presses Tab: completion.py bash|zsh|fish ETL SCRIPT

Each case is what is typed, and the line that must stand there after Tab.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import sys
import tempfile
import time

CASES = [
    ("etl decom", "etl decompress "),
    ("etl dump --no-har", "etl dump --no-harvest "),
    ("etl dump --format json", "etl dump --format json"),  # or jsonl
    ("etl dump --format jsonl --raw thir", "etl dump --format jsonl --raw third.etl "),
    ("etl dump --format ts", "etl dump --format tsv "),
    ("etl dump --color al", "etl dump --color always "),
    ("etl schema expo", "etl schema export "),
    ("etl schema list --built", "etl schema list --built-in "),
    ("etl help spl", "etl help split "),
    ("xperf -displayo", None),
    ("tracefmt -displayo", "tracefmt -displayonly "),
    ("xperf -i thir", "xperf -i third.etl "),
    ("etl dump --format=ts", "etl dump --format=tsv "),
    ("etl export --to perf", "etl export --to perfetto "),
    ("etl flame --kind wa", "etl flame --kind wait "),
    ("etl generate --kinds event,tim", "etl generate --kinds event,timed "),
    ("etl dump ~/thir", "etl dump ~/third.etl "),
    ("etl dump --schema ~/thir", "etl dump --schema ~/third.etl "),
    ("etl dump --schema=~/thir", "etl dump --schema=~/third.etl "),
    ("etl help --man-pages ~/tab", "etl help --man-pages ~/tables/"),
    ('etl dump "first tr', 'etl dump "first trace.etl" '),
    ("etl dump 'first tr", "etl dump 'first trace.etl' "),
    ("etl dump first\\ tr", "etl dump first\\ trace.etl "),
    ("etl dump fir", "etl dump first\\ trace.etl "),
    ("etl dump it", "etl dump it\\'s.etl "),
    ('etl dump "it', 'etl dump "it\'s.etl" '),
    ('etl dump "first trace.etl" --format ts', 'etl dump "first trace.etl" --format tsv '),
    ('etl dump --format "ts', 'etl dump --format "tsv" '),
]


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, words: list[str], directory: str, environment: dict[str, str]):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(directory)
            os.execvpe(words[0], words, environment)

    def type(self, text: str):
        os.write(self.terminal, text.encode())

    def read_until(self, pattern: str, seconds: float = 30):
        """The match of a pattern in what was printed since the last call; None after a while."""
        printed, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            ready, _, _ = select.select([self.terminal], [], [], 0.2)
            if ready:
                try:
                    printed += os.read(self.terminal, 4096).decode(errors="replace")
                except OSError:
                    break
            found = re.search(pattern, printed)
            if found:
                return found
        print(f"expected {pattern}; printed: {printed!r}")
        return None

    def close(self):
        os.close(self.terminal)
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)


# Ctrl-X p prints the line that is being edited.
WORDS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"], "fish": ["fish", "--no-config", "-i"]}
SETUP = {
    "bash": """PS1='> '; bind 'set bell-style none'; show() {{ printf '\\nLINE<%s>END\\n' "$READLINE_LINE"; READLINE_LINE=; }}
bind -x '"\\C-xp": show'; . {script}; echo READ''Y\n""",
    "zsh": """PS1='> '; setopt no_beep; fpath=({directory} $fpath); autoload -Uz compinit; compinit -u -D
show() {{ printf '\\nLINE<%s>END\\n' "$BUFFER"; BUFFER=; }}; zle -N show; bindkey '^Xp' show; echo READ''Y\n""",
    "fish": """function fish_prompt; printf '> '; end; function show; printf '\\nLINE<%s>END\\n' (commandline); commandline ''; end
set -g fish_autosuggestion_enabled 0; bind \\cxp show; source {script}; echo READ''Y\n""",
}


def typed(shell: str, script: str, directory: str, environment: dict[str, str]) -> list[str]:
    """Problems of the cases in a shell."""
    functions = pathlib.Path(directory, "functions")
    functions.mkdir()
    shutil.copy(script, functions / "_etl")
    terminal = Terminal(WORDS[shell], directory, environment)
    terminal.type(SETUP[shell].format(script=script, directory=functions))
    problems = [] if terminal.read_until(r"READY\r?\n", 120) else ["the shell did not start"]
    for line, expected in CASES:
        wanted = (line if expected is None else expected).rstrip()
        for seconds in 0.5, 2, 8:  # later keys would be taken as answers to completion, so a slow shell gets another try
            terminal.type("\x15" + line + "\t")
            time.sleep(seconds)
            terminal.type("\x18p")
            found = terminal.read_until(rf"LINE<({re.escape(line.rsplit(' ', 1)[0])} .*)>END", 10)
            # A word that is complete may or may not be followed by a blank.
            if found and found[1].rstrip() == wanted:
                break
        else:
            problems.append(f"{line!r} became {found[1] if found else None!r}; expected {expected!r}")
    terminal.close()
    return problems


def main() -> int:
    shell = sys.argv[1]
    etl, script = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[2:4])
    if not shutil.which(shell):
        print(f"skipped: {shell} is not installed")
        return 77
    with tempfile.TemporaryDirectory() as directory:
        environment = {"PATH": f"{pathlib.Path(etl).parent}:/usr/bin:/bin", "HOME": directory, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
        for name in "third.etl", "first trace.etl", "it's.etl":
            pathlib.Path(directory, name).touch()
        pathlib.Path(directory, "tables").mkdir()
        problems = typed(shell, script, directory, environment)
    print("\n".join(problems + [f"{len(CASES)} lines in {shell}, {len(problems)} problems"]))
    return 1 if problems else 0


sys.exit(main())
