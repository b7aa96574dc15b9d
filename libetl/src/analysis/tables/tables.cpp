#include <etl/analysis/tables.hpp>

#include "analysis/tables/makers.hpp"
#include "analysis/times/makers.hpp"

#include <array>

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

constexpr PartsOf parts_of(std::string_view name, std::string_view by) {
    if (name == "processes" || name == "images" || name == "flame" || name == "slowest" ||
        name == "disk" || name == "files" || name == "gc" || name == "interrupts" ||
        (name == "timeline" && by != "all")) {
        return PartsOf::none;
    }
    if (name == "marks") {
        return PartsOf::appended;
    }
    const bool is_of_frames =
        name == "cpu" && (by.contains("module") || by.contains("function") || by == "call");
    const bool is_of_events =
        name == "network" || name == "stacks" || (name == "stats" && by != "processor");
    return is_of_frames || is_of_events ? PartsOf::added : PartsOf::carried;
}

template <std::size_t N>
constexpr std::array<TableKind, N> with_parts(std::array<TableKind, N> all) {
    for (TableKind& one : all) {
        one.parts = parts_of(one.name, one.by);
    }
    return all;
}

constexpr auto all_tables = with_parts(std::to_array<TableKind>({
    {"cpu", "process", late_processes, true, made<make_cpu, CpuBy::process>},
    {"cpu", "thread", late_processes, true, made<make_cpu, CpuBy::thread>},
    {"cpu", "processor", processes, true, made<make_cpu, CpuBy::processor>},
    {"cpu", "module", all_facts, true, made<make_cpu_frames, FramesBy::module>},
    {"cpu", "function", all_facts, true, made<make_cpu_frames, FramesBy::function>},
    {"cpu", "process-module", all_facts, true, made<make_cpu_frames, FramesBy::process_module>},
    {"cpu", "process-function", all_facts, true, made<make_cpu_frames, FramesBy::process_function>},
    {"cpu", "call", all_facts, true, made_plainly<make_cpu_calls>},
    {"waits", "process", processes, true, made<make_waits, WaitsBy::process>},
    {"waits", "thread", processes, true, made<make_waits, WaitsBy::thread>},
    {"waits", "reason", processes, true, made<make_waits, WaitsBy::reason>},
    {"waits", "waker", processes, true, made<make_waits, WaitsBy::waker>},
    {"interrupts", "routine", all_facts, false, made<make_interrupts, InterruptsBy::routine>},
    {"interrupts", "module", all_facts, false, made<make_interrupts, InterruptsBy::module>},
    {"interrupts", "slice", nothing, false, made<make_interrupts, InterruptsBy::slice>, false,
     true},
    {"disk", "process", processes, true, made<make_disk, DiskBy::process>},
    {"disk", "file", all_facts, true, made<make_disk, DiskBy::file>},
    {"disk", "disk", processes, true, made<make_disk, DiskBy::disk>},
    {"files", "process", processes, true, made<make_files, FilesBy::process>},
    {"files", "file", all_facts, true, made<make_files, FilesBy::file>},
    {"files", "operation", processes, true, made<make_files, FilesBy::operation>},
    {"network", "process", processes, true, made<make_network, NetworkBy::process>},
    {"network", "peer", processes, true, made<make_network, NetworkBy::peer>},
    {"processes", "", processes, true, made_plainly<make_processes>},
    {"images", "", processes, true, made_plainly<make_images>},
    {"gc", "", processes, true, made_plainly<make_gc>},
    {"flame", "cpu", all_facts, true, made<make_flame, FlameOf::cpu>},
    {"flame", "wait", all_facts, true, made<make_flame, FlameOf::waits>},
    {"flame", "disk", all_facts, true, made<make_flame, FlameOf::disk>},
    {"flame", "alloc", all_facts, true, made<make_flame, FlameOf::allocations>},
    {"flame", "event", facts_and_schemas, true, made<make_flame, FlameOf::events>},
    {"marks", "", schemas, false, made_plainly<make_marks>},
    {"stacks", "function", facts_and_schemas, true, made<make_stacks, StacksBy::function>},
    {"stacks", "call", facts_and_schemas, true, made<make_stacks, StacksBy::call>},
    {"stacks", "event", facts_and_schemas, true, made<make_stacks, StacksBy::event>},
    {"stats", "provider", schemas, false, made<make_stats, StatsBy::provider>, true},
    {"stats", "event", schemas, false, made<make_stats, StatsBy::event>, true},
    {"stats", "process", processes, true, made<make_stats, StatsBy::process>, true},
    {"stats", "processor", nothing, false, made<make_stats, StatsBy::processor>},
    {"stats", "slice", nothing, false, made<make_stats, StatsBy::slice>, false, true},
    {"timeline", "all", nothing, false, made_plainly<make_timeline>, false, true},
    {"timeline", "provider", schemas, false, made<make_series, SeriesBy::provider>, false, true},
    {"timeline", "process", processes, true, made<make_series, SeriesBy::process>, false, true},
    {"slowest", "", facts_and_schemas, true, made_plainly<make_slowest>},
}));

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
