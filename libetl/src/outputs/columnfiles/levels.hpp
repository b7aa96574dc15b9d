// Which values of a column are null, and which belong to one list. Private to columnfiles.
// Format: parquet-format, README.md, "Nested Encoding"; LogicalTypes.md, "Lists".
#pragma once

#include "columns/batch.hpp"

#include <cstdint>
#include <string>

namespace etl::columnfiles {

struct Levels {
    std::string bytes;         // as they precede the values in a data page
    std::uint64_t entries = 0; // values, nulls, and empty lists
    std::uint64_t nulls = 0;   // entries without a value
};

Levels levels_of(const columns::Column& column, const columns::Array& array);

} // namespace etl::columnfiles
