#include "merge/plan.hpp"

#include <etl/base/limits.hpp>
#include <etl/base/saturating.hpp>

#include "merge/header.hpp"
#include "merge/machines.hpp"

#include <algorithm>
#include <limits>

namespace etl::merge {

namespace {

using Traces = std::vector<const flow::TraceInfo*>;

Result<void> check(const Traces& traces, const Options& options) {
    if (traces.empty()) {
        return fail(ErrorCode::invalid_option, "no traces to merge");
    }
    constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
    if (options.tag_sources && traces.size() > most) {
        return fail(ErrorCode::limit, "traces to tag", {}, most, traces.size());
    }
    if (options.timestamps == Timestamps::keep) {
        const bool moves = options.align != Align::none ||
                           std::ranges::any_of(options.offsets, [](auto by) { return by != 0; });
        if (moves) {
            return fail(ErrorCode::invalid_option, "only restamped traces can be shifted");
        }
        if (!correlate(traces).empty()) {
            return fail(ErrorCode::unsupported, "the traces do not match");
        }
        return {};
    }
    if (!std::ranges::all_of(traces, &flow::TraceInfo::has_header)) {
        return fail(ErrorCode::unsupported, "trace without a log file header: unknown clock");
    }
    return {};
}

/// By how much `from` has to be moved to come to `to`.
constexpr std::int64_t distance(std::int64_t from, std::int64_t to) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    return from == Limits::min() ? saturating_sum(saturating_sum(to, 1), Limits::max())
                                 : saturating_sum(to, -from);
}

/// What is to meet: the FILETIME of the start or of the first event, which is known for those.
std::int64_t meeting_point(const Input& input, Align align) {
    const flow::TraceInfo& trace = *input.trace;
    if (align == Align::start) {
        return trace.header.start_time;
    }
    const std::int64_t first = input.beginning->first_event.value_or(trace.reference_time);
    return trace.clock.to_filetime(first).ticks;
}

/// By how much the times of each input are moved.
std::vector<std::int64_t> find_offsets(std::span<const Input> inputs, const Options& options) {
    std::vector<std::int64_t> offsets = options.offsets;
    offsets.resize(inputs.size());
    if (options.align == Align::none) {
        return offsets;
    }
    std::optional<std::int64_t> first;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::int64_t point = meeting_point(inputs[i], options.align);
        first = first.value_or(point);
        offsets[i] = saturating_sum(offsets[i], distance(point, *first));
    }
    return offsets;
}

} // namespace

Result<Plan> make_plan(std::span<const Input> inputs, const Options& options) {
    Traces traces;
    for (const Input& input : inputs) {
        traces.push_back(input.trace.get());
    }
    if (const auto checked = check(traces, options); !checked) {
        return std::unexpected(checked.error());
    }
    if (options.align == Align::first_event && !std::ranges::all_of(inputs, [](const Input& input) {
            return input.beginning.has_value();
        })) {
        return fail(ErrorCode::invalid_option, "alignment requires the starts of the traces");
    }
    const auto offsets = find_offsets(inputs, options);
    // Traces that keep their stamps are of one machine.
    const bool keeps_apart =
        options.timestamps == Timestamps::system_time && options.relation == Relation::sessions;
    ProcessorPlan processors;
    if (keeps_apart) {
        processors = plan_processors(traces);
    }
    processors.ranges.resize(inputs.size());
    if (processors.processors > limits::processors) {
        return fail(ErrorCode::limit, "processors of all machines", {}, limits::processors,
                    processors.processors);
    }
    Plan plan;
    std::vector<Part> parts;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Rewriting what{.to_system_time = options.timestamps == Timestamps::system_time,
                       .offset = offsets[i],
                       .first_processor = processors.ranges[i].first,
                       .processors = processors.ranges[i].count,
                       .logger_id = std::nullopt};
        if (options.tag_sources) {
            what.logger_id = static_cast<std::uint16_t>(i + 1);
        }
        plan.inputs.push_back(what);
        parts.push_back({traces[i], what.offset});
    }
    plan.recording = merged_recording(parts, options, processors.processors);
    return plan;
}

} // namespace etl::merge
