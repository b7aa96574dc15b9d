// The analyzers by name. Private to analysis.
#pragma once

#include "analysis/tables.hpp"

namespace etl::analysis {

enum class CpuBy : std::uint8_t { process, thread, processor };
enum class FramesBy : std::uint8_t { module, function, process_module, process_function };
enum class CountersBy : std::uint8_t {
    source,
    process,
    thread,
    processor,
    module,
    function,
    process_module,
    process_function,
    call,
};
enum class WaitsBy : std::uint8_t { process, thread, reason, waker };
enum class InterruptsBy : std::uint8_t { routine, module, slice };
enum class DiskBy : std::uint8_t { process, file, disk };
enum class FilesBy : std::uint8_t { process, file, operation };
enum class NetworkBy : std::uint8_t { process, peer };
enum class StacksBy : std::uint8_t { function, call, event };
enum class FlameOf : std::uint8_t { cpu, counters, waits, disk, allocations, events };
enum class StatsBy : std::uint8_t { provider, event, process, processor, slice };

std::unique_ptr<Analyzer> make_cpu(CpuBy by, const TableOptions& options);
std::unique_ptr<Analyzer> make_cpu_frames(FramesBy by);
std::unique_ptr<Analyzer> make_cpu_calls();
std::unique_ptr<Analyzer> make_counters(CountersBy by, const TableOptions& options);
std::unique_ptr<Analyzer> make_waits(WaitsBy by);
std::unique_ptr<Analyzer> make_interrupts(InterruptsBy by, const TableOptions& options);
std::unique_ptr<Analyzer> make_disk(DiskBy by);
std::unique_ptr<Analyzer> make_files(FilesBy by);
std::unique_ptr<Analyzer> make_network(NetworkBy by);
std::unique_ptr<Analyzer> make_gc();
std::unique_ptr<Analyzer> make_flame(FlameOf what, const TableOptions& options);
std::unique_ptr<Analyzer> make_event_flame(bool of_allocations, const TableOptions& options);
std::unique_ptr<Analyzer> make_stats(StatsBy by, const TableOptions& options);
std::unique_ptr<Analyzer> make_stacks(StacksBy by, const TableOptions& options);
std::unique_ptr<Analyzer> make_marks();

} // namespace etl::analysis
