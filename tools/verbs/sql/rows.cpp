#include "verbs/sql/rows.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "outputs/text_grid.hpp"
#include "sink/csv.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace cli {

namespace {

using etl::sql::Query;
using etl::sql::Value;
using Style = etl::sink::CsvOptions::Style;

constexpr std::size_t block_bytes = 64U << 10U;
constexpr std::size_t rows_of_group = 1000;   // that are aligned with each other
constexpr std::size_t rows_per_question = 16; // whether the output is closed: a system call

bool is_null(const Value& value) noexcept {
    return std::holds_alternative<std::monostate>(value);
}

bool is_number(const Value& value) noexcept {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// Text of a query is UTF-8, unless it was made from bytes.
template <typename Use>
void with_utf8(std::string_view text, Use&& use) {
    if (etl::is_valid_utf8(text)) [[likely]] {
        use(text);
    } else {
        use(utf8_text(text));
    }
}

/// Appends what is no text; of NULL, nothing.
void append_other(std::string& to, const Value& value) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
        etl::append_decimal(to, *number);
    } else if (const auto* const real = std::get_if<double>(&value)) {
        etl::append_float(to, *real);
    } else if (const auto* const bytes = std::get_if<etl::Bytes>(&value)) {
        etl::append_hex_bytes(to, *bytes);
    }
}

/// Returns the text without quotes; of NULL, nothing.
std::string plain_text(const Value& value) {
    std::string text;
    if (const auto* const words = std::get_if<std::string_view>(&value)) {
        text = utf8_text(*words);
    } else {
        append_other(text, value);
    }
    return text;
}

void append_json(std::string& to, const Value& value) {
    if (const auto* const words = std::get_if<std::string_view>(&value)) {
        return with_utf8(*words, [&](std::string_view text) { etl::append_json_string(to, text); });
    }
    if (is_null(value)) {
        to += "null";
        return;
    }
    const auto* const real = std::get_if<double>(&value);
    const bool is_plain = is_number(value) && (real == nullptr || std::isfinite(*real));
    to += is_plain ? "" : "\"";
    append_other(to, value);
    to += is_plain ? "" : "\"";
}

/// Writes one row after the other in one format.
class Writer {
public:
    Writer(const Query& query, etl::Output& to) : query_(&query), to_(&to) {}

    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    virtual ~Writer() = default;

    virtual void begin() {}

    virtual void add_row() = 0;

    virtual void end() {}

    etl::Result<void> flush(std::size_t least) {
        if (text_.size() < std::max<std::size_t>(least, 1)) {
            return {};
        }
        const auto written = to_->write(text_);
        text_.clear();
        return written;
    }

protected:
    const std::vector<std::string>& columns() const noexcept { return query_->columns(); }

    Value value(std::size_t column) const { return query_->value(column); }

    std::string& text() noexcept { return text_; }

private:
    const Query* query_;
    etl::Output* to_;
    std::string text_;
};

class CellWriter final : public Writer {
public:
    CellWriter(const Query& query, etl::Output& to, Style style)
        : Writer(query, to), style_(style) {}

    void begin() override {
        add([&](std::size_t i, auto&& use) { use(columns()[i]); });
    }

    void add_row() override {
        add([&](std::size_t i, auto&& use) {
            const Value cell = value(i);
            if (const auto* const words = std::get_if<std::string_view>(&cell)) {
                return with_utf8(*words, use);
            }
            scratch_.clear();
            append_other(scratch_, cell);
            use(scratch_);
        });
    }

private:
    template <typename CellOf>
    void add(CellOf&& cell_of) {
        for (std::size_t i = 0; i < columns().size(); ++i) {
            text() += i == 0 ? "" : style_ == Style::csv ? "," : "\t";
            cell_of(i,
                    [&](std::string_view cell) { etl::sink::append_cell(text(), style_, cell); });
        }
        text() += style_ == Style::csv ? "\r\n" : "\n";
    }

    Style style_;
    std::string scratch_;
};

class JsonWriter final : public Writer {
public:
    JsonWriter(const Query& query, etl::Output& to, bool is_array, BigNumbers big_numbers)
        : Writer(query, to), is_array_(is_array), largest_(largest_of(big_numbers)) {}

    void begin() override {
        for (const std::string& column : columns()) {
            std::string& key = keys_.emplace_back(keys_.empty() ? "{" : ",");
            etl::append_json_string(key, utf8_text(column));
            key += ':';
        }
        text() += is_array_ ? "[" : "";
    }

    void add_row() override {
        text() += !is_array_ ? "" : std::exchange(is_first_, false) ? "\n" : ",\n";
        const std::size_t begin = text().size();
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            text() += keys_[i];
            append_json(text(), value(i));
        }
        if (largest_ != UINT64_MAX) {
            etl::quote_large_integers(text(), begin, largest_);
        }
        text() += is_array_ ? "}" : "}\n";
    }

    void end() override { text() += is_array_ ? "\n]\n" : ""; }

private:
    bool is_array_;
    std::uint64_t largest_; // that is written as a number
    bool is_first_ = true;
    std::vector<std::string> keys_; // with what precedes them
};

class TextWriter final : public Writer {
public:
    TextWriter(const Query& query, etl::Output& to, std::size_t width)
        : Writer(query, to), width_(width) {}

    void begin() override { start_group(); }

    void add_row() override {
        std::vector<std::string> line;
        for (std::size_t i = 0; i < columns().size(); ++i) {
            const Value cell = value(i);
            grid_.is_left[i] = grid_.is_left[i] || (!is_null(cell) && !is_number(cell));
            line.push_back(is_null(cell) ? "-" : printable(plain_text(cell)));
        }
        grid_.lines.push_back(std::move(line));
        if (grid_.lines.size() > rows_of_group) {
            end();
            start_group();
        }
    }

    void end() override {
        const bool is_needed = grid_.lines.size() > 1 || std::exchange(is_first_, false);
        text() += is_needed ? grid_text(std::move(grid_)) : "";
        is_first_ = false;
    }

private:
    void start_group() {
        grid_ = {.lines = {{}}, .is_left = std::vector<bool>(columns().size()), .width = width_};
        for (const std::string& column : columns()) {
            grid_.lines.front().push_back(printable(column));
        }
    }

    std::size_t width_;
    TextGrid grid_{};
    bool is_first_ = true;
};

std::unique_ptr<Writer> writer_for(const Query& query, etl::Output& to, const RowOutput& how) {
    switch (how.format) {
    case TableFormat::csv:
        return std::make_unique<CellWriter>(query, to, Style::csv);
    case TableFormat::tsv:
        return std::make_unique<CellWriter>(query, to, Style::tsv);
    case TableFormat::json:
        return std::make_unique<JsonWriter>(query, to, true, how.big_numbers);
    case TableFormat::jsonl:
        return std::make_unique<JsonWriter>(query, to, false, how.big_numbers);
    case TableFormat::text:
        break;
    }
    return std::make_unique<TextWriter>(query, to, how.width);
}

} // namespace

std::expected<void, RowError> write_rows(etl::sql::Query& query, etl::Output& to,
                                         const RowOutput& how) {
    if (query.columns().empty()) {
        const auto ended = query.next(); // a PRAGMA that returns nothing
        return ended ? std::expected<void, RowError>()
                     : std::unexpected(RowError{.query = std::unexpected(ended.error())});
    }
    const auto writer = writer_for(query, to, how);
    writer->begin();
    for (std::size_t row = 0;; ++row) {
        const auto has_row = query.next();
        if (!has_row) {
            static_cast<void>(writer->flush(1)); // the rows before it
            return std::unexpected(RowError{.query = std::unexpected(has_row.error())});
        }
        const bool asks = row % rows_per_question == 0 && how.is_closed;
        if (!*has_row || (asks && how.is_closed())) {
            break;
        }
        writer->add_row();
        if (const auto written = writer->flush(block_bytes); !written) {
            return std::unexpected(RowError{.output = written});
        }
    }
    writer->end();
    if (const auto written = writer->flush(1); !written) {
        return std::unexpected(RowError{.output = written});
    }
    return {};
}

} // namespace cli
