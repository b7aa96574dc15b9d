#include "dumper/survey.hpp"

#include "base/text.hpp"
#include "dumper/cells/clean_text.hpp"
#include "flow/context.hpp"
#include "format/kernel_group.hpp"

#include <algorithm>
#include <tuple>

namespace etl::dumper {

namespace {

constexpr std::uint16_t switch_hook = 0x0524, counter_names_hook = 0x0F30;
constexpr unsigned thread_group = 0x05;

bool is_thread_hook(std::uint16_t hook) noexcept {
    return hook >> 8U == thread_group && (hook & 0xFFU) >= 1 && (hook & 0xFFU) <= 4;
}

bool has_optional_text(std::span<const Column> columns, const Line& line, const Values& values) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const decode::Value* const value =
            columns[i].is_optional ? values.find(line.first[i]) : nullptr;
        if (value != nullptr && !value->bytes.empty()) {
            return true;
        }
    }
    return false;
}

} // namespace

bool Selection::has(const flow::Event& event, const decode::DecodedEvent& decoded) const noexcept {
    const Options& options = *options_;
    const bool is_bounded = options.from || options.to;
    if (is_bounded && (!event.has_time || (options.from && event.time() < *options.from) ||
                       (options.to && event.time() >= *options.to))) {
        return false;
    }
    return options.providers.empty() ||
           std::ranges::any_of(options.providers, [&](const Guid& guid) {
               return guid == decoded.header.provider ||
                      (guid == format::system_trace_guid && flow::kernel_hook_of(event));
           });
}

void Survey::State::count_known(const decode::DecodedEvent& event, const Line& line) {
    const auto hook = flow::kernel_hook_of(*event.event);
    if (hook && is_thread_hook(*hook) && starts.size() < limits::dumper_threads) {
        const auto& columns = kinds()[line.kind].columns;
        const auto at =
            std::ranges::find(columns, std::string_view("Win32StartAddr"), &Column::field);
        const auto address =
            at == columns.end()
                ? std::nullopt
                : values.number(line.first[static_cast<std::size_t>(at - columns.begin())]);
        const auto thread = values.number(line.thread);
        shown[line.kind].has_optional |= has_optional_text(columns, line, values);
        if (address && *address != 0 && thread) {
            starts.push_back({.scope = options.facts->number_of(*event.event),
                              .thread = static_cast<std::uint32_t>(*thread),
                              .time = event.event->raw_time,
                              .address = *address,
                              .is_start = (*hook & 0xFFU) == 1});
        }
    }
}

void Survey::State::count(const decode::DecodedEvent& event) {
    const Line& line = lines.of(event, decoder.generation());
    const bool is_selected = selection.has(*event.event, event);
    std::uint8_t kind = line.kind;
    bool is_valid = true;
    if (line.form == Line::Form::known) {
        is_valid = values.read(event);
        if (is_valid) {
            count_known(event, line);
        }
    } else if (line.form == Line::Form::fields) {
        scratch.clear();
        is_valid = texts.append(scratch, event, line);
        if (is_valid && is_selected) {
            if (others.size() < limits::dumper_kinds || others.contains({line.name, line.schema})) {
                others.emplace(line.name, line.schema);
            } else {
                ++dropped_kinds;
            }
        }
        if (is_valid) {
            return;
        }
        ++kind; // unknown -> invalid
    }
    if (!is_valid && line.form == Line::Form::known) {
        kind = line.is_event ? invalid_crimson : invalid_classic;
    }
    if (is_selected && line.form != Line::Form::silent) {
        known[kind] = true;
        shown[kind].version = std::max(shown[kind].version, event.header.version);
    }
}

void Survey::State::count_counters(const decode::DecodedEvent& event) {
    counters = std::max(counters, event.header.counters.size() / sizeof(std::uint64_t));
    const auto hook = flow::kernel_hook_of(*event.event);
    if (!hook || *hook != counter_names_hook || event.kind->schema == nullptr ||
        !counter_names.empty()) {
        return;
    }
    decode::FieldWalker walker;
    walker.start(event.kind->plan, event.body);
    for (decode::Step step = walker.next(); step != decode::Step::end; step = walker.next()) {
        if (step == decode::Step::value && walker.value().form == decode::Form::text16) {
            scratch.clear();
            decode::append_display(scratch, walker.value());
            append_cell_text(counter_names.emplace_back(), scratch);
        }
    }
}

void Survey::State::count_time(const flow::Event& event, bool is_switch) {
    if (!event.has_time) {
        return;
    }
    const std::pair key(event.trace().file, event.buffer->processor);
    const auto first = first_events.try_emplace(key, event.raw_time).first;
    first->second = std::min(first->second, event.raw_time);
    if (is_switch) {
        const auto at = first_switches.try_emplace(key, event.raw_time).first;
        at->second = std::min(at->second, event.raw_time);
    }
    std::int64_t& last = last_events.try_emplace(key.first, event.raw_time).first->second;
    last = std::max(last, event.raw_time);
}

Survey::Survey(const Options& options) : state_(std::make_unique<State>(options)) {}

Survey::~Survey() = default;
Survey::Survey(Survey&&) noexcept = default;
Survey& Survey::operator=(Survey&&) noexcept = default;

void Survey::add(const flow::Event& event) {
    State& state = *state_;
    const auto hook = flow::kernel_hook_of(event);
    if (hook && *hook >> 8U == stack_group) {
        state.has_stacks = true;
        return;
    }
    if (flow::is_logfile_header(event)) {
        return;
    }
    const decode::DecodedEvent& decoded = state.decoder.decode(event);
    state.count_time(event, hook && *hook == switch_hook);
    state.has_stacks |= decoded.items.has_stack;
    state.wpp_messages += format::is_message(event.kind) ? 1U : 0U;
    state.count_counters(decoded);
    state.count(decoded);
}

void Survey::combine(const Survey& other) {
    State& to = *state_;
    const State& from = *other.state_;
    for (std::size_t i = 0; i < to.known.size(); ++i) {
        to.known[i] = to.known[i] || from.known[i];
        to.shown[i].version = std::max(to.shown[i].version, from.shown[i].version);
        to.shown[i].has_optional |= from.shown[i].has_optional;
    }
    to.others.insert(from.others.begin(), from.others.end());
    to.has_stacks |= from.has_stacks;
    to.counters = std::max(to.counters, from.counters);
    if (to.counter_names.empty()) {
        to.counter_names = from.counter_names;
    }
    to.starts.insert(to.starts.end(), from.starts.begin(), from.starts.end());
    std::ranges::sort(to.starts);
    const auto combine_firsts = [](auto& into, const auto& more) {
        for (const auto& [key, time] : more) {
            const auto at = into.try_emplace(key, time).first;
            at->second = std::min(at->second, time);
        }
    };
    combine_firsts(to.first_events, from.first_events);
    combine_firsts(to.first_switches, from.first_switches);
    for (const auto& [file, time] : from.last_events) {
        std::int64_t& last = to.last_events.try_emplace(file, time).first->second;
        last = std::max(last, time);
    }
    to.dropped_kinds += from.dropped_kinds;
    to.wpp_messages += from.wpp_messages;
}

std::uint64_t Survey::dropped_kinds() const noexcept {
    return state_->dropped_kinds;
}

std::uint64_t Survey::wpp_messages() const noexcept {
    return state_->wpp_messages;
}

std::optional<std::uint64_t> start_of(const std::vector<ThreadStart>& starts, std::uint32_t scope,
                                      std::uint32_t thread, std::int64_t time) {
    const auto next =
        std::ranges::upper_bound(starts, std::tuple(scope, thread, time), {}, [](const auto& one) {
            return std::tuple(one.scope, one.thread, one.time);
        });
    const auto is_of = [&](const ThreadStart& start) {
        return start.scope == scope && start.thread == thread;
    };
    if (next != starts.begin() && is_of(*std::prev(next))) {
        return std::prev(next)->address;
    }
    return next != starts.end() && is_of(*next) && !next->is_start ? std::optional(next->address)
                                                                   : std::nullopt;
}

} // namespace etl::dumper
