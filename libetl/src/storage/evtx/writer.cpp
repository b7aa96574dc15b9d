#include "evtx/writer.hpp"

#include "base/text.hpp"
#include "evtx/chunk_writer.hpp"

#include <algorithm>
#include <limits>

namespace etl::evtx {

namespace {

constexpr std::size_t max_value_size = 0xFFFF;
// Damaged logs have IDs of any size; after the highest possible one, IDs would start over.
constexpr std::uint64_t highest_record = ~std::uint64_t{0} >> 1U;

/// Whether a value without its last items is one of the same type.
bool can_be_cut(const Field& field) noexcept {
    return field.value.is_array || field.value.type == ValueType::string ||
           field.value.type == ValueType::ansi || field.value.type == ValueType::binary;
}

/// Shortens a value to at most `size` bytes, between characters or items.
void cut(Value& value, std::size_t size) noexcept {
    size = std::min(size, value.data.size());
    if (const std::size_t item = fixed_size(value.type); item != 0) {
        size -= size % item;
    } else if (value.type == ValueType::string) {
        size -= size % 2;
        const bool ends_in_pair =
            size >= 2 && size < value.data.size() &&
            (std::to_integer<unsigned>(value.data[size - 1]) & 0xFCU) == 0xD8U;
        size -= ends_in_pair ? 2U : 0U;
    }
    value.data = value.data.first(size);
}

/// Shortens the longest values by `excess` bytes or more altogether. Returns false if nothing can
/// be shortened.
bool cut_longest(std::span<Field> fields, std::size_t excess) noexcept {
    Field* longest = nullptr;
    for (Field& field : fields) {
        if (can_be_cut(field) && !field.value.data.empty() &&
            (longest == nullptr || field.value.data.size() > longest->value.data.size())) {
            longest = &field;
        }
    }
    if (longest == nullptr) {
        return false;
    }
    const std::size_t size = longest->value.data.size();
    cut(longest->value, size - std::min(size, excess));
    return true;
}

} // namespace

Writer::Writer(Output& output, const WriterOptions& options)
    : output_(&output), options_(options), chunk_(std::make_unique<ChunkWriter>()),
      next_record_(options.first_record) {
    options_.chunks = std::clamp<std::size_t>(options.chunks, 1, max_chunks);
}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

Writer::HeaderBlock Writer::header_block(std::uint32_t flags) const {
    HeaderBlock block{};
    store_file_header(block, {.last_chunk = counts_.chunks == 0 ? 0 : counts_.chunks - 1,
                              .next_record = next_record(),
                              .chunks = static_cast<std::uint16_t>(counts_.chunks),
                              .flags = flags});
    return block;
}

Result<void> Writer::begin() {
    if (has_begun_) {
        return {};
    }
    has_begun_ = true;
    return output_->write(as_text(header_block(dirty_flag)));
}

Result<void> Writer::flush() {
    const std::uint64_t in_chunk = chunk_->records();
    const auto written = output_->write(as_text(chunk_->finish(counts_.records - in_chunk + 1)));
    ++counts_.chunks;
    chunk_->clear();
    return written;
}

std::size_t Writer::put(const Event& event, KnownTemplates& known) {
    const bool has_id = event.record_id >= next_record_ && event.record_id <= highest_record;
    const std::uint64_t id = has_id ? event.record_id : next_record_;
    chunk_->begin_record(id, event.time.value_or(Filetime{}).ticks);
    write_event(*chunk_, event, event.record_id == 0 ? id : event.record_id, known, key_);
    const std::size_t excess = chunk_->end_record();
    if (excess != 0) {
        chunk_->undo_record();
    } else {
        next_record_ = id + 1;
    }
    return excess;
}

Result<void> Writer::add_shortened(Event event, KnownTemplates& known, std::size_t excess) {
    if (event.fields.data() != shortened_.data()) {
        shortened_.assign(event.fields.begin(), event.fields.end());
    }
    event.fields = shortened_;
    while (excess != 0) {
        if (!cut_longest(shortened_, excess)) {
            return fail(ErrorCode::limit, "record of an event log", {}, chunk_size,
                        chunk_size + excess);
        }
        excess = put(event, known);
    }
    ++counts_.cut;
    ++counts_.records;
    return {};
}

Result<void> Writer::add(const Event& event) {
    KnownTemplates known;
    return add(event, known);
}

Result<void> Writer::add(const Event& event, KnownTemplates& known) {
    if (event.id > std::numeric_limits<std::uint16_t>::max()) {
        return fail(ErrorCode::invalid_option, "event ID of an event log", {},
                    std::numeric_limits<std::uint16_t>::max(), event.id);
    }
    if (is_full_) {
        return fail(ErrorCode::limit, "chunks of an event log", {}, options_.chunks);
    }
    if (const auto begun = begin(); !begun) {
        return begun;
    }
    const bool is_long = std::ranges::any_of(
        event.fields, [](const Field& field) { return field.value.data.size() > max_value_size; });
    if (is_long) {
        shortened_.assign(event.fields.begin(), event.fields.end());
        for (Field& field : shortened_) {
            cut(field.value, max_value_size);
        }
        Event shorter = event;
        shorter.fields = shortened_;
        return add_to_chunk(shorter, known, true);
    }
    return add_to_chunk(event, known, false);
}

Result<void> Writer::add_to_chunk(const Event& event, KnownTemplates& known, bool is_cut) {
    std::size_t excess = put(event, known);
    if (excess != 0 && !chunk_->is_empty()) {
        if (counts_.chunks + 1 >= options_.chunks) {
            is_full_ = true;
            return fail(ErrorCode::limit, "chunks of an event log", {}, options_.chunks);
        }
        if (const auto flushed = flush(); !flushed) {
            return flushed;
        }
        excess = put(event, known);
    }
    if (excess != 0) {
        return add_shortened(event, known, excess);
    }
    ++counts_.records;
    counts_.cut += is_cut ? 1U : 0U;
    return {};
}

Result<Writer::HeaderBlock> Writer::finish() {
    if (const auto begun = begin(); !begun) {
        return std::unexpected(begun.error());
    }
    if (!chunk_->is_empty() || counts_.chunks == 0) {
        if (const auto flushed = flush(); !flushed) {
            return std::unexpected(flushed.error());
        }
    }
    return header_block(0);
}

} // namespace etl::evtx
