// Synthetic traces for tests and benchmarks: the records of a recipe, what they contain, and damage
// to a finished file. The same recipe yields the same records on every machine. docs/generate.md
#pragma once

#include <etl/error.hpp>
#include <etl/time.hpp>

#include "format/encode.hpp"
#include "format/logfile_header.hpp"
#include "trace/writer.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::generate {

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

/// Kinds of captures. docs/generate.md#capture
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
inline constexpr Filetime default_start{133'603'920'000'000'000};

enum class Contents : std::uint8_t {
    kinds,    // kinds of events, mixed
    workload, // a small machine at work. docs/generate.md#workload
    capture,  // captured packets. docs/generate.md#capture
};

/// The properties of a generated trace. A value; check() finds impossible ones.
struct Recipe {
    static constexpr double min_rate = 1e-3, max_rate = 1e9, max_skew = 10;
    static constexpr std::uint32_t max_providers = 10'000;
    static constexpr std::uint32_t max_weight = 1'000'000; // of a kind
    static constexpr std::uint32_t payload_limit = 60'000; // fits any kind of record

    Contents contents = Contents::kinds;
    std::optional<std::uint64_t> events;  // records, without the log file header
    std::optional<std::int64_t> duration; // in 100 ns; the first limit that is reached counts
    double rate = 10'000;                 // events per second
    enum class Spacing : std::uint8_t { exponential, fixed };
    Spacing spacing = Spacing::exponential;
    Mix mix{50, 10, 2, 8, 6, 14, 4, 2, 1, 3, 0, 0};
    CaptureMix captures{1, 1, 1, 1, 1, 1, 1};
    std::uint32_t providers = 4; // of each kind that has providers
    std::uint32_t min_payload = 16, max_payload = 128;
    enum class Text : std::uint8_t { ascii, unicode };
    Text text = Text::ascii;
    std::uint32_t processors = 4;
    double skew = 0; // 0: equal load; n: processor i in proportion to 1/i^n
    format::Width width = format::Width::bits64;
    format::ClockType clock = format::ClockType::qpc;
    double out_of_order = 0;       // fraction of events with timestamps that are too early
    std::uint32_t lost_events = 0; // in the header
    std::uint32_t lost_buffers = 0;
    std::uint64_t seed = 1;
    Filetime start = default_start;
};

/// Errors: unsupported (a workload or a capture without 64-bit pointers and ClockType::qpc);
/// invalid_option (neither events nor a duration, a value out of range, or weights of 0 only).
Result<void> check(const Recipe& recipe);

/// The header of the trace: of the writer that write() adds records to.
trace::Recording recording_of(const Recipe& recipe);

/// Called now and then with the part of the work that is done, 0 to 1, and the number of events.
using Progress = std::function<void(double done, std::uint64_t events)>;

struct Report {
    std::uint64_t events = 0; // that were added; the writer counts those that it rejects
    /// What a workload or a capture contains, by definitions of the generator: lines of values
    /// separated by commas. Empty for kinds. docs/generate.md
    std::string truth{};
};

/// Adds the records of a recipe to a writer, which remains open. `progress` may be empty. Errors:
/// those of check(), in which case nothing is added.
Result<Report> write(const Recipe& recipe, trace::Writer& writer, const Progress& progress = {});

/// The manifest of the events of Kind::event: XML.
std::string manifest(const Recipe& recipe);

/// Deliberate damage to a finished trace. docs/generate.md#damage
struct Damage {
    enum class What : std::uint8_t {
        bad_sizes,   // set BufferSize of some buffers to random values
        zero_buffer, // zero some buffers
        flip,        // flip a bit in some bytes after the header buffer
        truncate,    // end the file somewhere in its second half
    };

    /// Larger counts take minutes and add nothing.
    static constexpr std::uint32_t max = 1'000'000;

    What what;
    std::uint32_t count = 1; // 1 to `max`
};

/// `flip:20`, `truncate`, `zero-buffer:2`, `bad-sizes`.
std::optional<Damage> parse_damage(std::string_view text) noexcept;

/// Applies all damage to a file, in the order of What; in a container, to frames instead of
/// buffers. The same seed damages the same bytes. Errors: those of opening and writing;
/// invalid_option (a count); malformed if the header buffer is the only buffer.
Result<void> do_damage(const std::string& path, const std::vector<Damage>& damages,
                       std::uint64_t seed);

} // namespace etl::generate
