"""Tables for notebooks."""
from __future__ import annotations

import html
from typing import Any, Iterable, List, Sequence

MOST_ROWS = 50


def table(names: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> str:
    """At most MOST_ROWS rows; what is left out is said."""
    shown: List[str] = []
    left = 0
    for row in rows:
        if len(shown) < MOST_ROWS:
            shown.append("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>")
        else:
            left += 1
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
    more = f"<p>{left} more rows</p>" if left else ""
    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(shown)}</tbody></table>{more}"
