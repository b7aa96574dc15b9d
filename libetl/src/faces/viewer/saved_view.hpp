// A view that a person saved: traces, and what is shown of them. docs/view.md#saved
#pragma once

#include "viewer/request.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace etl::viewer {

/// How names of such files end.
inline constexpr std::string_view saved_view_ending = ".etlview.json";

struct SavedView {
    std::vector<std::string> inputs; // names as they were opened; at least one
    std::string begin, end;          // of the traces, as in the answer to `open`; any text
    std::string state;               // for the address of the page: characters of a query
};

/// Parses a file: any bytes.
std::expected<SavedView, Problem> parse_saved_view(std::string_view json);

} // namespace etl::viewer
