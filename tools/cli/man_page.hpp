// Man pages, from the same tables and texts as --help.
#pragma once

#include "cli/verb.hpp"

#include <string>

namespace cli {

/// Returns the name of the man page of a verb: `etl-schema-list`.
std::string man_page_name(const Verb& verb);

/// Returns the man page of a verb, for man(7).
std::string man_page(const Verb& verb);

} // namespace cli
