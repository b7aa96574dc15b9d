"""Sessions: tracing of the program itself, and of the machine."""
from __future__ import annotations

import uuid
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Union

from ._core import Handle, Path, c_text, call, ffi, guid, lib, new_options, text
from ._trace import Trace, open_options
from ._write import Guid, _Builders, record

MODES = {"sequential": 0x1, "circular": 0x2, "new-file": 0x8, "real-time": 0x100, "buffering": 0x400}


class SessionState(NamedTuple):
    """The state of a session."""

    name: str
    file: str
    id: int
    mode: int
    events_lost: int
    buffers: int
    buffers_written: int
    log_buffers_lost: int
    real_time_buffers_lost: int
    consumers: int
    providers: int


def _state_of(state: Any) -> SessionState:
    return SessionState(text(state.name), text(state.file), state.id, state.mode, state.events_lost, state.buffers,
                        state.buffers_written, state.log_buffers_lost, state.real_time_buffers_lost, state.consumers,
                        state.providers)


def _mode_of(mode: Union[str, int]) -> int:
    if isinstance(mode, int):
        return mode
    unknown = [word for word in mode.split("+") if word not in MODES]
    if unknown:
        raise ValueError(f"mode: {unknown[0]!r} is none of {', '.join(MODES)}")
    return sum(MODES[word] for word in mode.split("+"))


def _session_options(keep: list, name: str, file: Optional[Path], mode: Union[str, int], clock: int, buffer_kb: int,
                     minimum_buffers: int, maximum_buffers: int, maximum_file_size: int, flush_timer: int) -> Any:
    options = new_options("etl_session_options")
    options.name, options.file = c_text(name, keep), c_text(file, keep)
    options.mode, options.clock = _mode_of(mode), clock
    options.buffer_kb, options.minimum_buffers, options.maximum_buffers = buffer_kb, minimum_buffers, maximum_buffers
    options.maximum_file_size, options.flush_timer = maximum_file_size, flush_timer
    return options


def _enable_options(level: int, keyword: int, keyword_all: int, stacks: bool, timeout_ms: int) -> Any:
    options = new_options("etl_enable_options")
    options.level, options.match_any, options.match_all = level, keyword, keyword_all
    options.property = 0x4 if stacks else 0
    options.timeout_ms = timeout_ms
    return options


class Provider(Handle):
    """A registered provider, through which the program writes events. From Runtime.provider()."""

    _closed = "the provider is closed"

    def __init__(self, runtime: "Runtime", name: str, id: Guid) -> None:
        keep: list = []
        handle = ffi.new("etl_registration **")
        call(lib.etl_provider_register, runtime._handle, c_text(name, keep), guid(id, keep), ffi.NULL, ffi.NULL, handle)
        self._handle = ffi.gc(handle[0], lib.etl_registration_free)
        self._runtime = runtime
        self._builders = _Builders()
        self.name = name
        self._id = id

    def is_enabled(self, level: int = 0, keyword: int = 0) -> bool:
        """Whether a session may accept such an event."""
        return lib.etl_registration_is_enabled(self._open_handle(), level, keyword)

    def write(self, event: str, fields: Mapping[str, Any] = {}, *, level: int = 5, keyword: int = 0,
              activity: Guid = None, opcode: int = 0, id: int = 0, version: int = 0, task: int = 0) -> None:
        """Writes a self-describing event to all sessions that accept it. Costs little if there is none."""
        if not self.is_enabled(level, keyword):
            return
        builder = self._builders.get(self.name, event, level, keyword, opcode, id, version, task, self._id)
        builder.fill(fields)
        keep: list = []
        call(lib.etl_registration_write, self._handle, builder.handle, record(keep, activity=activity))

    def close(self) -> None:
        """Ends the registration."""
        if self._handle is not None:
            ffi.release(self._handle)
        self._handle = None

    def __enter__(self) -> "Provider":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<etl.Provider {self.name}{' closed' if self._handle is None else ''}>"


class Session:
    """A session of this process. From Runtime.start(). In a `with` statement, it is stopped at the end."""

    def __init__(self, runtime: "Runtime", name: str, handle: Any) -> None:
        self._runtime = runtime
        self._handle = ffi.gc(handle, lib.etl_session_free)
        self.name = name
        self._is_stopped = False

    def enable(self, provider: Union[str, uuid.UUID], *, level: int = 0, keyword: int = 0, keyword_all: int = 0,
               stacks: bool = False, timeout_ms: int = 0) -> None:
        """Records a provider, by its name (of TraceLogging or EventSource) or GUID."""
        keep: list = []
        call(lib.etl_session_enable, self._handle, guid(provider, keep),
             _enable_options(level, keyword, keyword_all, stacks, timeout_ms))

    def disable(self, provider: Union[str, uuid.UUID]) -> None:
        keep: list = []
        call(lib.etl_session_disable, self._handle, guid(provider, keep))

    def query(self) -> SessionState:
        state = new_options("etl_session_state")
        call(lib.etl_session_query, self._handle, state)
        return _state_of(state)

    def flush(self, file: Optional[Path] = None) -> None:
        """Writes the events so far; a session in memory ("buffering") writes a complete trace to `file`."""
        call(lib.etl_session_flush, self._handle, c_text(file, []))

    def listen(self, *, schemas: Union[Path, Iterable[Path]] = (), where: Optional[str] = None,
               culture: Optional[str] = None) -> Trace:
        """The events of a real-time session as they arrive. The loop ends when the session stops, after Trace.stop(),
        and in the main thread with Ctrl-C; the session continues then. Options as for etl.open()."""
        keep: list = []
        handle = ffi.new("etl_trace **")
        options = open_options(keep, schemas=schemas, where=where, culture=culture)
        call(lib.etl_listen, self._handle, options, handle)
        return Trace(handle[0], self)

    def stop(self, file: Optional[Path] = None) -> SessionState:
        """Stops the session and completes its file."""
        keep: list = []
        state = new_options("etl_session_state")
        call(lib.etl_session_stop, self._handle, c_text(file, keep), state)
        self._is_stopped = True
        return _state_of(state)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: Any) -> None:
        if not self._is_stopped:
            self.stop()

    def __repr__(self) -> str:
        return f"<etl.Session {self.name}{' stopped' if self._is_stopped else ''}>"


class Runtime:
    """Sessions and providers of this process.

        runtime = etl.Runtime()
        shop = runtime.provider("MyCompany.Shop")
        with runtime.start("Sales", "sales.etl") as session:
            session.enable("MyCompany.Shop")
            shop.write("Sold", {"What": "croissant"})
    """

    def __init__(self, *, attach: bool = False) -> None:
        """`attach`: sessions of the machine record the providers as well."""
        handle = ffi.new("etl_runtime **")
        call(lib.etl_runtime_create, handle)
        self._handle = ffi.gc(handle[0], lib.etl_runtime_free)
        if attach:
            call(lib.etl_runtime_attach, self._handle)

    def provider(self, name: str, id: Guid = None) -> Provider:
        """Registers a provider; without `id`, its GUID is derived from the name."""
        return Provider(self, name, id)

    def start(self, name: str, file: Optional[Path] = None, *, mode: Union[str, int] = 0, clock: int = 0,
              buffer_kb: int = 0, minimum_buffers: int = 0, maximum_buffers: int = 0, maximum_file_size: int = 0,
              flush_timer: int = 0) -> Session:
        """Starts a session. Modes: sequential, circular, new-file, real-time, buffering, joined by `+`. 0 is
        the default of each number; `maximum_file_size` is in MB, `flush_timer` in seconds."""
        keep: list = []
        handle = ffi.new("etl_session **")
        options = _session_options(keep, name, file, mode, clock, buffer_kb, minimum_buffers, maximum_buffers,
                                   maximum_file_size, flush_timer)
        call(lib.etl_session_start, self._handle, options, handle)
        return Session(self, name, handle[0])

    def __repr__(self) -> str:
        return "<etl.Runtime>"


class Controller:
    """Sessions of the machine, by name, which record programs that are already running. They continue when the program
    ends."""

    def __init__(self, directory: Optional[Path] = None) -> None:
        keep: list = []
        handle = ffi.new("etl_controller **")
        call(lib.etl_controller_connect, c_text(directory, keep), handle)
        self._handle = ffi.gc(handle[0], lib.etl_controller_free)

    def start(self, name: str, file: Optional[Path] = None, *, mode: Union[str, int] = 0, clock: int = 0,
              buffer_kb: int = 0, minimum_buffers: int = 0, maximum_buffers: int = 0, maximum_file_size: int = 0,
              flush_timer: int = 0) -> None:
        """As Runtime.start(). The file is opened with the rights of this process."""
        keep: list = []
        options = _session_options(keep, name, file, mode, clock, buffer_kb, minimum_buffers, maximum_buffers,
                                   maximum_file_size, flush_timer)
        call(lib.etl_controller_start, self._handle, options)

    def enable(self, session: str, provider: Union[str, uuid.UUID], *, level: int = 0, keyword: int = 0,
               keyword_all: int = 0, stacks: bool = False, timeout_ms: int = 0) -> None:
        keep: list = []
        call(lib.etl_controller_enable, self._handle, c_text(session, keep), guid(provider, keep),
             _enable_options(level, keyword, keyword_all, stacks, timeout_ms))

    def disable(self, session: str, provider: Union[str, uuid.UUID]) -> None:
        keep: list = []
        call(lib.etl_controller_disable, self._handle, c_text(session, keep), guid(provider, keep))

    def flush(self, session: str, file: Optional[Path] = None) -> None:
        keep: list = []
        call(lib.etl_controller_flush, self._handle, c_text(session, keep), c_text(file, keep))

    def query(self, session: str) -> SessionState:
        keep: list = []
        state = new_options("etl_session_state")
        call(lib.etl_controller_query, self._handle, c_text(session, keep), state)
        return _state_of(state)

    def stop(self, session: str, file: Optional[Path] = None) -> SessionState:
        keep: list = []
        state = new_options("etl_session_state")
        call(lib.etl_controller_stop, self._handle, c_text(session, keep), c_text(file, keep), state)
        return _state_of(state)

    @property
    def sessions(self) -> List[SessionState]:
        """All sessions of the machine."""
        count = ffi.new("size_t *")
        call(lib.etl_controller_list, self._handle, count)
        states = []
        for index in range(count[0]):
            state = new_options("etl_session_state")
            call(lib.etl_controller_session, self._handle, index, state)
            states.append(_state_of(state))
        return states

    def __repr__(self) -> str:
        return "<etl.Controller>"
