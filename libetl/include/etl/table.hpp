// Table: what `etl cpu`, `etl stats`, and the other tables compute, in one call; and packets and
// conversations of network captures. docs/analysis.md, docs/packets.md
//
//     auto table = etl::Table::compute("cpu", {"trace.etl"}, {.by = "process", .from = "+10s"});
//     if (!table) {
//         return std::puts(etl::describe(table.error()).c_str());
//     }
//     std::puts(table->csv().c_str());
#pragma once

#include <etl/error.hpp>
#include <etl/owned.hpp>
#include <etl/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::inline view {

/// What the numbers of a column mean.
enum class ColumnUnit : std::uint8_t {
    text,
    id,    // a number that is not summed: process, thread, processor
    count, // of events
    bytes,
    nanoseconds,
    hundredths,        // of the named unit, such as percent: 1234 is 12.34
    signed_hundredths, // the same; the number is an std::int64_t
    time,              // FILETIME
    address,
    histogram, // a list of counts
};

struct TableColumn {
    std::string_view name; // static
    ColumnUnit unit = ColumnUnit::count;
};

/// A value of a table: a view, valid while the table is. At most one of the members is set; none:
/// null, not recorded.
struct TableCell {
    std::optional<std::uint64_t> number{};
    std::optional<std::string_view> text{};
    std::span<const std::uint64_t> list{};
};

/// Which table there is, and what its rows are: "cpu" by "process".
struct TableName {
    std::string_view name, by; // static; `by` empty: the table has one form
};

struct TableOptions {
    std::string by{}; // what rows are; empty: the default
    /// As in TraceOptions.
    std::string where{}, from{}, to{};
    /// Names, globs, and IDs, as for --process; empty: all.
    std::vector<std::string> processes{};
    std::vector<std::string> schemas{}, symbols{};
    bool recursive = false;
    unsigned threads = 0;      // 0: one per processor
    std::uint32_t slices = 60; // of a table by slices, at most 10000
};

enum class PacketDrops : std::uint8_t { with, only, without };

/// Which packets are kept.
struct PacketOptions {
    std::string where{}, from{}, to{};
    std::vector<std::string> schemas{};
    /// At these components of PktMon or interfaces: IDs, names, descriptions, or globs. Empty: all.
    std::vector<std::string> components{};
    bool adapters_only = false;            // seen at network adapters: each packet once
    PacketDrops drops = PacketDrops::with; // dropped packets
    std::uint64_t skip = 0;                // of the packets that are kept otherwise
    std::optional<std::uint64_t> limit{};
    bool recursive = false;
    unsigned threads = 0; // 0: one per processor
};

/// Rows with typed columns, sorted as the verb prints them. Not thread-safe.
class Table {
public:
    /// Computes a table of traces. Traces of several machines or boots have a pass each, and a key
    /// in each row that tells them apart. Errors: not_found (no table, or no trace, of this name),
    /// those of opening and reading; an option that is wrong is named.
    static std::expected<Table, TraceError> compute(std::string_view name,
                                                    const std::vector<std::string>& paths,
                                                    const TableOptions& options = {});

    /// Packets as `etl packets` prints them, and conversations as `etl flows` does. Errors: as
    /// compute().
    static std::expected<Table, TraceError> packets(const std::vector<std::string>& paths,
                                                    const PacketOptions& options = {});
    static std::expected<Table, TraceError> flows(const std::vector<std::string>& paths,
                                                  const PacketOptions& options = {});

    /// All tables that compute() knows, in their order.
    static std::vector<TableName> names();

    Table(Table&& other) noexcept;
    Table& operator=(Table&& other) noexcept;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    ~Table();

    std::size_t column_count() const noexcept;
    std::size_t row_count() const noexcept;

    /// Returns a column. `index` is less than column_count().
    TableColumn column(std::size_t index) const;

    /// Returns the index of a column; none: there is no such column.
    std::optional<std::size_t> find(std::string_view column) const noexcept;

    /// Returns a cell. `row` and `column` are less than the counts.
    TableCell cell(std::size_t row, std::size_t column) const;

    /// Returns the cell of the total.
    TableCell total(std::size_t column) const;

    /// Returns what to know about the values: inputs that could not be read, damage, what the trace
    /// did not record, and how to record it.
    std::span<const std::string> remarks() const noexcept;

    /// Returns the rows as `etl ... --format csv` prints them, with a heading.
    std::string csv() const;

    /// Returns the rows as an array of JSON objects.
    std::string json() const;

private:
    friend struct Access;

    struct State;

    explicit Table(Owned<State> state) noexcept;

    Owned<State> state_;
};

/// What became of a capture file.
struct CaptureReport {
    std::uint64_t packets = 0;
    std::vector<std::string> remarks{}; // as Table::remarks()
};

/// Writes the packets of traces as a capture file (pcapng), which appears when complete; no file if
/// there are none. Errors: as Table::compute(); invalid_option, about `output` (it is one of the
/// inputs, or exists and must be kept); those of writing.
std::expected<CaptureReport, TraceError> write_capture(const std::vector<std::string>& paths,
                                                       const std::string& output,
                                                       const PacketOptions& options = {},
                                                       Existing existing = Existing::keep);

} // namespace etl::inline view
