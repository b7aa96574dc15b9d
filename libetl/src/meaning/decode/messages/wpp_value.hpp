// One argument of a WPP message as text. Private to decode. docs/format/wpp.md#items
#pragma once

#include <etl/time.hpp>

#include "decode/display_value.hpp"
#include "decode/messages/printf_text.hpp"

#include <string>

namespace etl::decode {

struct WppArgument {
    Value value;
    schema::OutType shown_as = schema::OutType::none;
};

/// Appends an argument in the notation. Under s it is the text of its item.
void append_wpp_argument(std::string& to, const WppArgument& argument, const Notation& notation,
                         const DisplayOptions& options);

/// `10/23/2003-12:27:40.1730000`
void append_wpp_time(std::string& to, Filetime time, int utc_offset_minutes);

/// A number of `size` bytes that is no argument.
void append_wpp_number(std::string& to, std::uint64_t bits, unsigned size,
                       const Notation& notation);

} // namespace etl::decode
