#include "generate/generate.hpp"

#include "base/limits.hpp"
#include "generate/contents.hpp"

#include <algorithm>
#include <span>

namespace etl::generate {

namespace {

bool is_within(double value, double min, double max) noexcept {
    return value >= min && value <= max; // not if it is NaN
}

bool is_usable(std::span<const std::uint32_t> mix) noexcept {
    const std::uint32_t max = std::ranges::max(mix);
    return max > 0 && max <= Recipe::max_weight;
}

/// What is wrong with a recipe; null: nothing.
const char* mistake_in(const Recipe& recipe) noexcept {
    if (!recipe.events && !recipe.duration) {
        return "the number of events or the duration is required";
    }
    if (recipe.duration && *recipe.duration <= 0) {
        return "the duration is not positive";
    }
    if (!is_within(recipe.rate, Recipe::min_rate, Recipe::max_rate)) {
        return "the rate is out of range";
    }
    if (!is_within(recipe.out_of_order, 0, 1)) {
        return "the fraction of events out of order is not 0 to 1";
    }
    if (!is_within(recipe.skew, 0, Recipe::max_skew)) {
        return "the skew is out of range";
    }
    if (recipe.processors == 0 || recipe.processors > etl::limits::processors) {
        return "the number of processors is out of range";
    }
    if (recipe.providers == 0 || recipe.providers > Recipe::max_providers) {
        return "the number of providers is out of range";
    }
    if (recipe.min_payload > recipe.max_payload || recipe.max_payload > Recipe::payload_limit) {
        return "the payload size is out of range";
    }
    if ((recipe.contents == Contents::kinds && !is_usable(recipe.mix)) ||
        (recipe.contents == Contents::capture && !is_usable(recipe.captures))) {
        return "all weights are 0, or one is too large";
    }
    return nullptr;
}

double fraction(double part, double whole) noexcept {
    return part / std::max(whole, 1.0);
}

} // namespace

bool is_over(const Recipe& recipe, std::uint64_t events, std::int64_t elapsed) noexcept {
    return (recipe.events && events >= *recipe.events) ||
           (recipe.duration && elapsed > *recipe.duration);
}

double fraction_done(const Recipe& recipe, std::uint64_t events, std::int64_t elapsed) noexcept {
    const double by_events =
        recipe.events ? fraction(static_cast<double>(events), static_cast<double>(*recipe.events))
                      : 0;
    const double by_time = recipe.duration ? fraction(static_cast<double>(elapsed),
                                                      static_cast<double>(*recipe.duration))
                                           : 0;
    return std::max(by_events, by_time);
}

Result<void> check(const Recipe& recipe) {
    const bool is_of_kinds = recipe.contents == Contents::kinds;
    if (!is_of_kinds &&
        (recipe.width != format::Width::bits64 || recipe.clock != format::ClockType::qpc)) {
        return fail(ErrorCode::unsupported, "contents with 32-bit pointers or another clock");
    }
    if (const char* const mistake = mistake_in(recipe)) {
        return fail(ErrorCode::invalid_option, mistake);
    }
    return {};
}

trace::Recording recording_of(const Recipe& recipe) {
    trace::Recording recording =
        trace::begin_recording(recipe.start, recipe.processors, recipe.clock);
    recording.header.session_name = u"Generated";
    recording.header.log_file_name = u"generated.etl";
    recording.header.events_lost = recipe.lost_events;
    recording.header.buffers_lost = recipe.lost_buffers;
    recording.header_pointer_size = static_cast<unsigned>(recipe.width);
    recording.header.pointer_size = static_cast<unsigned>(recipe.width);
    return recording;
}

Result<Report> write(const Recipe& recipe, trace::Writer& writer, const Progress& progress) {
    if (const auto valid = check(recipe); !valid) {
        return std::unexpected(valid.error());
    }
    switch (recipe.contents) {
    case Contents::workload:
        return write_workload(recipe, writer, progress);
    case Contents::capture:
        return write_capture(recipe, writer, progress);
    case Contents::kinds:
        break;
    }
    return write_mixture(recipe, writer, progress);
}

} // namespace etl::generate
