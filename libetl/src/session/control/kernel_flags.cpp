#include <etl/base/text.hpp>
#include <etl/session/kernel_flags.hpp>

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace etl::session {

namespace {

constexpr std::array flags = std::to_array<KernelFlag>({
    {"PROC_THREAD", 0x3, "processes and threads begin and end"},
    {"PROCESS", 0x1, "processes begin and end"},
    {"THREAD", 0x2, "threads begin and end"},
    {"LOADER", 0x4, "images are loaded and unloaded"},
    {"PERF_COUNTER", 0x8, "counters of processes when they end"},
    {"CSWITCH", 0x10, "context switches"},
    {"DPC", 0x20, "deferred procedure calls"},
    {"INTERRUPT", 0x40, "interrupts"},
    {"SYSCALL", 0x80, "system calls"},
    {"DISK_IO", 0x100, "requests that disks completed"},
    {"FILENAME", 0x200, "names of files come, go and are listed"},
    {"DISK_IO_INIT", 0x400, "requests to disks begin"},
    {"DISPATCHER", 0x800, "threads are made ready"},
    {"ALL_FAULTS", 0x1000, "page faults of every kind"},
    {"HARD_FAULTS", 0x2000, "page faults that read from disk"},
    {"VIRT_ALLOC", 0x4000, "address space is reserved and released"},
    {"VAMAP", 0x8000, "files are mapped and unmapped"},
    {"NETWORKTRACE", 0x10000, "TCP and UDP: sent, received, connected"},
    {"REGISTRY", 0x20000, "the registry is used"},
    {"DBGPRINT", 0x40000, "debug output"},
    {"JOB", 0x80000, "jobs"},
    {"ALPC", 0x100000, "local procedure calls"},
    {"SPLIT_IO", 0x200000, "requests that were split"},
    {"DEBUG_EVENTS", 0x400000, "events of debuggers"},
    {"DRIVERS", 0x800000, "requests that drivers handle"},
    {"PROFILE", 0x1000000, "where processors are, sampled"},
    {"FILE_IO", 0x2000000, "file operations end, with their results"},
    {"FILE_IO_INIT", 0x4000000, "file operations begin"},
    {"NO_SYSCONFIG", 0x10000000, "no description of the machine"},
    {"ENABLE_RESERVE", 0x20000000, "reserved"},
    {"FORWARD_WMI", 0x40000000, "events go on to WMI"},
    {"CC", 0, "the file cache"},
    {"COMPACT_CSWITCH", 0, "context switches in a short form"},
    {"FOOTPRINT", 0, "which pages were touched"},
    {"MEMINFO", 0, "how much memory is on which list"},
    {"MEMINFO_WS", 0, "working sets of processes"},
    {"MEMORY", 0, "physical pages: what they are used for"},
    {"POOL", 0, "allocations of the kernel"},
    {"POWER", 0, "power states"},
    {"PRIORITY", 0, "priorities of threads change"},
    {"REFSET", 0, "which memory is referred to"},
    {"SESSION", 0, "sessions of users"},
    {"SPINLOCK", 0, "processors collide at locks"},
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
