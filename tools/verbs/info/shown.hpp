// Everything that `etl info` shows of one trace.
#pragma once

#include "decode/coverage.hpp"
#include "facts/machine.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/summary.hpp"
#include "verbs/info/enabled.hpp"
#include "verbs/info/needs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cli {

/// One provider's line, most events first.
struct ProviderRow {
    etl::Guid id;
    std::string guid; // as text
    std::string name; // empty: unknown
    std::uint64_t events;
    std::uint64_t payload_bytes;
};

struct ShownTrace {
    const etl::flow::TraceInfo* info;
    const etl::trace::Summary* summary;
    etl::facts::Machine machine;
    std::vector<ProviderRow> providers;
    std::vector<EnabledProvider> enabled; // empty: not recorded
    std::uint64_t damage;
    etl::trace::MissingBuffers missing;
    const etl::decode::Coverage* coverage; // null: not requested
    const TraceNeeds* needs;               // null: not requested
    bool is_log_dirty = false;             // an event log that was not closed

    bool is_event_log() const noexcept;

    std::optional<etl::Filetime> time(const std::optional<std::int64_t>& raw) const {
        return raw ? std::optional(info->clock.to_filetime(*raw)) : std::nullopt;
    }

    /// Whether the header counts all that the session lost.
    bool are_losses_known() const noexcept;
    /// Number of processors, from the header or the machine record.
    std::uint32_t processors() const noexcept;
    /// In MHz; 0: not recorded.
    std::uint32_t processor_mhz() const noexcept;
    /// Name of the time zone of the recording, from the header; empty: not recorded.
    std::string time_zone() const;
};

std::string utf8(std::u16string_view text);

/// `UTC+01:00`, for a zone whose local time is UTC minus `bias_minutes`.
std::string utc_offset(std::int32_t bias_minutes);

/// One object, on one line.
std::string info_json(const ShownTrace& trace);

/// Text output.
std::string info_text(const ShownTrace& trace);

} // namespace cli
