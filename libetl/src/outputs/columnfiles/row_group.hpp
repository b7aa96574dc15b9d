// Rows of a table as bytes of a file. Values. docs/columns.md
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etl::columnfiles {

/// How the values of a chunk are stored. The numbers are those of Parquet.
enum class Encoding : std::uint8_t { plain = 0, rle = 3, delta_binary_packed = 5, dictionary = 8 };

/// The least and the greatest value of a chunk, as plain values without a length.
struct Bounds {
    bool is_known = false; // false: no values, a NaN, or longer than limits::bound_bytes
    std::string least, greatest;

    bool operator==(const Bounds&) const = default;
};

/// The values of one column in a row group: an optional dictionary page and one data page.
struct ColumnChunk {
    std::uint64_t offset = 0;          // in RowGroup::bytes
    std::uint64_t dictionary_size = 0; // of the dictionary page in bytes; 0: none
    std::uint64_t size = 0;            // of both pages in bytes
    std::uint64_t plain_size = 0;      // the same before compression
    std::uint64_t values = 0;          // including nulls and empty lists
    std::uint64_t nulls = 0;           // of these
    Encoding encoding = Encoding::plain;
    Bounds bounds;
};

/// Rows that are ready to be written: a row group of Parquet, or a record batch of Arrow.
struct RowGroup {
    std::uint64_t rows = 0;
    std::string bytes;
    std::vector<ColumnChunk> chunks; // by column; empty in Arrow
    std::uint64_t metadata_size = 0; // of Arrow: bytes before the values; 0 in Parquet
};

} // namespace etl::columnfiles
