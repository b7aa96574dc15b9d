#include "session/kernel_flags.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace etl::session {

namespace {

constexpr std::array flags = std::to_array<KernelFlag>({
    {"PROC_THREAD", 0x3, "process and thread start and end"},
    {"PROCESS", 0x1, "process start and end"},
    {"THREAD", 0x2, "thread start and end"},
    {"LOADER", 0x4, "image load and unload"},
    {"PERF_COUNTER", 0x8, "performance counters at process end"},
    {"CSWITCH", 0x10, "context switches"},
    {"DPC", 0x20, "deferred procedure calls"},
    {"INTERRUPT", 0x40, "interrupts"},
    {"SYSCALL", 0x80, "system calls"},
    {"DISK_IO", 0x100, "disk I/O completion"},
    {"FILENAME", 0x200, "file name creation, deletion, and rundown"},
    {"DISK_IO_INIT", 0x400, "disk I/O start"},
    {"DISPATCHER", 0x800, "threads becoming ready"},
    {"ALL_FAULTS", 0x1000, "all page faults"},
    {"HARD_FAULTS", 0x2000, "hard page faults"},
    {"VIRT_ALLOC", 0x4000, "virtual memory allocation and release"},
    {"VAMAP", 0x8000, "file mapping and unmapping"},
    {"NETWORKTRACE", 0x10000, "TCP and UDP send, receive, and connect"},
    {"REGISTRY", 0x20000, "registry access"},
    {"DBGPRINT", 0x40000, "debug output"},
    {"JOB", 0x80000, "jobs"},
    {"ALPC", 0x100000, "local procedure calls"},
    {"SPLIT_IO", 0x200000, "split I/O"},
    {"DEBUG_EVENTS", 0x400000, "debugger events"},
    {"DRIVERS", 0x800000, "driver I/O"},
    {"PROFILE", 0x1000000, "CPU samples"},
    {"FILE_IO", 0x2000000, "file operation completion, with results"},
    {"FILE_IO_INIT", 0x4000000, "file operation start"},
    {"NO_SYSCONFIG", 0x10000000, "no system configuration rundown"},
    {"ENABLE_RESERVE", 0x20000000, "reserved"},
    {"FORWARD_WMI", 0x40000000, "forward events to WMI"},
    {"CC", 0, "file cache"},
    {"COMPACT_CSWITCH", 0, "compact context switches"},
    {"FOOTPRINT", 0, "memory footprint"},
    {"MEMINFO", 0, "sizes of memory lists"},
    {"MEMINFO_WS", 0, "working set sizes"},
    {"MEMORY", 0, "use of physical pages"},
    {"POOL", 0, "kernel pool allocations"},
    {"POWER", 0, "power states"},
    {"PRIORITY", 0, "thread priority changes"},
    {"REFSET", 0, "referenced memory"},
    {"SESSION", 0, "user sessions"},
    {"SPINLOCK", 0, "spinlock contention"},
});

constexpr std::array groups = std::to_array<KernelGroup>({
    {"Base", "PROC_THREAD+LOADER+DISK_IO+HARD_FAULTS+PROFILE+MEMINFO+MEMINFO_WS"},
    {"Diag", "PROC_THREAD+LOADER+DISK_IO+HARD_FAULTS+DPC+INTERRUPT+CSWITCH+PERF_COUNTER"
             "+COMPACT_CSWITCH"},
    {"DiagEasy", "PROC_THREAD+LOADER+DISK_IO+HARD_FAULTS+DPC+INTERRUPT+CSWITCH+PERF_COUNTER"},
    {"Latency", "PROC_THREAD+LOADER+DISK_IO+HARD_FAULTS+DPC+INTERRUPT+CSWITCH+PROFILE"},
    {"FileIO", "PROC_THREAD+LOADER+DISK_IO+HARD_FAULTS+FILE_IO+FILE_IO_INIT"},
    {"IOTrace", "PROC_THREAD+LOADER+DISK_IO+HARD_FAULTS+CSWITCH"},
    {"ResumeTrace", "PROC_THREAD+LOADER+DISK_IO+HARD_FAULTS+PROFILE+POWER"},
    {"SysProf", "PROC_THREAD+LOADER+PROFILE"},
    {"ResidentSet", "PROC_THREAD+LOADER+DISK_IO+HARD_FAULTS+MEMORY+MEMINFO+VAMAP+SESSION"
                    "+VIRT_ALLOC"},
    {"ReferenceSet", "PROC_THREAD+LOADER+HARD_FAULTS+MEMORY+FOOTPRINT+VIRT_ALLOC+MEMINFO+VAMAP"
                     "+SESSION+REFSET+MEMINFO_WS"},
    {"Network", "PROC_THREAD+LOADER+NETWORKTRACE"},
});

} // namespace

std::span<const KernelFlag> kernel_flags() noexcept {
    return flags;
}

std::span<const KernelGroup> kernel_groups() noexcept {
    return groups;
}

void append_kernel_flag_names(std::string& to, std::uint32_t enable_flags) {
    std::string_view between;
    for (const KernelFlag& flag : flags) {
        if (flag.bits != 0 && (enable_flags & flag.bits) == flag.bits) {
            fmt::format_to(std::back_inserter(to), "{}{}", between, flag.name);
            enable_flags &= ~flag.bits;
            between = "+";
        }
    }
    if (enable_flags != 0) {
        fmt::format_to(std::back_inserter(to), "{}{:#x}", between, enable_flags);
    }
}

} // namespace etl::session
