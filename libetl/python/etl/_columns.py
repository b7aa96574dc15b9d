"""Events as typed columns: Arrow C streams, NumPy arrays, pandas."""
from __future__ import annotations

import ctypes
import uuid
from typing import Any, Dict, Generator, Iterator, List, NamedTuple, Optional, Tuple

from ._core import Error, Slot, c_text, call, ffi, lib, new_options
from ._interrupt import stopped_by_interrupt
from ._reading import Reading

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_NAME = b"arrow_array_stream"

_DTYPES = {"c": "i1", "C": "u1", "s": "<i2", "S": "<u2", "i": "<i4", "I": "<u4", "l": "<i8", "L": "<u8", "f": "<f4",
           "g": "<f8", "tsn:UTC": "<M8[ns]", "w:16": "V16"}
_LABELS = ("provider", "event", "file", "source", "decode_error", "decode_note")


class Column(NamedTuple):
    """A column: its name, and its type as a format of Arrow; of a list, that of its elements. Structures (`+s`), which
    only lists contain, have members."""

    name: str
    format: str
    is_list: bool
    members: Tuple["Column", ...] = ()


class Columns:
    """Events as typed columns: time, pid, tid, cpu, provider, event, and the fields, with structures flattened to
    `Block.From`; with details, more of the header. Any consumer of the Arrow PyCapsule interface takes it, such as
    pyarrow.table(columns), polars.DataFrame(columns), or DuckDB. Each use reads the trace from its beginning."""

    def __init__(self, trace: Reading, event: Optional[str], rows: int, details: bool, required: bool = True,
                 messages: bool = False, structures: bool = False) -> None:
        self._trace = trace
        self._event = event
        self._rows = rows
        self._details = details
        self._required = required  # that some event has the name
        self._messages = messages
        self._structures = structures

    def _fill(self, stream: Any) -> None:
        """Opens a stream that keeps the trace alive."""
        keep: list = []
        options = new_options("etl_columns_options")
        provider, slash, name = (self._event or "").partition("/")
        options.provider = c_text(provider or None, keep)
        options.event = c_text(name if slash else None, keep)
        options.rows, options.details, options.required = self._rows, self._details, self._required
        options.messages, options.structures = self._messages, self._structures
        self._trace._leave()
        handle = self._trace._open_handle()
        with stopped_by_interrupt(self._trace._stop_quietly):  # it reads the trace once
            call(lib.etl_trace_columns, handle, options, stream)
        lib.etl_py_own_stream(stream, ffi.cast("void *", id(handle)))
        if stream.release == ffi.NULL:
            raise MemoryError

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The Arrow PyCapsule interface. The requested schema is ignored, as the interface allows."""
        stream = lib.etl_py_new_stream()
        if stream == ffi.NULL:
            raise MemoryError
        try:
            self._fill(stream)
        except BaseException:
            lib.etl_py_free_stream(stream)
            raise
        free = int(ffi.cast("intptr_t", lib.etl_py_capsule_destructor()))
        return _new_capsule(int(ffi.cast("intptr_t", stream)), _NAME, free)

    def _batches(self) -> Generator[Any, None, None]:
        """First the schema, then each batch, whose memory is valid until the next."""
        stream = ffi.new("struct ArrowArrayStream *")
        self._fill(stream)
        schema = ffi.new("struct ArrowSchema *")
        try:
            self._check(stream, lib.etl_py_schema(stream, schema))
            yield schema
            while True:
                batch = ffi.new("struct ArrowArray *")
                self._check(stream, lib.etl_py_next(stream, batch))
                if batch.release == ffi.NULL:
                    return
                yield ffi.gc(batch, lib.etl_py_release_array)
        finally:
            lib.etl_py_release_schema(schema)
            lib.etl_py_release_stream(stream)

    @staticmethod
    def _check(stream: Any, problem: int) -> None:
        if problem:
            message = lib.etl_py_stream_error(stream)
            raise Error(ffi.string(message).decode() if message else "the columns could not be read")

    @property
    def schema(self) -> List[Column]:
        """The columns. Reads the trace once."""
        batches = self._batches()
        try:
            return _columns_of(next(batches))
        finally:
            batches.close()

    def numpy(self) -> Dict[str, Any]:
        """The columns as NumPy arrays. Times are datetime64[ns] with NaT; floating point has NaN for null; integers and
        Booleans with nulls are masked arrays; texts, binary values, GUIDs (uuid.UUID), and lists are arrays of
        objects with None. Lists of structures are lists of dicts."""
        batches = self._batches()
        columns = _columns_of(next(batches))
        return _arrays(columns, list(batches))

    def batches(self) -> Iterator[Dict[str, Any]]:
        """The same in batches of at most `rows` events, one at a time, so that memory is bounded."""
        batches = self._batches()
        columns = _columns_of(next(batches))
        for batch in batches:
            yield _arrays(columns, [batch])

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: integers with nulls have types such as Int64, names such as those of provider and event
        are categories, times are UTC."""
        import numpy
        import pandas
        series = {}
        for name, values in self.numpy().items():
            if isinstance(values, numpy.ma.MaskedArray):
                names = {"b": "boolean", "i": "Int", "u": "UInt"}
                kind = names[values.dtype.kind] + ("" if values.dtype.kind == "b" else str(8 * values.dtype.itemsize))
                data = pandas.array(values.filled(0), dtype=kind)
                data[values.mask] = pandas.NA
                series[name] = pandas.Series(data)
            elif values.dtype.kind == "M":
                series[name] = pandas.Series(values).dt.tz_localize("UTC")
            elif name in _LABELS:
                series[name] = pandas.Series(pandas.Categorical(values))
            else:
                series[name] = pandas.Series(values)
        return pandas.DataFrame(series)

    def __repr__(self) -> str:
        return f"<etl.Columns {self._event or '*'} of {self._trace!r}>"

    def _repr_html_(self) -> str:
        from ._html import table
        return table(Column._fields, self.schema, repr(self))


def _columns_of(schema: Any) -> List[Column]:
    columns = []
    for i in range(schema.n_children):
        child = schema.children[i]
        name, form = ffi.string(child.name).decode(), ffi.string(child.format).decode()
        is_list = form == "+l"
        members: List[Column] = []
        if is_list:
            form = ffi.string(child.children[0].format).decode()
            members = _columns_of(child.children[0])
        if child.dictionary != ffi.NULL:
            form = "dictionary"
        columns.append(Column(name, form, is_list, tuple(members)))
    return columns


def _arrays(columns: List[Column], batches: list) -> Dict[str, Any]:
    """The NumPy arrays of all batches, by the names of the columns."""
    import numpy
    return {column.name: _joined(numpy, column, [_numpy_of(numpy, column, batch.children[i]) for batch in batches])
            for i, column in enumerate(columns)}


def _view(numpy: Any, pointer: Any, dtype: str, count: int) -> Any:
    """Memory of a batch, valid as long as the batch."""
    if count == 0:
        return numpy.empty(0, dtype)
    size = numpy.dtype(dtype).itemsize * count
    return numpy.frombuffer(ffi.buffer(ffi.cast("char *", pointer), size), dtype)


def _bits(numpy: Any, pointer: Any, count: int) -> Any:
    packed = _view(numpy, pointer, "u1", (count + 7) // 8)
    return numpy.unpackbits(packed, count=count, bitorder="little").astype(bool)


def _nulls(numpy: Any, array: Any) -> Any:
    """A mask, or None."""
    if array.null_count == 0:
        return None
    return ~_bits(numpy, array.buffers[0], array.length)


def _objects(numpy: Any, values: list, nulls: Any) -> Any:
    result = numpy.empty(len(values), object)
    result[:] = values
    if nulls is not None:
        result[nulls] = None
    return result


def _variable(form: str, array: Any) -> list:
    """The values of a column of texts or binary values."""
    offsets = ffi.cast("int32_t *", array.buffers[1])
    return Slot().take(lib.etl_py_texts, offsets, ffi.cast("char *", array.buffers[2]), array.length, form == "u")


def _structures(numpy: Any, members: Tuple[Column, ...], array: Any) -> list:
    """Dicts of the values of members, whose times are numpy.datetime64."""
    values = []
    for i, member in enumerate(members):
        joined = _joined(numpy, member, [_numpy_of(numpy, member, array.children[i])])
        values.append(list(joined) if member.format == "tsn:UTC" else joined.tolist())
    names = [member.name for member in members]
    return [dict(zip(names, row)) for row in zip(*values)]


def _numpy_of(numpy: Any, column: Column, array: Any) -> Any:
    """Of one batch: its values, valid as long as the batch, and a mask of nulls or None."""
    form = column.format
    nulls = _nulls(numpy, array)
    if column.is_list:
        offsets = _view(numpy, array.buffers[1], "<i4", array.length + 1).tolist()
        element = Column("", form, False)
        elements = (_structures(numpy, column.members, array.children[0]) if column.members else
                    _joined(numpy, element, [_numpy_of(numpy, element, array.children[0])]))
        lists = numpy.empty(array.length, object)
        for i in range(array.length):
            lists[i] = elements[offsets[i]:offsets[i + 1]]
        if nulls is not None:
            lists[nulls] = None
        return lists, None
    if form == "dictionary":
        labels = numpy.array([None] + _variable("u", array.dictionary), object)
        numbers = _view(numpy, array.buffers[1], "<i4", array.length) + 1
        if nulls is not None:
            numbers[nulls] = 0
        return labels[numbers], None
    if form in ("u", "z"):
        return _objects(numpy, _variable(form, array), nulls), None
    if form == "b":
        return _bits(numpy, array.buffers[1], array.length), nulls
    values = _view(numpy, array.buffers[1], _DTYPES[form], array.length)
    if form == "w:16":
        known: Dict[bytes, uuid.UUID] = {}
        guids = []
        for value in values.tolist():
            if value not in known:
                known[value] = uuid.UUID(bytes=value)
            guids.append(known[value])
        return _objects(numpy, guids, nulls), None
    return values, nulls


def _joined(numpy: Any, column: Column, arrays: list) -> Any:
    """The array of all batches."""
    if not arrays:
        is_object = column.is_list or column.format in ("u", "z", "w:16", "dictionary")
        return numpy.empty(0, object if is_object else "?" if column.format == "b" else _DTYPES[column.format])
    values = numpy.concatenate([values for values, _ in arrays])
    if all(nulls is None for _, nulls in arrays):
        return values
    mask = numpy.concatenate([numpy.zeros(len(part), bool) if nulls is None else nulls for part, nulls in arrays])
    if column.format in ("f", "g", "tsn:UTC"):
        values[mask] = "NaT" if column.format == "tsn:UTC" else "nan"
        return values
    return numpy.ma.MaskedArray(values, mask)
