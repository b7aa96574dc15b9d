"""Rows of a table, summed in ticks and converted once per cell (docs/analysis.md#common-definitions)."""
import dataclasses
import functools
from typing import Any, Callable, Hashable, Optional

from machine_facts import Facts
from stacks import Stacks
from events import Trace

Row = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Column:
    """`form`: count, ticks, or time (raw); `largest`: a maximum, not a sum; null unless `source` is recorded."""
    name: str
    form: str = "count"
    source: Optional[str] = None
    largest: bool = False
    in_total: bool = True


class Context:
    """A trace with what its tables share."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    @functools.cached_property
    def facts(self) -> Facts:
        return Facts(self.trace)

    @functools.cached_property
    def stacks(self) -> Stacks:
        return Stacks(self.trace, self.facts.threads)


def percent(part: Optional[int], whole: Optional[int]) -> Optional[float]:
    """Two decimals, rounded down."""
    return ratio(None if part is None else 100 * part, whole)


def ratio(part: Optional[int], whole: Optional[int]) -> Optional[float]:
    return None if part is None or not whole else part * 100 // whole / 100


def ordered(value: Any) -> tuple[bool, Any]:
    """Sorts nulls last."""
    return (value is None, 0 if value is None else value)


class Table:
    """Rows by key; `derive` adds the columns that are computed from others, to rows and to the total."""

    def __init__(self, context: Context, keys: list[str], columns: list[Column], sort: Optional[Callable[[Row], Any]],
                 derive: Callable[[Row], None] = lambda row: None) -> None:
        self.context, self.keys, self.columns, self.sort, self.derive = context, keys, columns, sort, derive
        self.cells: dict[tuple[Hashable, ...], dict[str, Any]] = {}
        self.recorded: set[str] = set()
        self.missing: set[str] = set()  # columns that are null for another reason
        self.used = 0
        self.coverage: dict[str, int] = {}

    def add(self, key: tuple[Hashable, ...], **values: int) -> None:
        row = self.cells.setdefault(key, {})
        for name, value in values.items():
            row[name] = row.get(name, 0) + value

    def raise_to(self, key: tuple[Hashable, ...], **values: int) -> None:
        row = self.cells.setdefault(key, {})
        for name, value in values.items():
            row[name] = max(row.get(name, 0), value)

    def note(self, **counts: int) -> None:
        for name, count in counts.items():
            self.coverage[name] = self.coverage.get(name, 0) + count

    def convert(self, column: Column, value: int) -> Any:
        clock = self.context.trace.clock
        return clock.ns(value) if column.form == "ticks" else clock.time(value) if column.form == "time" else value

    def converted(self, cells: dict[str, Any]) -> Row:
        row: Row = {}
        for column in self.columns:
            null = column.name in self.missing or (column.source is not None and column.source not in self.recorded)
            value = cells.get(column.name, None if column.form == "time" else 0)
            row[column.name] = None if null or value is None else self.convert(column, value)
        self.derive(row)
        return row

    def rows(self) -> list[Row]:
        rows = [dict(zip(self.keys, key)) | self.converted(cells) for key, cells in self.cells.items()]
        rows.sort(key=lambda row: [ordered(row[key]) for key in self.keys])
        if self.sort is not None:
            rows.sort(key=lambda row: ordered(None if self.sort(row) is None else -self.sort(row)))
        return rows

    def is_idle(self, key: tuple[Hashable, ...]) -> bool:
        return "pid" in self.keys and key[self.keys.index("pid")] == 0

    def total(self) -> Row:
        cells: dict[str, Any] = {}
        for key, row in self.cells.items():
            if self.is_idle(key):
                continue
            for column in self.columns:
                if column.name in row and column.in_total and column.form != "time":
                    value, old = row[column.name], cells.get(column.name, 0)
                    cells[column.name] = max(value, old) if column.largest else value + old
        left_out = {column.name for column in self.columns if not column.in_total or column.form == "time"}
        return {name: value for name, value in self.converted(cells).items() if name not in left_out}

    def coverage_row(self) -> Row:
        trace = self.context.trace
        return {"begin": trace.clock.time(trace.range.begin) if trace.all else None,
                "end": trace.clock.time(trace.range.end) if trace.all else None,
                "duration_ns": trace.clock.ns(trace.duration), "processors": processors(trace),
                "events": trace.count, "used_events": self.used,
                "lost_events": header_count(trace, "EventsLost"), "lost_buffers": header_count(trace, "BuffersLost"),
                **{name: count for name, count in self.coverage.items() if count}}

    def lines(self) -> list[Row]:
        return [*self.rows(), {"total": self.total(), "coverage": self.coverage_row()}]


def header_count(trace: Trace, field: str) -> Optional[int]:
    return trace.header.value(field) if trace.header else None


def processors(trace: Trace) -> int:
    return header_count(trace, "NumberOfProcessors") or max((event.cpu for event in trace.all), default=-1) + 1
