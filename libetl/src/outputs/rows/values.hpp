// Values of tables as text, in each of the formats of rows. docs/analysis.md#output
#pragma once

#include <etl/bytes.hpp>

#include "analysis/table.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace etl::rows {

/// An integer as its decimal digits, with a sign if it is negative.
struct Digits {
    std::string_view text;
};

/// A value of a row: a view. std::monostate: null.
using Value = std::variant<std::monostate, std::uint64_t, std::int64_t, double, std::string_view,
                           Bytes, std::span<const std::uint64_t>, Digits>;

/// Returns a view of a cell.
Value value_of(const analysis::Cell& cell);

/// Appends a value as in CSV, without quotes: numbers as their unit has them, bytes in hexadecimal,
/// null as nothing, texts as they are.
void append_plain(std::string& to, const Value& value, analysis::Unit unit);

/// Appends a JSON value. Texts become valid UTF-8.
void append_json(std::string& to, const Value& value, analysis::Unit unit);

/// The same for cells, as a text of its own.
std::string csv_of(const analysis::Cell& cell, analysis::Unit unit);
std::string json_of(const analysis::Cell& cell, analysis::Unit unit);

/// Returns a value for people: `1.25 ms`, `3.4 MB`; null is `-`. It stays on its line.
std::string shown_of(const Value& value, analysis::Unit unit);
std::string shown_of(const analysis::Cell& cell, analysis::Unit unit);

/// Returns a duration for people: `12.3 ms`.
std::string duration_text(std::uint64_t nanoseconds);

/// Returns the heading of a column for people: `running` of `running_ns`.
std::string heading_of(std::string_view name, analysis::Unit unit);

} // namespace etl::rows
