// What `etl info` shows of traces.
#pragma once

#include "cli/progress.hpp"
#include "decode/coverage.hpp"
#include "decode/undecoded.hpp"
#include "facts/machine.hpp"
#include "facts/named_files.hpp"
#include "schema/schema_store.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/reader.hpp"
#include "trace/summary.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// As it was enabled last.
struct EnabledProvider {
    etl::Guid id;
    std::string name;                                  // empty: unknown
    std::optional<std::uint64_t> match_any, match_all; // none, as the next two: not recorded
    std::optional<std::uint32_t> property;
    std::optional<std::uint8_t> level;
    std::int64_t time = 0; // raw
};

/// Reads the trace once more if `summary` has events of Microsoft-Windows-Kernel-EventTracing:
/// those about providers that a session of the same name enabled; in relogged traces, any session.
/// Sorted by name.
std::vector<EnabledProvider> find_enabled(etl::trace::Reader& reader,
                                          const etl::trace::Summary& summary,
                                          const etl::schema::SchemasByTrace& schemas,
                                          unsigned threads);

// etl info --needs: the schemas missing for undecoded events, and the files named in the trace.

struct TraceNeeds {
    etl::decode::Undecoded undecoded;
    etl::facts::NamedFiles files;
};

/// Looks up the schema of every event once, in parallel by buffer.
TraceNeeds find_needs(etl::trace::Reader& reader, const etl::schema::SchemasByTrace& schemas,
                      etl::decode::DecoderOptions options, unsigned threads,
                      PassProgress& progress);

/// The value of the key `needs` (docs/info-and-check.md).
std::string needs_json(const TraceNeeds& needs);

/// The text table.
std::string needs_text(const TraceNeeds& needs);

// Everything that `etl info` shows of one trace.

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

// What one pass over all records of a trace finds.

struct Overview {
    etl::trace::Summary summary;
    etl::facts::MachineCollector machine;
};

/// Finds the overview in the next walk over all buffers, whatever it is for.
class OverviewWalk {
public:
    /// All outlive this, and the next walk.
    OverviewWalk(etl::trace::Reader& reader, unsigned threads, PassProgress& progress);

    /// Walks if there was no walk since.
    Overview finish();

private:
    struct Parts {
        std::vector<Overview> by_thread;
        std::atomic<bool> is_shown = false;
    };

    etl::trace::Reader* reader_;
    unsigned threads_;
    std::shared_ptr<Parts> parts_; // with the reader
};

/// Reads all buffers of a trace, in parallel.
Overview look_over(etl::trace::Reader& reader, unsigned threads, PassProgress& progress);

/// Returns what is shown of a trace, without enabled providers, decoding, and needs. All must
/// outlive it.
ShownTrace shown_of(const etl::trace::Reader& reader, const Overview& overview,
                    const etl::schema::SchemasByTrace& schemas);

} // namespace cli
