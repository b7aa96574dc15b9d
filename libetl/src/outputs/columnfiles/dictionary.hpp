// Distinct values of a chunk. Private to columnfiles.
// Format: parquet-format, Encodings.md, "Dictionary Encoding".
#pragma once

#include "columns/batch.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::columnfiles {

/// Values in the order of their first use.
struct Dictionary {
    std::vector<std::string_view> values; // of texts, binary values, and GUIDs: views of the array
    std::vector<std::uint32_t> indices;   // of the values that are not null
};

/// Returns the labels in use.
Dictionary dictionary_of_labels(const columns::Array& labels);

/// Returns the distinct texts, binary values, or GUIDs; nothing if fewer than half of the values
/// are repetitions.
std::optional<Dictionary> find_dictionary(columns::Type type, const columns::Array& array);

} // namespace etl::columnfiles
