#include "sql/row_scan.hpp"

#include <etl/time.hpp>

#include "sql/collations.hpp"

#include <algorithm>
#include <charconv>
#include <compare>
#include <sqlite3.h>

namespace etl::sql {

namespace {

bool is_met(int op, std::strong_ordering order) noexcept {
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_LT:
        return order < 0;
    case SQLITE_INDEX_CONSTRAINT_LE:
        return order <= 0;
    case SQLITE_INDEX_CONSTRAINT_GT:
        return order > 0;
    case SQLITE_INDEX_CONSTRAINT_GE:
        return order >= 0;
    default:
        return order == 0;
    }
}

/// The parts of a SYSTEMTIME are written as they are stored.
bool is_time(std::string_view json) noexcept {
    return json.size() > 2 && time_of_text(json.substr(1, json.size() - 2)).has_value();
}

} // namespace

rows::Value ValueSource::value(std::string_view json, const std::optional<Filetime>& time,
                               std::string& scratch) const {
    if (is_time_number) {
        const auto number = time ? unix_nanoseconds(*time) : std::nullopt; // or no 64-bit number
        return number ? rows::Value(*number) : rows::Value();
    }
    return is_time_field && !is_time(json) ? rows::Value() : value_of_json(json, scratch);
}

/// NULL meets nothing.
bool RowTest::holds(const rows::Value& value) const noexcept {
    if (const auto* const text = std::get_if<std::string>(&literal)) {
        const auto* const compared = std::get_if<std::string_view>(&value);
        return compared != nullptr && *compared == *text;
    }
    const auto* const digits = std::get_if<rows::Digits>(&value);
    if (digits == nullptr) {
        return false;
    }
    std::int64_t number = 0;
    std::from_chars(digits->text.data(), digits->text.data() + digits->text.size(), number);
    return is_met(op, number <=> std::get<std::int64_t>(literal));
}

bool RowScan::add(const TextBatch& batch) {
    const auto skipped =
        static_cast<std::size_t>(std::min<std::uint64_t>(offset, batch.ends.size()));
    const std::uint64_t wanted = limit.value_or(UINT64_MAX) - rows;
    const auto taken =
        static_cast<std::size_t>(std::min<std::uint64_t>(wanted, batch.ends.size() - skipped));
    offset -= skipped;
    if (taken > 0) {
        std::size_t begin = skipped == 0 ? 0 : batch.ends[skipped - 1];
        begin += rows == 0 ? encoder->separator().size() : 0; // none before the first row
        const std::size_t end = batch.ends[skipped + taken - 1];
        rows += taken;
        if (!take(std::string_view(batch.text).substr(begin, end - begin))) {
            return false;
        }
    }
    return !limit || rows < *limit;
}

} // namespace etl::sql
