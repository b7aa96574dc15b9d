// One column after the other of rows in several batches. Private to columnfiles.
#pragma once

#include "columns/batch.hpp"

#include <cstdint>
#include <span>

namespace etl::columnfiles {

inline std::uint64_t rows_of(std::span<const columns::Batch> batches) noexcept {
    std::uint64_t rows = 0;
    for (const columns::Batch& batch : batches) {
        rows += batch.rows;
    }
    return rows;
}

/// Joins the arrays of a column in memory that all columns share.
class ColumnOfBatches {
public:
    /// Both outlive this; at least one batch.
    ColumnOfBatches(std::span<const columns::Column> columns,
                    std::span<const columns::Batch> batches) noexcept
        : columns_(columns), batches_(batches) {}

    /// Returns all values of a column. Valid until the next call.
    const columns::Array& at(std::size_t index) {
        if (batches_.size() == 1) {
            return batches_.front().columns[index];
        }
        join(columns_[index], index, batches_, joined_);
        return joined_;
    }

private:
    std::span<const columns::Column> columns_;
    std::span<const columns::Batch> batches_;
    columns::Array joined_;
};

} // namespace etl::columnfiles
