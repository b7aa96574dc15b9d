#include "gather/scopes.hpp"

#include <etl/time.hpp>

#include "flow/merged_inputs.hpp"
#include "gather/limits.hpp"
#include "merge/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace etl::gather {

namespace {

using flow::MergedInput;
using flow::TraceInfo;

/// Of a group of more readers, each is opened when its header says that it begins.
constexpr std::size_t opened_at_once = 8;

std::int64_t end_of(const TraceInfo& trace) noexcept {
    return trace.header.end_time != 0 ? trace.header.end_time
                                      : std::numeric_limits<std::int64_t>::max();
}

/// A scope of whole traces that more traces may join.
struct Open {
    const TraceInfo* trace = nullptr; // the first one
    std::int64_t end = 0;             // of the latest session
    std::uint32_t scope = 0;
};

/// Facts of one session say nothing of what was before or after it.
bool may_join(const Open& open, const TraceInfo& trace) {
    return trace.header.start_time <= open.end || merge::is_same_series(*open.trace, trace);
}

/// What keeps the raw times of two traces apart; empty: nothing.
std::string_view difference(const Open& open, const TraceInfo& trace) {
    const TraceInfo* const both[] = {open.trace, &trace};
    const auto found = merge::correlate(both);
    return found.empty() ? "" : found.front().is_other_machine ? "machine" : found.front().field;
}

/// Nothing that starts later joins, so that few are compared.
bool is_over(const Open& open, const TraceInfo& trace) noexcept {
    return trace.header.start_time > open.end &&
           (open.trace->header.log_file_mode & format::log_mode::new_file) == 0;
}

/// By boot time; asked about traces in the order of their starts.
class OpenScopes {
public:
    /// Null: none. `other_clock` is then a trace of the same boot whose raw times mean something
    /// else, if there is one.
    Open* find(const TraceInfo& trace, const TraceInfo*& other_clock) {
        const std::int64_t boot = trace.header.boot_time;
        // Programs that do not know the boot time record none, or the start.
        if (!trace.has_header || boot <= 0 || boot >= trace.header.start_time) {
            return nullptr;
        }
        const auto end = by_boot_.upper_bound(saturating_sum(boot, flow::boot_tolerance));
        for (auto at = by_boot_.lower_bound(boot - flow::boot_tolerance); at != end;) {
            Open& open = at->second;
            const std::string_view apart =
                may_join(open, trace) ? difference(open, trace) : "session";
            if (apart.empty()) {
                open.end = std::max(open.end, end_of(trace));
                return &open;
            }
            if (apart == "clock") {
                other_clock = open.trace;
            }
            at = is_over(open, trace) ? by_boot_.erase(at) : std::next(at);
        }
        return nullptr;
    }

    void add(const TraceInfo& trace, std::uint32_t scope) {
        by_boot_.emplace(trace.header.boot_time, Open{&trace, end_of(trace), scope});
    }

private:
    std::multimap<std::int64_t, Open> by_boot_;
};

bool has_unknown_inputs(const trace::Reader& reader) {
    const auto buffers = reader.buffers();
    return std::ranges::any_of(buffers.subspan(std::min<std::size_t>(1, buffers.size())),
                               [](const auto& buffer) { return buffer.merged_input == 0; });
}

/// Adds what another trace of the same machine and boot records.
void complete(facts::Origin& origin, const facts::Origin& more) {
    if (origin.trace == 0) {
        origin = more;
        return;
    }
    origin.machine = origin.machine.empty() ? more.machine : origin.machine;
    origin.boot = origin.boot ? origin.boot : more.boot;
    origin.build = origin.build != 0 ? origin.build : more.build;
}

std::uint32_t capped_sum(std::uint32_t a, std::uint32_t b) noexcept {
    return a + std::min(b, std::numeric_limits<std::uint32_t>::max() - a);
}

/// Shows the events of a reader, which its owner keeps.
class Borrowed final : public flow::Source {
public:
    explicit Borrowed(flow::Source& source) noexcept : source_(&source) {}

    flow::Run next_run() override { return source_->next_run(); }

    flow::Pin pin() const override { return source_->pin(); }

    const Error* error() const noexcept override { return source_->error(); }

private:
    flow::Source* source_;
};

} // namespace

// In the order of the starts of sessions, so that those that overlap come one after the other.
Scopes::Scopes(Readers readers) {
    std::vector<std::size_t> by_start;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        if (readers[i]) {
            by_start.push_back(i);
        }
    }
    std::ranges::stable_sort(by_start, {},
                             [&](std::size_t i) { return readers[i]->info().header.start_time; });
    OpenScopes open;
    for (const std::size_t i : by_start) {
        const TraceInfo& trace = readers[i]->info();
        const TraceInfo* other_clock = nullptr;
        if (!trace.merged_inputs.empty()) {
            add_merged(i, *readers[i]);
        } else if (const Open* const known = open.find(trace, other_clock)) {
            add_trace(i, trace, known->scope);
        } else {
            if (other_clock != nullptr) {
                of_other_clocks_.emplace_back(other_clock->name, trace.name);
            }
            open.add(trace, static_cast<std::uint32_t>(all_.size()));
            add_trace(i, trace, static_cast<std::uint32_t>(all_.size()));
        }
    }
    for (ScopeGroup& group : groups_) {
        std::ranges::sort(group.readers);
    }
    for (Scope& scope : all_) {
        std::ranges::sort(scope.readers);
    }
    std::ranges::sort(groups_, {}, [](const ScopeGroup& group) { return group.readers.front(); });
}

void Scopes::set(const Setting& setting) {
    settings_.push_back(setting);
    numbers_.set(setting.trace, setting.merged_input, setting.scope + 1);
}

void Scopes::add_trace(std::size_t number, const TraceInfo& trace, std::uint32_t scope) {
    if (scope == all_.size()) {
        all_.emplace_back();
        group_of_.resize(all_.size());
        group_of_[scope] = groups_.size();
        groups_.push_back({{}, {scope}});
    }
    all_[scope].readers.push_back(number);
    groups_[group_of_[scope]].readers.push_back(number);
    set({trace.file, 0, scope});
}

void Scopes::add_merged(std::size_t number, const trace::Reader& reader) {
    const TraceInfo& trace = reader.info();
    const std::vector<std::uint32_t> machines = flow::machines_of(trace.merged_inputs);
    const std::uint32_t count = std::ranges::max(machines) + 1;
    const auto first = static_cast<std::uint32_t>(all_.size());
    if (count == 1) {
        add_trace(number, trace, first);
        return;
    }
    ScopeGroup group{{number}, {}};
    const auto add = [&](std::uint32_t scope, std::uint16_t input) {
        if (scope >= all_.size()) {
            all_.push_back({{number}, {}});
            group.scopes.push_back(scope);
        }
        all_[scope].merged_inputs.push_back(input);
        set({trace.file, input, scope});
    };
    const auto most = static_cast<std::uint32_t>(limits::scopes_of_a_trace);
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const auto input = static_cast<std::uint16_t>(i + 1);
        if (machines[i] < most) {
            add(first + machines[i], input);
        } else { // not that of unknown inputs
            set({trace.file, input, facts::FactsByTrace::none});
        }
    }
    if (count > most) {
        too_many_.push_back(trace.name);
    }
    if (has_unknown_inputs(reader)) {
        add(static_cast<std::uint32_t>(all_.size()), 0);
        inseparable_.push_back(trace.name);
    }
    groups_.push_back(std::move(group));
}

void Scopes::apply_to(facts::FactsByTrace& facts) const {
    for (const Setting& setting : settings_) {
        facts.set(setting.trace, setting.merged_input, setting.scope);
    }
}

std::vector<facts::Origin> Scopes::origins(Readers readers, const facts::Origins& of) const {
    std::vector<facts::Origin> origins;
    for (const Scope& scope : all_) {
        facts::Origin& origin = origins.emplace_back();
        for (const std::size_t number : scope.readers) {
            const auto inputs = of.of_file(readers[number]->info().file);
            if (scope.merged_inputs.empty()) {
                std::ranges::for_each(inputs, [&](const auto& one) { complete(origin, one); });
            }
            for (const std::uint16_t input : scope.merged_inputs) {
                if (input != 0 && input <= inputs.size()) {
                    complete(origin, inputs[input - 1U]);
                }
            }
        }
    }
    return origins;
}

void Scopes::report(RemarkSink remarks) const {
    for (const std::string& name : inseparable_) {
        remarks({.file = name,
                 .text = "a merge that does not record the inputs of its events: those of "
                         "different machines or boots cannot be told apart; merge the traces "
                         "again with --tag-source"});
    }
    for (const auto& [one, other] : of_other_clocks_) {
        remarks({.file = other,
                 .text = fmt::format("of the same boot as {}, but with another clock: neither is "
                                     "used for names in the other; merge them first "
                                     "(`etl merge --restamp`)",
                                     one)});
    }
    for (const std::string& name : too_many_) {
        remarks({.severity = Remark::Severity::warning,
                 .file = name,
                 .text = fmt::format("merged from more than {} machines and boots; processes, "
                                     "images, and stacks of the others are not named",
                                     limits::scopes_of_a_trace)});
    }
}

std::shared_ptr<const facts::FactsByTrace> no_facts(Readers readers) {
    const Scopes scopes(readers);
    auto facts = std::make_shared<facts::FactsByTrace>();
    for (std::size_t i = 0; i < scopes.all().size(); ++i) {
        facts->add(facts::Facts());
    }
    scopes.apply_to(*facts);
    return facts;
}

Result<GroupEvents> GroupEvents::open(Readers readers, const ScopeGroup& group) {
    GroupEvents events;
    trace::Reader& first = *readers[group.readers.front()];
    if (group.readers.size() == 1) {
        events.source_ = &first;
        events.trace_ = first.info();
        return events;
    }
    std::vector<merge::Input> inputs;
    for (const std::size_t number : group.readers) {
        trace::Reader& reader = *readers[number];
        inputs.push_back({.trace = std::make_shared<const TraceInfo>(reader.info()),
                          .open = [&reader]() -> Result<std::unique_ptr<flow::Source>> {
                              return std::make_unique<Borrowed>(reader);
                          }});
        if (group.readers.size() <= opened_at_once) {
            constexpr std::int64_t at_once = std::numeric_limits<std::int64_t>::min();
            inputs.back().beginning = merge::Beginning{.first = at_once, .first_event = {}};
        }
    }
    auto merged = merge::MergedSource::create(std::move(inputs), {.keeps_repeated_context = true});
    if (!merged) {
        return std::unexpected(merged.error());
    }
    events.trace_ = (*merged)->info();
    events.trace_.name = first.info().name;
    events.trace_.file = first.info().file;
    events.owned_ = *std::move(merged);
    events.source_ = events.owned_.get();
    return events;
}

TraceInfo GroupEvents::trace_of(const Scope& scope) const {
    TraceInfo trace = trace_;
    if (scope.merged_inputs.empty() || scope.merged_inputs.front() == 0) {
        return trace;
    }

    struct Losses {
        std::uint32_t events = 0, buffers = 0;
    };

    std::map<std::int64_t, Losses> lost; // parts of one recording tell of the same losses
    std::uint32_t count = 0;
    std::uint32_t missing = 0; // each lacks its own
    for (const std::uint16_t number : scope.merged_inputs) {
        const MergedInput& input = trace_.merged_inputs[number - 1U];
        count = std::max(count, input.last_processor - input.first_processor + 1);
        Losses& most = lost[input.start.ticks];
        most.events = std::max(most.events, input.events_lost);
        most.buffers = std::max(most.buffers, input.buffers_lost - input.missing_buffers);
        missing = capped_sum(missing, input.missing_buffers);
        trace.header.boot_time = input.boot.ticks;
    }
    trace.header.number_of_processors = count;
    if (trace.header.boot_time == 0) { // of an event log: nothing of the header is about it
        trace.header.provider_version = 0;
    }
    trace.header.events_lost = 0;
    trace.header.buffers_lost = missing;
    trace.missing_buffers = 0;
    for (const auto& [start, losses] : lost) {
        trace.header.events_lost = capped_sum(trace.header.events_lost, losses.events);
        trace.header.buffers_lost = capped_sum(trace.header.buffers_lost, losses.buffers);
    }
    return trace;
}

} // namespace etl::gather
