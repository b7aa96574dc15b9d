#include "rows/values.hpp"

#include "base/json_text.hpp"
#include "base/readable_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace etl::rows {

namespace {

using analysis::Unit;

void append_number(std::string& to, std::uint64_t value, Unit unit) {
    constexpr std::uint64_t whole = 100;
    switch (unit) {
    case Unit::hundredths:
        fmt::format_to(std::back_inserter(to), "{}.{:02}", value / whole, value % whole);
        return;
    case Unit::signed_hundredths: {
        const bool is_negative = static_cast<std::int64_t>(value) < 0;
        to += is_negative ? "-" : "";
        return append_number(to, is_negative ? 0 - value : value, Unit::hundredths);
    }
    case Unit::time:
        return append_rfc3339(to, Filetime{static_cast<std::int64_t>(value)});
    case Unit::address:
        fmt::format_to(std::back_inserter(to), "{:#x}", value);
        return;
    case Unit::text:
    case Unit::id:
    case Unit::count:
    case Unit::bytes:
    case Unit::nanoseconds:
    case Unit::histogram:
        break;
    }
    append_decimal(to, value);
}

/// A number of a unit whose steps are `step`, such as 1024 bytes.
std::string scaled_text(std::uint64_t value, std::uint64_t step,
                        std::initializer_list<std::string_view> units) {
    auto unit = units.begin();
    auto number = static_cast<double>(value);
    while (number >= static_cast<double>(step) && unit + 1 != units.end()) {
        number /= static_cast<double>(step);
        ++unit;
    }
    const int decimals = unit == units.begin() ? 0 : number < 10 ? 2 : number < 100 ? 1 : 0;
    return fmt::format("{:.{}f} {}", number, decimals, *unit);
}

/// Whether JSON has a value only as text.
bool is_quoted(const Value& value, Unit unit) {
    if (const auto* const real = std::get_if<double>(&value)) {
        return !std::isfinite(*real);
    }
    return std::holds_alternative<Bytes>(value) || (std::holds_alternative<std::uint64_t>(value) &&
                                                    (unit == Unit::time || unit == Unit::address));
}

} // namespace

Value value_of(const analysis::Cell& cell) {
    if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
        return *number;
    }
    if (const auto* const text = std::get_if<std::string>(&cell)) {
        return std::string_view(*text);
    }
    if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        return std::span(*list);
    }
    return {};
}

void append_plain(std::string& to, const Value& value, Unit unit) {
    if (const auto* const text = std::get_if<std::string_view>(&value)) {
        to += *text;
    } else if (const auto* const digits = std::get_if<Digits>(&value)) {
        to += digits->text;
    } else if (const auto* const number = std::get_if<std::uint64_t>(&value)) {
        append_number(to, *number, unit);
    } else if (const auto* const integer = std::get_if<std::int64_t>(&value)) {
        append_decimal(to, *integer);
    } else if (const auto* const real = std::get_if<double>(&value)) {
        append_float(to, *real);
    } else if (const auto* const bytes = std::get_if<Bytes>(&value)) {
        append_hex_bytes(to, *bytes);
    } else if (const auto* const list = std::get_if<std::span<const std::uint64_t>>(&value)) {
        fmt::format_to(std::back_inserter(to), "[{}]", fmt::join(*list, ","));
    }
}

void append_json(std::string& to, const Value& value, Unit unit) {
    if (const auto* const text = std::get_if<std::string_view>(&value)) {
        if (is_valid_utf8(*text)) [[likely]] {
            return append_json_string(to, *text);
        }
        std::string utf8;
        append_utf8(utf8, std::as_bytes(std::span(*text)));
        return append_json_string(to, utf8);
    }
    if (std::holds_alternative<std::monostate>(value)) {
        to += "null";
        return;
    }
    const std::string_view quote = is_quoted(value, unit) ? "\"" : "";
    to += quote;
    append_plain(to, value, unit);
    to += quote;
}

std::string csv_of(const analysis::Cell& cell, Unit unit) {
    std::string text;
    append_plain(text, value_of(cell), unit);
    return text;
}

std::string json_of(const analysis::Cell& cell, Unit unit) {
    std::string text;
    append_json(text, value_of(cell), unit);
    return text;
}

std::string shown_of(const Value& value, Unit unit) {
    if (std::holds_alternative<std::monostate>(value)) {
        return "-";
    }
    const auto* const number = std::get_if<std::uint64_t>(&value);
    if (number != nullptr && unit == Unit::nanoseconds) {
        return duration_text(*number);
    }
    if (number != nullptr && unit == Unit::bytes) {
        return scaled_text(*number, 1024, {"B", "KB", "MB", "GB", "TB"});
    }
    if (const auto* const list = std::get_if<std::span<const std::uint64_t>>(&value)) {
        return fmt::format("{}", fmt::join(*list, " "));
    }
    std::string plain;
    append_plain(plain, value, unit);
    return printable(plain);
}

std::string shown_of(const analysis::Cell& cell, Unit unit) {
    return shown_of(value_of(cell), unit);
}

std::string duration_text(std::uint64_t nanoseconds) {
    return scaled_text(nanoseconds, 1000, {"ns", "us", "ms", "s"});
}

std::string heading_of(std::string_view name, Unit unit) {
    if (unit == Unit::nanoseconds && name.ends_with("_ns")) {
        name.remove_suffix(3);
    }
    std::string heading(name);
    std::ranges::replace(heading, '_', ' ');
    return unit == Unit::histogram ? heading + " (0, 1, 2, 4, 8, ... us)" : heading;
}

} // namespace etl::rows
