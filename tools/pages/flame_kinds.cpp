#include "pages/flame_kinds.hpp"

#include "cli/plural.hpp"
#include "rows/values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::analysis::StackNode;
using etl::analysis::StackTree;
using etl::analysis::Table;

constexpr FlameKind kinds[] = {
    {"cpu", "CPU time by samples", "stacks of samples",
     "xperf -stackwalk Profile, or wpr -start CPU"},
    {"wait", "Wait time", "stacks of context switches",
     "xperf -stackwalk CSwitch, or wpr -start CPU"},
    {"disk", "Disk time", "stacks of disk I/O",
     "xperf -stackwalk DiskReadInit+DiskWriteInit, or wpr -start DiskIO"},
    {"alloc", "Bytes allocated by .NET", "stacks of .NET",
     "Microsoft-Windows-DotNETRuntime, keyword 0x40000000 (stack)"},
};

constexpr FlameKind counter_kind{"counter", "Samples of hardware counters", "stacks of samples",
                                 "xperf -stackwalk PmcInterrupt"};

constexpr FlameKind event_kind{"event", "Events", "stacks of events",
                               "the option for stacks of the session"};

std::uint64_t remainder_of(const Table& table, std::string_view name) {
    const auto found =
        std::ranges::find(table.coverage.remainders, name, &etl::analysis::Remainder::name);
    return found != table.coverage.remainders.end() ? found->value : 0;
}

} // namespace

std::span<const FlameKind> flame_kinds() noexcept {
    return kinds;
}

const FlameKind& flame_kind(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(kinds, name, &FlameKind::name);
    return found != std::end(kinds)    ? *found
           : name == counter_kind.name ? counter_kind
                                       : event_kind;
}

std::string_view counted_events(const Table& table) noexcept {
    const auto first = std::ranges::find_if(table.columns, [](const etl::analysis::Column& column) {
        return column.adding != etl::analysis::Adding::key;
    });
    return first != table.columns.end() ? first->name : "events";
}

bool has_stacks(const Table& table) {
    return table.stacks->count() > remainder_of(table, "events_without_stack");
}

std::vector<std::string> flame_notes(const Table& table, const FlameKind& kind) {
    std::vector<std::string> notes;
    const std::uint64_t lost = table.coverage.lost_events.value_or(0);
    if (lost > 0) {
        notes.push_back(
            fmt::format("{} lost while recording", plural(lost, "event was", "events were")));
    }
    const std::uint64_t all = table.stacks->count();
    const std::uint64_t without = remainder_of(table, "events_without_stack");
    if (without > 0) {
        notes.push_back(fmt::format(
            "{} of {} {} have no stack{}", without, all, counted_events(table),
            without == all ? fmt::format("; to record stacks: {}", kind.record_stacks) : ""));
    }
    return notes;
}

std::string flame_summary(const Table& table) {
    const StackTree& tree = *table.stacks;
    std::string text = fmt::format("{} {}", tree.count(), counted_events(table));
    if (tree.unit != etl::analysis::Unit::count) {
        text += ", " + etl::rows::shown_of(etl::rows::Value(tree.weight()), tree.unit);
    }
    return text + fmt::format(", in {} on {}", etl::rows::duration_text(table.coverage.duration_ns),
                              plural(table.coverage.processors, "processor"));
}

} // namespace cli
