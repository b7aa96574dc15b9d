"""Ctrl-C during calls that take long: Python raises KeyboardInterrupt only after the library has returned."""
from __future__ import annotations

import contextlib
import signal
import socket
import threading
from typing import Any, Callable, Iterator, List, TypeVar

_Result = TypeVar("_Result")


def _is_raised_here() -> bool:
    """Whether Ctrl-C raises KeyboardInterrupt in this thread."""
    return (threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler)


# Senders that signals of the process may still be written to; see _give_back().
_abandoned: List[socket.socket] = []


def _give_back(sender: socket.socket) -> None:
    """Ends the use of `sender` for signals. Only the main thread can do so, and what others set since then stays. Without
    that, the descriptor must not be closed: its number would be that of another file, which signals then damage."""
    if threading.current_thread() is not threading.main_thread():
        _abandoned.append(sender)
        sender.shutdown(socket.SHUT_WR)
        return
    current = signal.set_wakeup_fd(-1)
    if current != sender.fileno():
        signal.set_wakeup_fd(current)
    sender.close()


@contextlib.contextmanager
def stopped_by_interrupt(stop: Callable[[], Any]) -> Iterator[None]:
    """Calls `stop` in another thread on Ctrl-C, so that a wait inside the library ends. What ends in this way has not come
    to its end: KeyboardInterrupt is raised."""
    if not _is_raised_here():
        yield
        return
    receiver, sender = socket.socketpair()
    is_stopped = threading.Event()
    with receiver:
        sender.setblocking(False)
        previous = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        if previous != -1:  # an event loop handles signals
            signal.set_wakeup_fd(previous)
            sender.close()
            yield
            return

        def watch() -> None:
            for number in iter(lambda: receiver.recv(1), b""):
                if number[0] == signal.SIGINT:
                    is_stopped.set()
                    stop()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            _give_back(sender)
            watcher.join()
        if is_stopped.is_set():
            raise KeyboardInterrupt


def run_interruptibly(work: Callable[[], _Result]) -> _Result:
    """Returns the result of `work`. On Ctrl-C, KeyboardInterrupt is raised at once; `work` ends unattended, and its result
    is dropped."""
    if not _is_raised_here():
        return work()
    results: List[_Result] = []
    exceptions: List[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as exception:
            exceptions.append(exception)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(0.1)  # without a limit, it could not be interrupted
    if exceptions:
        raise exceptions[0]
    return results[0]
