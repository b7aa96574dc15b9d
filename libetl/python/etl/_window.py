"""Time windows of traces."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Union

import datetime

from ._columns import Columns
from ._core import Path, filetime_of
from ._table import Table, table

Time = Union[str, datetime.datetime]


def text_of_time(value: Optional[Time]) -> Optional[str]:
    """A time as the library reads it: text as it is, and a datetime, which must have a zone, as FILETIME."""
    return str(filetime_of(value)) if isinstance(value, datetime.datetime) else value


class Window:
    """A time window of traces, of Trace.window(): what is asked of it reads its share, if the traces have indexes
    (`etl index`, docs/parts.md#states).

        window = etl.open("trace.etl").window("+10s", "+10.1s")
        window.table("cpu"), window.table("waits", by="thread")
        for event in window.events(): ...
    """

    def __init__(self, paths: List[Path], options: Dict[str, Any], start: Optional[Time], end: Optional[Time]) -> None:
        self._paths = paths
        self._options = options
        self.start, self.end = text_of_time(start), text_of_time(end)

    def table(self, name: str, *, by: Optional[str] = None, where: Optional[str] = None,
              processes: Union[str, Iterable[str]] = (), slices: int = 0) -> Table:
        """The table of the window, as etl.table() computes it. `where`, if not given, is that of the trace. Not of traces
        that were opened with `recursive` or `part`."""
        if self._options["recursive"] or self._options["part"] is not None:
            raise ValueError("no tables of traces that were opened with recursive or part; open the files themselves")
        known = {key: self._options[key] for key in ("schemas", "symbols", "threads")}
        return table(name, self._paths, by=by, where=where or self._options["where"], start=self.start, end=self.end,
                     processes=processes, slices=slices, **known)

    def events(self) -> Any:
        """The events of the window, as etl.open() with `start` and `end` returns them."""
        from ._trace import open as open_trace
        return open_trace(self._paths, start=self.start, end=self.end, **self._options)

    def columns(self, event: Optional[str] = None, **options: Any) -> Columns:
        """The events of the window as Trace.columns() returns them."""
        return self.events().columns(event, **options)

    def __repr__(self) -> str:
        return f"<etl.Window from {self.start or 'the start'} to {self.end or 'the end'}>"
