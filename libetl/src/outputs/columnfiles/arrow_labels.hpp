// The dictionary of a label column in an Arrow file. Private to columnfiles.
#pragma once

#include "base/result.hpp"
#include "columns/batch.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace etl::columnfiles {

/// Texts of all batches. A text that was spilled and comes again has two numbers, which the format
/// permits.
class ArrowLabels {
public:
    /// Makes the indices of `array` those of this dictionary. Errors: limit.
    Result<void> translate(columns::Array& array);

    /// Returns the texts since the last call, and releases them.
    columns::Array take();

    /// Whether there are texts to be taken, or none were ever taken.
    bool is_due(bool is_end) const noexcept { return texts_.size > 0 || (is_end && taken_ == 0); }

    bool has_taken() const noexcept { return taken_ > 0; }

    /// In bytes, about.
    std::size_t memory() const noexcept;

private:
    std::unordered_map<std::string, std::int32_t> numbers_;
    columns::Array texts_;
    std::size_t taken_ = 0; // texts
};

} // namespace etl::columnfiles
