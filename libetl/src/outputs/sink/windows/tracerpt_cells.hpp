// The columns and names of tracerpt's CSV. Private to sink. docs/tracerpt.md#csv
#pragma once

#include <etl/guid.hpp>

#include "sink/windows_event.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace etl::sink {

struct TracerptColumn {
    std::string_view name;
    std::size_t width;
};

namespace tracerpt {
enum Column : std::size_t {
    event_name,
    type_name,
    event_id,
    version,
    channel,
    level,
    opcode,
    task,
    keyword,
    process,
    thread,
    processor,
    instance,
    parent_instance,
    activity,
    related_activity,
    clock_time,
    kernel_time,
    user_time,
};
} // namespace tracerpt

inline constexpr TracerptColumn tracerpt_columns[] = {
    {"Event Name", 18},  {"Type", 10},
    {"Event ID", 10},    {"Version", 10},
    {"Channel", 10},     {"Level", 10},
    {"Opcode", 10},      {"Task", 10},
    {"Keyword", 18},     {"PID", 10},
    {"TID", 10},         {"Processor Number", 16},
    {"Instance ID", 18}, {"Parent Instance ID", 18},
    {"Activity ID", 38}, {"Related Activity ID", 38},
    {"Clock-Time", 19},  {"Kernel(ms)", 10},
    {"User(ms)", 10},
};

inline constexpr std::string_view last_column = "User Data";
inline constexpr std::string_view after_cell = ", ";

inline void append_padded(std::string& to, std::string_view text, std::size_t width) {
    to.append(width - std::min(width, text.size()), ' ').append(text);
}

/// A name among cells: quoted only if it would not remain one cell.
std::string tracerpt_cell(std::string_view text);

/// `0x0000000000000010`, as wide as its column.
template <std::size_t digits>
std::array<char, digits + 2> hex_text(std::uint64_t value) noexcept {
    std::array<char, digits + 2> text{'0', 'x'};
    for (std::size_t i = 0; i < digits; ++i) {
        text[1 + digits - i] = "0123456789ABCDEF"[value >> (4 * i) & 15U];
    }
    return text;
}

/// The two names by which tracerpt lists events.
struct TracerptName {
    std::string event; // class of classic events, provider, or component of WPP messages
    std::string type;  // opcode, event name (TraceLogging), or place in the source (WPP)
};

TracerptName tracerpt_name_of(const WindowsEvent& event);

} // namespace etl::sink
