#include "merge/plan.hpp"

#include <etl/base/limits.hpp>

#include "merge/header.hpp"
#include "merge/machines.hpp"
#include "merge/moved.hpp"

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
    if (options.stamps == Stamps::keep) {
        const bool moves = options.align != Align::none ||
                           std::ranges::any_of(options.offsets, [](auto by) { return by != 0; });
        if (moves) {
            return fail(ErrorCode::invalid_option, "only traces that are restamped can be moved");
        }
        if (!correlate(traces).empty()) {
            return fail(ErrorCode::unsupported, "the traces do not fit together");
        }
        return {};
    }
    if (!std::ranges::all_of(traces, &flow::TraceInfo::has_header)) {
        return fail(ErrorCode::unsupported,
                    "a trace without a log file header: its clock is unknown");
    }
    return {};
}

/// What is to meet: the FILETIME of the start or of the first event.
Result<std::int64_t> meeting_point(const Input& input, Align align) {
    const flow::TraceInfo& trace = *input.trace;
    if (align == Align::start) {
        return trace.header.start_time;
    }
    std::optional<Beginning> begins = input.begins;
    if (!begins) {
        const auto source = input.open();
        if (!source) {
            return std::unexpected(source.error());
        }
        const auto found = beginning_of(**source);
        if (!found) {
            return std::unexpected(found.error());
        }
        begins = *found;
    }
    return trace.clock.to_filetime(begins->first_event.value_or(trace.reference_time)).ticks;
}

/// By how much the times of each input are moved.
Result<std::vector<std::int64_t>> find_offsets(std::span<const Input> inputs,
                                               const Options& options) {
    std::vector<std::int64_t> offsets = options.offsets;
    offsets.resize(inputs.size());
    if (options.align == Align::none) {
        return offsets;
    }
    std::optional<std::int64_t> first;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto point = meeting_point(inputs[i], options.align);
        if (!point) {
            return std::unexpected(point.error());
        }
        first = first.value_or(*point);
        offsets[i] = moved(offsets[i], distance(*point, *first));
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
    const auto offsets = find_offsets(inputs, options);
    if (!offsets) {
        return std::unexpected(offsets.error());
    }
    // Traces that keep their stamps are of one machine.
    const bool keeps_apart =
        options.stamps == Stamps::system_time && options.relation == Relation::sessions;
    ProcessorPlan processors;
    if (keeps_apart) {
        processors = plan_processors(traces);
    }
    processors.first.resize(inputs.size());
    if (processors.processors > limits::processors) {
        return fail(ErrorCode::limit, "processors of all machines", {}, limits::processors,
                    processors.processors);
    }
    Plan plan;
    std::vector<Part> parts;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Rewriting what{.to_system_time = options.stamps == Stamps::system_time,
                       .offset = (*offsets)[i],
                       .first_processor = processors.first[i],
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
