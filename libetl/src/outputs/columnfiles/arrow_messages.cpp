#include "columnfiles/arrow_messages.hpp"

#include "columnfiles/array_values.hpp"
#include "columnfiles/flatbuffer.hpp"
#include "columnfiles/zstd.hpp"

#include <array>
#include <bit>
#include <string_view>
#include <vector>

namespace etl::columnfiles {

using columns::Array;
using columns::Batch;
using columns::Column;
using columns::Type;

namespace {

/// MessageHeader, a union.
enum class Header : std::uint8_t { schema = 1, dictionary = 2, rows = 3 };

/// Fields of Message, RecordBatch, BodyCompression, and DictionaryBatch.
enum MessageField : unsigned {
    message_version = 0,
    message_header = 1, // and its table
    body_length = 3,
    batch_length = 0,
    batch_nodes = 1,
    batch_buffers = 2,
    batch_compression = 3,
    compression_codec = 0,
    dictionary_number = 0,
    dictionary_data = 1,
    is_delta = 2,
};

constexpr std::int8_t arrow_zstd = 1;
constexpr std::size_t buffer_alignment = 8;

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) noexcept {
    return as_text(std::as_bytes(std::span(values)));
}

ArrowMessage message(Header type, FlatTable header, std::string_view body) {
    constexpr std::uint32_t continuation = 0xFFFF'FFFF;
    const std::string metadata =
        FlatTable()
            .number(message_version, arrow_version)
            .number(body_length, std::uint64_t{body.size()})
            .choice(message_header, static_cast<std::uint8_t>(type), std::move(header))
            .buffer();
    ArrowMessage message;
    append_le(message.bytes, continuation);
    append_le(message.bytes, static_cast<std::uint32_t>(metadata.size()));
    message.bytes.append(metadata);
    message.metadata_size = message.bytes.size();
    message.bytes.append(body);
    return message;
}

/// Arrays one after the other, as the list of nodes and buffers of a RecordBatch.
class Body {
public:
    void add(const Column& column, const Array& array) {
        add_node(array);
        if (!column.is_list) {
            return add_values(column.type, array);
        }
        add_offsets(array);
        add_node(*array.elements);
        add_values(column.type, *array.elements);
    }

    FlatTable record_batch(std::size_t rows) const {
        return FlatTable()
            .number(batch_length, std::uint64_t{rows})
            .structures(batch_nodes, nodes_.size() / node_size, nodes_)
            .structures(batch_buffers, buffers_.size() / buffer_size, buffers_)
            .table(batch_compression, FlatTable().number(compression_codec, arrow_zstd));
    }

    std::string_view bytes() const noexcept { return bytes_; }

private:
    static constexpr std::size_t node_size = 16, buffer_size = 16;

    /// FieldNode, and the buffer of its validity.
    void add_node(const Array& array) {
        append_le(nodes_, std::uint64_t{array.size});
        append_le(nodes_, std::uint64_t{array.nulls});
        add_buffer(array.nulls > 0 ? bytes_of(array.validity) : std::string_view());
    }

    void add_values(Type type, const Array& array) {
        if (type == Type::text || type == Type::binary) {
            add_offsets(array);
        }
        add_buffer(array.bytes);
    }

    void add_offsets(const Array& array) {
        constexpr std::array<char, sizeof(std::int32_t)> none{};
        add_buffer(array.offsets.empty() ? std::string_view(none.data(), none.size())
                                         : bytes_of(array.offsets));
    }

    /// Appends it with its size before compression, or -1 if it does not become smaller.
    void add_buffer(std::string_view buffer) {
        const std::size_t begin = bytes_.size();
        if (!buffer.empty()) {
            append_le(bytes_, std::uint64_t{buffer.size()});
            if (zstd_.append(bytes_, buffer) >= buffer.size()) {
                bytes_.resize(begin);
                append_le(bytes_, std::int64_t{-1});
                bytes_.append(buffer);
            }
        }
        append_le(buffers_, std::uint64_t{begin});
        append_le(buffers_, std::uint64_t{bytes_.size() - begin});
        bytes_.resize((bytes_.size() + buffer_alignment - 1) / buffer_alignment * buffer_alignment);
    }

    Zstd zstd_;
    std::string nodes_, buffers_, bytes_;
};

} // namespace

ArrowMessage arrow_schema_message(std::span<const Column> columns, const Properties& properties) {
    return message(Header::schema, arrow_schema(columns, properties), {});
}

ArrowMessage arrow_record_batch(std::span<const Column> columns, std::span<const Batch> batches) {
    Body body;
    ColumnOfBatches column(columns, batches);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        body.add(columns[i], column.at(i));
    }
    return message(Header::rows, body.record_batch(rows_of(batches)), body.bytes());
}

ArrowMessage arrow_dictionary(std::size_t number, const Array& texts, bool is_more) {
    Body body;
    body.add({.name = {}, .type = Type::text}, texts);
    return message(Header::dictionary,
                   FlatTable()
                       .number(dictionary_number, std::uint64_t{number})
                       .table(dictionary_data, body.record_batch(texts.size))
                       .number(is_delta, is_more),
                   body.bytes());
}

using columns::Column;
using columns::Type;

namespace {

/// Type, a union.
enum class ArrowType : std::uint8_t {
    integer = 2,
    floating_point = 3,
    binary = 4,
    utf8 = 5,
    boolean = 6,
    timestamp = 10,
    list = 12,
    fixed_size_binary = 15,
};

/// Fields of Field, DictionaryEncoding, Schema, and KeyValue.
enum ArrowSchemaField : unsigned {
    field_name = 0,
    is_nullable = 1,
    field_type = 2, // and its table
    field_dictionary = 4,
    field_children = 5,
    dictionary_id = 0,
    index_type = 1,
    endianness = 0,
    schema_fields = 1,
    schema_metadata = 2,
    pair_key = 0,
    pair_value = 1,
};

FlatTable integer(std::int32_t bits, bool is_signed) {
    return FlatTable().number(0, bits).number(1, is_signed);
}

void add_integer(FlatTable& field, Type type) {
    const bool is_signed = type <= Type::int64;
    field.choice(field_type, static_cast<std::uint8_t>(ArrowType::integer),
                 integer(static_cast<std::int32_t>(8 * width_of(type)), is_signed));
}

void add_type(FlatTable& field, ArrowType type, FlatTable parameters = {}) {
    field.choice(field_type, static_cast<std::uint8_t>(type), std::move(parameters));
}

/// Adds the type of single values of a column.
void add_value_type(FlatTable& field, Type type, std::size_t number) {
    constexpr std::int16_t single_precision = 1, double_precision = 2, nanosecond = 3;
    switch (type) {
    case Type::boolean:
        return add_type(field, ArrowType::boolean);
    case Type::float32:
        return add_type(field, ArrowType::floating_point, FlatTable().number(0, single_precision));
    case Type::float64:
        return add_type(field, ArrowType::floating_point, FlatTable().number(0, double_precision));
    case Type::time:
        return add_type(field, ArrowType::timestamp,
                        FlatTable().number(0, nanosecond).text(1, "UTC"));
    case Type::guid: // without the extension type arrow.uuid, which some readers refuse
        return add_type(field, ArrowType::fixed_size_binary,
                        FlatTable().number(0, static_cast<std::int32_t>(width_of(Type::guid))));
    case Type::binary:
        return add_type(field, ArrowType::binary);
    case Type::text:
        return add_type(field, ArrowType::utf8);
    case Type::label:
        add_type(field, ArrowType::utf8);
        field.table(field_dictionary, FlatTable()
                                          .number(dictionary_id, std::uint64_t{number})
                                          .table(index_type, integer(32, true)));
        return;
    case Type::int8:
    case Type::int16:
    case Type::int32:
    case Type::int64:
    case Type::uint8:
    case Type::uint16:
    case Type::uint32:
    case Type::uint64:
        return add_integer(field, type);
    }
}

/// All columns are nullable.
FlatTable named_field(std::string_view name) {
    return FlatTable().text(field_name, name).number(is_nullable, true);
}

FlatTable field_of(const Column& column, std::size_t number) {
    FlatTable field = named_field(column.name);
    std::vector<FlatTable> children;
    if (column.is_list) {
        add_type(field, ArrowType::list);
        add_value_type(children.emplace_back(named_field("item")), column.type, number);
    } else {
        add_value_type(field, column.type, number);
    }
    return field.tables(field_children, std::move(children));
}

} // namespace

FlatTable arrow_schema(std::span<const Column> columns, const Properties& properties) {
    std::vector<FlatTable> fields, pairs;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        fields.push_back(field_of(columns[i], i));
    }
    for (const auto& [key, value] : properties) {
        pairs.push_back(FlatTable().text(pair_key, key).text(pair_value, value));
    }
    const std::int16_t order = std::endian::native == std::endian::little ? 0 : 1; // of the buffers
    return FlatTable()
        .number(endianness, order)
        .tables(schema_fields, std::move(fields))
        .tables(schema_metadata, std::move(pairs));
}

} // namespace etl::columnfiles
