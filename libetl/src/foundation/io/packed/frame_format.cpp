#include "io/packed/frame_format.hpp"

#include "base/layout.hpp"
#include "base/limits.hpp"

// As part of this file: programs that link with the library need no libxxhash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace etl::io {

std::uint32_t xxh32(Bytes bytes) noexcept {
    return XXH32(bytes.data(), bytes.size(), 0);
}

std::uint64_t xxh64(Bytes bytes) noexcept {
    return XXH64(bytes.data(), bytes.size(), 0);
}

namespace {

Error too_short(const char* what, FileOffset where, std::size_t need, std::size_t have) noexcept {
    return {ErrorCode::truncated, what, where, need, have, 0};
}

std::unexpected<Error> foreign(const char* what, FileOffset where) noexcept {
    return fail(ErrorCode::unsupported, what, where);
}

Result<FrameHead> checked(FrameHead head, std::uint64_t content, FileOffset where) noexcept {
    if (content > etl::limits::buffer_bytes) {
        return fail(ErrorCode::limit, "content of a frame", where, etl::limits::buffer_bytes,
                    content);
    }
    head.content_size = static_cast<std::uint32_t>(content);
    return head;
}

// RFC 8878, 3.1.1.1. The window of a single segment is its content: no other frame tells that its
// memory is bounded.
Result<FrameHead> read_zstd_head(Bytes bytes, FileOffset where) noexcept {
    constexpr const char* what = "header of a zstd frame";
    constexpr unsigned single_segment = 0x20;
    constexpr unsigned reserved = 0x08;
    constexpr unsigned checksum = 0x04;
    constexpr unsigned dictionary = 0x03;
    const auto descriptor = load_le<std::uint8_t>(bytes.data() + 4);
    if ((descriptor & reserved) != 0) {
        return fail(ErrorCode::malformed, what, where);
    }
    if ((descriptor & single_segment) == 0 || (descriptor & dictionary) != 0) {
        return foreign("unsupported zstd frame", where);
    }
    const std::size_t width = std::size_t{1} << (descriptor >> 6U);
    const FrameHead head{5 + width, 0, zstd_block_bytes, (descriptor & checksum) != 0};
    if (bytes.size() < head.size) {
        return std::unexpected(too_short(what, where, head.size, bytes.size()));
    }
    const std::byte* const size = bytes.data() + 5;
    switch (width) {
    case 1:
        return checked(head, load_le<std::uint8_t>(size), where);
    case 2:
        return checked(head, std::uint64_t{256} + load_le<std::uint16_t>(size), where);
    case 4:
        return checked(head, load_le<std::uint32_t>(size), where);
    default:
        return checked(head, load_le<std::uint64_t>(size), where);
    }
}

Result<FrameHead> read_lz4_head(Bytes bytes, FileOffset where) noexcept {
    constexpr const char* what = "header of an LZ4 frame";
    constexpr unsigned reserved = 0x02;
    constexpr unsigned version = 0xC0;
    if (bytes.size() < 6) {
        return std::unexpected(too_short(what, where, lz4_frame_head, bytes.size()));
    }
    const auto flags = load_le<std::uint8_t>(bytes.data() + 4);
    const auto block_size = load_le<std::uint8_t>(bytes.data() + 5);
    const unsigned largest = block_size >> 4U;
    if ((flags & version) != 0x40 || (flags & reserved) != 0 || (block_size & 0x0FU) != 0 ||
        largest < 4 || largest > 7) {
        return fail(ErrorCode::malformed, what, where);
    }
    // Independent blocks, the size of the content; perhaps its checksum, but none of blocks.
    constexpr unsigned checksum = 0x04;
    if ((flags & ~checksum) != 0x68) {
        return foreign("unsupported LZ4 frame", where);
    }
    if (bytes.size() < lz4_frame_head) {
        return std::unexpected(too_short(what, where, lz4_frame_head, bytes.size()));
    }
    const Bytes descriptor = bytes.subspan(4, lz4_frame_head - 5);
    if (load_le<std::uint8_t>(bytes.data() + lz4_frame_head - 1) !=
        ((xxh32(descriptor) >> 8U) & 0xFFU)) {
        return fail(ErrorCode::malformed, "checksum of the header of an LZ4 frame", where);
    }
    const FrameHead head{lz4_frame_head, 0, 1U << (8 + 2 * largest), (flags & checksum) != 0};
    return checked(head, load_le<std::uint64_t>(bytes.data() + 6), where);
}

} // namespace

Result<FrameHead> read_frame_head(Container kind, Bytes bytes, FileOffset where) noexcept {
    if (bytes.size() < 5) {
        return std::unexpected(too_short("header of a frame", where, 5, bytes.size()));
    }
    const auto magic = load_le<std::uint32_t>(bytes.data());
    if (kind == Container::zstd && magic == zstd_magic) {
        return read_zstd_head(bytes, where);
    }
    if (kind == Container::lz4 && magic == lz4_magic) {
        return read_lz4_head(bytes, where);
    }
    return fail(ErrorCode::malformed, "not a frame", where);
}

std::optional<Block> BlockWalk::next() noexcept {
    if (error_) {
        return std::nullopt;
    }
    if (last_) {
        finish();
        return std::nullopt;
    }
    const std::size_t head = block_head(kind_);
    if (!has_range(frame_, at_, head)) {
        return lose(ErrorCode::truncated, "header of a block", head, frame_.size() - at_);
    }
    if (++blocks_ > frame_blocks) {
        return lose(ErrorCode::limit, "blocks of a frame", frame_blocks);
    }
    return kind_ == Container::zstd ? zstd_block() : lz4_block();
}

std::optional<Block> BlockWalk::zstd_block() noexcept {
    const auto at = frame_.subspan(at_).data();
    const std::uint32_t head =
        load_le<std::uint16_t>(at) | std::uint32_t{load_le<std::uint8_t>(at + 2)} << 16U;
    const std::uint32_t size = head >> 3U;
    if (size > zstd_block_bytes) {
        return lose(ErrorCode::malformed, "size of a block", zstd_block_bytes, size);
    }
    last_ = (head & 1U) != 0;
    switch ((head >> 1U) & 3U) {
    case 0:
        return take({Block::Kind::stored, {}, size}, zstd_block_head, size);
    case 1:
        return take({Block::Kind::repeated, {}, size}, zstd_block_head, 1);
    case 2:
        return take({Block::Kind::packed, {}, 0}, zstd_block_head, size);
    default:
        return lose(ErrorCode::malformed, "kind of a block");
    }
}

std::optional<Block> BlockWalk::lz4_block() noexcept {
    constexpr std::uint32_t stored = 0x80000000;
    const auto head = load_le<std::uint32_t>(frame_.subspan(at_).data());
    if (head == 0) { // the mark of the end
        last_ = true;
        at_ += lz4_block_head;
        finish();
        return std::nullopt;
    }
    const std::uint32_t size = head & ~stored;
    if (size > head_.max_block) {
        return lose(ErrorCode::malformed, "size of a block", head_.max_block, size);
    }
    return (head & stored) != 0 ? take({Block::Kind::stored, {}, size}, lz4_block_head, size)
                                : take({Block::Kind::packed, {}, 0}, lz4_block_head, size);
}

std::optional<Block> BlockWalk::take(Block block, std::size_t head, std::size_t size) noexcept {
    known_content_ += block.content;
    if (known_content_ > head_.content_size) {
        return lose(ErrorCode::malformed, "content of a block", head_.content_size, known_content_);
    }
    if (at_ + head + size > frame_bytes) {
        return lose(ErrorCode::limit, "size of a frame", frame_bytes, at_ + head + size);
    }
    block.bytes = clamped(frame_, at_ + head, size);
    if (block.bytes.size() < size) {
        rest_ = block;
        return lose(ErrorCode::truncated, "block", head + size, frame_.size() - at_);
    }
    at_ += head + size;
    return block;
}

void BlockWalk::finish() noexcept {
    if (!head_.has_checksum || checksum_) {
        return;
    }
    if (!has_range(frame_, at_, 4)) {
        lose(ErrorCode::truncated, "checksum of a frame", 4, frame_.size() - at_);
        return;
    }
    checksum_ = load_le<std::uint32_t>(frame_.subspan(at_).data());
    at_ += 4;
}

std::optional<Block> BlockWalk::lose(ErrorCode code, const char* what, std::uint64_t need,
                                     std::uint64_t have) noexcept {
    error_ = Error{code, what, where_ + at_, need, have, 0};
    return std::nullopt;
}

} // namespace etl::io
