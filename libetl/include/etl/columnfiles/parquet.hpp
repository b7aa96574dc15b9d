// Parquet files from batches of typed columns. Free of ETW terms. docs/columns.md#parquet
// Format: github.com/apache/parquet-format (parquet.thrift, Encodings.md, LogicalTypes.md).
//
//     ParquetFile file(columns, {{"origin", "example"}}, "example version 1.0");
//     output.write(file.head());
//     for (const Batch& batch : batches) {
//         const RowGroup rows = encode_row_group(columns, batch); // in any thread
//         file.add(rows);
//         output.write(rows.bytes);
//     }
//     output.write(file.tail());
#pragma once

#include <etl/columns/batch.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::columnfiles {

/// How the values of a chunk are stored. The numbers are those of the format.
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

/// Rows that are ready to be written.
struct RowGroup {
    std::uint64_t rows = 0;
    std::string bytes;
    std::vector<ColumnChunk> chunks; // by column
};

/// Encodes and compresses (zstd) a batch. Pure: the same rows yield the same bytes. Thread-safe.
RowGroup encode_row_group(std::span<const columns::Column> columns, const columns::Batch& batch);

/// The parts of a file around its row groups. Not thread-safe.
class ParquetFile {
public:
    using Properties = std::vector<std::pair<std::string, std::string>>;

    /// `properties` are readable in the file; `creator`: "NAME version VERSION".
    ParquetFile(std::vector<columns::Column> columns, Properties properties, std::string creator);

    /// The first bytes of the file.
    static std::string_view head() noexcept { return magic; }

    /// Adds rows whose bytes follow what the file has so far.
    void add(const RowGroup& rows);

    /// Returns the last bytes of the file: without them, no reader accepts it.
    std::string tail() const;

    std::uint64_t rows() const noexcept { return rows_; }

    /// Returns the number of row groups.
    std::size_t groups() const noexcept { return groups_; }

    /// Returns the size of the file in bytes so far, without the tail.
    std::uint64_t size() const noexcept { return size_; }

private:
    static constexpr std::string_view magic = "PAR1";

    std::vector<columns::Column> columns_;
    Properties properties_;
    std::string creator_;
    std::string group_entries_; // of the footer
    std::size_t groups_ = 0;
    std::uint64_t rows_ = 0;
    std::uint64_t size_ = magic.size();
};

} // namespace etl::columnfiles
