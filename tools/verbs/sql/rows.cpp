#include "verbs/sql/rows.hpp"

#include "base/text.hpp"
#include "cli/json_object.hpp"
#include "rows/writer.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace cli {

namespace {

using etl::sql::Query;

constexpr std::size_t block_bytes = 64U << 10U;
constexpr std::size_t rows_of_group = 1000;   // that are aligned with each other
constexpr std::size_t rows_per_question = 16; // whether the output is closed: a system call

/// The values of the row of a query. Text of a query is UTF-8, unless it was made from bytes.
class RowValues {
public:
    explicit RowValues(const Query& query)
        : query_(&query), values_(query.columns().size()), texts_(values_.size()) {}

    /// Valid until the next call, and while the query stays at its row.
    std::span<const etl::rows::Value> read() {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            values_[i] =
                std::visit([](auto value) { return etl::rows::Value(value); }, query_->value(i));
            const auto* const text = std::get_if<std::string_view>(&values_[i]);
            if (text != nullptr && !etl::is_valid_utf8(*text)) [[unlikely]] {
                texts_[i] = utf8_text(*text);
                values_[i] = std::string_view(texts_[i]);
            }
        }
        return values_;
    }

private:
    const Query* query_;
    std::vector<etl::rows::Value> values_;
    std::vector<std::string> texts_; // that were not UTF-8
};

std::vector<etl::rows::Column> columns_of(const Query& query) {
    std::vector<etl::rows::Column> columns;
    for (const std::string& name : query.columns()) {
        columns.push_back({.name = name});
    }
    return columns;
}

/// Writes what there is, if it is enough, and empties the text.
etl::Result<void> flush(std::string& text, std::size_t min_size, etl::Output& to) {
    if (text.size() < std::max<std::size_t>(min_size, 1)) {
        return {};
    }
    const auto written = to.write(text);
    text.clear();
    return written;
}

} // namespace

std::expected<void, RowError> write_rows(etl::sql::Query& query, etl::Output& to,
                                         const RowOutput& how) {
    if (query.columns().empty()) {
        const auto ended = query.next(); // a PRAGMA that returns nothing
        return ended ? std::expected<void, RowError>()
                     : std::unexpected(RowError{.query = std::unexpected(ended.error())});
    }
    std::string text;
    RowValues values(query);
    const auto writer = etl::rows::make_writer(columns_of(query),
                                               {.format = how.format,
                                                .width = how.width,
                                                .group = rows_of_group,
                                                .max_number = largest_of(how.big_numbers)},
                                               text);
    writer->begin();
    for (std::size_t row = 0;; ++row) {
        const auto has_row = query.next();
        if (!has_row) {
            static_cast<void>(flush(text, 1, to)); // the rows before it
            return std::unexpected(RowError{.query = std::unexpected(has_row.error())});
        }
        const bool asks = row % rows_per_question == 0 && how.is_closed;
        if (!*has_row || (asks && how.is_closed())) {
            break;
        }
        writer->add(values.read());
        if (const auto written = flush(text, block_bytes, to); !written) {
            return std::unexpected(RowError{.output = written});
        }
    }
    writer->end();
    if (const auto written = flush(text, 1, to); !written) {
        return std::unexpected(RowError{.output = written});
    }
    return {};
}

} // namespace cli
