#include "cli/table_cells.hpp"

#include "base/json_object.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace cli {

namespace {

using namespace etl::analysis;

std::string hundredths_text(std::uint64_t value) {
    constexpr std::uint64_t whole = 100;
    return fmt::format("{}.{:02}", value / whole, value % whole);
}

etl::Filetime time_of(std::uint64_t value) noexcept {
    return {static_cast<std::int64_t>(value)};
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

} // namespace

std::string duration_text(std::uint64_t nanoseconds) {
    return scaled_text(nanoseconds, 1000, {"ns", "us", "ms", "s"});
}

std::string csv_of(const Cell& cell, Unit unit) {
    if (const auto* const text = std::get_if<std::string>(&cell)) {
        return *text;
    }
    if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        return fmt::format("[{}]", fmt::join(*list, ","));
    }
    const auto* const number = std::get_if<std::uint64_t>(&cell);
    if (number == nullptr) {
        return "";
    }
    switch (unit) {
    case Unit::hundredths:
        return hundredths_text(*number);
    case Unit::signed_hundredths: {
        const auto value = static_cast<std::int64_t>(*number);
        return (value < 0 ? "-" : "") + hundredths_text(value < 0 ? 0 - *number : *number);
    }
    case Unit::time:
        return rfc3339(time_of(*number));
    case Unit::address:
        return fmt::format("{:#x}", *number);
    case Unit::text:
    case Unit::id:
    case Unit::count:
    case Unit::bytes:
    case Unit::nanoseconds:
    case Unit::histogram:
        break;
    }
    return std::to_string(*number);
}

std::string json_of(const Cell& cell, Unit unit) {
    if (std::holds_alternative<std::monostate>(cell)) {
        return "null";
    }
    std::string text = csv_of(cell, unit);
    const bool is_text =
        std::holds_alternative<std::string>(cell) || unit == Unit::time || unit == Unit::address;
    if (!is_text) {
        return text;
    }
    std::string json;
    etl::append_json_string(json, utf8_text(text));
    return json;
}

std::string shown_of(const Cell& cell, Unit unit) {
    if (std::holds_alternative<std::monostate>(cell)) {
        return "-";
    }
    const auto* const number = std::get_if<std::uint64_t>(&cell);
    if (number != nullptr && unit == Unit::nanoseconds) {
        return duration_text(*number);
    }
    if (number != nullptr && unit == Unit::bytes) {
        return scaled_text(*number, 1024, {"B", "KB", "MB", "GB", "TB"});
    }
    if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        return fmt::format("{}", fmt::join(*list, " "));
    }
    return printable(csv_of(cell, unit));
}

std::string heading_of(const Column& column) {
    std::string_view name = column.name;
    if (column.unit == Unit::nanoseconds && name.ends_with("_ns")) {
        name.remove_suffix(3);
    }
    std::string heading(name);
    std::ranges::replace(heading, '_', ' ');
    if (column.unit == Unit::histogram) {
        heading += " (0, 1, 2, 4, 8, ... us)";
    }
    return heading;
}

std::size_t columns_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string fitted(const std::string& text, std::size_t width) {
    const std::size_t all = columns_of(text);
    if (all <= width) {
        return text;
    }
    // The end of a path says more than its beginning.
    constexpr std::string_view gap = "...";
    const std::size_t kept = width > gap.size() ? width - gap.size() : 0;
    const std::size_t front = kept / 3;
    std::string head, tail;
    std::size_t at = 0;
    for (const char c : text) {
        at += columns_of(std::string_view(&c, 1));
        (at <= front                 ? head
         : at > all - (kept - front) ? tail
                                     : head)
            .append(at <= front || at > all - (kept - front) ? 1 : 0, c);
    }
    return head + std::string(gap.substr(0, width)) + tail;
}

} // namespace cli
