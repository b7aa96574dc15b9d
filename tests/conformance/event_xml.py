"""Event XML of many traces: well-formed by another parser, with every event that the JSON lines have.

event_xml.py ETL CORPUS...

Folders are searched for traces; those that do not exist are skipped.
"""
import os
import subprocess
import sys
import xml.parsers.expat

LAYOUTS = (["--layout", "windows", "--message"], ["--layout", "tracerpt", "--lenient"], ["--layout", "windows"])


def traces_in(folder):
    for path, _, files in sorted(os.walk(folder)):
        yield from (os.path.join(path, name) for name in sorted(files) if ".etl" in name and not name.endswith((".toml", ".xml.gz")))


class Counter:
    """Counts the events of a document; EventRecordID counts as well."""

    def __init__(self):
        self.events, self.ids, self.inside = 0, [], False
        self.parser = xml.parsers.expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text

    def start(self, name, _):
        self.events += name.endswith(" Event")
        self.inside = name.endswith(" EventRecordID")
        if self.inside:
            self.ids.append("")

    def end(self, _):
        self.inside = False

    def text(self, data):
        if self.inside:
            self.ids[-1] += data


def lines_of(etl, trace):
    run = subprocess.Popen([etl, "dump", "--format", "jsonl", trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return sum(block.count(b"\n") for block in iter(lambda: run.stdout.read(1 << 20), b""))


def problem_of(etl, trace, layout, expected):
    run = subprocess.Popen([etl, "export", "--to", "xml", *layout, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    counter = Counter()
    try:
        counter.parser.ParseFile(run.stdout)
    except xml.parsers.expat.ExpatError as error:
        run.stdout.close()
        return str(error)
    if counter.events != expected:
        return f"{counter.events} events, expected {expected}"
    if counter.ids and counter.ids != [str(number) for number in range(1, expected + 1)]:
        return "wrong EventRecordID"
    return ""


def main(etl, *folders):
    problems, traces, events = 0, 0, 0
    for folder in folders:
        for trace in traces_in(folder):
            expected = lines_of(etl, trace)
            if expected == 0:
                continue
            traces, events = traces + 1, events + expected
            for layout in LAYOUTS:
                problem = problem_of(etl, trace, layout, expected)
                if problem:
                    print(f"{os.path.basename(trace)} {' '.join(layout)}: {problem}")
                    problems += 1
    print(f"{traces} traces, {events} events, {problems} problems")
    return 1 if problems or traces == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
