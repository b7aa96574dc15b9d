// Access to the values of an array that does not repeat. Private to columnfiles.
#pragma once

#include "columns/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace etl::columnfiles {

inline bool is_valid(const columns::Array& array, std::size_t i) noexcept {
    return array.validity.empty() || (array.validity[i / 8] >> i % 8 & 1U) != 0;
}

template <typename T>
T number_at(const columns::Array& array, std::size_t i) noexcept {
    T value;
    std::memcpy(&value, array.bytes.data() + i * sizeof value, sizeof value);
    return value;
}

/// Returns a text or binary value.
inline std::string_view text_at(const columns::Array& array, std::size_t i) noexcept {
    const auto begin = static_cast<std::size_t>(array.offsets[i]);
    return std::string_view(array.bytes)
        .substr(begin, static_cast<std::size_t>(array.offsets[i + 1]) - begin);
}

inline std::string_view guid_at(const columns::Array& array, std::size_t i) noexcept {
    constexpr std::size_t size = columns::width_of(columns::Type::guid);
    return std::string_view(array.bytes).substr(i * size, size);
}

inline bool boolean_at(const columns::Array& array, std::size_t i) noexcept {
    return (static_cast<unsigned char>(array.bytes[i / 8]) >> i % 8 & 1U) != 0;
}

/// Calls `use` with the index of each value that is not null.
template <typename Use>
void for_each_valid(const columns::Array& array, Use&& use) {
    if (array.validity.empty()) {
        for (std::size_t i = 0; i < array.size; ++i) {
            use(i);
        }
        return;
    }
    for (std::size_t i = 0; i < array.size; ++i) {
        if (is_valid(array, i)) {
            use(i);
        }
    }
}

// One column after the other of rows in several batches.

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
    ColumnOfBatches(std::span<const columns::BatchColumn> columns,
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
    std::span<const columns::BatchColumn> columns_;
    std::span<const columns::Batch> batches_;
    columns::Array joined_;
};

} // namespace etl::columnfiles
