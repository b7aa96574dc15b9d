// XPath queries of the Windows event log, as expressions: `*[System[(EventID=4624) and Level<=3]]`.
// docs/filters.md#xpath
//
// Source of the subset: Microsoft's "Consuming Events", "XPath 1.0 limitations".
#pragma once

#include <etl/time.hpp>

#include "match/expression.hpp"

#include <expected>
#include <string_view>

namespace etl::match {

/// Parses a query: `*` or `Event`, with predicates about System, EventData, and UserData. `now` is
/// the present for `timediff`. Data is compared as the events of docs/output.md are: text ignores
/// case. Errors: syntax, and properties that traces do not contain. Bounded by
/// match/limits.hpp.
std::expected<Expression, SyntaxError> parse_xpath(std::string_view query, Filetime now);

} // namespace etl::match
