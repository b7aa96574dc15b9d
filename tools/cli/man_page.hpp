// Man pages, from the same tables and texts as --help.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace cli {

/// Returns the name of the man page of a verb: `etl-schema-list`.
std::string man_page_name(const CLI::App& verb);

/// Returns the man page of a verb, for man(7).
std::string man_page(const CLI::App& verb);

} // namespace cli
