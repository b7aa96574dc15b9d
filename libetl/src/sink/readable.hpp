// Text that may go to a terminal or into a table. Private to sink.
#pragma once

#include <string>
#include <string_view>

namespace etl::sink {

/// Appends text with its control characters escaped, so that it stays on its line and gives a
/// terminal no orders.
void append_escaped(std::string& to, std::string_view text);

/// The same, in quotes when it is empty or holds blanks, quotes or brackets.
void append_readable(std::string& to, std::string_view text);

} // namespace etl::sink
