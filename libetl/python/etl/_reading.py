"""A trace that is read: its handle, its loops, and which of its events is valid."""
from __future__ import annotations

from typing import Any, Dict, Iterator, Tuple, TypeVar

from ._core import Error, Handle, Slot, call, ffi, lib, new_options, raise_error, text
from ._event import Event
from ._interrupt import stopped_by_interrupt

_Self = TypeVar("_Self", bound="Reading")


class Reading(Handle):
    """What loops, columns, and relogging share. Programs use Trace."""

    _closed = "the trace is closed"

    def __init__(self, handle: Any, owner: Any = None) -> None:
        self._handle = ffi.gc(handle, lib.etl_trace_free)
        self._owner = owner  # the session, which must outlive the trace
        self._number = 0  # of the current event; 0: none
        self._count = 0
        self._known: Dict[int, Tuple[str, str]] = {}
        self._slot = Slot()
        self._header = new_options("etl_event_header")
        self._header_number = 0  # of the event whose header that is

    def _names_of(self, event: Any) -> Tuple[str, str]:
        """Provider and name, by the kind of the event."""
        kind = lib.etl_event_kind(event)
        known = self._known.get(kind)
        if known is None:
            if len(self._known) > 100_000:
                self._known.clear()
            known = (text(lib.etl_event_provider(event)), text(lib.etl_event_name(event)))
            self._known[kind] = known
        return known

    def __iter__(self) -> Iterator[Event]:
        with stopped_by_interrupt(self._stop_quietly):
            yield from self._events()

    def _events(self) -> Iterator[Event]:
        handle = self._open_handle()
        self._leave()
        call(lib.etl_trace_rewind, handle)
        event, error = ffi.new("etl_event **"), ffi.new("etl_error **")
        next_event = lib.etl_trace_next
        while True:
            number = self._number = self._count = self._count + 1
            status = next_event(handle, event, error)
            if status != lib.ETL_OK:
                break
            yield Event(self, event[0], number)
            if self._number != number:
                raise Error("the trace was read elsewhere during this loop, or closed", "invalid argument")
        self._number = 0
        if status != lib.ETL_END:
            raise_error(status, error)

    def _leave(self) -> None:
        """The current event becomes invalid."""
        self._number = 0

    def stop(self) -> None:
        """Ends the loop: over a live session after the events that have arrived, over files soon. May be called from
        any thread."""
        lib.etl_trace_stop(self._open_handle())

    def _stop_quietly(self) -> None:
        """In another thread, where the trace may have been closed."""
        handle = self._handle
        if handle is not None:
            lib.etl_trace_stop(handle)

    def close(self) -> None:
        """Closes the trace; its events become invalid. Streams of columns keep it open until they are released."""
        self._leave()
        self._handle = None

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
