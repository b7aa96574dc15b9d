// The providers that the session of a trace had enabled, if the trace records that.
// docs/info-and-check.md#enabled
#pragma once

#include <etl/schema/schemas_by_trace.hpp>
#include <etl/trace/reader.hpp>
#include <etl/trace/summary.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

/// As it was enabled last.
struct EnabledProvider {
    etl::Guid id;
    std::string name; // empty: unknown
    std::uint64_t match_any = 0, match_all = 0;
    std::uint32_t property = 0;
    std::uint8_t level = 0;
    std::int64_t time = 0; // raw
};

/// Reads the trace once more if `summary` has events of Microsoft-Windows-Kernel-EventTracing:
/// those about providers that a session of the same name enabled; in relogged traces, any session.
/// Sorted by name.
std::vector<EnabledProvider> find_enabled(etl::trace::Reader& reader,
                                          const etl::trace::Summary& summary,
                                          const etl::schema::SchemasByTrace& schemas,
                                          unsigned threads);

} // namespace cli
