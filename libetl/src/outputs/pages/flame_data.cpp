#include "pages/flame_data.hpp"

#include "base/json_object.hpp"
#include "base/text.hpp"
#include "rows/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace etl::pages {

namespace {

using analysis::StackFrame;
using analysis::StackNode;
using analysis::StackTree;
using analysis::Unit;

/// A list of a number of each element.
template <typename List, typename NumberOf>
std::string numbers(const List& list, NumberOf&& number_of) {
    std::string json = "[";
    for (const auto& element : list) {
        json += json.size() > 1 ? "," : "";
        append_decimal(json, number_of(element));
    }
    return json + "]";
}

std::string merged_list(const StackTree& tree) {
    JsonList merged;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (tree.nodes[i].merged != 0) {
            merged.raw(
                JsonList().raw(std::to_string(i)).raw(std::to_string(tree.nodes[i].merged)).take());
        }
    }
    return merged.take();
}

std::string frames_json(const StackTree& tree, JsonList& modules) {
    std::unordered_map<std::string_view, std::size_t> numbers_of;
    JsonList names;
    std::string module_numbers;
    for (const StackFrame& frame : tree.frames) {
        const auto [found, is_new] = numbers_of.try_emplace(frame.module, numbers_of.size());
        if (is_new) {
            modules.text(utf8_text(frame.module));
        }
        names.text(utf8_text(frame.function));
        module_numbers += module_numbers.empty() ? "" : ",";
        module_numbers += std::to_string(found->second);
    }
    JsonObject json;
    json.raw("name", names.take()).raw("module", "[" + module_numbers + "]");
    json.raw("kind", numbers(tree.frames, [](const StackFrame& frame) {
                 return static_cast<unsigned>(frame.kind);
             }));
    return json.take();
}

std::string nodes_json(const StackTree& tree, bool is_differential) {
    JsonObject json;
    json.raw("depth", numbers(depths_of(tree), [](std::uint32_t depth) { return depth; }));
    json.raw("frame", numbers(tree.nodes, [](const StackNode& node) { return node.frame; }));
    json.raw("weight", numbers(tree.nodes, [](const StackNode& node) { return node.weight; }));
    json.raw("count", numbers(tree.nodes, [](const StackNode& node) { return node.count; }));
    if (is_differential) {
        json.raw("before", numbers(tree.nodes, [](const StackNode& node) { return node.before; }));
    }
    json.raw("merged", merged_list(tree));
    return json.take();
}

} // namespace

std::vector<std::uint32_t> depths_of(const StackTree& tree) {
    std::vector<std::uint32_t> depths;
    depths.reserve(tree.nodes.size());
    for (const StackNode& node : tree.nodes) {
        depths.push_back(node.parent == StackNode::none ? 0 : depths[node.parent] + 1);
    }
    return depths;
}

std::string flame_data(const StackTree& tree, const FlameTexts& texts) {
    JsonList notes, modules;
    for (const std::string& note : texts.notes) {
        notes.text(utf8_text(note));
    }
    const std::string frames = frames_json(tree, modules);
    JsonObject json;
    json.text("title", utf8_text(texts.title)).text("summary", utf8_text(texts.summary));
    json.text("events", texts.events).raw("notes", notes.take());
    json.text("unit", tree.unit == Unit::nanoseconds ? "nanoseconds"
                      : tree.unit == Unit::bytes     ? "bytes"
                                                     : "count");
    json.raw("modules", modules.take()).raw("frames", frames);
    json.raw("nodes", nodes_json(tree, texts.is_differential));
    return json.take();
}

namespace {

using analysis::Table;

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
        std::ranges::find(table.coverage.remainders, name, &analysis::Remainder::name);
    return found != table.coverage.remainders.end() ? found->value : 0;
}

/// The number of events of the whole table: patterns and views leave some out of its stacks.
std::uint64_t count_of_all(const Table& table) {
    const auto column = table.find(counted_events(table));
    const auto* const count = column && *column < table.total.size()
                                  ? std::get_if<std::uint64_t>(&table.total[*column])
                                  : nullptr;
    return count != nullptr ? *count : 0;
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
    const auto first = std::ranges::find_if(table.columns, [](const analysis::Column& column) {
        return column.adding != analysis::Adding::key;
    });
    return first != table.columns.end() ? first->name : "events";
}

bool has_stacks(const Table& table) {
    return count_of_all(table) > remainder_of(table, "events_without_stack");
}

std::vector<std::string> flame_notes(const Table& table, const FlameKind& kind) {
    std::vector<std::string> notes;
    const std::uint64_t lost = table.coverage.lost_events.value_or(0);
    if (lost > 0) {
        notes.push_back(
            fmt::format("{} lost while recording", plural(lost, "event was", "events were")));
    }
    const std::uint64_t all = count_of_all(table);
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
    if (tree.unit != analysis::Unit::count) {
        text += ", " + rows::shown_of(rows::Value(tree.weight()), tree.unit);
    }
    return text + fmt::format(", in {} on {}", rows::duration_text(table.coverage.duration_ns),
                              plural(table.coverage.processors, "processor"));
}

} // namespace etl::pages
