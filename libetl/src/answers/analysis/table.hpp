// The result of an analysis: typed columns, rows, a total, and what the trace did not record.
// Values. docs/analysis.md
#pragma once

#include <etl/time.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace etl::analysis {

/// What the numbers of a column mean.
enum class Unit : std::uint8_t {
    text,
    id,    // number that is not summed: process, thread, processor
    count, // of events
    bytes,
    nanoseconds,
    hundredths,        // of the named unit, such as percent: 1234 is 12.34
    signed_hundredths, // the same; the number is an std::int64_t
    time,              // FILETIME
    address,           // shown in hexadecimal
    histogram,         // list of counts
};

/// Returns `text`, `nanoseconds`, ...; `number` of hundredths.
std::string_view unit_name(Unit unit) noexcept;

/// How the values of rows are added: those of several traces, and those of the total.
enum class Adding : std::uint8_t {
    key, // identifies the row
    sum, // histograms: element by element
    maximum,
    minimum,
    ratio, // computed from other columns
    none,  // of a row without counterparts
};

/// 128-bit: scale x numerator / denominator, rounded down; null if the denominator is 0.
struct Ratio {
    std::uint32_t numerator = 0;              // column
    std::optional<std::uint32_t> denominator; // column; none: the duration in nanoseconds
    std::uint64_t scale = 1;
};

struct Column {
    std::string_view name; // static, or of Table::names
    Unit unit = Unit::count;
    Adding adding = Adding::sum;
    /// Values are ticks of the clock until Table::convert_ticks().
    bool in_ticks = false;
    Ratio ratio{};
    /// The total is that of another column.
    std::optional<std::uint32_t> total_of{};
    bool is_hidden = false; // only part of the total
    /// The total is null if rows differ in this column: their values have different units.
    std::optional<std::uint32_t> unit_of{};
};

/// std::monostate: null, not recorded.
using Cell = std::variant<std::monostate, std::uint64_t, std::string, std::vector<std::uint64_t>>;

struct Row {
    std::vector<Cell> cells; // by column
    bool in_total = true;
};

/// A source of values that the trace does not contain.
struct NotRecorded {
    std::string_view source;
    std::vector<std::string_view> columns; // which are null
    std::string_view record;               // how to record it
};

/// Events of a table whose version no schema describes.
struct OtherVersion {
    std::string event_class; // of the kernel: `Thread`
    std::uint8_t version = 0;
    std::optional<std::uint8_t> layout{}; // version of the layout they were read with; none: unread
    bool is_short = false; // unread, because they end before fields that their version has
    std::uint64_t events = 0;

    /// Whether only the number of events can differ.
    bool is_as(const OtherVersion& other) const noexcept {
        return event_class == other.event_class && version == other.version &&
               layout == other.layout && is_short == other.is_short;
    }
};

/// Adds events to those of the same class, version, and layout.
void add(std::vector<OtherVersion>& to, const OtherVersion& more);

/// Returns `2 events of Thread version 5 are unknown`, `... are read with the layout of version 4`,
/// or `... are too short`.
std::string describe(const OtherVersion& events);

/// A further count of a table.
struct Remainder {
    std::string_view name;
    std::uint64_t value = 0;
    bool in_ticks = false;
};

/// The events that a table was computed from.
struct Coverage {
    std::optional<Filetime> begin, end; // none: no events
    std::uint64_t duration_ns = 0;
    std::uint32_t processors = 0;
    std::uint64_t events = 0, used_events = 0;
    std::optional<std::uint64_t> lost_events, lost_buffers; // none: unknown
    std::vector<NotRecorded> not_recorded;
    std::vector<OtherVersion> other_versions;
    std::vector<Remainder> remainders; // shown if not 0

    /// Events that could not be read: the table is incomplete.
    std::uint64_t unknown_events() const noexcept;
};

/// Returns a line for each thing that a person should know about a table: events of unknown
/// versions, sources that were not recorded and how to record them, losses.
std::vector<std::string> remarks_of(const Coverage& coverage);

struct StackTree;
struct TrackBins;

struct Table {
    std::string_view name; // static
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::vector<Cell> total; // by column
    std::uint32_t sort_column = 0;
    std::optional<std::uint32_t> second_sort_column; // rows are sorted by the sum of both
    bool is_ordered = false;                         // rows have an order of their own
    Coverage coverage;
    std::shared_ptr<StackTree> stacks; // of tables of stacks (stacks.hpp); else null
    std::vector<std::shared_ptr<const TrackBins>> bins; // of `tracks`, for each trace
    /// Names of columns that are not static; null: there are none.
    std::shared_ptr<const std::vector<std::string>> names{};

    /// Returns the index of a column, or nothing.
    std::optional<std::uint32_t> find(std::string_view column) const noexcept;

    /// Sets the cells of sources that were not recorded to null. Call before add_up().
    void blank_missing();

    /// Computes the total of the rows. Call before convert_ticks().
    void add_up();

    /// Converts columns in ticks to nanoseconds. `frequency` is in ticks per second.
    void convert_ticks(std::int64_t frequency);

    /// Adds the table of another trace with the same columns.
    void add(Table other);

    /// Computes the columns that are ratios. Call last.
    void compute_ratios();

    /// Sorts the rows: the default order is by sort_column and the keys.
    void sort();

    /// Sorts by a column: numbers descending, texts ascending, nulls last.
    void sort_by(std::uint32_t column, bool is_reversed);
};

/// Returns ticks x 10^9 / frequency, rounded down; saturated.
std::uint64_t nanoseconds_of(std::uint64_t ticks, std::int64_t frequency) noexcept;

} // namespace etl::analysis
