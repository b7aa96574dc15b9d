// Regular expressions in the syntax of ATL (CAtlRegExp), which xperf has. docs/xperf.md#regex
#pragma once

#include "match/regex.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace cli::xperf {

/// Returns the expression in the syntax of ICU. Errors: what is wrong with it.
std::expected<std::string, std::string> icu_of_atl(std::string_view expression);

/// Compiles an expression; case is ignored. Errors: what is wrong with it.
std::expected<std::shared_ptr<const etl::match::Regex>, std::string>
compile_atl(std::string_view expression);

} // namespace cli::xperf
