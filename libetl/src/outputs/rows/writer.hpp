// Rows as text, CSV, TSV, and JSON, one after the other. docs/analysis.md#output
//
//     const auto writer = rows::make_writer({{"process", Unit::text}, {"waits", Unit::count}},
//                                           {.format = rows::Format::csv}, text);
//     writer->begin();
//     writer->add(std::array<rows::Value, 2>{"kettle.exe", std::uint64_t{3}});
//     writer->end();
#pragma once

#include "rows/values.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::rows {

// Cells of text in aligned columns. docs/analysis.md#output

struct Grid {
    std::vector<std::vector<std::string>> lines; // the first one has the headings
    std::vector<bool> is_left;                   // by column: aligned left, and may be shortened
    std::size_t width = 0;                       // of a line, in columns; 0: unlimited
};

/// Returns the lines. If they are too wide, headings take two lines, and then texts are shortened.
std::string text_of(Grid grid);

/// Returns the number of code points of UTF-8 text.
std::size_t width_of(std::string_view text) noexcept;

/// Returns a text of at most `width` code points: its middle is replaced if it is longer.
std::string fitted(const std::string& text, std::size_t width);

/// Indices of formats().
enum class Format : std::uint8_t {
    text,  // aligned, with units
    csv,   // RFC 4180
    tsv,   // tabs, with backslash escapes
    json,  // an array of objects
    jsonl, // an object per line
};

struct RowColumn {
    std::string name;
    /// None: values of any type, and the name is the heading. As text, such a column is aligned
    /// left if a value of the group is not a number.
    std::optional<analysis::Unit> unit{};
};

struct WriterOptions {
    Format format = Format::text;
    std::size_t width = 0;                 // text: of a line, in columns; 0: unlimited
    std::size_t group = 0;                 // text: rows that are aligned together; 0: all
    std::uint64_t max_number = UINT64_MAX; // JSON: the largest integer that is not quoted
};

/// Appends to a text, which may be emptied between calls. Not thread-safe.
class Writer {
public:
    Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    virtual ~Writer() = default;

    /// Call once, before all others: writes what precedes the rows.
    virtual void begin() {}

    /// Writes a row: a value for each column.
    virtual void add(std::span<const Value> values) = 0;

    /// Writes an object besides those of the rows. Only JSON has it.
    virtual void add_object(std::string_view /*json*/) {}

    /// Call once, after all others: writes what follows the rows.
    virtual void end() {}
};

/// `to` outlives the writer. Texts of values are UTF-8; JSON and text also accept others.
std::unique_ptr<Writer> make_writer(std::vector<RowColumn> columns, const WriterOptions& how,
                                    std::string& to);

/// Converts rows to text, one at a time: the same row always yields the same text, so that several
/// threads, each with an encoder of its own, can share the work. Not thread-safe.
class RowEncoder {
public:
    RowEncoder() = default;
    RowEncoder(const RowEncoder&) = delete;
    RowEncoder& operator=(const RowEncoder&) = delete;
    virtual ~RowEncoder() = default;

    /// Returns a new encoder with the same settings, for another thread.
    virtual std::unique_ptr<RowEncoder> clone() const = 0;

    /// Text before the first row, between rows, and after the last.
    virtual std::string_view head() const { return {}; }

    virtual std::string_view separator() const { return {}; }

    virtual std::string_view tail() const { return {}; }

    /// Appends a row: a value for each column.
    virtual void encode(std::span<const Value> values, std::string& to) = 0;

    /// Appends an object besides those of the rows. Only JSON has it.
    virtual void encode_object(std::string_view /*json*/, std::string& /*to*/) {}
};

/// Returns an encoder whose rows, with the text around them, are those of a writer; null: rows of
/// this format depend on each other.
std::unique_ptr<RowEncoder> make_encoder(std::vector<RowColumn> columns, const WriterOptions& how);

/// What is particular to a format.
struct FormatTraits {
    Format format;
    std::string_view name;
    std::string_view endings; // of files, separated by blanks
    /// Null: rows depend on each other, and are aligned.
    std::unique_ptr<RowEncoder> (*make)(std::vector<RowColumn> columns, const WriterOptions& how);
    bool has_objects = false; // what is not a row can follow, by add_object()
};

/// Returns all formats; the first is the default, for people.
std::span<const FormatTraits> formats() noexcept;

const FormatTraits& traits_of(Format format) noexcept;

} // namespace etl::rows
