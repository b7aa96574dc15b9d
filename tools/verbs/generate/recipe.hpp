// The properties of a generated trace. Values.
#pragma once

#include <etl/time.hpp>

#include "format/encode.hpp"
#include "format/logfile_header.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace cli::generate {

/// Kinds of events, most of them named after their kind of record.
enum class Kind : std::uint8_t {
    tracelogging, // self-describing EVENT records
    event,        // EVENT records of a manifest
    string,       // EVENT records with a string
    system,       // kernel: processes, threads, images, file names
    compact,      // kernel: disk reads and writes
    perfinfo,     // kernel: samples, context switches, DPCs
    stack,        // kernel: a sample, followed by its stack
    full,         // classic events of synthetic classes
    instance,
    message, // WPP
    timed,
    wnode,
};

inline constexpr std::array<std::string_view, 12> kind_names{
    "tracelogging", "event", "string",   "system",  "compact", "perfinfo",
    "stack",        "full",  "instance", "message", "timed",   "wnode"};

/// Weights of the kinds.
using Mix = std::array<std::uint32_t, kind_names.size()>;

/// Kinds of captures (--capture). docs/generate.md#capture
enum class CaptureKind : std::uint8_t {
    ndis,
    fragments,
    wifi,
    mobile,
    vm_switch,
    ras,
    pktmon,
    pktmon_wifi,
    pktmon_24h2,
    vlan,
    segmentation,
    ras_users,
    layers,
    dns,
    http,
};

inline constexpr std::array<std::string_view, 15> capture_kind_names{
    "ndis",         "fragments", "wifi",        "mobile",      "switch",
    "ras",          "pktmon",    "pktmon-wifi", "pktmon-24h2", "vlan",
    "segmentation", "ras-users", "layers",      "dns",         "http"};

/// Weights of the conversations of each kind.
using CaptureMix = std::array<std::uint32_t, capture_kind_names.size()>;

/// 2024-05-17T04:00:00Z.
inline constexpr etl::Filetime default_start{133'603'920'000'000'000};

struct Recipe {
    std::optional<std::uint64_t> events;  // records, without the log file header
    std::optional<std::int64_t> duration; // in 100 ns
    double rate = 10'000;                 // events per second
    enum class Spacing : std::uint8_t { exponential, fixed };
    Spacing spacing = Spacing::exponential;
    Mix mix{50, 10, 2, 8, 6, 14, 4, 2, 1, 3, 0, 0};
    CaptureMix captures{1, 1, 1, 1, 1, 1, 1};
    std::uint32_t providers = 4; // of each kind that has providers
    std::uint32_t least_payload = 16, most_payload = 128;
    enum class Text : std::uint8_t { ascii, unicode };
    Text text = Text::ascii;
    std::uint32_t processors = 4;
    double skew = 0; // 0: equal load; n: processor i in proportion to 1/i^n
    etl::format::Width width = etl::format::Width::bits64;
    etl::format::ClockType clock = etl::format::ClockType::qpc;
    double out_of_order = 0;       // fraction of events with timestamps that are too early
    std::uint32_t lost_events = 0; // in the header
    std::uint32_t lost_buffers = 0;
    std::uint64_t seed = 1;
    etl::Filetime start = default_start;

    /// Maximum number of events.
    std::uint64_t event_limit() const noexcept {
        return events ? *events : std::numeric_limits<std::uint64_t>::max();
    }
};

} // namespace cli::generate
