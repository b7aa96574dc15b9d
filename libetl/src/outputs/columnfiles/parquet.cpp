#include "columnfiles/parquet.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "columnfiles/array_values.hpp"
#include "columnfiles/chunk_values.hpp"
#include "columnfiles/compact_protocol.hpp"
#include "columnfiles/integer_encodings.hpp"
#include "columnfiles/zstd.hpp"
#include "columns/batch.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::columnfiles {

namespace {

/// Which values of a column are null, and which belong to one list. Format: parquet-format,
/// README.md, "Nested Encoding"; LogicalTypes.md, "Lists".
struct Levels {
    std::string bytes;         // as they precede the values in a data page
    std::uint64_t entries = 0; // values, nulls, and empty lists
    std::uint64_t nulls = 0;   // entries without a value
};

Levels levels_of(const columns::BatchColumn& column, const columns::Array& array);

using columns::Array;

// Definition levels of a list.
constexpr std::uint8_t null_list = 0;
constexpr std::uint8_t empty_list = 1;
constexpr std::uint8_t null_element = 2;
constexpr std::uint8_t element = 3;
constexpr unsigned list_width = 2;

void append_sized(std::string& to, std::string_view levels) {
    std::byte size[4];
    store_le(size, static_cast<std::uint32_t>(levels.size()));
    to.append(as_text(size)).append(levels);
}

/// Single values: the levels are the validity of the array, bit by bit.
Levels flat_levels(const Array& array) {
    Levels levels{.bytes = {}, .entries = array.size, .nulls = array.nulls};
    std::string defined;
    if (array.nulls == 0 || array.nulls == array.size) {
        append_run(defined, array.size, array.nulls == 0 ? 1 : 0, 1);
    } else {
        append_varint(defined, (array.size + packed_group - 1) / packed_group << 1U | 1U);
        defined.append(
            as_text(std::as_bytes(std::span(array.validity).first((array.size + 7) / 8))));
    }
    append_sized(levels.bytes, defined);
    return levels;
}

Levels list_levels(const Array& lists) {
    std::vector<std::uint8_t> repeated, defined;
    const Array& elements = *lists.elements;
    const auto add = [&](std::uint8_t repetition, std::uint8_t definition) {
        repeated.push_back(repetition);
        defined.push_back(definition);
    };
    for (std::size_t row = 0; row < lists.size; ++row) {
        const auto begin = static_cast<std::size_t>(lists.offsets[row]);
        const auto end = static_cast<std::size_t>(lists.offsets[row + 1]);
        if (!is_valid(lists, row)) {
            add(0, null_list);
        } else if (begin == end) {
            add(0, empty_list);
        }
        for (std::size_t i = begin; i < end; ++i) {
            add(i == begin ? 0 : 1, is_valid(elements, i) ? element : null_element);
        }
    }
    Levels levels{.bytes = {},
                  .entries = defined.size(),
                  .nulls = defined.size() - (elements.size - elements.nulls)};
    std::string encoded;
    append_hybrid<std::uint8_t>(encoded, repeated, 1);
    append_sized(levels.bytes, encoded);
    encoded.clear();
    append_hybrid<std::uint8_t>(encoded, defined, list_width);
    append_sized(levels.bytes, encoded);
    return levels;
}

Levels levels_of(const columns::BatchColumn& column, const Array& array) {
    return column.is_list ? list_levels(array) : flat_levels(array);
}

} // namespace

using columns::Array;
using columns::Batch;
using columns::BatchColumn;

namespace {

/// Fields of PageHeader and its parts in parquet.thrift.
enum PageField : unsigned {
    page_type = 1,
    uncompressed_page_size = 2,
    compressed_page_size = 3,
    data_page_header = 5,
    dictionary_page_header = 7,
    num_values = 1,
    encoding = 2,
    definition_level_encoding = 3,
    repetition_level_encoding = 4,
};

/// PageType.
enum class Page : std::uint8_t { data = 0, dictionary = 2 };

/// Appends a page. Returns its size before compression.
std::uint64_t append_page(std::string& to, Zstd& zstd, Page type, std::string_view content,
                          std::uint64_t values, Encoding how) {
    const std::string_view compressed = zstd.compress(content);
    const std::size_t before = to.size();
    CompactWriter header(to);
    header.i32(page_type, static_cast<std::int32_t>(type));
    header.i32(uncompressed_page_size, static_cast<std::int32_t>(content.size()));
    header.i32(compressed_page_size, static_cast<std::int32_t>(compressed.size()));
    header.structure(type == Page::data ? data_page_header : dictionary_page_header);
    header.i32(num_values, static_cast<std::int32_t>(values));
    header.i32(encoding, static_cast<std::int32_t>(how));
    if (type == Page::data) {
        header.i32(definition_level_encoding, static_cast<std::int32_t>(Encoding::rle));
        header.i32(repetition_level_encoding, static_cast<std::int32_t>(Encoding::rle));
    }
    header.end();
    header.end();
    const std::size_t header_size = to.size() - before;
    to.append(compressed);
    return header_size + content.size();
}

ColumnChunk append_chunk(std::string& to, Zstd& zstd, const BatchColumn& column,
                         const Array& array) {
    Levels levels = levels_of(column, array);
    ChunkValues values = encode_values(column.type, column.is_list ? *array.elements : array);
    ColumnChunk chunk;
    chunk.offset = to.size();
    chunk.values = levels.entries;
    chunk.nulls = levels.nulls;
    chunk.encoding = values.encoding;
    chunk.bounds = std::move(values.bounds);
    if (values.dictionary_values > 0) {
        chunk.plain_size = append_page(to, zstd, Page::dictionary, values.dictionary,
                                       values.dictionary_values, Encoding::plain);
        chunk.dictionary_size = to.size() - chunk.offset;
    }
    std::string content = std::move(levels.bytes);
    content.append(values.data);
    chunk.plain_size += append_page(to, zstd, Page::data, content, levels.entries, values.encoding);
    chunk.size = to.size() - chunk.offset;
    return chunk;
}

} // namespace

RowGroup encode_row_group(std::span<const BatchColumn> columns, std::span<const Batch> batches) {
    RowGroup group{.rows = rows_of(batches), .bytes = {}, .chunks = {}};
    Zstd zstd;
    ColumnOfBatches column(columns, batches);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        group.chunks.push_back(append_chunk(group.bytes, zstd, columns[i], column.at(i)));
    }
    return group;
}

using columns::BatchColumn;
using columns::Type;

namespace {

constexpr std::string_view magic = "PAR1";

/// Type in parquet.thrift.
enum class Physical : std::uint8_t {
    boolean = 0,
    int32 = 1,
    int64 = 2,
    float32 = 4,
    float64 = 5,
    byte_array = 6,
    fixed_len_byte_array = 7,
};

/// ConvertedType, for readers that do not know logical types.
enum class Converted : std::uint8_t { utf8 = 0, list = 3, uint_8 = 11, int_8 = 15 };

/// Fields of LogicalType and its parts.
enum LogicalField : unsigned {
    string_type = 1,
    list_type = 3,
    timestamp_type = 8,
    integer_type = 10,
    uuid_type = 14,
    is_adjusted_to_utc = 1,
    unit = 2,
    nanoseconds = 3,
    bit_width = 1,
    is_signed = 2,
};

/// Fields of SchemaElement.
enum SchemaField : unsigned {
    physical_type = 1,
    type_length = 2,
    repetition_type = 3,
    element_name = 4,
    num_children = 5,
    converted_type = 6,
    logical_type = 10,
};

/// Fields of Statistics, ColumnMetaData, ColumnChunk, RowGroup, and FileMetaData.
enum FooterField : unsigned {
    null_count = 3,
    max_value = 5,
    min_value = 6,
    chunk_type = 1,
    chunk_encodings = 2,
    path_in_schema = 3,
    codec = 4,
    chunk_values = 5,
    total_uncompressed_size = 6,
    total_compressed_size = 7,
    data_page_offset = 9,
    dictionary_page_offset = 11,
    statistics = 12,
    file_offset = 2,
    meta_data = 3,
    group_columns = 1,
    total_byte_size = 2,
    group_rows = 3,
    version = 1,
    schema = 2,
    file_rows = 3,
    row_groups = 4,
    key_value_metadata = 5,
    created_by = 6,
    column_orders = 7,
};

constexpr std::int32_t optional_field = 1; // FieldRepetitionType
constexpr std::int32_t repeated_field = 2;
constexpr std::int32_t zstd_codec = 6; // CompressionCodec

Physical physical_of(Type type) noexcept {
    switch (type) {
    case Type::boolean:
        return Physical::boolean;
    case Type::int8:
    case Type::int16:
    case Type::int32:
    case Type::uint8:
    case Type::uint16:
    case Type::uint32:
        return Physical::int32;
    case Type::int64:
    case Type::uint64:
    case Type::time:
        return Physical::int64;
    case Type::float32:
        return Physical::float32;
    case Type::float64:
        return Physical::float64;
    case Type::guid:
        return Physical::fixed_len_byte_array;
    case Type::text:
    case Type::binary:
    case Type::label:
        return Physical::byte_array;
    }
    return Physical::byte_array;
}

/// log2 of the bytes of an integer; nothing for other types.
std::optional<unsigned> integer_step(Type type) noexcept {
    if (type >= Type::int8 && type <= Type::int64) {
        return static_cast<unsigned>(type) - static_cast<unsigned>(Type::int8);
    }
    if (type >= Type::uint8 && type <= Type::uint64) {
        return static_cast<unsigned>(type) - static_cast<unsigned>(Type::uint8);
    }
    return std::nullopt;
}

/// Appends converted_type and logicalType.
void append_meaning(CompactWriter& to, Type type) {
    const bool is_text = type == Type::text || type == Type::label;
    const auto step = integer_step(type);
    const bool is_signed_integer = type <= Type::int64;
    if (is_text) {
        to.i32(converted_type, static_cast<std::int32_t>(Converted::utf8));
    } else if (step) {
        const Converted first = is_signed_integer ? Converted::int_8 : Converted::uint_8;
        to.i32(converted_type, static_cast<std::int32_t>(first) + static_cast<std::int32_t>(*step));
    }
    if (!is_text && !step && type != Type::time && type != Type::guid) {
        return;
    }
    to.structure(logical_type);
    if (is_text) {
        to.structure(string_type);
    } else if (step) {
        to.structure(integer_type);
        to.byte(bit_width, static_cast<std::int8_t>(8U << *step));
        to.boolean(is_signed, is_signed_integer);
    } else if (type == Type::time) {
        to.structure(timestamp_type);
        to.boolean(is_adjusted_to_utc, true);
        to.structure(unit);
        to.structure(nanoseconds);
        to.end();
        to.end();
    } else {
        to.structure(uuid_type);
    }
    to.end();
    to.end();
}

void append_leaf(CompactWriter& to, std::string_view name, Type type) {
    to.element();
    to.i32(physical_type, static_cast<std::int32_t>(physical_of(type)));
    if (type == Type::guid) {
        to.i32(type_length, static_cast<std::int32_t>(columns::width_of(type)));
    }
    to.i32(repetition_type, optional_field);
    to.text(element_name, name);
    append_meaning(to, type);
    to.end();
}

void append_schema_column(CompactWriter& to, const BatchColumn& column) {
    if (!column.is_list) {
        return append_leaf(to, column.name, column.type);
    }
    to.element();
    to.i32(repetition_type, optional_field);
    to.text(element_name, column.name);
    to.i32(num_children, 1);
    to.i32(converted_type, static_cast<std::int32_t>(Converted::list));
    to.structure(logical_type);
    to.structure(list_type);
    to.end();
    to.end();
    to.end();
    to.element();
    to.i32(repetition_type, repeated_field);
    to.text(element_name, "list");
    to.i32(num_children, 1);
    to.end();
    append_leaf(to, "element", column.type);
}

void append_path(CompactWriter& to, const BatchColumn& column) {
    to.texts(path_in_schema, column.is_list ? 3 : 1);
    to.text_element(column.name);
    if (column.is_list) {
        to.text_element("list");
        to.text_element("element");
    }
}

void append_encodings(CompactWriter& to, const ColumnChunk& chunk) {
    to.numbers(chunk_encodings, chunk.dictionary_size > 0 ? 3 : 2);
    to.number_element(static_cast<std::int32_t>(Encoding::rle));
    if (chunk.dictionary_size > 0) {
        to.number_element(static_cast<std::int32_t>(Encoding::plain));
    }
    to.number_element(static_cast<std::int32_t>(chunk.encoding));
}

void append_statistics(CompactWriter& to, const ColumnChunk& chunk) {
    to.structure(statistics);
    to.i64(null_count, chunk.nulls);
    if (chunk.bounds.is_known) {
        to.text(max_value, chunk.bounds.greatest);
        to.text(min_value, chunk.bounds.min);
    }
    to.end();
}

/// `begin`: of the row group in the file.
void append_chunk_entry(CompactWriter& to, const BatchColumn& column, const ColumnChunk& chunk,
                        std::uint64_t begin) {
    const std::uint64_t offset = begin + chunk.offset;
    to.element();
    to.i64(file_offset, offset);
    to.structure(meta_data);
    to.i32(chunk_type, static_cast<std::int32_t>(physical_of(column.type)));
    append_encodings(to, chunk);
    append_path(to, column);
    to.i32(codec, zstd_codec);
    to.i64(chunk_values, chunk.values);
    to.i64(total_uncompressed_size, chunk.plain_size);
    to.i64(total_compressed_size, chunk.size);
    to.i64(data_page_offset, offset + chunk.dictionary_size);
    if (chunk.dictionary_size > 0) {
        to.i64(dictionary_page_offset, offset);
    }
    append_statistics(to, chunk);
    to.end();
    to.end();
}

} // namespace

ParquetFile::ParquetFile(std::vector<BatchColumn> columns, Properties properties,
                         std::string creator)
    : columns_(std::move(columns)), properties_(std::move(properties)),
      creator_(std::move(creator)) {
    size_ = magic.size();
}

std::string ParquetFile::head() const {
    return std::string(magic);
}

void ParquetFile::add(const RowGroup& rows) {
    CompactWriter entry(group_entries_);
    entry.structures(group_columns, columns_.size());
    std::uint64_t plain_size = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        append_chunk_entry(entry, columns_[i], rows.chunks[i], size_);
        plain_size += rows.chunks[i].plain_size;
    }
    entry.i64(total_byte_size, plain_size);
    entry.i64(group_rows, rows.rows);
    entry.end();
    count(rows);
}

std::string ParquetFile::tail() {
    std::string footer;
    CompactWriter to(footer);
    to.i32(version, 2);
    to.structures(schema, [&] {
        std::size_t elements = 1;
        for (const BatchColumn& column : columns_) {
            elements += column.is_list ? 3 : 1;
        }
        return elements;
    }());
    to.element();
    to.text(element_name, "schema");
    to.i32(num_children, static_cast<std::int32_t>(columns_.size()));
    to.end();
    for (const BatchColumn& column : columns_) {
        append_schema_column(to, column);
    }
    to.i64(file_rows, rows_);
    to.structures(row_groups, groups_);
    footer.append(group_entries_);
    to.structures(key_value_metadata, properties_.size());
    for (const auto& [key, value] : properties_) {
        to.element();
        to.text(1, key);
        to.text(2, value);
        to.end();
    }
    to.text(created_by, creator_);
    to.structures(column_orders, columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        to.element();
        to.structure(1); // TypeDefinedOrder: bounds compare by the logical type
        to.end();
        to.end();
    }
    to.end();
    std::array<std::byte, 4> size;
    store_le(size.data(), static_cast<std::uint32_t>(footer.size()));
    footer.append(as_text(size)).append(magic);
    size_ += footer.size();
    return footer;
}

} // namespace etl::columnfiles
