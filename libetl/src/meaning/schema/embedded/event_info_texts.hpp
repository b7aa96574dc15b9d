// Texts of TRACE_EVENT_INFO and EVENT_MAP_INFO as they are stored, with what reading takes off
// again. Private to schema.
#pragma once

#include "base/text.hpp"
#include "schema/event_name.hpp"

#include <string>
#include <string_view>

namespace etl::schema {

/// Stands for the line end of the message table.
inline constexpr std::string_view event_info_message_end = " ";

/// Up to a NUL: it would end the text.
inline std::u16string units_of(std::string_view text) {
    return to_utf16(text.substr(0, text.find('\0')));
}

/// So that what reading takes off the end is there.
inline std::string ended(std::string_view name) {
    std::string text(name);
    if (without_message_end(name).size() != name.size()) {
        text += event_info_message_end;
    }
    return text;
}

/// The same for a name that is known to be there, though it be empty.
inline std::string ended_even_empty(std::string_view name) {
    return name.empty() ? std::string(event_info_message_end) : ended(name);
}

/// Names of tasks and opcodes lose a prefix, too.
inline std::string dressed(std::string_view name) {
    return std::string(name.substr(0, name.size() - without_win(name).size())) + ended(name);
}

} // namespace etl::schema
