// What a table has in slices of its range, as far as tables of consecutive windows add up, so that
// a page can show the table of a selection. docs/report.md#selection
//
//     auto sums = std::make_shared<WindowSums>(form, 50);
//     run(source, trace, *form.make({}), {..., .range = range, .sums = sums});
//     sums->limits(); sums->row(table, table.rows[0]);
#pragma once

#include <etl/time.hpp>

#include "analysis/table.hpp"
#include "analysis/tables.hpp"
#include "flow/clock.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// Where slices begin: the table of a window from one limit to a later one is the sum of its
/// slices.
struct SliceLimit {
    Filetime time;
    std::int64_t raw = 0; // the least raw value that is not before the time
};

/// The values of a row in one slice, if one of them is not 0.
struct SliceValues {
    std::uint32_t slice = 0;
    std::vector<std::uint64_t> values; // by WindowSums::columns(); ticks of the clock are ticks
};

/// The sums of a table of one trace, filled by a pass that knows its range. Of tables with too many
/// rows, of traces whose events do not follow each other in time, and of those that are shorter
/// than the slices, nothing is known.
class WindowSums {
public:
    /// `slices`: 1 to limits::analysis_slices. The form has TableForm::window_sums.
    WindowSums(const TableForm& form, std::size_t slices) : form_(&form), slices_(slices) {}

    // What the pass calls.

    /// Begins again with a range: raw times of its begin and of its end.
    void begin(const flow::Clock& clock, std::int64_t begin, std::int64_t end);

    /// The next limit that the pass has not reached; raw. The greatest number: there is none.
    std::int64_t next_cut() const noexcept { return next_cut_; }

    /// The limit before that; raw. No event may be earlier.
    std::int64_t last_cut() const noexcept { return last_cut_; }

    /// Takes the table, without a total, of all events before next_cut().
    void add(const Table& table);

    /// Takes the table of all events.
    void end(const Table& table);

    /// Nothing is known.
    void give_up() noexcept;

    // What was found, after the pass.

    /// Whether sums are known.
    bool is_known() const noexcept { return is_complete_; }

    /// One more than there are slices.
    std::span<const SliceLimit> limits() const noexcept { return limits_; }

    /// Columns of the table, ascending.
    const std::vector<std::uint32_t>& columns() const noexcept { return columns_; }

    /// By columns(): whether values are ticks of the clock.
    const std::vector<bool>& in_ticks() const noexcept { return in_ticks_; }

    /// By columns(): the first slice up to whose end the source of the column was recorded. Windows
    /// that end before do not know its values. The number of slices: none of them does.
    const std::vector<std::uint32_t>& recorded_from() const noexcept { return recorded_from_; }

    /// What a row with these keys has. Null: it is not known, because rows have the same keys.
    const std::vector<SliceValues>* row(const Row& row) const;

    /// What all rows of the total have.
    const std::vector<SliceValues>& total() const noexcept { return total_.slices; }

private:
    struct Sums {
        std::vector<std::uint64_t> before; // up to the last limit
        std::vector<SliceValues> slices;
        bool is_double = false;
        std::uint32_t seen = 0; // in the table with this number
    };

    void find_columns(const Table& table);
    void add_values(Sums& to, std::span<const std::uint64_t> values) const;

    const TableForm* form_;
    std::size_t slices_;
    std::vector<SliceLimit> limits_;
    std::uint32_t slice_ = 0; // that ends at the next cut
    std::int64_t last_cut_ = 0, next_cut_ = 0;
    std::vector<std::uint32_t> keys_, columns_, recorded_from_;
    std::vector<bool> in_ticks_;
    std::unordered_map<std::string, Sums> rows_; // by key
    Sums total_;
    std::size_t taken_ = 0; // rows of all tables so far
    bool is_given_up_ = false, is_complete_ = false;
};

} // namespace etl::analysis
