// Which schemas would decode what stays raw.
#pragma once

#include <etl/catalog/catalog.hpp>
#include <etl/decode/undecoded.hpp>
#include <etl/sink/tally.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// What one file would describe: the events of a provider, a class, or one TMF.
struct Need {
    etl::decode::NeededSchema needed = etl::decode::NeededSchema::nothing;
    etl::Guid provider;
    std::string name; // empty: not known
    std::uint64_t events = 0;
    std::vector<const etl::decode::Undecoded::Kinds::value_type*> kinds; // by number
};

/// Most events first. Valid as long as `undecoded`.
std::vector<Need> needs_of(const etl::decode::Undecoded& undecoded);

/// Says on standard error, in one line, how many events stayed raw, of which providers, and what
/// would decode them. Nothing if all were decoded. `effect`: what follows, if not empty.
void report_undecoded(const etl::decode::Undecoded& undecoded, std::string_view effect = {});

/// Says on standard error which schema files that the user named described none of the events.
void report_unused(const etl::catalog::Catalog& files, const etl::sink::Tally& tally);

} // namespace cli
