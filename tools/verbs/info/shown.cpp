#include "verbs/info/shown.hpp"

#include "base/text.hpp"
#include "flow/losses.hpp"
#include "flow/trace_info.hpp"
#include "format/own_events.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace cli {

std::string utf8(std::u16string_view text) {
    std::string result;
    etl::append_utf16le(result, std::as_bytes(std::span(text)));
    return result;
}

bool ShownTrace::are_losses_known() const noexcept {
    const bool has_unknown = summary->by_provider.contains(etl::format::losses_event::provider);
    return etl::flow::counts_losses(*info) && !has_unknown;
}

bool ShownTrace::is_event_log() const noexcept {
    return etl::flow::is_of_event_log(*info);
}

std::uint32_t ShownTrace::processors() const noexcept {
    return info->header.number_of_processors > 0 ? info->header.number_of_processors
                                                 : machine.processors;
}

std::uint32_t ShownTrace::processor_mhz() const noexcept {
    return info->header.cpu_speed_mhz > 0 ? info->header.cpu_speed_mhz : machine.mhz;
}

std::string ShownTrace::time_zone() const {
    return utf8(info->header.time_zone.standard_name);
}

std::string utc_offset(std::int32_t bias_minutes) {
    const std::int64_t minutes = -std::int64_t{bias_minutes};
    return fmt::format("UTC{}{:02}:{:02}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60,
                       std::abs(minutes) % 60);
}

} // namespace cli
