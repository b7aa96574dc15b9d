// A file of rows in a format of columns, from batches of typed columns: bytes, no I/O. Free of ETW
// terms. docs/columns.md
//
//     auto file = std::make_shared<ParquetFile>(columns, properties, creator);
//     output.write(file->head());
//     for (Batch& batch : batches) {
//         file->prepare(batch);
//         const RowGroup rows = file->encode({&batch, 1}); // in any thread
//         output.write(rows.bytes);
//         file->add(rows);
//     }
//     output.write(file->tail());
#pragma once

#include <etl/error.hpp>

#include "columns/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etl::columnfiles {

// Rows of a table as bytes of a file. Values. docs/columns.md

/// How the values of a chunk are stored. The numbers are those of Parquet.
enum class Encoding : std::uint8_t { plain = 0, rle = 3, delta_binary_packed = 5, dictionary = 8 };

/// The least and the greatest value of a chunk, as plain values without a length.
struct Bounds {
    bool is_known = false; // false: no values, a NaN, or longer than limits::bound_bytes
    std::string min, greatest;

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

/// What a file records besides its rows: pairs of a name and a value.
using Properties = std::vector<std::pair<std::string, std::string>>;

/// Not thread-safe, except encode().
class TableFile {
public:
    TableFile() = default;
    TableFile(const TableFile&) = delete;
    TableFile& operator=(const TableFile&) = delete;
    virtual ~TableFile() = default;

    /// Returns the first bytes of the file.
    virtual std::string head() const = 0;

    /// Changes a batch to what encode() expects: no array repeats, and indices of labels become
    /// those of the file, which has the dictionary from then on.
    /// Errors: limit, if the file would have more labels than its format can hold.
    virtual Result<void> prepare(columns::Batch& /*batch*/) { return {}; }

    /// Encodes and compresses (zstd) the rows of prepared batches, at least one. The same rows
    /// yield the same bytes, in batches of any size. Thread-safe, also while other functions are
    /// called.
    virtual RowGroup encode(std::span<const columns::Batch> batches) const = 0;

    /// Adds rows whose bytes follow what the file has so far.
    virtual void add(const RowGroup& rows) = 0;

    /// Returns the memory, in bytes, of what prepare() keeps until the end of the file.
    virtual std::size_t memory() const noexcept { return 0; }

    /// Returns bytes that follow what the file has so far, and releases that memory.
    virtual std::string spill() { return {}; }

    /// Returns the last bytes of the file: without them, no reader accepts it. Call it once.
    virtual std::string tail() = 0;

    std::uint64_t rows() const noexcept { return rows_; }

    /// Returns the number of row groups.
    std::size_t groups() const noexcept { return groups_; }

    /// Returns the size of the file in bytes so far.
    std::uint64_t size() const noexcept { return size_; }

protected:
    void count(const RowGroup& rows) noexcept {
        ++groups_;
        rows_ += rows.rows;
        size_ += rows.bytes.size();
    }

    std::uint64_t rows_ = 0;
    std::size_t groups_ = 0;
    std::uint64_t size_ = 0;
};

} // namespace etl::columnfiles
