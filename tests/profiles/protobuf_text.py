"""Messages as `protoc --decode` prints them."""

import re
import shutil
import subprocess
import sys

SKIPPED = 77


def decode(proto, message, data):
    """The message as a dictionary of lists: numbers, bytes, names of enumerations, or messages."""
    protoc = shutil.which("protoc")
    if protoc is None:
        print("skipped: protoc is not installed (Debian package protobuf-compiler)")
        sys.exit(SKIPPED)
    done = subprocess.run([protoc, f"--decode={message}", f"--proto_path={proto.parent}", proto.name], input=data,
                          capture_output=True, check=False)
    if done.returncode != 0 or done.stderr:
        raise SystemExit(f"protoc: exit code {done.returncode}: {done.stderr.decode()}")
    return parse(done.stdout.decode())


ESCAPE = re.compile(rb'\\([0-7]{3}|x[0-9a-fA-F]{2}|.)')
PLAIN = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b'"': b'"', b"'": b"'", b"\\": b"\\"}


def unescape(text):
    def one(match):
        what = match.group(1)
        if len(what) == 3 and what.isdigit():
            return bytes([int(what, 8)])
        return PLAIN[what]

    return ESCAPE.sub(one, text.encode())


def value_of(text):
    if text.startswith('"'):
        return unescape(text[1:-1])
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def parse(text):
    top = {}
    open_messages = [top]
    for line in text.split("\n"):
        line = line.strip(" ")
        if not line:
            continue
        if line == "}":
            open_messages.pop()
            continue
        if line.endswith(" {"):
            message = {}
            name = line[:-2]
            if name.isdigit():
                raise SystemExit(f"a field without a name: {line}")
            open_messages[-1].setdefault(name, []).append(message)
            open_messages.append(message)
            continue
        name, _, value = line.partition(": ")
        if name.isdigit():
            raise SystemExit(f"a field without a name: {line}")
        open_messages[-1].setdefault(name, []).append(value_of(value))
    return top


def one(message, name, default=0):
    """The value of a field that is not repeated."""
    values = message.get(name, [default])
    if len(values) != 1:
        raise SystemExit(f"{name}: {len(values)} values")
    return values[0]
