#include "columnfiles/arrow_messages.hpp"

#include "columnfiles/append_le.hpp"
#include "columnfiles/column_of_batches.hpp"
#include "columnfiles/zstd.hpp"

#include <array>
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

} // namespace etl::columnfiles
