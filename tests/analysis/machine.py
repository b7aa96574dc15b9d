"""etl processes and images (docs/analysis.md#processes, #images)."""
from typing import Any, Optional

from machine_facts import BEFORE, END, GONE, START, Life, as_number, field
from table import Context, Row, Table
from events import IMAGE, KERNEL_PROCESS, PROCESS, Range

NO_SESSION = 0xffffffff


def is_classic(life: Life, guid: str) -> bool:
    return any(seen.event.of(guid, *range(256)) for seen in life.seen)


def times(context: Context, life: Life, guid: str) -> tuple[Optional[int], Optional[int]]:
    """Raw times of start and end, or None: before or after the trace."""
    seen = [s for s in life.seen if s.event.classic and s.event.guid == guid and within(context, s.time)]
    start = next((s.time for s in life.seen if s.kind == START and within(context, s.time)), None)
    end = next((s.time for s in seen if s.kind == END and s.event.opcode == 2), None)
    return start, end


def within(context: Context, time: int) -> bool:
    limit = context.trace.range.limit
    return limit is None or time < limit


def overlaps(where: Range, life: Life) -> bool:
    return life.begin <= where.end and (life.end is None or life.end >= where.begin)


def first_value(context: Context, life: Life, guid: str, name: str, after: bool = False) -> Any:
    """null if none is stored, or all are empty. `after`: also of events after --to."""
    values = [seen.event.data.get(name) for seen in life.seen
              if seen.event.classic and seen.event.guid == guid and (after or within(context, seen.time))]
    return next((value for value in values if value not in (None, "")), None)


def is_of_process(life: Life) -> bool:
    return any(seen.event.guid in (PROCESS, KERNEL_PROCESS) for seen in life.seen)


def is_defunct(life: Life) -> bool:
    """Only its handles were left; when it ended is not among the events of its end."""
    kinds = {seen.kind for seen in life.seen}
    return GONE in kinds and END not in kinds


def process_times(context: Context, life: Life) -> tuple[Optional[int], Optional[int]]:
    """As times(), of both sources; the class knows the end better."""
    start, end = times(context, life, PROCESS)
    stops = [seen.time for seen in life.seen if seen.kind == END and within(context, seen.time)]
    return start, next(iter(stops), None) if end is None else end


def process_value(context: Context, life: Life, *names: str) -> Any:
    values = [field(seen.event, *names) for seen in life.seen if within(context, seen.time)]
    return next((value for value in values if value not in (None, "")), None)


def exit_code(context: Context, life: Life) -> Optional[int]:
    for seen in life.seen:
        code = as_number(field(seen.event, "ExitStatus", "ExitCode"))
        if seen.kind in (END, GONE) and within(context, seen.time) and code is not None:
            return code & 0xffffffff
    return None


class Tree:
    """Rows of processes in tree order."""

    def __init__(self, rows: list[Row], lives: dict[int, Life]) -> None:
        self.rows, self.lives, self.order = rows, lives, []
        self.children: dict[Optional[int], list[int]] = {}
        for index in range(len(rows)):
            self.children.setdefault(self.parent(index), []).append(index)
        self.visit(None, 0)
        for index in sorted(set(range(len(rows))) - set(self.order), key=self.place):  # a cycle of reused IDs
            if index not in self.order:
                self.append(index, 0)

    def parent(self, index: int) -> Optional[int]:
        born = self.lives[index].begin
        for other, row in enumerate(self.rows):
            life = self.lives[other]
            if row["pid"] == self.rows[index]["parent_pid"] and other != index and life.begin <= born:
                if life.end is None or life.end >= born:
                    return other
        return None

    def place(self, index: int) -> tuple:
        return self.lives[index].begin, self.rows[index]["pid"]

    def append(self, index: int, depth: int) -> None:
        if index not in self.order:
            self.order.append(index)
            self.rows[index]["depth"] = depth
            self.visit(index, depth + 1)

    def visit(self, parent: Optional[int], depth: int) -> None:
        for index in sorted(self.children.get(parent, ()), key=self.place):
            self.append(index, depth)


class ListTable(Table):
    """Rows that are not sums."""

    def __init__(self, context: Context, keys: list[str], found: list[Row], totals: Row) -> None:
        super().__init__(context, keys, [], None)
        self.found, self.totals = found, totals

    def rows(self) -> list[Row]:
        return self.found

    def total(self) -> Row:
        return self.totals


def first_parent(life: Life) -> Optional[int]:
    """Also of an event after --to."""
    values = [as_number(field(seen.event, "ParentId", "ParentProcessID")) for seen in life.seen]
    return next((value for value in values if value is not None), None)


def process_row(context: Context, pid: int, life: Life) -> Row:
    start, end = process_times(context, life)
    clock, session = context.trace.clock, process_value(context, life, "SessionId")
    path = process_value(context, life, "ImageName") or ""
    return {"process": life.value, "pid": pid, "depth": 0,
            "parent_pid": first_parent(life),
            "start": None if start is None else clock.time(start), "end": None if end is None else clock.time(end),
            "exit_code": exit_code(context, life), "user": first_value(context, life, PROCESS, "UserSID"),
            "session": None if session == NO_SESSION else session,
            "command_line": first_value(context, life, PROCESS, "CommandLine"),
            "image": path if "\\" in path else None}


def processes(context: Context, _: str) -> Table:
    rows, lives, where = [], {}, context.trace.range
    totals = {"processes": 0, "started": 0, "ended": 0}
    for pid, found in context.facts.processes.of.items():
        for life in found:
            if pid != 0 and is_of_process(life) and (overlaps(where, life) or is_defunct(life)):
                lives[len(rows)] = life
                rows.append(process_row(context, pid, life))
                start, end = process_times(context, life)
                totals["processes"] += 1
                totals["started"] += start is not None and where.contains(start)
                totals["ended"] += end is not None and where.contains(end)
    tree = Tree(rows, lives)
    table = ListTable(context, ["process", "pid"], [rows[index] for index in tree.order], totals)
    table.used = context.trace.count_of(PROCESS, 1, 2, 3, 4, 39) + sum(
        event.guid == KERNEL_PROCESS and event.id in (1, 2, 15) for event in context.trace.in_range())
    return table


def image_row(context: Context, pid: int, base: int, life: Life) -> Row:
    loaded, unloaded = times(context, life, IMAGE)
    clock = context.trace.clock
    begin = life.begin if life.begin != BEFORE else context.trace.range.begin
    name = context.facts.process_name(pid, begin) if pid else None
    return {"process": name, "pid": pid, "image": life.value[1], "base": "0x%x" % base, "size": life.value[0],
            "loaded": None if loaded is None else clock.time(loaded),
            "unloaded": None if unloaded is None else clock.time(unloaded),
            "timestamp": first_value(context, life, IMAGE, "TimeDateStamp"),
            "checksum": first_value(context, life, IMAGE, "ImageChecksum")}


def images(context: Context, _: str) -> Table:
    rows = []
    for (pid, base), found in context.facts.images.of.items():
        for life in found:
            if is_classic(life, IMAGE) and overlaps(context.trace.range, life):
                loaded = times(context, life, IMAGE)[0]
                rows.append((pid, (loaded is not None, loaded or 0), base, image_row(context, pid, base, life)))
    rows.sort(key=lambda row: row[:3])
    table = ListTable(context, ["process", "pid", "image", "base", "loaded"], [row[3] for row in rows],
                      {"images": len(rows)})
    table.used = context.trace.count_of(IMAGE, 10, 2, 3, 4)
    return table
