"""Tables computed from traces."""
from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._core import Path, c_text, c_texts, call, datetime_of, ffi, lib, new_options, open_paths, paths_of, text
from ._interrupt import run_interruptibly

_UNITS = ("text", "id", "count", "bytes", "ns", "hundredths", "signed hundredths", "time", "address", "histogram")


class TableColumn(NamedTuple):
    """A column of a table. Values in hundredths are floats: 12.34."""

    name: str
    unit: str
    is_key: bool


class Table:
    """Rows of named values; None: the trace did not record it. A sequence of dicts."""

    first_row = 0  # of what Explorer returns: the number of the first row,
    row_count: Optional[int] = None  # of the rows of all pages; None: not known yet,
    next_row: Optional[int] = None  # and of the event that follows; None: there is none

    def __init__(self, name: str, handle: Any, is_view: bool = False) -> None:
        if not is_view:
            handle = ffi.gc(handle, lib.etl_table_free)
        self.name = name
        columns = [self._column(handle, i) for i in range(lib.etl_table_column_count(handle))]
        shown = [i for i, (_, is_hidden) in enumerate(columns) if not is_hidden]
        self.columns: List[TableColumn] = [columns[i][0] for i in shown]
        self.rows: List[Tuple[Any, ...]] = [
            tuple(self._value(columns[i][0], lib.etl_table_cell(handle, row, i)) for i in shown)
            for row in range(lib.etl_table_row_count(handle))]
        self.total: Dict[str, Any] = {column.name: self._value(column, lib.etl_table_total(handle, i))
                                      for i, (column, _) in enumerate(columns)}
        self.remarks: List[str] = [text(lib.etl_table_remark(handle, i))
                                   for i in range(lib.etl_table_remark_count(handle))]

    @staticmethod
    def _column(handle: Any, index: int) -> Tuple[TableColumn, bool]:
        column = new_options("etl_column")
        call(lib.etl_table_column, handle, index, column)
        return TableColumn(text(column.name), _UNITS[column.unit], column.is_key != 0), column.is_hidden != 0

    @staticmethod
    def _value(column: TableColumn, cell: Any) -> Any:
        if cell.type == lib.ETL_CELL_NULL:
            return None
        if cell.type == lib.ETL_CELL_TEXT:
            return text(cell.text)
        if cell.type == lib.ETL_CELL_LIST:
            return list(ffi.unpack(cell.list, cell.list_size)) if cell.list_size else []
        if column.unit == "hundredths":
            return cell.number / 100
        if column.unit == "signed hundredths":
            return int(ffi.cast("int64_t", cell.number)) / 100
        return datetime_of(cell.number) if column.unit == "time" else cell.number

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Dict[str, Any]:
        return dict(zip((column.name for column in self.columns), self.rows[index]))

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (self[index] for index in range(len(self.rows)))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame. Integers of columns with nulls are UInt64."""
        import pandas
        frame = {}
        for index, column in enumerate(self.columns):
            values: Any = [row[index] for row in self.rows]
            known = [value for value in values if value is not None]
            if known and len(known) < len(values) and all(isinstance(value, int) for value in known):
                values = pandas.array(values, dtype="UInt64")
            frame[column.name] = values
        return pandas.DataFrame(frame, columns=[column.name for column in self.columns])

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns)
        return f"<etl.Table {self.name}: {len(self.rows)} rows of {names}>"

    def _repr_html_(self) -> str:
        from ._html import table as html_table
        return html_table([column.name for column in self.columns], self.rows, f"etl {self.name}")


def table(name: str, paths: Union[Path, Iterable[Path]], *, by: Optional[str] = None, where: Optional[str] = None,
          start: Optional[str] = None, end: Optional[str] = None, processes: Union[str, Iterable[str]] = (),
          schemas: Union[Path, Iterable[Path]] = (), symbols: Union[Path, Iterable[Path]] = (), threads: int = 0,
          slices: int = 0) -> Table:
    """Computes a table of docs/analysis.md: "cpu", "waits", "disk", "files", "network", "processes", "images", "gc",
    "stats", "timeline", ...; `by` is what its rows are. Tables of several traces are added."""
    keep: list = []
    names, chosen = open_paths(paths), [processes] if isinstance(processes, str) else list(processes)
    schemas, symbols = paths_of(schemas), paths_of(symbols)
    options = new_options("etl_table_options")
    options.by, options.where = c_text(by, keep), c_text(where, keep)
    setattr(options, "from", c_text(start, keep))
    options.to = c_text(end, keep)
    options.processes, options.process_count = c_texts(chosen, keep), len(chosen)
    options.schemas, options.schema_count = c_texts(schemas, keep), len(schemas)
    options.symbols, options.symbol_count = c_texts(symbols, keep), len(symbols)
    options.threads, options.slices = threads, slices

    def compute() -> Table:
        handle = ffi.new("etl_table **")
        call(lib.etl_table_create, c_text(name, keep), c_texts(names, keep), len(names), options, handle)
        return Table(name, handle[0])

    return run_interruptibly(compute)


def tables() -> Dict[str, List[str]]:
    """The names of all tables, and the values of `by` of each; the first is its default."""
    known: Dict[str, List[str]] = {}
    for index in range(lib.etl_table_kind_count()):
        kinds = known.setdefault(text(lib.etl_table_kind_name(index)), [])
        by = text(lib.etl_table_kind_by(index))
        if by:
            kinds.append(by)
    return known
