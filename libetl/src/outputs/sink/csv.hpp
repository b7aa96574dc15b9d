// Events as rows: CSV (RFC 4180) or tab-separated values. Not thread-safe; clone() returns an
// encoder with the same settings. docs/output.md#csv
#pragma once

#include "base/function_ref.hpp"
#include "flow/sink.hpp"
#include "sink/options.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

struct CsvOptions {
    enum class Style : std::uint8_t {
        csv, // comma, quotes, CR LF
        tsv, // tab, backslash escapes, LF
    };

    Style style = Style::csv;
    bool byte_order_mark = false; // at the start; Excel requires it to detect UTF-8
};

/// Appends the text of a cell, quoted or escaped if necessary.
void append_cell(std::string& to, CsvOptions::Style style, std::string_view text);

/// Returns the column names: Options::fields in their order, without duplicates; if empty, the keys
/// selected by the options, with the fields as one object.
std::vector<std::string> columns_of(const Options& options);

/// Returns the column name of a field, as in Options::fields: its path, prefixed with `data.` if a
/// key has the same name.
std::string column_of_field(std::string_view path);

/// One table of all events, with the columns of columns_of().
class Csv final : public flow::Encoder {
public:
    Csv(Options options, CsvOptions csv);
    ~Csv() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    std::string_view head() const override; // row of column names
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

private:
    std::unique_ptr<class RowWriter> writer_;
};

/// A table of the events with one key (sink/event_kinds.hpp), and its columns, named as in
/// Options::fields.
struct CsvTable {
    std::string key;
    std::vector<std::string> columns;
};

/// A table for each kind of event. encode() appends rows with the number of their table, to be
/// split by for_each_row(); events without a table are omitted.
class CsvTables final : public flow::Encoder {
public:
    /// Options::fields is ignored.
    CsvTables(Options options, CsvOptions csv, std::vector<CsvTable> tables);
    ~CsvTables() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    /// Returns the row of column names of a table.
    std::string_view head_of(std::size_t table) const;
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

    /// Splits what encode() appended for one or more events into rows.
    static void for_each_row(std::string_view encoded,
                             FunctionRef<void(std::size_t table, std::string_view row)> each);

private:
    std::unique_ptr<class RowWriter> writer_;
};

} // namespace etl::sink
