#include "columnfiles/arrow.hpp"

#include <etl/error.hpp>

#include "columnfiles/array_values.hpp"
#include "columnfiles/arrow_messages.hpp"
#include "columnfiles/flatbuffer.hpp"
#include "columns/batch.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::columnfiles {

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

using columns::Array;

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

using columns::Array;
using columns::Batch;
using columns::Column;
using columns::Type;

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

ArrowFile::ArrowFile(std::vector<Column> columns, Properties properties, std::string creator)
    : columns_(std::move(columns)),
      properties_(with_creator(std::move(properties), std::move(creator))),
      head_(std::string(arrow_magic) + std::string(2, '\0') +
            arrow_schema_message(columns_, properties_).bytes) {
    for (const Column& column : columns_) {
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
