"""etl interrupts, disk, files, and network (docs/analysis.md)."""
import dataclasses
import ipaddress
from typing import Any, Optional

from table import Column, Context, Row, Table
from events import (DISK_IO, FILE_IO, KERNEL_DISK, KERNEL_FILE, KERNEL_NETWORK, PAGE_FAULT, PERF_INFO, TCP_IP, UDP_IP,
                    Event)

INTERRUPTS = {68: "dpc", 69: "timer_dpc", 66: "threaded_dpc", 67: "isr", 50: "isr_msi", 95: "isr_pass"}
DISK_KINDS = {10: "read", 55: "read", 11: "write", 56: "write", 14: "flush", 57: "flush"}
PROVIDER_DISK_KINDS = {10: "read", 11: "write", 14: "flush"}
DISK_INITS = (12, 13, 15, 58, 59, 60)
OPERATIONS = {64: "Create", 65: "Cleanup", 66: "Close", 67: "Read", 68: "Write", 69: "SetInfo", 70: "Delete", 71: "Rename",
              72: "DirEnum", 73: "Flush", 74: "QueryInfo", 75: "FSControl", 77: "DirNotify", 79: "DeletePath",
              80: "RenamePath", 81: "SetLinkPath"}
# Microsoft-Windows-Kernel-File
PROVIDER_OPERATIONS = {12: "Create", 13: "Cleanup", 14: "Close", 15: "Read", 16: "Write", 17: "SetInfo", 18: "Delete",
                       19: "Rename", 20: "DirEnum", 21: "Flush", 22: "QueryInfo", 23: "FSControl", 25: "DirNotify",
                       26: "DeletePath", 27: "RenamePath", 28: "SetLinkPath", 29: "Rename", 30: "CreateNewFile",
                       31: "SetSecurity", 32: "QuerySecurity", 33: "SetEA", 34: "QueryEA"}
PATTERNS = (20, 25)  # their file names are patterns
ADDED_PATHS = ("DeletePath", "RenamePath", "SetLinkPath", "CreateNewFile")  # of other operations
FILE_BYTES = {"Read": "read_bytes", "Write": "write_bytes"}
NO_THREAD = (0, 0xffffffff)


class InterruptTable(Table):
    """Adds the histogram, a list per row."""

    def converted(self, cells: dict[str, Any]) -> Row:
        counts = [cells.get("bucket%d" % bucket, 0) for bucket in range(64)]
        while counts and not counts[-1]:
            counts.pop()
        return super().converted(cells) | {"histogram": counts if self.recorded else None}

    def total(self) -> Row:
        total = super().total()
        rows = list(self.cells.values())
        summed = {"bucket%d" % b: sum(row.get("bucket%d" % b, 0) for row in rows) for b in range(64)}
        return total | {"histogram": self.converted(summed)["histogram"]}


def interrupt_mean(row: Row) -> None:
    row["mean_ns"] = row["total_ns"] // row["count"] if row["count"] else None


def routine_key(context: Context, event: Event, by: str) -> tuple:
    address = event.value("Routine")
    image = context.facts.image(0, address, event.raw)
    module = image[1] if image else None
    function = "%s!0x%x" % (module, address - image[0]) if image else "0x%x" % address
    kind = INTERRUPTS[event.opcode]
    return (kind, module, function) if by == "routine" else (kind, module)


def interrupts(context: Context, by: str) -> Table:
    keys = ["kind", "module", "function"] if by == "routine" else ["kind", "module"]
    columns = [Column("count", source="interrupts"), Column("total_ns", "ticks", "interrupts"),
               Column("exclusive_ns", "ticks", "interrupts"), Column("max_ns", "ticks", "interrupts", True)]
    table = InterruptTable(context, keys, columns, lambda row: row["total_ns"], interrupt_mean)
    trace = context.trace
    ended: dict[int, list[tuple[int, int]]] = {}  # per processor, not yet inside another: begin, length
    for event in trace.used:
        if not event.of(PERF_INFO, *INTERRUPTS) or "InitialTime" not in event.data:
            continue
        table.recorded.add("interrupts")
        begin, inside = event.value("InitialTime"), 0
        length = trace.range.cut(begin, event.raw)
        open_ones = ended.setdefault(event.cpu, [])
        while open_ones and open_ones[-1][0] >= begin:
            inside += open_ones.pop()[1]
        open_ones.append((begin, length))
        if not trace.counts(event):
            continue
        key = routine_key(context, event, by)
        micros = trace.clock.ns(length) // 1000
        table.add(key, count=1, total_ns=length, exclusive_ns=max(0, length - inside),
                  **{"bucket%d" % micros.bit_length(): 1})
        table.raise_to(key, max_ns=length)
        table.note(invalid_times=int(begin > event.raw))
        table.used += 1
    return table


def issuing_thread(event: Event, init: Optional[Event]) -> Optional[int]:
    tid = event.value("IssuingThreadId")
    if tid is not None and tid not in NO_THREAD:
        return tid
    return init.tid if init else None


def is_of_init(event: Event, init: Optional[Event]) -> bool:
    """Whether the thread is that of the init event."""
    return init is not None and issuing_thread(event, None) is None


def disk(context: Context, by: str) -> Table:
    columns = [Column(name) for name in ("reads", "read_bytes", "writes", "write_bytes", "flushes")]
    columns += [Column("elapsed_ns", "ticks"), Column("service_ns", "ticks"), Column("queue_ns", "ticks"),
                Column("max_elapsed_ns", "ticks", largest=True)]
    columns = [Column(c.name, c.form, "disk", c.largest) for c in columns]
    keys = {"process": ["process", "pid"], "file": ["file"], "disk": ["disk"]}[by]
    table = Table(context, keys, columns, lambda row: row["elapsed_ns"])
    table.missing = {"elapsed_ns", "service_ns", "queue_ns", "max_elapsed_ns"}
    inits: dict[Optional[int], Event] = {}
    completed: dict[Optional[int], int] = {}
    by_class = any(event.of(DISK_IO, *DISK_KINDS) for event in context.trace.all_used)
    for event in context.trace.used:
        kind = disk_kind(event, by_class)
        if event.of(DISK_IO, *DISK_INITS):
            inits[event.value("Irp")] = event
        elif kind:
            table.recorded.add("disk")
            number = event.value("DiskNumber")
            if event.value("HighResResponseTime") is not None:
                table.missing = set()
            init = inits.pop(event.value("Irp" if by_class else "IORequestPacket"), None)
            if context.trace.counts(event):
                add_disk(table, event, kind, disk_key(context, event, by, init), completed.get(number))
            completed[number] = event.raw
    return table


def disk_kind(event: Event, by_class: bool) -> Optional[str]:
    """read, write, or flush; of the class, otherwise of Microsoft-Windows-Kernel-Disk."""
    if "DiskNumber" not in event.data:
        return None
    if event.classic:
        return DISK_KINDS.get(event.opcode) if by_class and event.guid == DISK_IO else None
    return PROVIDER_DISK_KINDS.get(event.id) if not by_class and event.guid == KERNEL_DISK else None


def disk_key(context: Context, event: Event, by: str, init: Optional[Event]) -> tuple:
    if by == "disk":
        return (event.value("DiskNumber"),)
    if by == "file":
        return (context.facts.file(event.value("FileObject"), event.raw),)
    thread = issuing_thread(event, init)
    return context.facts.process_of_thread(thread, init.raw if is_of_init(event, init) else event.raw)


def add_disk(table: Table, event: Event, kind: str, key: tuple, previous: Optional[int]) -> None:
    cut = table.context.trace.range.cut
    begin = event.raw - (event.value("HighResResponseTime") or 0)
    elapsed = cut(begin, event.raw)
    service = cut(begin if previous is None else max(begin, previous), event.raw)
    table.add(key, elapsed_ns=elapsed, service_ns=service, queue_ns=elapsed - service,
              **{"flushes" if kind == "flush" else kind + "s": 1})
    if kind != "flush":
        table.add(key, **{kind + "_bytes": event.value("TransferSize")})
    table.raise_to(key, max_elapsed_ns=elapsed)
    table.used += 1


@dataclasses.dataclass
class Operation:
    """Of the class FileIo, or of Microsoft-Windows-Kernel-File."""
    event: Event
    name: str
    irp: Optional[int]
    tid: Optional[int]
    path: Optional[str]  # in the event itself


def class_operation(event: Event) -> Optional[Operation]:
    if not event.of(FILE_IO, *OPERATIONS) or "IrpPtr" not in event.data:
        return None
    return Operation(event, OPERATIONS[event.opcode], event.value("IrpPtr"), event.value("TTID"), event.data.get("OpenPath"))


def provider_operation(event: Event) -> Optional[Operation]:
    if event.guid != KERNEL_FILE or event.classic or event.id not in PROVIDER_OPERATIONS or "Irp" not in event.data:
        return None
    name = PROVIDER_OPERATIONS[event.id]
    tid = event.value("IssuingThreadId") if "IssuingThreadId" in event.data else event.value("ThreadId")
    path = None if event.id in PATTERNS else event.data.get("FileName", event.data.get("FilePath"))
    return Operation(event, name, event.value("Irp"), tid, path)


def end_of_operation(event: Event, by_class: bool) -> Optional[tuple[Optional[int], int, int]]:
    """IRP, status, and bytes."""
    if by_class and event.of(FILE_IO, 76) and "IrpPtr" in event.data:
        return event.value("IrpPtr"), event.value("NtStatus") & 0xffffffff, event.value("ExtraInfo")
    if not by_class and event.guid == KERNEL_FILE and not event.classic and event.id == 24 and "Irp" in event.data:
        return event.value("Irp"), event.value("Status") & 0xffffffff, event.value("ExtraInformation")
    return None


class FileOperations:
    """Operations on files and their ends."""

    def __init__(self, context: Context, table: Table, by: str) -> None:
        self.context, self.table, self.by = context, table, by
        self.by_class = any(event.of(FILE_IO, 76, *OPERATIONS) for event in context.trace.all_used)
        self.open: dict[Optional[int], Operation] = {}
        self.never_completed = 0

    def key(self, event: Event, tid: Optional[int], operation: str, path: Optional[str] = None) -> tuple:
        facts = self.context.facts
        if self.by == "process":
            return facts.process_of_thread(tid, event.raw)
        if self.by == "operation":
            return (operation,)
        names = (facts.file(event.value("FileKey"), event.raw), facts.file(event.value("FileObject"), event.raw), path)
        return (next((name for name in names if name is not None), None),)

    def key_of(self, one: Operation) -> tuple:
        return self.key(one.event, one.tid, one.name, one.path)

    def add(self, event: Event) -> None:
        begun = (class_operation if self.by_class else provider_operation)(event)
        ended = end_of_operation(event, self.by_class)
        if begun:
            self.begin(begun)
        elif ended:
            self.end(event, *ended)
        elif event.of(PAGE_FAULT, 32) and "InitialTime" in event.data:
            self.hard_fault(event)

    def begin(self, begun: Operation) -> None:
        self.table.recorded.add("operations")
        if begun.name not in ADDED_PATHS:
            self.miss(self.open.get(begun.irp))
            self.open[begun.irp] = begun
        if self.context.trace.counts(begun.event):
            self.table.add(self.key_of(begun), operations=1)
            self.table.used += 1

    def miss(self, begun: Optional[Operation]) -> None:
        """The operation has no end."""
        self.never_completed += begun is not None and self.context.trace.counts(begun.event)

    def end(self, event: Event, irp: Optional[int], status: int, size: int) -> None:
        self.table.recorded.add("ends")
        in_range = self.context.trace.counts(event)
        self.table.used += in_range
        begun = self.open.pop(irp, None)
        if begun is None or not in_range:
            return
        key = self.key_of(begun)
        length = self.context.trace.range.cut(begun.event.raw, event.raw)
        self.table.add(key, completed=1, duration_ns=length, errors=int(status >= 0xc0000000))
        self.table.raise_to(key, max_duration_ns=length)
        if begun.name in FILE_BYTES and status < 0x80000000:
            self.table.add(key, **{FILE_BYTES[begun.name]: size})

    def hard_fault(self, event: Event) -> None:
        self.table.recorded.add("faults")
        if self.context.trace.counts(event):
            length = self.context.trace.range.cut(event.value("InitialTime"), event.raw)
            self.table.add(self.key(event, event.value("TThreadId"), "HardFault"), hard_faults=1,
                           hard_fault_bytes=event.value("ByteCount"), hard_fault_ns=length)
            self.table.used += 1

    def finish(self) -> None:
        for begun in self.open.values():
            self.miss(begun)
        self.table.note(never_completed=self.never_completed)


FILE_COLUMNS = [Column("operations", source="operations"), Column("read_bytes", source="ends"),
                Column("write_bytes", source="ends"), Column("completed", source="ends"),
                Column("duration_ns", "ticks", "ends"), Column("max_duration_ns", "ticks", "ends", True),
                Column("errors", source="ends"), Column("hard_faults", source="faults"),
                Column("hard_fault_bytes", source="faults"), Column("hard_fault_ns", "ticks", "faults")]


def files(context: Context, by: str) -> Table:
    keys = {"process": ["process", "pid"], "file": ["file"], "operation": ["operation"]}[by]
    table = Table(context, keys, FILE_COLUMNS,
                  lambda row: row["hard_fault_ns"] if row["duration_ns"] is None else row["duration_ns"])
    operations = FileOperations(context, table, by)
    for event in context.trace.used:
        operations.add(event)
    operations.finish()
    return table


NETWORK_COLUMNS = [Column(name, source="network") for name in (
    "sends", "sent_bytes", "receives", "received_bytes", "connects", "accepts", "disconnects", "retransmits")]
TCP_KINDS = {10: "sends", 26: "sends", 11: "receives", 27: "receives", 12: "connects", 28: "connects", 15: "accepts",
             31: "accepts", 13: "disconnects", 29: "disconnects", 14: "retransmits", 30: "retransmits"}
UDP_KINDS = {10: "sends", 26: "sends", 11: "receives", 27: "receives"}
PROVIDER_UDP_KINDS = {42: "sends", 58: "sends", 43: "receives", 59: "receives"}
BYTES = {"sends": "sent_bytes", "receives": "received_bytes"}


def network_kind(event: Event, kernel: bool) -> Optional[tuple[str, str]]:
    """Protocol and column, of kernel events or of the provider's."""
    if "size" not in event.data:
        return None
    if kernel and event.classic:
        kinds = {TCP_IP: ("tcp", TCP_KINDS), UDP_IP: ("udp", UDP_KINDS)}.get(event.guid)
        return (kinds[0], kinds[1][event.opcode]) if kinds and event.opcode in kinds[1] else None
    if not kernel and not event.classic and event.guid == KERNEL_NETWORK:
        for protocol, kinds in (("tcp", TCP_KINDS), ("udp", PROVIDER_UDP_KINDS)):
            if event.id in kinds:
                return protocol, kinds[event.id]
    return None


def peer_of(event: Event, protocol: str, column: str) -> Optional[str]:
    address, port = event.data.get("daddr"), event.value("dport")
    if protocol == "udp" and column == "receives":
        address, port = event.data.get("saddr"), event.value("sport")
    if not isinstance(address, str) or port is None:
        return None
    return ("[%s]:%d" if ipaddress.ip_address(address).version == 6 else "%s:%d") % (address, port)


def network(context: Context, by: str) -> Table:
    keys = ["process", "pid"] if by == "process" else ["protocol", "peer"]
    table = Table(context, keys, NETWORK_COLUMNS,
                  lambda row: None if row["sent_bytes"] is None else row["sent_bytes"] + row["received_bytes"])
    kernel = any(network_kind(event, True) for event in context.trace.used)
    for event in context.trace.used:
        found = network_kind(event, kernel)
        if found is None:
            continue
        table.recorded.add("network")
        if context.trace.counts(event):
            protocol, column = found
            pid = event.value("PID")
            by_process = context.facts.process_name(pid, event.raw), pid
            key = by_process if by == "process" else (protocol, peer_of(event, *found))
            table.add(key, **{column: 1})
            if column in BYTES:
                table.add(key, **{BYTES[column]: event.value("size")})
            table.used += 1
    return table
