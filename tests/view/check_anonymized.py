#!/usr/bin/env python3
"""check_anonymized.py ETL TRACE ...: asks `etl view`, `etl report`, and `etl mcp` with --anonymize about each trace.

The words that `etl relog --anonymize` replaces are those that `etl dump` prints of the trace, and that are not in its output. None
of them, and no part of the name of the trace, may occur in anything that is sent: as 8-bit text, UTF-16, or hexadecimal.
Tables are those that commands print of the output of relog with the same key. Without --anonymize, the same search finds
words, so that it is known to work.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from check_view import LARGEST, Viewer, check_tables, traces_of

KEY = "a key of this test"
HIDDEN = "qzxowner"  # part of the paths of the traces
MOST_EVENTS = 3000  # asked one by one, of each trace
FLAGS = ("--anonymize", "--anonymize-key", KEY)


def run(etl, *arguments, environment, exits=(0, 1)):
    done = subprocess.run([etl, *arguments], capture_output=True, env=environment, check=False)
    assert done.returncode in exits, (arguments, done.returncode, done.stderr[-2000:])
    return done.stdout


def words_in(text):
    """Words with a letter, and the parts of those with dots and signs, in lowercase."""
    found = set()
    for word in re.findall(rb"[0-9A-Za-z\x80-\xff][0-9A-Za-z\x80-\xff._@-]{3,}", text):
        for part in (word, *re.split(rb"[._@-]", word)):
            if len(part) >= 5 and re.search(rb"[g-wyzG-WYZ]|S-1-", part):
                found.add(part.lower())
    return found


def forms(word):
    """The bytes in which a word could be sent, lowercase."""
    wide = bytes(byte for one in word for byte in (one, 0))
    return word, wide, word.hex().encode(), wide.hex().encode()


class Search:
    """Words that must not occur."""

    def __init__(self, words):
        self.words = {form: word for word in words for form in forms(word)}
        self.pattern = re.compile(b"|".join(re.escape(form) for form in sorted(self.words, key=len, reverse=True)))
        self.seen = 0

    def found_in(self, content):
        self.seen += len(content)
        return {self.words[found] for found in self.pattern.findall(content.lower())}


class WatchedViewer(Viewer):
    """Keeps all answers."""

    def __init__(self, *arguments):
        self.sent = []
        super().__init__(*arguments)

    def request(self, method, path, body=b"", headers=()):
        status, content = super().request(method, path, body, headers)
        self.sent.append((path, content))
        return status, content


def lines_of(etl, trace, environment):
    return run(etl, "dump", "--format", "jsonl", "--enrich", trace, environment=environment)


def ask_everything(viewer):
    """Every kind of question, also wrong ones."""
    opened = viewer.ask("open", {})
    while opened["state"] != "ready" or opened["progress"] is not None:
        assert opened["state"] == "ready" or not opened["inputs"], opened
        opened = viewer.ask("wait", {"revision": opened["revision"]})
    viewer.ask("overview", {"columns": 100})
    tracks = viewer.ask("tracks", {})["tracks"]
    sent = {"Content-Type": "application/json", "X-Etl-Key": viewer.key}
    viewer.request("POST", "/api/lod", json.dumps({"columns": 200}).encode(), sent)
    for table in opened["tables"]:
        question = {"name": table["name"], "by": table["by"]}
        viewer.ask("table", question)
        for form in ("csv", "jsonl", "text"):
            viewer.post_any("export", {**question, "format": form})
    for flame in opened["flames"]:
        viewer.ask("flame", {"kind": flame["name"]})
    for track in tracks:
        if track["kind"] == "thread":
            viewer.post_any("follow", {"tid": track["id"], "at": opened["begin"]})
    page = viewer.ask("events", {"count": MOST_EVENTS})
    columns = {name: number for number, name in enumerate(page["columns"])}
    for row in page["rows"]:
        place = {name: row[columns[name]] for name in ("input", "buffer", "offset")}
        event = viewer.ask("event", place)
        assert "payload" not in event and "header" not in event, event
    viewer.ask("search", {"text": "e", "count": 100})
    for name, question in (("table", {"name": "none"}), ("events", {"selection": {"where": "level <"}}),
                           ("event", {"buffer": 99999999}), ("nothing", {}), ("flame", {"kind": "none"})):
        viewer.post_any(name, question)
    return opened


def post_any(self, name, question):
    sent = {"Content-Type": "application/json", "X-Etl-Key": self.key}
    return self.request("POST", "/api/" + name, json.dumps(question).encode(), sent)


WatchedViewer.post_any = post_any


def reports(etl, trace, environment, *flags):
    """The report in all forms, by name."""
    made = {}
    for form in ("--json", "--brief"):
        made["report " + form] = run(etl, "report", *flags, form, trace, environment=environment)
    made["report --window"] = run(etl, "report", *flags, "--window", "--from", "+0s", trace, environment=environment)
    made["report page"] = run(etl, "report", *flags, "-o", "-", trace, environment=environment)
    return made


def calls(etl, trace, environment, *flags):
    """The answers of all tools of `etl mcp` about a trace, by name."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    server = subprocess.Popen([etl, "mcp", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=environment)

    def request(method, **parameters):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**parameters, "_meta": meta}}
        server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        return server.stdout.readline()

    made = {}
    for tool in json.loads(request("tools/list"))["result"]["tools"]:
        properties = tool["inputSchema"]["properties"]
        if "files" in properties:
            arguments = {"files": [trace] * properties["files"]["minItems"], "max-bytes": 65536}
            if "query" in properties:
                arguments["query"] = "select * from events"
            if tool["name"] == "window":
                arguments["from"] = "+0s"
            answer = request("tools/call", name=tool["name"], arguments=arguments)
            assert b'"result"' in answer, answer[:300]
            made["mcp " + tool["name"]] = answer
    server.stdin.close()
    assert server.wait(60) == 0
    for name, answer in made.items(): # not even the beginning of the path of a copy
        assert environment["TMPDIR"][:-4].encode() not in answer, name
    return made


def answers(etl, trace, environment, *flags):
    """Everything that is sent about a trace, by name, but scripts of pages, which are always the same."""
    viewer = WatchedViewer(etl, trace, environment, *flags)
    sent = viewer.sent
    if flags:
        ask_everything(viewer)
    else:
        opened = viewer.ask("open", {})
        viewer.ask("events", {"count": MOST_EVENTS})
        for table in opened["tables"]:
            viewer.ask("table", {"name": table["name"], "by": table["by"]})
    viewer.end()
    return {**{f"view {number} {path}": content for number, (path, content) in enumerate(sent)},
            **reports(etl, trace, environment, *flags)}


def check(etl, trace, environment, folder, common):
    """Returns the number of words that were looked for."""
    owned = os.path.join(folder, HIDDEN, f"of-{HIDDEN}.etl")
    os.makedirs(os.path.dirname(owned))
    shutil.copyfile(trace, owned)
    neutral = os.path.join(folder, "trace.etl")
    run(etl, "relog", owned, *FLAGS, "--clear-undecodable", "--compress", "none", "-o", neutral, environment=environment)
    with open(neutral, "rb") as file:
        written = file.read()
    kept = words_in(lines_of(etl, neutral, environment)) | words_in(written) | words_in(written.replace(b"\0", b"")) | common
    words = {word for word in words_in(lines_of(etl, owned, environment)) if word not in kept}
    words = {word for word in words if not any(word in other for other in kept)} | {HIDDEN.encode()}
    search = Search(words)
    plain = answers(etl, owned, environment)
    assert any(search.found_in(content) for content in plain.values()), "the search finds nothing"
    for name, content in {**answers(etl, owned, environment, *FLAGS)}.items():
        found = search.found_in(content)
        assert not found, (name, sorted(found)[:20])
    of_client = Search(words - {HIDDEN.encode()} or {HIDDEN.encode()})
    given = os.path.join(folder, "given.etl")
    shutil.copyfile(trace, given)
    for name, content in calls(etl, given, environment, *FLAGS).items():
        found = of_client.found_in(content)
        assert not found, (name, sorted(found)[:20])
    viewer = Viewer(etl, owned, environment, *FLAGS)
    opened = viewer.ask("open", {})
    while opened["state"] != "ready":
        opened = viewer.ask("wait", {"revision": opened["revision"]})
    assert opened["inputs"] == ["trace.etl"], opened["inputs"]
    check_tables(viewer, etl, opened, environment, folder)
    viewer.end()
    return len(words) - 1


def main():
    etl, neutral, *paths = sys.argv[1:]
    etl, neutral = os.path.abspath(etl), os.path.abspath(neutral)
    checked = failed = words = 0
    with tempfile.TemporaryDirectory() as place:
        temporary = os.path.join(place, "temporary")
        os.mkdir(temporary)
        environment = {**os.environ, "XDG_CACHE_HOME": place, "XDG_STATE_HOME": place, "TZ": "UTC", "TMPDIR": temporary}
        environment.pop("DISPLAY", None)
        # What any trace is answered with: names of tables, columns, and options.
        common = words_in(b"\n".join(answers(etl, neutral, environment, *FLAGS).values())
                          + b"\n".join(calls(etl, neutral, environment, *FLAGS).values()))
        for trace in traces_of(paths):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    words += check(etl, trace, environment, folder, common)
                    checked += 1
                except AssertionError as error:
                    failed += 1
                    print(f"{trace}: {error}")
            assert os.listdir(temporary) == [], os.listdir(temporary)
    print(f"{checked} traces with {words} words that are replaced, {failed} failed")
    return 1 if failed or words == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
