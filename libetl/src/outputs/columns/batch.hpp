// Columns of values in the memory layout of Apache Arrow. Values. docs/c.md#columns
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace etl::columns {

/// The type of the values of a column.
enum class Type : std::uint8_t {
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,
    float64,
    time,   // std::int64_t: nanoseconds since 1970-01-01 UTC
    guid,   // 16 bytes in the order of the text, as in RFC 9562
    text,   // UTF-8
    binary, // bytes of any size
    label,  // std::int32_t: index in the dictionary, whose values are texts
};

/// Returns the size of a value in bytes; 0: not fixed, or less than a byte.
constexpr std::size_t width_of(Type type) noexcept {
    switch (type) {
    case Type::int8:
    case Type::uint8:
        return 1;
    case Type::int16:
    case Type::uint16:
        return 2;
    case Type::int32:
    case Type::uint32:
    case Type::float32:
    case Type::label:
        return 4;
    case Type::int64:
    case Type::uint64:
    case Type::float64:
    case Type::time:
        return 8;
    case Type::guid:
        return 16;
    case Type::boolean:
    case Type::text:
    case Type::binary:
        return 0;
    }
    return 0;
}

struct BatchColumn {
    std::string name;
    Type type = Type::text;
    bool is_list = false; // of values of that type
    /// The array of structures that this is a member of; empty: none. Columns of one array are
    /// lists with the same offsets and nulls. Only if LayoutOptions ask for it.
    std::string structures{};

    bool operator==(const BatchColumn&) const = default;
};

/// Buffers of one array of Arrow: of a column, of the elements of its lists, or of a dictionary.
struct Array {
    std::size_t size = 0;
    std::size_t nulls = 0;
    /// All elements have one value of fixed size, which is in `bytes` once, or all are null, and
    /// `bytes` is empty; so are `validity` and `offsets`. Only if LayoutOptions ask for it.
    bool repeats = false;
    std::vector<std::uint8_t> validity; // a bit per value, 0: null; empty: no value is null
    std::vector<std::int32_t> offsets;  // of lists, texts, and binary values: size + 1
    std::string bytes;                  // of values; Booleans: a bit each
    std::unique_ptr<Array> elements;    // of lists
    std::unique_ptr<Array> dictionary;  // of labels
};

/// Rows of several columns.
struct Batch {
    std::size_t rows = 0;
    std::vector<Array> columns;
};

/// Moves the rows of a batch to the end of another one with the same columns, or with none.
/// Dictionaries are joined.
void append(std::span<const BatchColumn> columns, Batch& to, Batch&& from);

/// Gives each element of an array that repeats its own place, as in other arrays. `type`: that of
/// its column.
void expand(Type type, Array& array);

/// Fills an array, whose memory is used again, with one column of several batches that have the
/// same columns: their rows follow each other. Dictionaries are joined.
void join(const BatchColumn& column, std::size_t index, std::span<const Batch> batches, Array& to);

/// Returns the memory of a batch in bytes, about.
std::size_t memory_of(const Batch& batch) noexcept;

} // namespace etl::columns
