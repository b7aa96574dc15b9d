#!/usr/bin/env python3
"""check_view.py ETL TRACE|DIRECTORY ...: asks `etl view` about each trace as a page does.

Questions and answers are validated against docs/json/view.schema.json. Every table is exported in CSV, and is compared with what the command that it names prints; the events of a page are
compared with those of `etl dump`. Each trace is also compared with the one before it, as `etl diff` does. Requests without the key, of other hosts, and of other pages are refused. The program
ends with an interrupt, and a minute after its last page, which is not waited for.
"""
import http.client
import itertools
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile

import jsonschema

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/json/view.schema.json").read_text())
MUTATED = int(os.environ.get("ETL_TEST_REQUESTS", "200"))  # requests with changed bytes, of each trace
LARGEST = 40 << 20  # bytes of a trace


def validate(definition, value):
    jsonschema.validate(value, {"$ref": "#/$defs/" + definition, "$defs": SCHEMA["$defs"]})


class Viewer:
    """A running `etl view`."""

    def __init__(self, etl, trace, environment, *options):
        self.process = subprocess.Popen(
            [etl, "view", "--no-open", *options, trace], stderr=subprocess.PIPE, text=True, env=environment, errors="replace")
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{64})", line)
            if found:
                self.port, self.token = int(found[1]), found[2]
                break
        else:
            raise RuntimeError("no address: " + "".join(self.lines))
        self.key = self.post("enter", {"token": self.token}, key=None)[1]["key"]

    def request(self, method, path, body=b"", headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request(method, path, body, dict(headers))
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def post(self, name, question, key="", **headers):
        """Returns the status and the JSON of an answer."""
        key = self.key if key == "" else key
        sent = {"Content-Type": "application/json", **headers}
        if key:
            sent["X-Etl-Key"] = key
        status, content = self.request("POST", "/api/" + name, json.dumps(question), sent)
        return status, json.loads(content)

    def ask(self, name, question):
        validate(name, question)
        status, answer = self.post(name, question)
        assert status == 200, (name, question, status, answer)
        validate(name + "-answer", answer)
        return answer

    def export(self, question):
        status, content = self.request("POST", "/api/export", json.dumps(question),
                                       {"Content-Type": "application/json", "X-Etl-Key": self.key})
        assert status == 200, (question, status, content)
        return content

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.stderr.read()
        assert self.process.wait(30) == 0, self.process.returncode


def printed(etl, command, environment, *more, folder=None):
    """What a command that a page names prints."""
    words = shlex.split(command)
    assert words[0] == "etl"
    return subprocess.run([etl, *words[1:], *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
                          cwd=folder, check=False).stdout


def check_tables(viewer, etl, opened, environment, folder=None, **more):
    """`folder`: where the commands find the trace; `more`: of the questions."""
    begin, end = int(opened["begin"]), int(opened["end"])
    third = (end - begin) // 3
    windows = [{}, {"from": str(begin + third), "to": str(begin + 2 * third)}] if third > 0 else [{}]
    for table in opened["tables"]:
        if more.get("is_compared") and not table["is_compared"]:
            assert viewer.post("table", {"name": table["name"], "by": table["by"], **more})[0] == 400, table
            continue
        for selection in windows[-1:] if more.get("is_compared") else windows:
            question = {"name": table["name"], "by": table["by"], "selection": selection, **more}
            answer = viewer.ask("table", {**question, "count": 3})
            assert len(answer["rows"]) == min(3, answer["row_count"]), question
            exported = viewer.export(question)
            expected = printed(etl, answer["command"], environment, "--format", "csv", folder=folder)
            assert exported == expected, (answer["command"], exported[:400], expected[:400])


def check_compared(etl, trace, other, environment):
    try:
        viewer = Viewer(etl, trace, environment, "--against", other)
    except RuntimeError:
        return
    opened = viewer.ask("open", {})
    assert len(opened["against"]) == 1, opened
    check_tables(viewer, etl, opened, environment, is_compared=True)
    begin, end = int(opened["against_begin"]), int(opened["against_end"])
    check_tables(viewer, etl, opened, environment, is_compared=True, before_from=str(begin), before_to=str((begin + end) // 2 + 1))
    validate("tracks", {"is_about_before": True})
    viewer.ask("tracks", {"is_about_before": True})
    graph = viewer.ask("flame", {"kind": "cpu", "is_compared": True})["graph"]
    assert graph is None or len(graph["nodes"]["before"]) == len(graph["nodes"]["weight"])
    viewer.end()


def check_events(viewer, etl, environment):
    page = viewer.ask("events", {"count": 100})
    lines = printed(etl, page["command"], environment, "--format", "jsonl", "--limit", "100").splitlines()
    assert len(page["rows"]) == len(lines), (len(page["rows"]), len(lines))
    columns = {name: number for number, name in enumerate(page["columns"])}
    for row, line in zip(page["rows"], lines):
        event = json.loads(line)
        assert row[columns["time"]] == event["time"], (row, event)
        assert row[columns["cpu"]] == event["cpu"], (row, event)
    if page["rows"]:
        row = page["rows"][len(page["rows"]) // 2]
        place = {name: row[columns[name]] for name in ("input", "buffer", "offset")}
        detail = viewer.ask("event", place)
        assert detail["event"]["time"] == row[columns["time"]], (row, detail)
        assert len(detail["payload"]) % 2 == 0


def check_refusals(viewer):
    assert viewer.post("open", {}, key=None)[0] == 401
    assert viewer.post("open", {}, key="0" * 64)[0] == 401
    assert viewer.post("enter", {"token": "0" * 64}, key=None)[0] == 401
    assert viewer.post("open", {}, Host="evil.example")[0] == 403
    assert viewer.post("open", {}, Origin="http://evil.example")[0] == 403
    assert viewer.request("GET", "/api/open")[0] == 405
    assert viewer.request("GET", "/" + "x" * 100)[0] == 404
    status, page = viewer.request("GET", "/")
    assert status == 200 and b"connect-src 'self'" in page and viewer.token.encode() not in page


def check_mutated(viewer, opened, random_numbers):
    """Questions with changed bytes are answered or refused; the program goes on."""
    questions = [("table", {"name": "cpu", "by": "process", "selection": {"from": "+1s"}, "sort": "pid"}),
                 ("lod", {"kinds": ["thread"], "columns": 50, "selection": {"to": "-1s"}}),
                 ("events", {"first": 3, "count": 4, "selection": {"where": "level < 3"}}),
                 ("event", {"input": 1, "buffer": 1, "offset": 72}),
                 ("flame", {"kind": "cpu", "smallest_share": 0.5}),
                 ("follow", {"tid": 4, "at": opened["begin"]}), ("search", {"text": "a", "count": 2})]
    for _ in range(MUTATED):
        name, question = random_numbers.choice(questions)
        body = bytearray(json.dumps(question).encode())
        for _ in range(random_numbers.randint(1, 4)):
            body[random_numbers.randrange(len(body))] = random_numbers.randrange(256)
        status, content = viewer.request("POST", "/api/" + name, bytes(body),
                                         {"Content-Type": "application/json", "X-Etl-Key": viewer.key})
        assert status in (200, 400, 404, 500), (status, body, content[:200])
        if status != 200:
            validate("error", json.loads(content))


def check(etl, trace, environment, random_numbers):
    try:
        viewer = Viewer(etl, trace, environment)
    except RuntimeError:
        return False  # cannot be opened; a message says why
    opened = viewer.ask("open", {})
    assert opened["version"] == 1 and opened["inputs"], opened
    check_refusals(viewer)
    check_tables(viewer, etl, opened, environment)
    check_events(viewer, etl, environment)
    viewer.ask("overview", {"columns": 100})
    viewer.ask("tracks", {})
    viewer.ask("flame", {"kind": "cpu", "smallest_share": 0.01})
    viewer.ask("search", {"text": "a", "count": 3})
    viewer.ask("cancel", {"question": 1})
    viewer.ask("wait", {"revision": 0})
    check_mutated(viewer, opened, random_numbers)
    assert viewer.ask("open", {})["inputs"] == opened["inputs"]
    viewer.end()
    return True


def traces_of(paths):
    """All of them; with ETL_TEST_EVERY=N, of those in folders each Nth."""
    yield from (path for path in paths if os.path.isfile(path))
    every = int(os.environ.get("ETL_TEST_EVERY", "1"))
    yield from itertools.islice(traces_in(paths), 0, None, every)


def traces_in(paths):
    for path in paths:
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                file = os.path.join(folder, name)
                if name.endswith(".etl") and os.path.getsize(file) <= LARGEST:
                    yield file


def main():
    etl, *paths = sys.argv[1:]
    etl = os.path.abspath(etl)
    random_numbers = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "XDG_STATE_HOME": folder, "TZ": "UTC"}
        environment.pop("DISPLAY", None)
        asked = failed = 0
        before = None
        for trace in traces_of(paths):
            try:
                asked += check(etl, trace, environment, random_numbers)
                check_compared(etl, trace, before or trace, environment)
                before = trace
            except (AssertionError, jsonschema.ValidationError) as error:
                failed += 1
                print(f"{trace}: {str(error)[:2000]}")
        print(f"{asked} traces asked about, {failed} failed")
        return 1 if failed or asked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
