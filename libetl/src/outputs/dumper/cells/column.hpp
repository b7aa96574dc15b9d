// A column: its heading, and where its values come from. Private to dumper.
#pragma once

#include "dumper/cells/names.hpp"
#include "dumper/cells/subject.hpp"
#include "dumper/cells/values.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace etl::dumper {

struct Column;

/// The event of a line, for one column.
struct CellSource {
    const decode::DecodedEvent* event = nullptr;
    const Values* values = nullptr;
    const Subject* subject = nullptr;
    Names* names = nullptr;
    const Column* column = nullptr;
    std::uint16_t field = no_field, other = no_field; // those of the column, in the schema

    std::int64_t time() const noexcept { return event->event->raw_time; }

    std::optional<std::uint64_t> number() const noexcept { return values->number(field); }

    std::optional<std::uint64_t> other_number() const noexcept { return values->number(other); }
};

/// Appends a value; nothing if it is not known.
using Show = void (*)(std::string& to, const CellSource& from);

struct Column {
    std::string_view heading;
    std::uint8_t width = 0; // of values, and of the heading if that is shorter; 0: as long as it is
    Show show = nullptr;
    std::string_view field{}; // by name in the schema
    std::string_view other{};
    std::uint8_t digits = 0;  // least, of hexadecimal numbers
    std::uint8_t since = 0;   // class version that added the column
    bool is_optional = false; // shown if an event of the trace has a text in it
};

/// Which columns of a kind the lines of a trace have.
struct ShownColumns {
    std::uint8_t version = 0;  // the highest class version of its events
    bool has_optional = false; // an event has a text in an optional column

    constexpr bool has(const Column& column) const noexcept {
        return column.since <= version && (has_optional || !column.is_optional);
    }
};

/// Stands for the width of pointers: 18 columns in a 64-bit trace, 10 in a 32-bit one.
inline constexpr std::uint8_t pointer_width = 0xFF;

namespace show {
void pointer(std::string& to, const CellSource& from);
} // namespace show

/// Returns the width of a column.
constexpr std::size_t width_of(const Column& column, bool is_64_bit) noexcept {
    constexpr std::size_t wide = 18, narrow = 10;
    if (!is_64_bit && (column.width == pointer_width || column.show == &show::pointer)) {
        return narrow;
    }
    return column.width == pointer_width ? wide : column.width;
}

} // namespace etl::dumper
