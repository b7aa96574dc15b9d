"""The process that an event is about, by the rules of docs/processes.md#attribution."""
from typing import Optional

from machine_facts import Facts, as_number
from events import (CONFIG, FILE_IO, IMAGE, IMAGE_ID, KERNEL_DISK, KERNEL_FILE, KERNEL_MEMORY, KERNEL_NETWORK,
                   KERNEL_PROCESS, PERF_INFO, STACK_WALK, THREAD, Event)

PROCESS_FIELDS = ("processid", "pid", "hrpid", "stackprocess", "frozenprocessid")
THREAD_FIELDS = ("threadid", "tthreadid", "ttid", "issuingthreadid", "newthreadid", "oldthreadid")
PAYLOAD_PROVIDERS = (KERNEL_PROCESS, KERNEL_NETWORK, KERNEL_DISK, KERNEL_MEMORY, KERNEL_FILE)
NO_HEADER_PROVIDERS = (KERNEL_PROCESS, KERNEL_NETWORK, KERNEL_DISK, KERNEL_MEMORY)


def is_about_machine(event: Event) -> bool:
    if event.guid == KERNEL_FILE and not event.classic:
        return event.id in (10, 11)
    if not event.classic:
        return False
    if event.guid in (IMAGE, IMAGE_ID):
        return event.value("ProcessId") == 0
    return (event.guid in CONFIG or event.of(PERF_INFO, 72, 73, 74) or event.of(FILE_IO, 0, 32, 35, 36)
            or event.of(STACK_WALK, 34, 35, 36))


def is_about_scheduling(event: Event) -> bool:
    return event.of(THREAD, 36, 50) or event.of(PERF_INFO, 46, 47)


def first_field(event: Event, names: tuple[str, ...]) -> Optional[int]:
    values = {name.lower(): value for name, value in event.data.items()}
    for name in names:
        value = as_number(values[name]) if name in values else None
        if isinstance(value, int) and value != 0xffffffff:
            return value
    return None


def thread_owner(facts: Facts, event: Event, tid: Optional[int]) -> Optional[int]:
    if tid is None:
        return None
    if tid == 0:
        if event.tid == 0 and event.pid is not None:
            return event.pid
        return 0 if is_about_scheduling(event) else None
    known = facts.thread_process(tid, event.raw)
    return event.pid if known is None and event.tid == tid else known


def process_about(facts: Facts, event: Event) -> Optional[int]:
    """ID of the process, or None."""
    if is_about_machine(event):
        return None
    manifest = not event.classic and event.guid in PAYLOAD_PROVIDERS
    if event.kernel or manifest:
        pid = first_field(event, PROCESS_FIELDS)
        if pid is not None:
            return pid
        tid = first_field(event, THREAD_FIELDS)
        if tid is not None:
            return thread_owner(facts, event, tid)
    if not event.classic and event.guid in NO_HEADER_PROVIDERS:
        return None
    if event.pid is not None:
        return event.pid
    return facts.thread_process(event.tid, event.raw) if event.tid else None
