"""What all modules of the package share: the library, errors, and conversions."""
from __future__ import annotations

import datetime
import os
import uuid
from typing import Any, Iterable, List, Optional, Union

from ._etl import ffi, lib

Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]

NO_ID = 0xFFFFFFFF
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_FILETIME_OF_EPOCH = 116_444_736_000_000_000

_string = ffi.string
_unpack = ffi.unpack


class Error(Exception):
    """A call failed. `status` is the name of the kind of failure, such as "not found"; `offset` is the position in the
    file, or 0."""

    def __init__(self, message: str, status: str = "", offset: int = 0) -> None:
        super().__init__(message)
        self.status = status
        self.offset = offset


class FileError(Error, OSError):
    """A file cannot be read or written, or is not intact. `errno` is that of the system, or None."""


class NotFoundError(FileError, FileNotFoundError, LookupError):
    """No file, event, table, session, or other thing has this name."""


class ArgumentError(Error, ValueError):
    """An argument is wrong, or not supported."""


class WrongTypeError(ArgumentError, TypeError):
    """A field has another type than the one asked for. `field` is its name, `found` its type, such as "text"."""

    field: str = ""
    found: str = ""


class Canceled(Exception):
    """Raise this in a function of Trace.relog to end relogging without an output."""


_OF_FILES = (lib.ETL_TRUNCATED, lib.ETL_MALFORMED, lib.ETL_NOT_A_TRACE, lib.ETL_EMPTY_FILE, lib.ETL_IO_FAILURE)
_OF_ARGUMENTS = (lib.ETL_UNSUPPORTED, lib.ETL_INVALID_ARGUMENT)


def raise_error(status: int, error: Any) -> None:
    """Raises the error of a call and frees it. `error` is an `etl_error **`."""
    try:
        name = _string(lib.etl_status_name(status)).decode()
        message = _string(lib.etl_error_message(error[0])).decode("utf-8", "replace") or name
        offset, code = lib.etl_error_offset(error[0]), lib.etl_error_os_code(error[0])
    finally:
        lib.etl_error_free(error[0])
    if status == lib.ETL_NO_MEMORY:
        raise MemoryError(message)
    if status == lib.ETL_WRONG_TYPE:
        raise WrongTypeError(message, name, offset)
    if status in _OF_ARGUMENTS:
        raise ArgumentError(message, name, offset)
    if status == lib.ETL_NOT_FOUND or status in _OF_FILES:
        failure: Any = (NotFoundError if status == lib.ETL_NOT_FOUND else FileError)(message, name, offset)
        failure.errno = code or None
        raise failure
    raise Error(message, name, offset)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is an error; raises the error."""
    error = ffi.new("etl_error **")
    status = function(*arguments, error)
    if status != lib.ETL_OK:
        raise_error(status, error)


def text(value: Any) -> str:
    """The str of an etl_text."""
    if value.size == 0:
        if value.data == ffi.NULL:
            raise MemoryError
        return ""
    return _unpack(value.data, value.size).decode("utf-8", "replace")


def blob(value: Any) -> bytes:
    return bytes(ffi.buffer(value.data, value.size)) if value.size else b""


def c_text(value: Optional[Path], keep: list) -> Any:
    """A `char *`, or NULL for None. `keep` holds its memory."""
    if value is None:
        return ffi.NULL
    data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else os.fsencode(value)
    if b"\0" in data:
        raise ValueError(f"a text without zero characters is required, found {value!r}")
    memory = ffi.new("char[]", data)
    keep.append(memory)
    return memory


def c_texts(values: Iterable[Path], keep: list) -> Any:
    """A `char **`."""
    array = ffi.new("char *[]", [c_text(value, keep) for value in values])
    keep.append(array)
    return array


class Handle:
    """An object of the library, until it is closed."""

    _handle: Any
    _closed: str  # what to say then

    def _open_handle(self) -> Any:
        if self._handle is None:
            raise ValueError(self._closed)
        return self._handle


def paths_of(paths: Union[Path, Iterable[Path]]) -> List[Path]:
    """The paths, of which there may be a single one."""
    if hasattr(paths, "read"):
        raise TypeError(f"a path is required, not an open file: {paths!r}")
    listed = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    for path in listed:
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"a path is required, found {path!r}")
    return listed


def open_paths(paths: Union[Path, Iterable[Path]]) -> List[Path]:
    """The paths of traces; there must be one."""
    listed = paths_of(paths)
    if not listed:
        raise ValueError("no traces: the list of paths is empty")
    return listed


def new_options(kind: str) -> Any:
    """A structure of options with its size."""
    options = ffi.new(kind + " *")
    options.struct_size = ffi.sizeof(kind)
    return options


class Slot:
    """Where functions of objects.c leave an object. Not thread-safe."""

    __slots__ = ("_left", "_address")

    def __init__(self) -> None:
        self._left: List[Any] = [None]
        self._address = ffi.cast("void *", id(self._left))

    def take(self, make: Any, *of: Any, started: Any = None) -> Any:
        """What `make` makes, or adds to what was started."""
        self._left[0] = started
        is_made = make(*of, self._address)
        left, self._left[0] = self._left[0], None
        if not is_made:
            raise left
        return left


def guid(value: Union[str, uuid.UUID, None], keep: list) -> Any:
    """An `etl_guid *`, or NULL for None. A name that is not a GUID is the name of a provider."""
    if value is None:
        return ffi.NULL
    result = ffi.new("etl_guid *")
    keep.append(result)
    try:
        known = value if isinstance(value, uuid.UUID) else uuid.UUID(value)
    except ValueError:
        result[0] = lib.etl_guid_of_name(c_text(str(value), keep))
        return result
    ffi.memmove(result.bytes, known.bytes_le, 16)
    return result


def uuid_of(value: Any) -> uuid.UUID:
    """The UUID of an etl_guid."""
    return uuid.UUID(bytes_le=bytes(ffi.buffer(value.bytes)))


def datetime_of(filetime: int) -> datetime.datetime:
    """The nearest earlier microsecond. Years beyond 9999 raise OverflowError."""
    return _EPOCH + datetime.timedelta(0, 0, (filetime - _FILETIME_OF_EPOCH) // 10)


def unix_ns_of(filetime: int) -> int:
    return (filetime - _FILETIME_OF_EPOCH) * 100


def filetime_of(value: Union[datetime.datetime, int, None]) -> int:
    """FILETIME of a datetime, which must have a zone, or of nanoseconds since 1970; None: 0, which means now."""
    if value is None:
        return 0
    if isinstance(value, datetime.datetime):
        if value.utcoffset() is None:
            raise ValueError(f"a datetime with a zone is required, such as datetime.now(timezone.utc); found {value!r}")
        return (value - _EPOCH) // datetime.timedelta(microseconds=1) * 10 + _FILETIME_OF_EPOCH
    return value // 100 + _FILETIME_OF_EPOCH
