#include "columnfiles/arrow.hpp"

#include <etl/error.hpp>

#include "columnfiles/array_values.hpp"
#include "columnfiles/flatbuffer.hpp"
#include "columnfiles/table_file.hpp"
#include "columnfiles/zstd.hpp"
#include "columns/batch.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::columnfiles {

// Messages of Arrow IPC: a schema, and arrays with their buffers.
// Format: github.com/apache/arrow, format/Schema.fbs and format/Message.fbs.

/// Metadata and body of a message, ready to be written.
struct ArrowMessage {
    std::string bytes;
    std::uint64_t metadata_size = 0; // of `bytes`; the rest is the body
};

/// MetadataVersion: V5.
inline constexpr std::int16_t arrow_version = 4;

/// Numbers of a dictionary are those of its column.
FlatTable arrow_schema(std::span<const columns::BatchColumn> columns, const Properties& properties);

ArrowMessage arrow_schema_message(std::span<const columns::BatchColumn> columns,
                                  const Properties& properties);

ArrowMessage arrow_record_batch(std::span<const columns::BatchColumn> columns,
                                std::span<const columns::Batch> batches);

/// `is_more`: the texts follow those of an earlier message of the same number.
ArrowMessage arrow_dictionary(std::size_t number, const columns::Array& texts, bool is_more);

using columns::Array;
using columns::Batch;
using columns::BatchColumn;
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
    void add(const BatchColumn& column, const Array& array) {
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

ArrowMessage arrow_schema_message(std::span<const BatchColumn> columns,
                                  const Properties& properties) {
    return message(Header::schema, arrow_schema(columns, properties), {});
}

ArrowMessage arrow_record_batch(std::span<const BatchColumn> columns,
                                std::span<const Batch> batches) {
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

using columns::BatchColumn;
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

FlatTable field_of(const BatchColumn& column, std::size_t number) {
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

FlatTable arrow_schema(std::span<const BatchColumn> columns, const Properties& properties) {
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

// The dictionary of a label column in an Arrow file.

/// Texts of all batches. A text that was spilled and comes again has two numbers, which the format
/// permits.
class ArrowLabels {
public:
    /// Makes the indices of `array` those of this dictionary. Errors: limit.
    Result<void> translate(columns::Array& array);

    /// Returns the texts since the last call, and releases them.
    columns::Array take();

    /// Whether there are texts to be taken, or none were ever taken.
    bool is_due(bool is_end) const noexcept { return texts_.size > 0 || (is_end && taken_ == 0); }

    bool has_taken() const noexcept { return taken_ > 0; }

    /// In bytes, about.
    std::size_t memory() const noexcept;

private:
    std::unordered_map<std::string, std::int32_t> numbers_;
    columns::Array texts_;
    std::size_t taken_ = 0; // texts
};

Result<void> ArrowLabels::translate(Array& array) {
    const std::unique_ptr<Array> texts = std::move(array.dictionary);
    if (texts == nullptr || texts->size == 0) {
        return {};
    }
    constexpr auto max = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (taken_ + texts_.size + texts->size > max) {
        return std::unexpected(Error{.code = ErrorCode::limit,
                                     .what = "more labels than an Arrow file can hold",
                                     .need = max});
    }
    std::vector<std::int32_t> translated;
    for (std::size_t i = 0; i < texts->size; ++i) {
        const std::string_view text = text_at(*texts, i);
        const auto next = static_cast<std::int32_t>(taken_ + texts_.size);
        const auto [known, is_new] = numbers_.try_emplace(std::string(text), next);
        if (is_new) {
            if (texts_.size == 0) {
                texts_.offsets.push_back(0);
            }
            texts_.bytes.append(text);
            texts_.offsets.push_back(static_cast<std::int32_t>(texts_.bytes.size()));
            ++texts_.size;
        }
        translated.push_back(known->second);
    }
    for (std::size_t i = 0; i < array.size; ++i) {
        const std::int32_t label = translated[static_cast<std::size_t>(
            number_at<std::int32_t>(array, i))]; // of a null: the first one
        std::memcpy(array.bytes.data() + i * sizeof label, &label, sizeof label);
    }
    return {};
}

Array ArrowLabels::take() {
    taken_ += texts_.size;
    numbers_.clear();
    return std::exchange(texts_, {});
}

std::size_t ArrowLabels::memory() const noexcept {
    constexpr std::size_t entry = 64; // of the table, with its text in another place
    return 2 * texts_.bytes.size() + numbers_.size() * entry;
}

namespace {

constexpr std::string_view arrow_magic = "ARROW1";

/// Fields of Footer in File.fbs.
enum ArrowFooterField : unsigned {
    footer_version = 0,
    footer_schema = 1,
    footer_dictionaries = 2,
    footer_batches = 3,
};

Properties with_creator(Properties properties, std::string creator) {
    properties.emplace_back("creator", std::move(creator));
    return properties;
}

} // namespace

ArrowFile::ArrowFile(std::vector<BatchColumn> columns, Properties properties, std::string creator)
    : columns_(std::move(columns)),
      properties_(with_creator(std::move(properties), std::move(creator))),
      head_(std::string(arrow_magic) + std::string(2, '\0') +
            arrow_schema_message(columns_, properties_).bytes) {
    for (const BatchColumn& column : columns_) {
        labels_.push_back(column.type == Type::label ? std::make_unique<ArrowLabels>() : nullptr);
    }
    size_ = head_.size();
}

ArrowFile::~ArrowFile() = default;

Result<void> ArrowFile::prepare(Batch& batch) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        Array& array = batch.columns[i];
        expand(columns_[i].type, array);
        if (labels_[i] == nullptr) {
            continue;
        }
        if (auto done = labels_[i]->translate(columns_[i].is_list ? *array.elements : array);
            !done) {
            return done;
        }
    }
    return {};
}

RowGroup ArrowFile::encode(std::span<const Batch> batches) const {
    ArrowMessage message = arrow_record_batch(columns_, batches);
    return {.rows = rows_of(batches),
            .bytes = std::move(message.bytes),
            .chunks = {},
            .metadata_size = message.metadata_size};
}

void ArrowFile::add(const RowGroup& rows) {
    batches_.push_back({size_, rows.metadata_size, rows.bytes.size() - rows.metadata_size});
    count(rows);
}

std::size_t ArrowFile::memory() const noexcept {
    std::size_t bytes = 0;
    for (const auto& labels : labels_) {
        bytes += labels == nullptr ? 0 : labels->memory();
    }
    return bytes;
}

std::string ArrowFile::spill() {
    return dictionaries(false);
}

/// Returns the messages of the labels that no message has yet. At the end, each column has one.
std::string ArrowFile::dictionaries(bool is_end) {
    std::string bytes;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        if (labels_[i] == nullptr || !labels_[i]->is_due(is_end)) {
            continue;
        }
        const bool is_more = labels_[i]->has_taken();
        const ArrowMessage message = arrow_dictionary(i, labels_[i]->take(), is_more);
        dictionaries_.push_back({size_ + bytes.size(), message.metadata_size,
                                 message.bytes.size() - message.metadata_size});
        bytes.append(message.bytes);
    }
    size_ += bytes.size();
    return bytes;
}

/// Returns blocks as structures of File.fbs.
std::string ArrowFile::structures_of(const std::vector<Block>& blocks) {
    std::string bytes;
    for (const Block& block : blocks) {
        append_le(bytes, block.offset);
        append_le(bytes, static_cast<std::uint32_t>(block.metadata_size));
        append_le(bytes, std::uint32_t{0}); // padding
        append_le(bytes, block.body_size);
    }
    return bytes;
}

std::string ArrowFile::tail() {
    std::string bytes = dictionaries(true);
    const std::size_t before = bytes.size();
    append_le(bytes, std::uint32_t{0xFFFF'FFFF}); // the end of the messages
    append_le(bytes, std::uint32_t{0});
    const std::string footer =
        FlatTable()
            .number(footer_version, arrow_version)
            .table(footer_schema, arrow_schema(columns_, properties_))
            .structures(footer_dictionaries, dictionaries_.size(), structures_of(dictionaries_))
            .structures(footer_batches, batches_.size(), structures_of(batches_))
            .buffer();
    bytes.append(footer);
    append_le(bytes, static_cast<std::uint32_t>(footer.size()));
    bytes.append(arrow_magic);
    size_ += bytes.size() - before;
    return bytes;
}

} // namespace etl::columnfiles
