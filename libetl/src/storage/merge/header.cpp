#include "merge/header.hpp"

#include "base/saturating.hpp"
#include "flow/losses.hpp"
#include "flow/stated_header.hpp"
#include "trace/losses.hpp"
#include "trace/missing_buffers.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace etl::merge {

namespace {

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
        Losses& most = by_recording[which];
        most.events = std::max(most.events, header.events_lost);
        most.buffers = std::max(most.buffers, trace::buffers_lost_by_session(*part.trace));
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

} // namespace

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

} // namespace etl::merge
