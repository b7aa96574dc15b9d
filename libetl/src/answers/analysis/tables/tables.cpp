#include "analysis/tables.hpp"

#include "analysis/lifetimes/makers.hpp"
#include "analysis/tables/makers.hpp"
#include "analysis/times/makers.hpp"

namespace etl::analysis {

namespace {

template <auto make, auto by>
std::unique_ptr<Analyzer> made(const TableOptions& options) {
    if constexpr (requires { make(by, options); }) {
        return make(by, options);
    } else {
        return make(by);
    }
}

template <auto make>
std::unique_ptr<Analyzer> made_plainly(const TableOptions& options) {
    if constexpr (requires { make(options); }) {
        return make(options);
    } else {
        return make();
    }
}

using enum TableNeeds;
using enum PartsOf;

constexpr TableKind all_tables[] = {
    {"cpu", "process", processes, true, made<make_cpu, CpuBy::process>, carried},
    {"cpu", "thread", processes, true, made<make_cpu, CpuBy::thread>, carried},
    {"cpu", "processor", processes, true, made<make_cpu, CpuBy::processor>, carried},
    {"cpu", "module", all_facts, true, made<make_cpu_frames, FramesBy::module>, added},
    {"cpu", "function", all_facts, true, made<make_cpu_frames, FramesBy::function>, added},
    {"cpu", "process-module", all_facts, true, made<make_cpu_frames, FramesBy::process_module>,
     added},
    {"cpu", "process-function", all_facts, true, made<make_cpu_frames, FramesBy::process_function>,
     added},
    {"cpu", "call", all_facts, true, made_plainly<make_cpu_calls>, added},
    {"counters", "source", processes, true, made<make_counters, CountersBy::source>, added},
    {"counters", "process", processes, true, made<make_counters, CountersBy::process>, added},
    {"counters", "thread", processes, true, made<make_counters, CountersBy::thread>, added},
    {"counters", "processor", processes, true, made<make_counters, CountersBy::processor>, added},
    {"counters", "module", all_facts, true, made<make_counters, CountersBy::module>, added},
    {"counters", "function", all_facts, true, made<make_counters, CountersBy::function>, added},
    {"counters", "process-module", all_facts, true, made<make_counters, CountersBy::process_module>,
     added},
    {"counters", "process-function", all_facts, true,
     made<make_counters, CountersBy::process_function>, added},
    {"counters", "call", all_facts, true, made<make_counters, CountersBy::call>, added},
    {"waits", "process", processes, true, made<make_waits, WaitsBy::process>, carried},
    {"waits", "thread", processes, true, made<make_waits, WaitsBy::thread>, carried},
    {"waits", "reason", processes, true, made<make_waits, WaitsBy::reason>, carried},
    {"waits", "waker", processes, true, made<make_waits, WaitsBy::waker>, carried},
    {"interrupts", "routine", all_facts, false, made<make_interrupts, InterruptsBy::routine>,
     carried},
    {"interrupts", "module", all_facts, false, made<make_interrupts, InterruptsBy::module>,
     carried},
    {"interrupts", "slice", nothing, false, made<make_interrupts, InterruptsBy::slice>, carried,
     false, true},
    {"disk", "process", processes, true, made<make_disk, DiskBy::process>, carried},
    {"disk", "file", all_facts, true, made<make_disk, DiskBy::file>, carried},
    {"disk", "disk", processes, true, made<make_disk, DiskBy::disk>, carried},
    {"files", "process", processes, true, made<make_files, FilesBy::process>, carried},
    {"files", "file", all_facts, true, made<make_files, FilesBy::file>, carried},
    {"files", "operation", processes, true, made<make_files, FilesBy::operation>, carried},
    {"network", "process", processes, true, made<make_network, NetworkBy::process>, added},
    {"network", "peer", processes, true, made<make_network, NetworkBy::peer>, added},
    {"processes", "", processes, true, made_plainly<make_processes>, carried},
    {"images", "", processes, true, made_plainly<make_images>, carried},
    {"gc", "", processes, true, made_plainly<make_gc>, carried},
    {"flame", "cpu", all_facts, true, made<make_flame, FlameOf::cpu>},
    {"flame", "counter", all_facts, true, made<make_flame, FlameOf::counters>},
    {"flame", "wait", all_facts, true, made<make_flame, FlameOf::waits>},
    {"flame", "disk", all_facts, true, made<make_flame, FlameOf::disk>},
    {"flame", "alloc", all_facts, true, made<make_flame, FlameOf::allocations>},
    {"flame", "event", facts_and_schemas, true, made<make_flame, FlameOf::events>},
    {"marks", "", schemas, false, made_plainly<make_marks>},
    {"stacks", "function", facts_and_schemas, true, made<make_stacks, StacksBy::function>, added},
    {"stacks", "call", facts_and_schemas, true, made<make_stacks, StacksBy::call>, added},
    {"stacks", "event", facts_and_schemas, true, made<make_stacks, StacksBy::event>, added},
    {"stats", "provider", schemas, false, made<make_stats, StatsBy::provider>, added, true},
    {"stats", "event", schemas, false, made<make_stats, StatsBy::event>, added, true},
    {"stats", "process", processes, true, made<make_stats, StatsBy::process>, added, true},
    {"stats", "processor", nothing, false, made<make_stats, StatsBy::processor>, carried},
    {"stats", "slice", nothing, false, made<make_stats, StatsBy::slice>, added, false, true},
    {"timeline", "all", nothing, false, made_plainly<make_timeline>, carried, false, true},
    {"timeline", "provider", schemas, false, made<make_series, SeriesBy::provider>, carried, false,
     true},
    {"timeline", "process", processes, true, made<make_series, SeriesBy::process>, carried, false,
     true},
    {"slowest", "", facts_and_schemas, true, made_plainly<make_slowest>, carried},
};

} // namespace

std::span<const TableKind> tables() noexcept {
    return all_tables;
}

const TableKind* find_table(std::string_view name, std::string_view by) noexcept {
    for (const TableKind& table : all_tables) {
        if (table.name == name && (by.empty() || table.by == by)) {
            return &table;
        }
    }
    return nullptr;
}

} // namespace etl::analysis
