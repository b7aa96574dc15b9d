#!/usr/bin/env python3
"""Random activity of a machine as lines of `etl write`: a trace in which every table of the analysis verbs has rows.

    made_activity.py SEED > events.jsonl

Processes and threads start, end, and reuse IDs; threads run, wait, become ready, and are preempted on four processors;
some context switches are missing; interrupts are nested; stack keys are reused; operations overlap. The same seed makes
the same lines.
"""
import json
import random
import sys
from typing import Any, Iterator

from events import (DISK_IO, EVENT_TRACE, FILE_IO, IMAGE, PAGE_FAULT, PERF_INFO, PROCESS, RUNTIME, STACK_WALK, TCP_IP,
                    THREAD, UDP_IP)

PROCESSORS = 4
START = 1_000_000
KERNEL, USER = 0xfffff80000000000, 0x7ff600000000
NAMES = ("kettle.exe", "cup.exe", "spoon.exe", "teapot.exe")
FREQUENCIES = (10_000_000, 2_441_406, 24_000_000, 3_579_545)

Line = dict[str, Any]


def header(frequency: int) -> Line:
    return {"time": "2024-05-17T04:00:00.0000000Z", "raw_time": START, "cpu": 0, "pid": 4242, "tid": 4244,
            "provider": "MSNT_SystemTrace", "provider_guid": EVENT_TRACE, "opcode": 0, "version": 2,
            "event": "EventTrace/Header", "source": "mof", "header": "SYSTEM64",
            "data": {"Version": 83951626, "ProviderVersion": 19045, "NumberOfProcessors": PROCESSORS, "PointerSize": 8,
                     "EndTime": "2024-05-17T05:00:00.0000000Z", "TimerResolution": 156250, "EventsLost": 3,
                     "CPUSpeed": 2400, "BootTime": "2024-05-17T03:00:00.0000000Z", "PerfFreq": frequency,
                     "LogFileMode": "0x1", "StartTime": "2024-05-17T04:00:00.0000000Z", "ReservedFlags": "0x1",
                     "BuffersLost": 1, "SessionName": "Signal Box"}}


WAITING, READY, UNKNOWN = (5, 6, 9), (1, 3, 7), (2, 4)  # states of a thread that leaves a processor


class Machine:
    """Makes lines; the state is what a kernel would know."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.counted = random.Random(seed + 1000)  # of counters: the rest does not depend on them
        self.lines: list[Line] = []
        self.time = START + 1000
        self.running = [0] * PROCESSORS
        self.owner: dict[int, int] = {}  # process of each thread
        self.names: dict[int, str] = {}
        self.ready: list[int] = []
        self.irps: list[int] = []
        self.keys: dict[int, list[int]] = {}
        self.suspended: set[int] = set()  # threads that suspend

    def emit(self, guid: str, opcode: int, version: int, data: Line, cpu: int = 0, **more: Any) -> None:
        line = {"raw_time": self.time, "time": "2024-05-17T04:00:00Z", "cpu": cpu, "provider_guid": guid,
                "opcode": opcode, "version": version, "source": "mof", "header": "PERFINFO64", "data": data}
        self.lines.append(line | more)

    def pass_time(self) -> None:
        self.time += self.random.choice((0, 1, 7, 50, 300, 2000, 10_000))

    def image(self, opcode: int, pid: int, base: int, name: str) -> None:
        self.emit(IMAGE, opcode, 3, {
            "ImageBase": hex(base), "ImageSize": "0x10000", "ProcessId": pid, "ImageChecksum": 49374,
            "TimeDateStamp": 1593835520, "SignatureLevel": 8, "SignatureType": 1, "Reserved0": 0,
            "DefaultBase": hex(base), "Reserved1": 0, "Reserved2": 0,
            "Reserved3": 0, "Reserved4": 0, "FileName": "\\Device\\HarddiskVolume2\\Kitchen\\" + name})

    def process(self, opcode: int, pid: int) -> None:
        self.emit(PROCESS, opcode, 4, {
            "UniqueProcessKey": hex(0xffffa00000000000 + pid), "ProcessId": pid, "ParentId": 4 if pid > 1200 else 0,
            "SessionId": 1, "ExitStatus": -1073741819 if opcode == 2 else 259, "DirectoryTableBase": "0x1aa000",
            "Flags": "0x0", "UserSID": "S-1-5-18", "ImageFileName": self.names[pid],
            "CommandLine": self.names[pid] + " --boil", "PackageFullName": "", "ApplicationId": ""})

    def thread(self, opcode: int, tid: int) -> None:
        self.emit(THREAD, opcode, 3, {
            "ProcessId": self.owner[tid], "TThreadId": tid, "StackBase": "0x1000", "StackLimit": "0x2000",
            "UserStackBase": "0x1000", "UserStackLimit": "0x2000", "Affinity": "0xff", "Win32StartAddr": "0x0",
            "TebBase": "0x3000", "SubProcessTag": "0x0", "BasePriority": 8, "PagePriority": 5, "IoPriority": 2,
            "ThreadFlags": 0})

    def boot(self) -> None:
        for pid, name in ((4, "System"), *zip(range(1200, 1600, 100), NAMES)):
            self.names[pid] = name
            self.process(3, pid)
            self.image(3, pid, USER + (pid << 20), name)
            for tid in range(pid + 1, pid + 4):
                self.owner[tid] = pid
                self.thread(3, tid)
        self.image(3, 0, KERNEL, "ntoskrnl.exe")
        self.image(3, 0, KERNEL + 0x10000, "hal.dll")
        for number in range(3):
            self.emit(FILE_IO, 36, 2, {"FileObject": hex(0xa000 + number),
                                       "FileName": "\\Device\\Tea\\leaf%d" % number})

    def switch(self) -> None:
        cpu = self.random.randrange(PROCESSORS)
        old = self.running[cpu]
        free = [tid for tid in self.owner if tid not in self.running]
        new = self.random.choice([0, *free]) if old else self.random.choice(free)
        if new == old:
            return
        state = self.random.choices((WAITING, READY, UNKNOWN), (6, 3, 1))[0]
        self.running[cpu] = new
        if self.random.random() < 0.03:  # a lost one
            return
        self.emit(THREAD, 36, 4, {
            "NewThreadId": new, "OldThreadId": old, "NewThreadPriority": 8, "OldThreadPriority": 8,
            "PreviousCState": 0, "SpareByte": 0, "OldThreadWaitReason": self.random.choice((0, 6, 15, 30, 42, 77)),
            "ThreadFlags": 1, "OldThreadState": state[self.time % len(state)], "OldThreadWaitIdealProcessor": 2,
            "NewThreadWaitTime": "0x3", "Reserved": 0}, cpu)

    def make_ready(self) -> None:
        self.emit(THREAD, 50, 2, {"TThreadId": self.random.choice([*self.owner, 9999]), "AdjustReason": 1,
                                  "AdjustIncrement": 0, "Flag": self.random.choice((0, 0, 0, 1)), "Reserved": 0},
                                  self.random.randrange(PROCESSORS))

    def address(self, tid: int) -> int:
        if self.random.random() < 0.4:
            return KERNEL + self.random.randrange(0, 0x28000, 8)
        return USER + (self.owner.get(tid, 1200) << 20) + self.random.randrange(0, 0x12000, 8)

    def sample(self) -> None:
        cpu = self.random.randrange(PROCESSORS)
        tid, address = self.running[cpu], self.address(self.running[cpu])
        self.emit(PERF_INFO, 46, 2, {"InstructionPointer": hex(address), "ThreadId": tid,
                                     "Count": self.random.choice((1, 1, 2)), "Reserved": self.random.choice((0x40,
                                     0x40, 0x40, 0x41, 0x42, 0x43))}, cpu)
        taken = self.time
        for opcode, kernel in ((37, True), (38, False)):
            if self.random.random() < 0.7:
                self.time += 1
                key = self.random.choice((0xb000, 0xb010, 0xb020))
                self.keys.setdefault(key, [self.address(tid) for _ in range(self.random.randrange(1, 5))])
                if self.random.random() < 0.3:
                    self.keys[key][0] = address
                frames = [KERNEL + 8, KERNEL + 0x10000] if kernel else self.keys[key]
                self.stack(opcode, taken, tid, key, frames, cpu)
        if self.keys and self.random.random() < 0.3:
            key, frames = self.keys.popitem()
            self.time += 1
            self.emit(STACK_WALK, 35, 2, {"key": hex(key), "StackFrame": [hex(frame) for frame in frames]}, cpu)

    def stack(self, opcode: int, taken: int, tid: int, key: int, frames: list[int], cpu: int) -> None:
        common = {"EventTimeStamp": taken, "StackProcess": hex(self.owner.get(tid, 0)), "StackThread": tid}
        if opcode == 37:
            self.emit(STACK_WALK, 32, 2, common | {"Stack": [hex(frame) for frame in frames]}, cpu)
        else:
            self.emit(STACK_WALK, opcode, 2, common | {"StackKey": hex(key)}, cpu)

    def interval(self) -> None:
        self.emit(PERF_INFO, self.random.choice((72, 73, 74)), 2, {
            "Source": self.random.choice((0, 0, 1)), "NewInterval": self.random.choice((0, 1221, 5000, 10_000)),
            "OldInterval": 10_000})

    def counter(self) -> None:
        """A sample of a hardware counter, or its interval."""
        choose, cpu = self.counted.choice, self.counted.randrange(PROCESSORS)
        if self.counted.random() < 0.1:
            opcode, source = choose((72, 73, 74)), choose((10, 27))
            name = {"SourceName": "LLCMisses"} if source == 27 and opcode != 72 else {}
            self.emit(PERF_INFO, opcode, 3 if name else 2, {"Source": source, "NewInterval": choose((0, 1221, 65536)),
                                                            "OldInterval": choose((0, 9000))} | name, cpu)
            return
        tid = choose([0, *self.owner])
        address = choose((KERNEL + 8 * self.counted.randrange(0x5000),
                          USER + (self.owner.get(tid, 1200) << 20) + 8 * self.counted.randrange(0x2400)))
        self.emit(PERF_INFO, 47, 2, {"InstructionPointer": hex(address), "ThreadId": tid,
                                     "ProfileSource": choose((2, 10, 27)), "Reserved": choose((0, 0, 0, 1, 2, 3))}, cpu)
        code = USER + (self.owner.get(tid, 1200) << 20)
        for part in ([KERNEL + 8, KERNEL + 0x10000], [min(address, code + 0x100), code + 0x4000, code + 0x4000]):
            if self.counted.random() < 0.6:
                self.stack(37, self.time, tid, 0, part, cpu)

    def interrupt(self) -> None:
        cpu, begin = self.random.randrange(PROCESSORS), self.time
        for _ in range(self.random.randrange(3)):
            self.time += self.random.randrange(1, 40)
            self.interrupt_end(cpu, self.random.randrange(begin, self.time + 1), 67)
            self.time += self.random.randrange(40)
        self.interrupt_end(cpu, begin if self.random.random() < 0.95 else self.time + 5, self.random.choice((68, 69,
                                                                                                             66)))

    def interrupt_end(self, cpu: int, begin: int, opcode: int) -> None:
        data = {"InitialTime": begin, "Routine": hex(KERNEL + self.random.randrange(0, 0x28000, 0x4000))}
        if opcode == 67:
            data |= {"ReturnValue": 1, "Vector": 161, "Reserved": 0}
        self.emit(PERF_INFO, opcode, 2, data, cpu)

    def disk(self) -> None:
        opcode, irp = self.random.choice((10, 10, 11, 14)), self.random.choice((0xe000, 0xe010))
        tid = self.random.choice(list(self.owner))
        data: Line = {"DiskNumber": self.random.randrange(2), "IrpFlags": "0x60043"}
        if opcode != 14:
            data |= {"TransferSize": 4096, "Reserved": 0, "ByteOffset": 0,
                     "FileObject": hex(0xa000 + self.random.randrange(5)),
                     "Irp": hex(irp)}
        data |= {"HighResResponseTime": self.random.randrange(5000)}
        data |= {"Irp": hex(irp)} if opcode == 14 else {}
        if self.random.random() < 0.5:
            self.emit(DISK_IO, {10: 12, 11: 13, 14: 15}[opcode], 3, {"Irp": hex(irp), "IssuingThreadId": tid},
                      header="SYSTEM64",
                      pid=self.owner[tid], tid=tid)
        known = self.random.choice((tid, tid, 0, 0xffffffff))
        self.emit(DISK_IO, opcode, 3, data | {"IssuingThreadId": known}, self.random.randrange(PROCESSORS))

    def file(self) -> None:
        cpu = self.random.randrange(PROCESSORS)
        if self.irps and self.random.random() < 0.5:
            self.emit(FILE_IO, 76, 3, {"IrpPtr": hex(self.irps.pop()), "ExtraInfo": "0x200",
                                       "NtStatus": self.random.choice((0, 0, 0x80000005, 0xc0000034))}, cpu)
            return
        irp, tid = 0xf000 + 16 * self.random.randrange(40), self.random.choice(list(self.owner))
        common = {"IrpPtr": hex(irp), "FileObject": hex(0xc000 + self.random.randrange(4)), "TTID": tid}
        if irp not in self.irps and self.random.random() < 0.95:
            self.irps.insert(0, irp)
        opcode = self.random.choice((64, 66, 67, 68))
        if opcode == 64:
            common |= {"CreateOptions": 0, "FileAttributes": 128, "ShareAccess": 7, "OpenPath": "\\Kitchen\\%x" % irp}
        else:
            common |= {"FileKey": hex(0xa000 + self.random.randrange(5))}
        if opcode in (67, 68):
            common |= {"Offset": 0, "IoSize": 512, "IoFlags": 0}
        self.emit(FILE_IO, opcode, 3, common, cpu)

    def fault(self) -> None:
        self.emit(PAGE_FAULT, 32, 2, {
            "InitialTime": self.time - self.random.randrange(900), "ReadOffset": "0x1000",
            "VirtualAddress": "0x7ff600001000", "FileObject": hex(0xa000 + self.random.randrange(5)),
            "TThreadId": self.random.choice([*self.owner, 9999]),
            "ByteCount": 4096}, self.random.randrange(PROCESSORS))

    def network(self) -> None:
        data = {"PID": self.random.choice([*self.names, 77]), "size": self.random.randrange(1500),
                "daddr": "10.0.0.%d" %
                self.random.randrange(3), "saddr": "10.0.0.9", "dport": 443, "sport": 50123}
        kind = self.random.choice(("send", "receive", "udp"))
        if kind == "udp":
            self.emit(UDP_IP, self.random.choice((10, 11)), 2, data | {"seqnum": 0, "connid": "0x0"})
        elif kind == "send":
            self.emit(TCP_IP, 10, 2, data | {"startime": 1, "endtime": 2, "seqnum": 0, "connid": "0x0"})
        else:
            self.emit(TCP_IP, self.random.choice((11, 13, 14)), 2, data | {"seqnum": 0, "connid": "0x0"})

    def runtime(self) -> None:
        if self.random.random() < 0.5:
            self.pause()
            return
        tid = self.random.choice((1301, 1302))
        number, opcode, version, data = self.random.choice((
            (1, 1, 1, {"Count": 1, "Depth": self.random.randrange(3), "Reason": 0, "Type": self.random.randrange(3)}),
            (10, 11, 1, {"AllocationAmount": hex(self.random.randrange(200_000)), "AllocationKind": 0}),
            (81, 1, 1, {"ContentionFlags": 0}), (91, 2, 0, {"ContentionFlags": 0}), (91, 2, 0, {"ContentionFlags": 0})))
        self.emit_runtime(number, opcode, version, data, tid)

    def pause(self) -> None:
        tid = 1301 + self.time % 2
        if tid in self.suspended:
            wanted = self.random.choice(((8, 137, 1, {}), (3, 132, 1, {}), (9, 10, 1, {"Reason": 5, "Count": 0})))
            if wanted[0] == 3:
                self.suspended.remove(tid)
        else:
            wanted = (9, 10, 1, {"Reason": self.random.choice((1, 6, 2)), "Count": 0})
            self.suspended.add(tid)
        self.emit_runtime(*wanted, tid)

    def emit_runtime(self, number: int, opcode: int, version: int, data: Line, tid: int) -> None:
        self.lines.append({
            "raw_time": self.time, "time": "2024-05-17T04:00:00Z", "cpu": 0, "pid": 1300, "tid": tid,
            "provider_guid": RUNTIME, "id": number, "version": version, "opcode": opcode, "task": 1, "level": 4,
            "keyword": "0x1", "header": "EVENT64", "source": "manifest", "data": data | {"ClrInstanceID": 8}})

    def reuse(self) -> None:
        """A process ends, and another takes its ID and those of its threads, or of some."""
        pid = self.random.choice((1200, 1300, 1400, 1500))
        gone = [tid for tid, owner in self.owner.items() if owner == pid]
        for tid in gone:
            self.thread(2, tid)
        self.image(2, pid, USER + (pid << 20), self.names[pid])
        self.process(2, pid)
        self.time += 20
        self.names[pid] = self.random.choice(NAMES)
        self.process(1, pid)
        self.image(10, pid, USER + (pid << 20), self.names[pid])
        for tid in gone:
            self.thread(1, tid)

    def run(self, count: int) -> Iterator[Line]:
        self.boot()
        acts = ((self.switch, 40), (self.make_ready, 20), (self.sample, 12), (self.interval, 1), (self.interrupt, 6),
                (self.disk, 5),
                (self.file, 10), (self.fault, 2), (self.network, 4), (self.runtime, 6), (self.reuse, 1))
        for act in self.random.choices([a for a, _ in acts], [w for _, w in acts], k=count):
            self.pass_time()
            act()
            if self.counted.random() < 0.05:
                self.counter()
        self.time += 10
        for pid in self.names:
            self.process(4, pid)
        yield from self.lines


def lines(seed: int, count: int = 3000) -> Iterator[Line]:
    yield header(FREQUENCIES[seed % len(FREQUENCIES)])
    yield from Machine(seed).run(count)


if __name__ == "__main__":
    for made in lines(int(sys.argv[1])):
        print(json.dumps(made))
