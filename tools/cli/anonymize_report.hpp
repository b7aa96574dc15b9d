// What --anonymize has done, as JSON and in words. docs/anonymize.md#check
#pragma once

#include <etl/anonymize/anonymize.hpp>

#include <cstdint>
#include <string>

namespace cli {

/// One object, and a newline.
std::string to_json(const etl::anonymize::Report& report);

/// `1 event`, `2 events`.
std::string events_in_words(std::uint64_t events);

/// `40 of A, 6 of B`: those with the most undecodable events.
std::string undecodable_providers(const etl::anonymize::Report& report);

/// Say on standard error what was changed, and what was dropped, wiped, or left as it was.
void tell_changes(const etl::anonymize::Report& report);
void tell_unseen(const etl::anonymize::Report& report);

} // namespace cli
