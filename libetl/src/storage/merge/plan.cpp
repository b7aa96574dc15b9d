#include "merge/plan.hpp"

#include <etl/time.hpp>

#include "base/file_name.hpp"
#include "base/limits.hpp"
#include "flow/losses.hpp"
#include "flow/trace_info.hpp"
#include "merge/correlate.hpp"
#include "merge/merge.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/recording.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace etl::merge {

namespace {

// What the header of a merged trace says, of what the headers of its inputs say.
// docs/merge.md#header

/// One input, and by how much its times are moved.
struct Part {
    const flow::TraceInfo* trace = nullptr;
    std::int64_t offset = 0; // 100 ns
};

/// `parts` is not empty; `processors` is the number of all, or 0: the most that one has.
trace::Recording merged_recording(std::span<const Part> parts, const Options& options,
                                  std::uint32_t processors);

using flow::TraceInfo;

std::uint32_t saturated(std::uint64_t count) noexcept {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

struct Losses {
    std::uint32_t events = 0, buffers = 0;
};

/// Whether it is a recording of a session. Event logs have none: what they lack is counted apart,
/// as flow::MergedInput, unless there is nothing else.
bool is_of_session(const Part& part) noexcept {
    return flow::is_header_stated(*part.trace);
}

/// What was lost of the recordings behind the traces. Parts of one recording all tell of the same
/// losses, and files of a series of all before them. What a file lacks of its own comes on top.
Losses all_losses(std::span<const Part> parts, Relation relation) {
    using Recorded = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
    std::map<Recorded, Losses> by_recording;
    const bool has_sessions = std::ranges::any_of(parts, is_of_session);
    std::uint64_t events = 0;
    std::uint64_t buffers = 0;
    for (const Part& part : parts) {
        if (has_sessions && !is_of_session(part)) {
            continue;
        }
        const format::LogfileHeader& header = part.trace->header;
        const Recorded which =
            relation == Relation::series
                ? Recorded{header.boot_time, 0, 0}
                : Recorded{header.boot_time, header.start_time, part.trace->reference_time};
        Losses& max = by_recording[which];
        max.events = std::max(max.events, header.events_lost);
        max.buffers = std::max(max.buffers, trace::buffers_lost_by_session(*part.trace));
        buffers += part.trace->missing_buffers;
    }
    for (const auto& [which, losses] : by_recording) {
        events += losses.events;
        buffers += losses.buffers;
    }
    return {saturated(events), saturated(buffers)};
}

/// The latest; 0, that of the newest event, when one trace was never stopped.
std::int64_t last_end(std::span<const Part> parts) noexcept {
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    for (const Part& part : parts) {
        if (part.trace->header.end_time == 0) {
            return 0;
        }
        latest = std::max(latest, saturating_sum(part.trace->header.end_time, part.offset));
    }
    return latest;
}

std::int64_t start_of(const Part& part) noexcept {
    return saturating_sum(part.trace->header.start_time, part.offset);
}

trace::Recording merged_recording(std::span<const Part> parts, const Options& options,
                                  std::uint32_t processors) {
    const Part& first = *std::ranges::min_element(parts, {}, start_of);
    // Event logs state neither a boot nor a system.
    const Part& base = *std::ranges::min_element(parts, {}, [](const Part& part) {
        return std::pair(!is_of_session(part), start_of(part));
    });
    trace::Recording recording = trace::relogged(*base.trace);
    format::LogfileHeader& header = recording.header;
    if (options.relation == Relation::series) {
        header.session_name = trace::recording_of(*base.trace).header.session_name;
        header.log_file_name.clear();
    } else if (parts.size() > 1) {
        header.log_file_name = u"[multiple files]";
    }
    header.end_time = last_end(parts);
    const Losses losses = all_losses(parts, options.relation);
    header.events_lost = losses.events;
    header.buffers_lost = losses.buffers;
    for (const Part& part : parts) {
        header.number_of_processors =
            std::max(header.number_of_processors,
                     trace::recording_of(*part.trace).header.number_of_processors);
        header.pointer_size =
            std::max(header.pointer_size, part.trace->header.pointer_size == 8 ? 8U : 0U);
    }
    header.number_of_processors = std::max(header.number_of_processors, processors);
    if (options.timestamps == Timestamps::system_time) {
        header.start_time = start_of(first);
        header.boot_time = saturating_sum(header.boot_time, base.offset);
        header.reserved_flags = static_cast<std::uint32_t>(format::ClockType::system_time);
        header.perf_freq = Filetime::per_second;
        recording.reference_time = header.start_time;
    }
    recording.extra_records.clear(); // of the one trace
    if (!std::ranges::all_of(parts,
                             [](const Part& part) { return flow::counts_losses(*part.trace); })) {
        trace::record_unknown_losses(recording);
    }
    return recording;
}

using Traces = std::vector<const flow::TraceInfo*>;

/// Whether the output records its inputs: if asked for, and where they could not be told apart
/// otherwise. Those that keep their stamps are of one boot, unless they state none.
bool tells_sources(const Traces& traces, const Options& options) {
    const bool mixes =
        traces.size() > 1 && (options.timestamps == Timestamps::system_time ||
                              !std::ranges::all_of(traces, [&](const flow::TraceInfo* trace) {
                                  return is_one_boot(*traces.front(), *trace);
                              }));
    return options.tag_sources || mixes ||
           std::ranges::any_of(
               traces, [](const flow::TraceInfo* trace) { return !trace->merged_inputs.empty(); });
}

/// Numbers the inputs of the output. An input that is a merge counts as its inputs; those of
/// several parts of one merge are the same.
class SourceNumbers {
public:
    /// By flow::BufferContext::merged_input.
    std::vector<std::uint16_t> of(const flow::TraceInfo& trace, const Rewriting& what) {
        if (trace.merged_inputs.empty()) {
            return {add({.number = 0,
                         .file = std::string(file_name_of(trace.name)),
                         .path = trace.name,
                         .session = trace.header.session_name,
                         .start = {trace.header.start_time},
                         .boot = {trace.header.boot_time},
                         .first_processor = what.first_processor,
                         .last_processor = what.first_processor + processors_of(trace) - 1,
                         .events_lost = trace.header.events_lost,
                         .buffers_lost = trace.header.buffers_lost,
                         .missing_buffers = trace.missing_buffers,
                         .offset = what.offset,
                         .build = trace.header.provider_version})};
        }
        std::vector<std::uint16_t> numbers{0}; // unknown ones stay unknown
        for (flow::MergedInput input : trace.merged_inputs) {
            input.first_processor += what.first_processor;
            input.last_processor += what.first_processor;
            input.offset = saturating_sum(input.offset, what.offset);
            numbers.push_back(add_part(std::move(input)));
        }
        return numbers;
    }

    std::vector<flow::MergedInput> take() { return std::move(all_); }

    std::size_t count() const noexcept { return all_.size(); }

private:
    std::uint16_t add(flow::MergedInput input) {
        input.number = static_cast<std::uint16_t>(all_.size() + 1);
        all_.push_back(std::move(input));
        return all_.back().number;
    }

    std::uint16_t add_part(flow::MergedInput input) {
        const std::tuple what(input.path, input.session, input.start.ticks, input.boot.ticks,
                              input.first_processor, input.offset);
        const auto [known, is_new] = known_.try_emplace(what, 0);
        if (is_new) {
            known->second = add(std::move(input));
        }
        return known->second;
    }

    std::vector<flow::MergedInput> all_;
    std::map<std::tuple<std::string, std::u16string, std::int64_t, std::int64_t, std::uint32_t,
                        std::int64_t>,
             std::uint16_t>
        known_;
};

Result<void> check(const Traces& traces, const Options& options) {
    if (traces.empty()) {
        return fail(ErrorCode::invalid_option, "no traces to merge");
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
        offsets[i] = saturating_sum(offsets[i], saturating_difference(*first, point));
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
    if (processors.processors > etl::limits::processors) {
        return fail(ErrorCode::limit, "processors of all machines", {}, etl::limits::processors,
                    processors.processors);
    }
    Plan plan;
    std::vector<Part> parts;
    const bool tells = tells_sources(traces, options);
    SourceNumbers numbers;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Rewriting what{.to_system_time = options.timestamps == Timestamps::system_time,
                       .offset = offsets[i],
                       .first_processor = processors.ranges[i].first,
                       .processors = processors.ranges[i].count,
                       .logger_ids = {}};
        if (tells) {
            what.logger_ids = numbers.of(*traces[i], what);
        }
        parts.push_back({traces[i], what.offset});
        plan.inputs.push_back(std::move(what));
    }
    constexpr std::size_t max = std::numeric_limits<std::uint16_t>::max();
    if (numbers.count() > max) {
        return fail(ErrorCode::limit, "traces whose events must be told apart", {}, max,
                    numbers.count());
    }
    plan.sources = numbers.take();
    plan.recording = merged_recording(parts, options, processors.processors);
    return plan;
}

} // namespace etl::merge
