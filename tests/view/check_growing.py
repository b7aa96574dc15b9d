#!/usr/bin/env python3
"""check_growing.py ETL CIRCULAR: asks `etl view --follow` about a trace while it is written.

What it answers after each step is what the commands print of a file that ends there. A trace that is truncated, replaced, or
removed is followed no further, and what was complete of it is answered as before. Nothing depends on when the program looks.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from check_view import Viewer, check_tables, printed

END_TIME, BUFFERS_WRITTEN = 120, 140  # in the first record of a trace (docs/format/logfile-header.md)
PATIENCE = 300  # seconds


def unfinalized(image):
    """A trace as its writer leaves it until the end."""
    image = bytearray(image)
    struct.pack_into("<q", image, END_TIME, 0)
    struct.pack_into("<I", image, BUFFERS_WRITTEN, 0)
    return bytes(image)


def append(path, data):
    with open(path, "ab") as file:
        file.write(data)


class Growing:
    """A trace that is written, and a viewer that follows it."""

    def __init__(self, etl, folder, image, environment):
        self.etl, self.folder, self.environment = etl, folder, environment
        self.final, self.live = image, unfinalized(image)
        self.buffer = struct.unpack_from("<I", image)[0]
        self.path = os.path.join(folder, "growing.etl")
        self.written = 10 * self.buffer
        with open(self.path, "wb") as file:
            file.write(self.live[:self.written])
        self.viewer = Viewer(etl, self.path, environment, "--follow")
        self.opened = self.viewer.ask("open", {})

    def add(self, buffers):
        """Writes some buffers; half of one is written with those before it."""
        to = self.written + int(buffers * self.buffer)
        append(self.path, self.live[self.written:to])
        self.written = to

    def finish(self):
        append(self.path, self.live[self.written:])
        with open(self.path, "r+b") as file:
            file.write(self.final[:self.buffer])

    def wait(self, is_seen):
        """Asks for news until they are of a kind."""
        latest = time.monotonic() + PATIENCE
        while not is_seen(self.opened):
            assert time.monotonic() < latest, self.opened
            self.opened = self.viewer.ask("wait", {"revision": self.opened["revision"]})
        return self.opened

    def complete(self):
        return self.written - self.written % self.buffer

    def check(self):
        """Compares with a file that has the complete buffers."""
        file = os.path.join(self.folder, "complete.etl")
        with open(file, "wb") as other:
            other.write(self.live[:self.complete()])
        for name, by in (("stats", "event"), ("cpu", "process"), ("waits", "thread")):
            exported = self.viewer.export({"name": name, "by": by, "selection": {}})
            expected = printed(self.etl, f"etl {name} --by {by} {file}", self.environment, "--format", "csv")
            assert exported == expected, (name, exported[:400], expected[:400])
            assert exported.count(b"\n") > 2

    def end(self, remove=True):
        self.viewer.end()
        if remove and os.path.exists(self.path):
            os.remove(self.path)


def check_steps(growing):
    assert growing.opened["growth"] == {"has_ended": False, "why": ""} or growing.opened["growth"] is None, growing.opened
    growing.check()
    before = growing.opened
    for buffers in (3, 0.5, 2.75):
        growing.add(buffers)
        growing.wait(lambda opened: opened["bytes"] == growing.complete())
        growing.check()
    assert growing.opened["begin"] == before["begin"] and int(growing.opened["end"]) > int(before["end"])
    growing.finish()
    opened = growing.wait(lambda opened: (opened["growth"] or {}).get("has_ended"))
    assert opened["growth"]["why"] == "The session has ended." and opened["bytes"] == len(growing.final), opened
    check_tables(growing.viewer, growing.etl, opened, growing.environment)
    growing.end()


def check_end(growing, hurt, why):
    """What is done to the file ends the growth."""
    hurt(growing.path)
    opened = growing.wait(lambda opened: (opened["growth"] or {}).get("has_ended"))
    assert re.search(why, opened["growth"]["why"]), opened["growth"]
    if why != "truncated":
        growing.check()
    else:
        status, answer = growing.viewer.post("table", {"name": "stats", "by": "event"})
        assert status in (200, 500), (status, answer)
        assert growing.viewer.post("events", {"count": 5})[0] in (200, 500)
    growing.end()


def check_large(etl, folder, environment):
    """A trace that gets an index in memory: its answers are the same."""
    file = os.path.join(folder, "large.etl")
    subprocess.run([etl, "generate", "--workload", "--events", "900K", "--seed", "5", "-o", file], check=True, env=environment)
    with open(file, "rb") as trace:
        image = trace.read()
    os.remove(file)
    assert len(image) > 33 << 20, len(image)
    growing = Growing(etl, folder, image, environment)
    growing.add(len(image) * 0.99 // growing.buffer - 10)
    growing.wait(lambda opened: opened["bytes"] == growing.complete())
    assert growing.opened["is_indexed"]
    growing.check()
    growing.end()


def check_refusals(etl, folder, circular, trace, environment):
    for words, code, text in (((circular,), 2, "cannot be followed: it is circular"), ((trace, trace), 64, "requires a single trace"),
                              ((os.path.join(folder, "none.etl"),), 2, "none.etl"), (("--anonymize", trace), 64, "--anonymize"),
                              ((trace, "--against", trace), 64, "--against"), ((), 64, "FILE is required"),
                              ((folder,), 2, "not a regular file"), (("-",), 64, "not of standard input")):
        done = subprocess.run([etl, "view", "--no-open", "--follow", *words], capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)
        assert done.returncode == code and text in done.stderr, (words, done.returncode, done.stderr)


def check_session(etl, folder, environment):
    """The file of a session of the machine, with a host of its own."""
    environment = {**environment, "ETL_HOST": os.path.join(folder, "host")}

    def session(*words):
        subprocess.run([etl, "session", *words], check=True, env=environment, cwd=folder, capture_output=True)

    session("start", "Live", "--provider", "Contoso.Kettle", "--live")
    done = subprocess.run([etl, "view", "--session", "live"], capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "etl session update live -o FILE" in done.stderr, done
    session("update", "Live", "-o", "live.etl")
    viewer = Viewer(etl, "live", environment, "--session")
    opened = viewer.ask("open", {})
    assert [os.path.basename(name) for name in opened["inputs"]] == ["live.etl"], opened
    session("stop", "Live")
    while not (opened["growth"] or {}).get("has_ended"):
        opened = viewer.ask("wait", {"revision": opened["revision"]})
    assert opened["growth"]["why"] == "The session has ended.", opened
    viewer.end()


def main():
    etl, circular = (os.path.abspath(path) for path in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "XDG_STATE_HOME": folder, "TZ": "UTC"}
        environment.pop("DISPLAY", None)
        file = os.path.join(folder, "whole.etl")
        subprocess.run([etl, "generate", "--workload", "--events", "40K", "--seed", "5", "-o", file], check=True, env=environment)
        with open(file, "rb") as trace:
            image = trace.read()
        check_refusals(etl, folder, circular, file, environment)
        check_session(etl, folder, environment)
        check_steps(Growing(etl, folder, image, environment))
        other = os.path.join(folder, "other.etl")
        shutil.copy(file, other)
        for hurt, why in ((lambda path: os.truncate(path, 70_000), "truncated"), (lambda path: os.truncate(path, 0), "truncated"),
                          (lambda path: os.replace(other, path), "replaced"), (os.remove, "removed")):
            check_end(Growing(etl, folder, image, environment), hurt, why)
        check_large(etl, folder, environment)
    return 0


if __name__ == "__main__":
    sys.exit(main())
