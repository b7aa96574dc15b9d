"""Traces as partitioned bags and data frames of dask.

    import etl.dask

    bag = etl.dask.bag("traces/", where="event == ProcessStart")
    bag.pluck("provider").frequencies().compute()
    frame = etl.dask.dataframe("traces/", "Microsoft-Windows-DNS-Client/3006")

A partition is a part of a trace: a path, k of n, and the options of etl.open(). A partition that is lost with its worker is
therefore read again by another one. Workers are those of the program's scheduler, and open the traces by the same paths.
docs/fleet.md of the project describes the module.
"""
from __future__ import annotations

import contextlib
import functools
import glob
import logging
import os
import re
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

try:
    import dask
    import dask.bag
    from dask.bag.core import reify
except ImportError as error:
    raise ImportError("etl.dask needs dask; on Debian: python3-dask, and python3-distributed for several machines") from error

from ._columns import Columns
from ._core import Error, Path, paths_of
from ._trace import Trace, open_options
from ._trace import open as open_trace

__all__ = ["Part", "bag", "dataframe", "parts_of", "problems"]

PART_SIZE = 32 << 20
"""Default bytes of a trace in a partition."""

_log = logging.getLogger(__name__)

# The names that etl.open() looks for in directories.
_TRACE = re.compile(r"\.(etl|evtx|etlgz|diagsession)$|\.etl\.(gz|zst|lz4|xz|bz2|zip|7z|cab|tar|\d+)$", re.IGNORECASE)

# Formats of Arrow: the types of pandas, which can all be null.
_DTYPES = {"c": "Int8", "s": "Int16", "i": "Int32", "l": "Int64", "C": "UInt8", "S": "UInt16", "I": "UInt32", "L": "UInt64",
           "f": "float32", "g": "float64", "b": "boolean", "tsn:UTC": "datetime64[ns, UTC]", "dictionary": "category"}
_WIDENING = ("csil", "CSIL", "fg")


class Part(NamedTuple):
    """A partition: the kth of n spans of the time of a trace, from 1."""

    path: str
    k: int
    n: int

    def __str__(self) -> str:
        return self.path if self.n == 1 else f"{self.path}, part {self.k} of {self.n}"


def _files(paths: Union[Path, Iterable[Path]], recursive: bool) -> Iterator[str]:
    """The traces in directories and patterns, sorted by name; other paths as they are."""
    for given in paths_of(paths):
        path = os.path.abspath(os.fsdecode(given))
        if os.path.isdir(path):
            found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names
                     if _TRACE.search(name) and (recursive or folder == path)]
        else:
            found = glob.glob(path) if "*" in path or "?" in path else [path]
        if not found:
            raise Error(f"{path}: no traces found", "not found")
        yield from sorted(found)


def parts_of(paths: Union[Path, Iterable[Path]], *, parts: Optional[int] = None, part_size: int = PART_SIZE,
             recursive: bool = False) -> List[Part]:
    """The partitions of traces, in the order of the files. `parts` is the number for each trace. Without it, a trace with
    an index (`etl index`) has one for each `part_size` bytes, and any other trace one, because each part of a trace without
    an index reads all of it once."""
    result = []
    for path in _files(paths, recursive):
        count = parts
        if count is None:
            count = -(-os.path.getsize(path) // part_size) if os.path.exists(path + ".index") else 1
        result += [Part(path, k, count) for k in range(1, count + 1)]
    return result


def _prepared(options: Dict[str, Any]) -> Dict[str, Any]:
    """Options for workers: with absolute paths, and one thread for each partition. Raises what etl.open() raises."""
    options = {"threads": 1, **options}
    for name in ("schemas", "symbols"):
        if name in options:
            options[name] = [os.path.abspath(path) for path in paths_of(options[name])]
    open_options([], **options)
    return options


@contextlib.contextmanager
def _opened(part: Part, options: Dict[str, Any]) -> Iterator[Trace]:
    """Errors name the part. Damage is logged, unless the trace is closed before its end."""
    try:
        with open_trace(part.path, part=(part.k, part.n), **options) as trace:
            yield trace
            lines = trace.problems + trace.findings
            if lines:
                _log.warning("%s: %s%s", part, lines[0], f" and {len(lines) - 1} more" if len(lines) > 1 else "")
    except Error as error:
        raise Error(f"{part}: {str(error).removeprefix(part.path + ': ')}", error.status, error.offset) from None


def _events(part: Part, options: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
    with _opened(part, options) as trace:
        for event in trace:
            yield event.to_dict()


def bag(paths: Union[Path, Iterable[Path]], *, parts: Optional[int] = None, part_size: int = PART_SIZE,
        recursive: bool = False, **options: Any) -> "dask.bag.Bag":
    """The events as a dask.bag.Bag of Event.to_dict(). Partitions are those of parts_of(); `options` are those of
    etl.open(). The events of each trace are in the order of time, and traces follow each other as their files do.

    A partition whose trace cannot be opened raises an Error that names it; damage is logged by the worker."""
    return _bag_of(_events, parts_of(paths, parts=parts, part_size=part_size, recursive=recursive), _prepared(options))


def _bag_of(function: Any, parts: List[Part], options: Dict[str, Any]) -> "dask.bag.Bag":
    """A bag with a partition for each part. Dask removes `reify` where the next step takes events one by one."""
    name = f"etl-{function.__name__.strip('_')}-{dask.base.tokenize(parts, options)}"
    read = functools.partial(function, options=options)
    return dask.bag.Bag({(name, i): (reify, (read, part)) for i, part in enumerate(parts)}, name, len(parts))


def _problems(part: Part, options: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
    try:
        with open_trace(part.path, part=(part.k, part.n), **options) as trace:
            for _ in trace:
                pass
            lines = trace.problems + trace.findings + trace.remarks
    except Error as error:
        lines = [str(error)]
    return ({"path": part.path, "k": part.k, "n": part.n, "problem": line} for line in lines)


def problems(paths: Union[Path, Iterable[Path]], *, parts: Optional[int] = None, part_size: int = PART_SIZE,
             recursive: bool = False, **options: Any) -> "dask.bag.Bag":
    """What is wrong with the traces, as a bag of dicts with `path`, `k`, `n`, and `problem`: traces that cannot be opened,
    damage, and rejected schemas. Reads all events. Damage of a buffer in several parts is in each of them."""
    return _bag_of(_problems, parts_of(paths, parts=parts, part_size=part_size, recursive=recursive), _prepared(options))


_Schema = Dict[str, Tuple[str, bool]]


def _columns(trace: Any, event: Optional[str]) -> Columns:
    """Of one of many traces, which need not have such events."""
    return Columns(trace, event, 0, False, required=False)


def _schema(part: Part, event: Optional[str], options: Dict[str, Any]) -> _Schema:
    with _opened(part, options) as trace:
        return {column.name: (column.format, column.is_list) for column in _columns(trace, event).schema}


def _common(a: Tuple[str, bool], b: Tuple[str, bool]) -> Optional[Tuple[str, bool]]:
    """The type that contains the values of both; None: only text does. The rules of Trace.columns()."""
    if a == b:
        return a
    if a[1] != b[1]:
        return None
    for order in _WIDENING:
        if a[0] in order and b[0] in order:
            return max(a, b, key=lambda of: order.index(of[0]))
    is_mixed = {a[0] in "csil", b[0] in "csil"} == {True, False} and a[0] in "csilCSI" and b[0] in "csilCSI"
    return ("l", a[1]) if is_mixed else None


def _meta(schemas: Iterable[Tuple[Part, _Schema]]) -> Any:
    """An empty frame with the columns of all partitions."""
    import pandas
    columns: _Schema = {}
    for part, schema in schemas:
        for name, found in schema.items():
            common = _common(columns.setdefault(name, found), found)
            if common is None:
                raise Error(f"{part}: column {name!r} has a type that differs from that in other partitions ({found[0]}, not "
                            f"{columns[name][0]}); select one event, or one version of it with `where`", "unsupported")
            columns[name] = common
    frame = pandas.DataFrame({name: pandas.Series([], dtype="object" if is_list else _DTYPES.get(form, "object"))
                              for name, (form, is_list) in columns.items()})
    from dask.dataframe.utils import clear_known_categories
    return clear_known_categories(frame)


def _frame(part: Part, event: Optional[str], options: Dict[str, Any], meta: Any) -> Any:
    import pandas
    with _opened(part, options) as trace:
        frame = _columns(trace, event).to_pandas()
    unknown = set(frame.columns) - set(meta.columns)
    if unknown:
        raise Error(f"{part}: the trace has changed: it has new columns {', '.join(sorted(unknown))}", "unsupported")
    series = {}
    for name, dtype in meta.dtypes.items():
        if name not in frame:
            series[name] = pandas.Series([None] * len(frame), dtype=dtype)
        else:
            series[name] = frame[name] if dtype == "category" else frame[name].astype(dtype)
    return pandas.DataFrame(series)


def dataframe(paths: Union[Path, Iterable[Path]], event: Optional[str] = None, *, parts: Optional[int] = None,
              part_size: int = PART_SIZE, recursive: bool = False, **options: Any) -> Any:
    """The events as a dask.dataframe.DataFrame with the columns of Trace.columns(event).to_pandas(): "Provider/Event", or
    "Provider"; None: all that match `where`. Partitions are those of parts_of(); `options` are those of etl.open().

    Computes the columns of all partitions first, on the workers, which reads the traces once. Columns have the same type in
    all partitions: integers and Booleans are those of pandas that can be null, such as Int64, and a column that a partition
    does not have is null there. Raises Error if the types of a column have only text in common. The index counts the rows of
    each partition."""
    import dask.dataframe
    chosen, prepared = parts_of(paths, parts=parts, part_size=part_size, recursive=recursive), _prepared(options)
    schema = dask.delayed(_schema, pure=False)
    schemas = dask.compute(*[schema(part, event, prepared) for part in chosen])
    meta = _meta(zip(chosen, schemas))
    read = functools.partial(_frame, event=event, options=prepared, meta=meta)
    return dask.dataframe.from_map(read, chosen, meta=meta, label="etl")
