// The schemas that undecoded events need.
#pragma once

#include "catalog/catalog.hpp"
#include "decode/undecoded.hpp"
#include "sink/tally.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// A missing schema file, and the events that it would describe: of a provider, a class, or a TMF.
struct Need {
    etl::decode::NeededSchema needed = etl::decode::NeededSchema::nothing;
    etl::Guid provider;
    std::string name; // empty: unknown
    std::uint64_t events = 0;
    std::vector<const etl::decode::Undecoded::Kinds::value_type*> kinds; // by number
};

/// Most events first. Valid as long as `undecoded`.
std::vector<Need> needs_of(const etl::decode::Undecoded& undecoded);

/// Prints one line to standard error: how many events were not decoded, of which providers, and
/// which schemas are missing. Nothing if all were decoded. `effect`: the consequence, or empty.
void report_undecoded(const etl::decode::Undecoded& undecoded, std::string_view effect = {});

/// Prints one line to standard error: how many events built-in schemas decoded that do not match,
/// and of which providers. Nothing if there are none.
void report_misfits(const etl::decode::Misfits& misfits);

/// Prints to standard error the named schema files that describe none of the events.
void report_unused(const etl::catalog::Catalog& files, const etl::sink::Tally& tally);

} // namespace cli
