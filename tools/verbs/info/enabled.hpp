// The providers that the session of a trace had enabled, if the trace records that.
// docs/info-and-check.md#enabled
#pragma once

#include "schema/schema_store.hpp"
#include "trace/reader.hpp"
#include "trace/summary.hpp"

#include <cstdint>
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

} // namespace cli
