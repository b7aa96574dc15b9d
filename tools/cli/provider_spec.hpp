// What to enable: `Name:keywords:level:'stack'`, several joined by `+`, as in xperf and logman.
#pragma once

#include <etl/session.hpp>

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

struct ProviderSpec {
    std::string provider; // name, glob, or GUID as written
    etl::session::EnableOptions enable;
};

/// The parts of a specification as written; empty: missing.
struct SpecParts {
    std::string_view provider, keywords, level, properties;
};

/// Parses the parts of one specification; `all` is the text for messages.
std::expected<ProviderSpec, std::string> parse_provider_spec(const SpecParts& parts,
                                                             std::string_view all);

/// Parses one or more specifications joined by `+`. Keywords are hexadecimal with 0x, or decimal,
/// and 0 if missing (all); levels are numbers or names, and 0 if missing (all). Returns the reason
/// if the text is not valid.
std::expected<std::vector<ProviderSpec>, std::string> parse_provider_specs(std::string_view text);

} // namespace cli
