"""Reads and writes schemas in the compact form (schemas/README.md), with the builds of each layout."""

import re
from dataclasses import dataclass, field, replace

TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([()\[\]=])|([^\s()\[\]="#]+))')
BARE = re.compile(r'[^\s()\[\]="#\x00-\x1f\x7f]+\Z')
NUMBER = re.compile(r"(?:0x[0-9a-fA-F]+|[0-9]+)\Z")


@dataclass(frozen=True)
class Field:
    """One field. `length` and `count` are "" (natural), a number, `*`, `?`, `u16 before it`, or `@` and a name."""
    name: str
    type: str  # UInt32, or `type 28`
    length: str = ""
    count: str = ""
    out: str = ""
    map: tuple = ()  # kind, name, entries
    tags: int = 0
    depth: int = 0  # of structures around it


@dataclass
class Event:
    id: int
    version: int
    level: int = 0
    channel: int = 0
    task: int | None = 0  # None: a task of unknown number
    task_name: str = ""
    opcode: int | None = 0
    opcode_name: str = ""
    keywords: int = 0
    symbol: str = ""
    tags: int = 0
    guid: str = ""
    name: str | None = None
    user_data: str | None = None
    fields: tuple = ()
    builds: frozenset = frozenset()  # that have the layout
    origin: str = "manifest"  # of its author, which holds for any build; "dump"; "table" of layouts by build

    @property
    def layout(self):
        """Equal for events with the same names and types."""
        return tuple((f.name, f.type) for f in self.fields if f.depth == 0)


@dataclass
class Provider:
    name: str
    guid: str
    channels: dict = field(default_factory=dict)
    levels: dict = field(default_factory=dict)
    keywords: dict = field(default_factory=dict)
    tasks: dict = field(default_factory=dict)  # value -> (name, GUID)
    opcodes: dict = field(default_factory=dict)  # (task value or None, value) -> name
    events: list = field(default_factory=list)
    builds: tuple = ()  # dumped builds, in order
    guess: bool = False  # the GUID is computed from the name


OPCODES = {0: "Info", 1: "Start", 2: "Stop", 3: "DCStart", 4: "DCStop", 5: "Extension", 6: "Reply", 7: "Resume",
           8: "Suspend", 9: "Send", 240: "Receive"}


def _unescape(text):
    return re.sub(r"\\(x[0-9a-f]{2}|.)", lambda m: chr(int(m[1][1:], 16)) if len(m[1]) == 3 else m[1], text)


def _tokens(line):
    """(kind, text) of a line: `text` in quotes, `mark`, `word`."""
    at, found = 0, []
    while at < len(line):
        if line[at] == "#":
            break
        match = TOKEN.match(line, at)
        if not match:
            if line[at:].strip() and not line[at:].lstrip().startswith("#"):
                raise ValueError(line)
            break
        at = match.end()
        if match[1] is not None:
            found.append(("text", _unescape(match[1])))
        elif match[2]:
            found.append(("mark", match[2]))
        else:
            found.append(("word", match[3]))
    return found


def _extent(tokens):
    """Takes the tokens up to the closing mark."""
    kind, text = tokens.pop(0)
    if kind == "word" and text == "u16":
        del tokens[:2]
        text = "u16 before it"
    elif kind == "text" or not (NUMBER.match(text) or text in "*?" or text.startswith("@")):
        text = "@" + text
    elif text.startswith("@"):
        text = "#" + text[1:]  # by number
    tokens.pop(0)
    return text


def _field(tokens, depth, maps):
    name, values = tokens.pop(0)[1], {}
    kind = tokens.pop(0)[1]
    if kind == "type":
        kind = "type " + tokens.pop(0)[1]
    if tokens and tokens[0] == ("mark", "("):
        tokens.pop(0)
        values["length"] = _extent(tokens)
    if tokens and tokens[0] == ("mark", "["):
        tokens.pop(0)
        values["count"] = _extent(tokens)
    while tokens:
        word = tokens.pop(0)[1]
        if word == "as":
            out = tokens.pop(0)[1]
            if out == "out":
                tokens.pop(0)
                out = "out type " + tokens.pop(0)[1]
            values["out"] = out
        elif word == "by":
            tokens.pop(0)
            values["map"] = maps[tokens.pop(0)[1]]
        elif word == "tags":
            values["tags"] = int(tokens.pop(0)[1], 0)
        else:
            raise ValueError(word)
    return Field(name, kind, depth=depth, **values)


def _event(tokens, provider, templates):
    event = Event(int(tokens.pop(0)[1], 0), int(tokens.pop(0)[1], 0))
    event.builds = frozenset(provider.builds)
    event.origin = "table" if provider.builds else "manifest"
    while tokens:
        word = tokens.pop(0)[1]
        if word in ("level", "channel", "keywords", "tags"):
            setattr(event, word, int(tokens.pop(0)[1], 0))
        elif word in ("task", "opcode"):
            text = tokens.pop(0)[1]
            value = None if text == "?" else int(text, 0)
            setattr(event, word, value)
            if tokens and tokens[0] == ("mark", "="):
                tokens.pop(0)
                setattr(event, word + "_name", tokens.pop(0)[1])
            elif word == "task":
                event.task_name, event.guid = provider.tasks.get(value, ("", ""))
            else:
                event.opcode_name = provider.opcodes.get((event.task, value)) or \
                    provider.opcodes.get((None, value)) or OPCODES.get(value, "")
        elif word in ("symbol", "guid", "name"):
            setattr(event, word, tokens.pop(0)[1])
        elif word == "fields":
            event.user_data, event.fields = templates[int(tokens.pop(0)[1])]
        elif word == "builds":
            event.origin = "manifest" if tokens[0][1] == "*" else "table"
            event.builds = frozenset(builds_of(tokens, provider.builds))
        else:
            raise ValueError(word)
    return event


def builds_of(tokens, dumped):
    """`10240-19043`, `22000-`, `-7600`, `17763`: ranges of the builds in `dumped`. Before them, `*`: of any build."""
    found = set()
    if tokens[0][1] == "*":
        tokens.pop(0)
    while tokens and re.match(r"[0-9-]+\Z", tokens[0][1]):
        first, dash, last = tokens.pop(0)[1].partition("-")
        low = int(first or 0)
        high = int(last or 1 << 32) if dash else low
        found.update(b for b in dumped if low <= b <= high)
    return found


def ranges_of(builds, dumped):
    """The inverse of builds_of()."""
    parts, run = [], []
    for build in list(dumped) + [None]:
        if build in builds:
            run.append(build)
        elif run:
            first = "" if run[0] == dumped[0] else str(run[0])
            last = "" if run[-1] == dumped[-1] else str(run[-1])
            parts.append(str(run[0]) if len(run) == 1 and last else f"{first}-{last}")
            run = []
    return " ".join(parts)


def read(text):
    """The providers of a file."""
    providers, provider, maps, templates, block, task = [], None, {}, {}, None, None
    for line in text.split("\n"):
        tokens = _tokens(line)
        if not tokens:
            continue
        indent = len(line) - len(line.lstrip(" "))
        if indent:
            if isinstance(block, list):
                block.append(_field(tokens, indent // 2 - 1, maps))
                templates[number] = (templates[number][0], tuple(block))
                continue
        else:
            block = None
            word = tokens.pop(0)[1]
        if indent or word in ("map", "bits"):
            if not indent:
                key = tokens.pop(0)[1]
                block = maps[key] = (word, key, ())
            entries = []
            while tokens:
                entries.append((int(tokens[0][1], 0), tokens[2][1]))
                del tokens[:3]
            maps[key] = (maps[key][0], key, maps[key][2] + tuple(entries))
        elif word == "provider":
            provider = Provider(tokens[0][1], tokens[1][1])
            provider.guess = len(tokens) > 2
            providers.append(provider)
            maps, templates, task = {}, {}, None
        elif word == "builds":
            provider.builds = tuple(int(t[1]) for t in tokens)
        elif word in ("channel", "level", "keyword"):
            getattr(provider, word + "s")[int(tokens[0][1], 0)] = tokens[1][1]
        elif word == "task":
            task = int(tokens[0][1], 0)
            provider.tasks[task] = (tokens[1][1], tokens[2][1] if len(tokens) > 2 else "")
        elif word == "opcode":
            provider.opcodes[task, int(tokens[0][1], 0)] = tokens[1][1]
        elif word == "fields":
            number = int(tokens.pop(0)[1])
            templates[number] = (tokens[1][1] if tokens else None, ())
            block = []
        elif word == "event":
            provider.events.append(_event(tokens, provider, templates))
        else:
            raise ValueError(line)
    return providers


def quoted(text):
    if BARE.match(text):
        return text
    return '"' + re.sub(r'[\x00-\x1f\x7f]', lambda m: f"\\x{ord(m[0]):02x}",
                        text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _extent_text(text):
    if text.startswith("@"):
        name = text[1:]
        return f'"{name}"' if name[:1].isdigit() or name[:1] == "@" or name in ("*", "?", "u16") else quoted(name)
    return "@" + text[1:] if text.startswith("#") else text


def field_text(one):
    text = f"{quoted(one.name)} {one.type}"
    text += f"({_extent_text(one.length)})" if one.length else ""
    text += f"[{_extent_text(one.count)}]" if one.count else ""
    text += f" as {one.out}" if one.out else ""
    text += f" by map {quoted(one.map[1])}" if one.map else ""
    return text + (f" tags {one.tags}" if one.tags else "")


def write(provider):
    """The text of one provider: the same for the same schemas."""
    lines = [f"provider {quoted(provider.name)} {provider.guid}" + (" guess" if provider.guess else "")]
    if provider.builds:
        lines.append("builds " + " ".join(map(str, provider.builds)))
    for word, radix in (("channel", "{}"), ("level", "{}"), ("keyword", "0x{:x}")):
        for value, name in sorted(getattr(provider, word + "s").items()):
            lines.append(f"{word} {radix.format(value)} {quoted(name)}")
    for (task, value), name in sorted(provider.opcodes.items(), key=lambda x: (x[0][0] or -1, x[0][1])):
        if task is None:
            lines.append(f"opcode {value} {quoted(name)}")
    for task, (name, guid) in sorted(provider.tasks.items()):
        lines.append(f"task {task} {quoted(name)}" + (f" {guid}" if guid else ""))
        for (of, value), opcode in sorted((k, v) for k, v in provider.opcodes.items() if k[0] is not None):
            if of == task:
                lines.append(f"opcode {value} {quoted(opcode)}")
    maps, templates = {}, {}
    for event in sorted(provider.events, key=lambda e: (e.id, e.version)):
        words = [f"event {event.id} {event.version}"]
        key = (event.user_data, event.fields)
        has_template = event.fields or event.user_data is not None
        if has_template and (key not in templates or any(maps.get(f.map[1]) != f.map for f in event.fields if f.map)):
            for one in event.fields:
                if one.map and maps.get(one.map[1]) != one.map:
                    maps[one.map[1]] = one.map
                    lines.append(f"{one.map[0]} {quoted(one.map[1])} " + " ".join(
                        f"{f'0x{v:x}' if one.map[0] == 'bits' else v}={quoted(n)}" for v, n in one.map[2]))
            templates.setdefault(key, len(templates) + 1)
            lines.append(f"fields {templates[key]}" +
                         (f" userdata {quoted(event.user_data)}" if event.user_data is not None else ""))
            lines += ["  " * (f.depth + 1) + field_text(f) for f in event.fields]
        for word in ("level", "channel"):
            if getattr(event, word):
                words.append(f"{word} {getattr(event, word)}")
        if event.task or event.task_name:
            of_line = provider.tasks.get(event.task, ("", ""))[0]
            text = "?" if event.task is None else str(event.task)
            words.append(f"task {text}" + (f"={quoted(event.task_name)}" if event.task_name != of_line else ""))
        if event.opcode or event.opcode_name:
            known = provider.opcodes.get((event.task, event.opcode)) or \
                provider.opcodes.get((None, event.opcode)) or OPCODES.get(event.opcode, "")
            text = "?" if event.opcode is None else str(event.opcode)
            words.append(f"opcode {text}" + (f"={quoted(event.opcode_name)}" if event.opcode_name != known else ""))
        words += [f"keywords 0x{event.keywords:x}"] if event.keywords else []
        words += [f"tags {event.tags}"] if event.tags else []
        words += [f"symbol {quoted(event.symbol)}"] if event.symbol else []
        words += [f"guid {event.guid}"] if event.guid and event.guid != provider.tasks.get(event.task, ("", ""))[1] else []
        words += [f"name {quoted(event.name)}"] if event.name is not None else []
        words += [f"fields {templates[key]}"] if has_template else []
        if provider.builds and (event.origin == "manifest" or event.builds != frozenset(provider.builds)):
            words += ["builds"] + ["*"] * (event.origin == "manifest" or not event.builds)
            words += [ranges_of(event.builds, provider.builds)] * bool(event.builds)
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"
