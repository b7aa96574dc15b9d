// The frames of containers as bytes: headers and blocks of zstd (RFC 8878) and LZ4 (the LZ4 frame
// format 1.6), as far as frames are ours. docs/format/container.md. Private to io.
#pragma once

#include <etl/bytes.hpp>

#include "base/limits.hpp"
#include "io/container.hpp"

#include <cstdint>
#include <optional>

namespace etl::io {

// XXH32 and XXH64 with seed 0: the checksums of content that LZ4 and zstd frames end with (the
// latter's low 32 bits). https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.

std::uint32_t xxh32(Bytes bytes) noexcept;
std::uint64_t xxh64(Bytes bytes) noexcept;

/// Magic and length, of which both formats have the same: the payload says nothing.
inline constexpr std::size_t skippable_head = 8;
inline constexpr std::uint32_t skippable_magic = 0x184D2A50; // the low four bits are free
inline constexpr std::uint32_t seek_table_magic = 0x184D2A5E;

inline constexpr std::uint32_t zstd_magic = 0xFD2FB528;
inline constexpr std::uint32_t lz4_magic = 0x184D2204;

/// Magic, descriptor, and the size of the content in four bytes.
inline constexpr std::size_t zstd_frame_head = 9;
/// Magic, FLG, BD, the size of the content in eight bytes, and the header's checksum.
inline constexpr std::size_t lz4_frame_head = 15;

inline constexpr std::size_t zstd_block_head = 3;
inline constexpr std::size_t lz4_block_head = 4;
inline constexpr std::uint32_t zstd_block_bytes = 128U << 10U; // RFC 8878, 3.1.1.2.4
inline constexpr std::uint32_t lz4_block_bytes = 4U << 20U;

/// Blocks of one frame. Ours have 129 at most with 128 KB each; libzstd may split each of them into
/// 196.
inline constexpr std::uint32_t frame_blocks = 1U << 15U;

/// A whole frame: twice what its content may have. Packed blocks may be larger than what they stand
/// for, though no library writes them so.
inline constexpr std::size_t frame_bytes = std::size_t{2} * etl::limits::buffer_bytes;

constexpr std::size_t block_head(Container kind) noexcept {
    return kind == Container::zstd ? zstd_block_head : lz4_block_head;
}

/// What the header of a frame says.
struct FrameHead {
    std::size_t size = 0; // of the header itself
    std::uint32_t content_size = 0;
    std::uint32_t max_block = 0; // bytes that a block may stand for
    bool has_checksum = false;   // four bytes behind the last block
};

/// Reads the header at the front of `bytes`, which lie at `where`. Errors: truncated, malformed (no
/// frame), unsupported (a foreign one: without size, with a dictionary, with blocks that need
/// others), limit (its content exceeds etl::limits::buffer_bytes).
Result<FrameHead> read_frame_head(Container kind, Bytes bytes, FileOffset where) noexcept;

struct Block {
    enum class Kind : std::uint8_t {
        stored,   // the bytes as they are
        repeated, // one byte, so many times
        packed,
    };
    Kind kind{};
    Bytes bytes;               // as they lie in the frame, without the block's header
    std::uint32_t content = 0; // bytes it stands for; 0 for packed ones: not known
};

/// Walks over the blocks of one frame.
class BlockWalk {
public:
    /// `frame` begins with the frame that has this header, and lies at `where`.
    BlockWalk(Container kind, Bytes frame, const FrameHead& head, FileOffset where) noexcept
        : kind_(kind), frame_(frame), head_(head), where_(where), at_(head.size) {}

    /// The next block; nothing behind the last one, or where `error()` says what is wrong. With the
    /// error truncated, rest() has what is there of the block.
    std::optional<Block> next() noexcept;

    const std::optional<Error>& error() const noexcept { return error_; }

    /// Bytes of the frame so far; all of them, checksum included, when next() gave nothing and
    /// there is no error.
    std::size_t size() const noexcept { return at_; }

    std::uint32_t blocks() const noexcept { return blocks_; }

    /// The block that is cut by the end of the file.
    const std::optional<Block>& rest() const noexcept { return rest_; }

    /// The checksum of the content, as the frame has it; for frames walked to their end.
    std::optional<std::uint32_t> checksum() const noexcept { return checksum_; }

private:
    std::optional<Block> zstd_block() noexcept;
    std::optional<Block> lz4_block() noexcept;
    std::optional<Block> take(Block block, std::size_t head, std::size_t size) noexcept;
    void finish() noexcept;
    std::optional<Block> lose(ErrorCode code, const char* what, std::uint64_t need = 0,
                              std::uint64_t have = 0) noexcept;

    Container kind_;
    Bytes frame_;
    FrameHead head_;
    FileOffset where_;
    std::size_t at_;
    std::uint64_t known_content_ = 0; // of stored and repeated blocks
    std::uint32_t blocks_ = 0;
    bool last_ = false;
    std::optional<Block> rest_;
    std::optional<std::uint32_t> checksum_;
    std::optional<Error> error_;
};

} // namespace etl::io
