#include "dumper/survey.hpp"

#include "base/text.hpp"
#include "dumper/clean_text.hpp"
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

bool has_optional_text(std::span<const DumpColumn> columns, const Line& line,
                       const Values& values) {
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
    if (hook && is_thread_hook(*hook) && starts.size() < limits::threads) {
        const auto& columns = kinds()[line.kind].columns;
        const auto at =
            std::ranges::find(columns, std::string_view("Win32StartAddr"), &DumpColumn::field);
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
            if (others.size() < limits::kinds || others.contains({line.name, line.schema})) {
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

// The lines before the first event.

namespace {

std::string version_of(const flow::TraceInfo& trace) {
    std::string text;
    append_decimal(text, trace.header.major_version);
    text.push_back('.');
    append_decimal(text, trace.header.minor_version);
    text.push_back('.');
    append_decimal(text, trace.header.provider_version);
    return text;
}

std::string names_of(std::span<const flow::TraceInfo* const> traces) {
    std::string names;
    for (const flow::TraceInfo* trace : traces) {
        names += names.empty() ? "" : "; ";
        append_cell_text(names, trace->name);
    }
    return names;
}

/// Sums of the headers.
struct Totals {
    std::uint64_t size = 0, events_lost = 0, buffers_lost = 0;
    std::int64_t end = 0; // FILETIME
};

Totals totals_of(std::span<const flow::TraceInfo* const> traces, const Survey::State& survey) {
    Totals totals;
    for (const flow::TraceInfo* trace : traces) {
        totals.size += trace->file_size;
        totals.events_lost += trace->header.events_lost;
        totals.buffers_lost += trace->header.buffers_lost;
        const auto last = survey.last_events.find(trace->file);
        const std::int64_t end = trace->header.end_time != 0 ? trace->header.end_time
                                 : last != survey.last_events.end()
                                     ? trace->clock.to_filetime(last->second).ticks
                                     : survey.options.start.ticks;
        totals.end = std::max(totals.end, end);
    }
    return totals;
}

void append_trace_line(std::string& to, std::span<const flow::TraceInfo* const> traces,
                       const Survey::State& survey) {
    const Totals totals = totals_of(traces, survey);
    const std::int64_t start = survey.options.start.ticks;
    constexpr std::uint64_t kilobyte = 1024;
    to.append("OS Version: ").append(version_of(*traces.front())).append(", Trace Size: ");
    append_decimal(to, totals.size / kilobyte);
    to.append("KB, Events Lost: ");
    append_decimal(to, totals.events_lost);
    to.append(", Buffers lost: ");
    append_decimal(to, totals.buffers_lost);
    to.append(", Trace Start: ");
    append_decimal(to, start);
    to.append(", Trace Length: ");
    append_decimal(to, std::max<std::int64_t>(totals.end - start, 0) / Filetime::per_second);
    to.append(" sec, PointerSize: ");
    append_decimal(to, traces.front()->header.pointer_size);
    to.append(", Trace Name: ").append(names_of(traces)).append("\n");
}

} // namespace

std::vector<std::string> counter_columns(const Survey::State& survey) {
    std::vector<std::string> names = survey.counter_names;
    names.resize(survey.counters);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) {
            names[i] = "Counter";
            append_decimal(names[i], i + 1);
        }
    }
    return names;
}

/// Time since the start at which events of all processors are there. A sequential trace has them
/// from the start; of context switches, the first one of each processor says what ran before.
std::int64_t Survey::State::first_reliable(const flow::TraceInfo& trace, bool is_switch) const {
    constexpr std::uint32_t overwriting = format::log_mode::circular | format::log_mode::buffering;
    std::int64_t reliable = 0;
    if (!is_switch && (trace.header.log_file_mode & overwriting) == 0) {
        return reliable;
    }
    for (const auto& [key, raw] : is_switch ? first_switches : first_events) {
        if (key.first == trace.file) {
            const std::int64_t since = trace.clock.to_filetime(raw).ticks - options.start.ticks;
            reliable = std::max(reliable, since / per_microsecond);
        }
    }
    return reliable;
}

void Survey::State::append_schemas(std::string& to, bool is_64_bit) const {
    const auto all = kinds();
    const auto append_kind = [&](std::size_t i) {
        if (known[i]) {
            to.append(schema_of(all[i], shown[i], is_64_bit)).push_back('\n');
        }
    };
    for (std::size_t i = 0; i < first_known; ++i) {
        append_kind(i);
    }
    to.append("FirstReliableEventTimeStamp,  TimeStamp\n"
              "FirstReliableCSwitchEventTimeStamp,  TimeStamp\n");
    for (std::size_t i = first_known; i < all.size(); ++i) {
        append_kind(i);
    }
    if (counters > 0) {
        append_name(to, "Pmc");
        to.append(",  TimeStamp,   ThreadID");
        for (const std::string& name : counter_columns(*this)) {
            to.append(", ").append(name);
        }
        to.push_back('\n');
    }
    if (has_stacks) {
        append_name(to, "Stack");
        to.append(",  TimeStamp,   ThreadID");
        if (!options.joins_stacks) {
            constexpr std::size_t wide = 18, narrow = 10;
            to.append(", No., ");
            append_padded(to, "Address", is_64_bit ? wide : narrow);
        }
        to.append(",            Image!Function\n");
    }
    for (const auto& [name, columns] : others) {
        append_name(to, name);
        to.append(columns).push_back('\n');
    }
}

std::string Survey::head(std::span<const flow::TraceInfo* const> traces) const {
    std::string head = "BeginHeader\n";
    const bool is_64_bit = traces.empty() || traces.front()->header_pointer_size == 8;
    state_->append_schemas(head, is_64_bit);
    head += "EndHeader\n";
    if (traces.empty()) {
        return head;
    }
    append_trace_line(head, traces, *state_);
    std::int64_t events = 0, switches = 0;
    for (const flow::TraceInfo* trace : traces) {
        events = std::max(events, state_->first_reliable(*trace, false));
        switches = std::max(switches, state_->first_reliable(*trace, true));
    }
    head += "FirstReliableEventTimeStamp, ";
    append_decimal(head, events);
    head += "\nFirstReliableCSwitchEventTimeStamp, ";
    append_decimal(head, switches);
    head += '\n';
    return head;
}

} // namespace etl::dumper
