#include "sql/computed.hpp"

#include <etl/time.hpp>

#include "base/text.hpp"
#include "sql/members.hpp"

namespace etl::sql {

using analysis::Cell;
using analysis::Unit;

namespace {

std::string_view type_of(Unit unit) noexcept {
    switch (unit) {
    case Unit::time:
        return "time";
    case Unit::text:
        return "text";
    case Unit::address:
        return "hex";
    case Unit::hundredths:
    case Unit::signed_hundredths:
        return "real";
    case Unit::histogram:
        return "json";
    case Unit::id:
    case Unit::count:
    case Unit::bytes:
    case Unit::nanoseconds:
        break;
    }
    return "integer";
}

void pass_number(sqlite3_context* to, std::uint64_t number, Unit unit) {
    constexpr double whole = 100;
    std::string text;
    if (unit == Unit::hundredths) {
        sqlite3_result_double(to, static_cast<double>(number) / whole);
    } else if (unit == Unit::signed_hundredths) {
        const auto value = static_cast<std::int64_t>(number);
        sqlite3_result_double(to, static_cast<double>(value) / whole);
    } else if (unit == Unit::time) {
        append_rfc3339(text, Filetime{static_cast<std::int64_t>(number)});
        pass_text(to, text);
    } else if (unit == Unit::address) {
        append_hex(text, number);
        pass_text(to, text);
    } else {
        pass_integer(to, number);
    }
}

void pass(sqlite3_context* to, const Cell& cell, Unit unit) {
    if (const auto* const text = std::get_if<std::string>(&cell)) {
        return pass_text(to, *text);
    }
    if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
        return pass_number(to, *number, unit);
    }
    if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        std::string json = "[";
        for (const std::uint64_t number : *list) {
            json += json.size() > 1 ? "," : "";
            append_decimal(json, number);
        }
        return pass_text(to, json + "]");
    }
    sqlite3_result_null(to);
}

class ComputedCursor final : public Cursor {
public:
    explicit ComputedCursor(ComputedRows& of) : of_(&of) {}

    int start(std::string_view, std::span<sqlite3_value*>) override {
        const auto& result = of_->result();
        if (!result) {
            problem = result.error();
            return SQLITE_ERROR;
        }
        table_ = &*result;
        row_ = 0;
        return SQLITE_OK;
    }

    int next() override {
        ++row_;
        return SQLITE_OK;
    }

    bool at_end() const noexcept override {
        return table_ == nullptr || row_ >= table_->rows.size();
    }

    void value(sqlite3_context* to, std::size_t column) override {
        // Found by name: hidden columns are not among those of the table.
        const auto number = table_->find(of_->columns()[column].name);
        if (!number) {
            return sqlite3_result_null(to);
        }
        pass(to, table_->rows[row_].cells[*number], table_->columns[*number].unit);
    }

private:
    ComputedRows* of_;
    const analysis::Table* table_ = nullptr;
    std::size_t row_ = 0;
};

} // namespace

ComputedRows::ComputedRows(const ComputedTable& table) : table_(&table) {
    for (const analysis::Column& column : table.columns) {
        if (!column.is_hidden) {
            columns_.push_back({std::string(column.name), type_of(column.unit)});
        }
    }
}

std::unique_ptr<Cursor> ComputedRows::open() {
    return std::make_unique<ComputedCursor>(*this);
}

const std::expected<analysis::Table, std::string>& ComputedRows::result() {
    if (!result_) {
        result_ = table_->compute();
    }
    return *result_;
}

} // namespace etl::sql
