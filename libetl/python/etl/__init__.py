"""Event Tracing for Windows (ETW) without Windows: read, write, and record traces (.etl).

    import etl

    for event in etl.open("trace.etl", where="provider == Microsoft-Windows-Kernel-Process"):
        print(event.time, event.name, event["ProcessID"])

    frame = etl.open("trace.etl").columns("Microsoft-Windows-DNS-Client/3006").to_pandas()
    etl.table("cpu", "trace.etl", by="process")

docs/python.md of the project describes the module.
"""
from ._columns import Column, Columns
from ._core import ArgumentError, Canceled, Error, FileError, NotFoundError, WrongTypeError, ffi as _ffi, lib as _lib
from ._event import Event
from ._explore import EventDetail, Explorer, explore
from ._rewrite import Part, Report, anonymize, flows, merge, packets, repair, split, write_capture
from ._session import Controller, Provider, Runtime, Session, SessionState
from ._table import Table, TableColumn, table, tables
from ._trace import Trace, TraceInfo, open, open_bytes
from ._window import Window
from ._write import Int, Pointer, Relogger, Writer

__version__ = _ffi.string(_lib.etl_version()).decode()

__all__ = ["ArgumentError", "Canceled", "Column", "Columns", "Controller", "Error", "Event", "EventDetail", "Explorer", "FileError", "Int",
           "NotFoundError", "Part", "Pointer", "Provider", "Relogger", "Report",
           "Runtime", "Session", "SessionState", "Table", "TableColumn", "Trace", "TraceInfo", "Window", "Writer",
           "WrongTypeError", "anonymize", "explore", "flows", "merge", "open", "open_bytes", "packets", "repair", "split", "table", "tables",
           "write_capture"]
