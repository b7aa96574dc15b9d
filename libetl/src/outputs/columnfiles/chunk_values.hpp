// The values of a chunk without nulls, in the encoding that suits them. Private to columnfiles.
#pragma once

#include "columnfiles/parquet.hpp"

#include <string>

namespace etl::columnfiles {

struct ChunkValues {
    std::string dictionary; // plain values
    std::uint32_t dictionary_values = 0;
    std::string data;
    Encoding encoding = Encoding::plain;
    Bounds bounds;
};

/// `array`: of a column, or of the elements of its lists.
ChunkValues encode_values(columns::Type type, const columns::Array& array);

} // namespace etl::columnfiles
