#include "trace/files/buffer_packer.hpp"

#include "trace/header/header_buffer.hpp"

#include <algorithm>
#include <cassert>
#include <new>

namespace etl::trace {

namespace {
namespace head = format::buffer_header;
namespace flag = format::buffer_flag;

constexpr std::uint32_t max_fill_in_place = 64U << 10U;
} // namespace

Result<BufferPacker> BufferPacker::create(const Recording& recording,
                                          const LogFileOptions& options) {
    BufferPacker packer;
    packer.lineage_ = recording.lineage;
    packer.logger_id_ = recording.lineage == Lineage::relogger ? 0 : recording.logger_id;
    packer.buffer_size_ = options.buffer_size;
    if (options.compression != codec::Format::none) {
        auto compressor = codec::Compressor::create(options.compression, options.level);
        if (!compressor) {
            return std::unexpected(compressor.error());
        }
        packer.format_ = options.compression;
        packer.compressor_ = std::move(*compressor);
    }
    if (options.container != io::Container::none) {
        auto framer = io::FrameEncoder::create(options.container, options.container_level);
        if (!framer) {
            return std::unexpected(framer.error());
        }
        packer.framer_ = std::move(*framer);
    }
    return packer;
}

void BufferPacker::complete(const FilledBufferView& buffer) const noexcept {
    assert(buffer.used >= head::size && buffer.used <= buffer_size_);
    format::BufferHeader header{.buffer_size = buffer_size_,
                                .used = buffer.used,
                                .time_stamp = buffer.time_stamp,
                                .sequence_number = buffer.sequence,
                                .processor = buffer.processor,
                                .logger_id = buffer.logger_id.value_or(logger_id_),
                                .flags = buffer.flags,
                                .type = buffer.type};
    if (lineage_ == Lineage::windows7) {
        header.processor |= windows7_alignment;
    } else if (lineage_ != Lineage::unmarked) {
        header.flags |= flag::processor_index;
    }
    const MutableBytes whole(buffer.memory, buffer_size_);
    format::encode(header, whole.first<head::size>());
}

Bytes BufferPacker::fill_up(const FilledBufferView& buffer) const noexcept {
    const MutableBytes whole(buffer.memory, buffer_size_);
    std::ranges::fill(whole.subspan(buffer.used), buffer_fill);
    return whole;
}

/// Large buffers that hold little are filled up elsewhere: a page once touched stays with a buffer,
/// and there are as many of them as processors.
Bytes BufferPacker::filled_up(const FilledBufferView& buffer) {
    if (buffer_size_ - buffer.used <= max_fill_in_place) {
        return fill_up(buffer);
    }
    if (!copy_) {
        copy_ = std::make_unique_for_overwrite<std::byte[]>(buffer_size_);
    }
    const MutableBytes whole(copy_.get(), buffer_size_);
    std::ranges::copy(Bytes(buffer.memory, buffer.used), whole.begin());
    std::ranges::fill(whole.subspan(buffer.used), buffer_fill);
    return whole;
}

Bytes BufferPacker::compress(const FilledBufferView& buffer, std::vector<std::byte>& scratch) {
    // Buffers may be of 16 MB and hold little: no more memory is touched than that takes.
    const Bytes plain(buffer.memory, buffer.used);
    const Bytes body = plain.subspan(head::size);
    const std::size_t most = std::min<std::size_t>(
        buffer_size_, head::size + codec::max_compressed_size(format_, body.size()));
    if (scratch.size() < most) {
        scratch.reserve(buffer_size_);
        scratch.resize(most);
    }
    const MutableBytes room = MutableBytes(scratch).first(most);
    const auto size = compressor_->compress(body, room.subspan(head::size));
    if (!size) {
        // No decoder knows a buffer that is larger than those of its session. Such a one is full,
        // or nearly.
        return fill_up(buffer);
    }
    const auto front = room.first<head::size>();
    std::ranges::copy(plain.first(head::size), front.begin());
    const auto flags = load<head::buffer_flag>(plain.first<head::size>());
    store<head::buffer_size>(front, static_cast<std::uint32_t>(head::size + *size));
    store<head::buffer_flag>(front, static_cast<std::uint16_t>(flags | flag::compressed));
    return room.first(head::size + *size);
}

Result<Bytes> BufferPacker::pack(const FilledBufferView& buffer, std::vector<std::byte>& scratch) {
    try {
        complete(buffer);
        return packed(buffer, scratch);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory to compress a buffer");
    }
}

Result<Bytes> BufferPacker::packed(const FilledBufferView& buffer,
                                   std::vector<std::byte>& scratch) {
    if (compressor_) {
        return compress(buffer, scratch);
    }
    const Bytes plain = filled_up(buffer);
    if (!framer_) {
        return plain;
    }
    scratch.clear();
    if (auto framed = framer_->encode(plain, head::size, scratch); !framed) {
        return std::unexpected(framed.error());
    }
    return Bytes(scratch);
}

} // namespace etl::trace
