#include "trace/buffer_packer.hpp"

#include "trace/header_buffer.hpp"

#include <algorithm>
#include <cassert>

namespace etl::trace {

namespace {
namespace head = format::buffer_header;
namespace flag = format::buffer_flag;
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

void BufferPacker::complete(FilledBuffer& buffer) const noexcept {
    assert(buffer.used >= head::size && buffer.used <= buffer_size_);
    format::BufferHeader header{
        .buffer_size = buffer_size_,
        .used = std::clamp<std::uint32_t>(buffer.used, head::size, buffer_size_),
        .time_stamp = buffer.time_stamp,
        .sequence_number = buffer.sequence,
        .processor = buffer.processor,
        .logger_id = logger_id_,
        .flags = buffer.flags,
        .type = buffer.type};
    if (lineage_ == Lineage::windows7) {
        header.processor |= windows7_alignment;
    } else {
        header.flags |= flag::processor_index;
    }
    const MutableBytes whole(buffer.memory.get(), buffer_size_);
    format::encode(header, whole.first<head::size>());
    std::ranges::fill(whole.subspan(header.used), buffer_fill);
}

Bytes BufferPacker::compress(FilledBuffer& buffer, std::vector<std::byte>& scratch) {
    const MutableBytes plain(buffer.memory.get(), buffer_size_);
    scratch.resize(buffer_size_);
    const MutableBytes room(scratch);
    const auto size = compressor_->compress(
        Bytes(plain).subspan(head::size, buffer.used - head::size), room.subspan(head::size));
    if (!size) {
        // No decoder knows a buffer that is larger than those of its session.
        return plain;
    }
    const auto front = room.first<head::size>();
    std::ranges::copy(Bytes(plain).first(head::size), front.begin());
    store<head::buffer_size>(front, static_cast<std::uint32_t>(head::size + *size));
    store<head::buffer_flag>(
        front, static_cast<std::uint16_t>(
                   load<head::buffer_flag>(Bytes(front).first<head::size>()) | flag::compressed));
    return room.first(head::size + *size);
}

Result<Bytes> BufferPacker::pack(FilledBuffer& buffer, std::vector<std::byte>& scratch) {
    complete(buffer);
    if (compressor_) {
        return compress(buffer, scratch);
    }
    const Bytes plain(buffer.memory.get(), buffer_size_);
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
