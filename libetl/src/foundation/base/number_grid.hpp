// Numbers by row and column, where most rows have one number for all of their columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace etl {

/// Column 0 is the number of a row for all columns that have none of their own. Thread-safe if
/// const.
class NumberGrid {
public:
    void set(std::uint32_t row, std::uint16_t column, std::uint32_t number) {
        if (rows_.size() <= row) {
            rows_.resize(row + std::size_t{1});
        }
        Row& its = rows_[row];
        if (column == 0) {
            its.number = number;
            return;
        }
        if (its.columns.size() < column) {
            its.columns.resize(column, unset);
        }
        its.columns[column - 1U] = number;
    }

    /// 0: not set.
    std::uint32_t at(std::uint32_t row, std::uint16_t column) const noexcept {
        if (row >= rows_.size()) [[unlikely]] {
            return 0;
        }
        const Row& its = rows_[row];
        if (column == 0 || column > its.columns.size() || its.columns[column - 1U] == unset)
            [[likely]] {
            return its.number;
        }
        return its.columns[column - 1U];
    }

private:
    static constexpr std::uint32_t unset = 0xFFFFFFFF;

    struct Row {
        std::uint32_t number = 0;
        std::vector<std::uint32_t> columns; // from 1
    };

    std::vector<Row> rows_;
};

} // namespace etl
