// Events as rows: CSV after RFC 4180, or values separated by tabs. docs/output.md#csv
// One thread each; clone() gives another of the same settings.
#pragma once

#include <etl/base/function_ref.hpp>
#include <etl/flow/sink.hpp>
#include <etl/sink/options.hpp>

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
    bool byte_order_mark = false; // in front: Excel takes the file for UTF-8 only then
};

/// Appends the text of a cell, quoted or escaped where need be.
void append_cell(std::string& to, CsvOptions::Style style, std::string_view text);

/// The names of the columns: Options::fields in their order, each once; without any the keys that
/// the options ask for, with the fields as one object.
std::vector<std::string> columns_of(const Options& options);

/// The name of a column, and of Options::fields, for a field: its path, behind `data.` where a key
/// has the same name.
std::string column_of_field(std::string_view path);

/// One table of all events, with the columns of columns_of().
class Csv final : public flow::Encoder {
public:
    Csv(Options options, CsvOptions csv);
    ~Csv() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    std::string_view head() const override; // the row of column names
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

private:
    std::unique_ptr<class RowWriter> writer_;
};

/// The events with one key (etl/sink/event_kinds.hpp), and their columns, named as Options::fields.
struct CsvTable {
    std::string key;
    std::vector<std::string> columns;
};

/// A table for each kind of event. What encode() appends are rows with the number of their table,
/// for for_each_row(); an event of no table is left out.
class CsvTables final : public flow::Encoder {
public:
    /// Options::fields are not asked.
    CsvTables(Options options, CsvOptions csv, std::vector<CsvTable> tables);
    ~CsvTables() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    /// The row of column names of a table.
    std::string_view head_of(std::size_t table) const;
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

    /// Takes apart what encode() appended for one event or several.
    static void for_each_row(std::string_view encoded,
                             FunctionRef<void(std::size_t table, std::string_view row)> each);

private:
    std::unique_ptr<class RowWriter> writer_;
};

} // namespace etl::sink
