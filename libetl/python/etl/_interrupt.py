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


@contextlib.contextmanager
def stopped_by_interrupt(stop: Callable[[], Any]) -> Iterator[None]:
    """Calls `stop` in another thread on Ctrl-C, so that a wait inside the library ends."""
    if not _is_raised_here():
        yield
        return
    receiver, sender = socket.socketpair()
    with receiver, sender:
        sender.setblocking(False)
        previous = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        if previous != -1:  # an event loop handles signals
            signal.set_wakeup_fd(previous)
            yield
            return

        def watch() -> None:
            for number in iter(lambda: receiver.recv(1), b""):
                if number[0] == signal.SIGINT:
                    stop()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.set_wakeup_fd(-1)
            sender.close()
            watcher.join()


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
