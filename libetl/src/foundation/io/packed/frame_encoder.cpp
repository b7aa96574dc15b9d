#include "base/layout.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "io/container.hpp"
#include "io/packed/content_hash.hpp"
#include "io/packed/frame_format.hpp"

#include <lz4.h>
#include <lz4hc.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <new>

namespace etl::io {

namespace {

using ByteVector = std::vector<std::byte>;

void append(ByteVector& to, Bytes bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

template <typename T>
void append_number(ByteVector& to, T value) {
    std::array<std::byte, sizeof(T)> raw{};
    store_le(raw.data(), value);
    append(to, raw);
}

struct FreeZstdEncoder {
    void operator()(ZSTD_CCtx* context) const noexcept { ::ZSTD_freeCCtx(context); }
};

constexpr int zstd_level(ContainerLevel level) noexcept {
    switch (level) {
    case ContainerLevel::fast:
        return 1;
    case ContainerLevel::normal:
        return 3;
    case ContainerLevel::small:
        break;
    }
    return 15; // 19 gives 1.5 % more for three times the time
}

constexpr int lz4_fast_acceleration = 4;
constexpr int lz4_small_level = LZ4HC_CLEVEL_DEFAULT;

constexpr unsigned zstd_descriptor = 0xA4; // size in four bytes, single segment, checksum
constexpr unsigned lz4_flags = 0x6C;       // version 1, independent blocks, size, checksum
constexpr unsigned lz4_block_size = 0x70;  // 4 MB

/// Splits off the next piece that one block can hold.
Bytes take_piece(Bytes& bytes, std::size_t most) {
    const Bytes piece = clamped(bytes, 0, most);
    bytes = bytes.subspan(piece.size());
    return piece;
}

} // namespace

struct FrameEncoder::State {
    Container kind = Container::none;
    ContainerLevel level = ContainerLevel::normal;
    std::unique_ptr<ZSTD_CCtx, FreeZstdEncoder> zstd;
    std::unique_ptr<std::byte[]> lz4; // the tables that liblz4 asks for
    ByteVector packed;                // what a library made last

    Result<void> encode_zstd(Bytes content, Bytes stored, Bytes rest, ByteVector& to);
    Result<void> encode_lz4(Bytes content, Bytes stored, Bytes rest, ByteVector& to);
    Result<Bytes> zstd_blocks(Bytes rest);
    Bytes lz4_block(Bytes piece);
};

// The blocks of a frame that libzstd makes of the rest alone. They mean the same behind stored
// blocks: no offset reaches out of the rest, and stored blocks leave the state of the decoder
// (offsets used last, tables of codes) as it is at the beginning of a frame.
Result<Bytes> FrameEncoder::State::zstd_blocks(Bytes rest) {
    packed.resize(std::max(packed.size(), ::ZSTD_compressBound(rest.size())));
    const std::size_t size =
        ::ZSTD_compress2(zstd.get(), packed.data(), packed.size(), rest.data(), rest.size());
    // Without content size, checksum and dictionary: magic, descriptor, window.
    constexpr std::size_t head = 6;
    if (::ZSTD_isError(size) != 0 || size < head || packed[4] != std::byte{0}) {
        return fail(ErrorCode::unsupported, "this version of libzstd");
    }
    return Bytes(packed).first(size).subspan(head);
}

Result<void> FrameEncoder::State::encode_zstd(Bytes content, Bytes stored, Bytes rest,
                                              ByteVector& to) {
    Bytes blocks;
    if (!rest.empty()) {
        const auto made = zstd_blocks(rest);
        if (!made) {
            return std::unexpected(made.error());
        }
        blocks = *made;
    }
    to.reserve(to.size() + zstd_frame_head + stored.size() +
               (stored.size() / zstd_block_bytes + 1) * zstd_block_head + blocks.size() + 4);
    append_number(to, zstd_magic);
    append_number(to, static_cast<std::uint8_t>(zstd_descriptor));
    append_number(to, static_cast<std::uint32_t>(content.size()));
    do {
        const Bytes piece = take_piece(stored, zstd_block_bytes);
        if (piece.empty() && !rest.empty()) {
            break; // nothing is stored
        }
        const bool last = stored.empty() && rest.empty();
        const auto head = static_cast<std::uint32_t>(piece.size() << 3U | (last ? 1U : 0U));
        append_number(to, static_cast<std::uint16_t>(head));
        append_number(to, static_cast<std::uint8_t>(head >> 16U));
        append(to, piece);
    } while (!stored.empty());
    append(to, blocks);
    append_number(to, static_cast<std::uint32_t>(xxh64(content)));
    return {};
}

/// Empty when the piece does not shrink.
Bytes FrameEncoder::State::lz4_block(Bytes piece) {
    packed.resize(std::max(packed.size(), piece.size()));
    const char* const from = as_text(piece).data();
    // A view as char, which the C interface asks for.
    char* const to = reinterpret_cast<char*>(packed.data()); // NOLINT(*-reinterpret-cast)
    const int size = static_cast<int>(piece.size());
    int made = 0;
    switch (level) {
    case ContainerLevel::fast:
        made = ::LZ4_compress_fast_extState(lz4.get(), from, to, size, size - 1,
                                            lz4_fast_acceleration);
        break;
    case ContainerLevel::normal:
        made = ::LZ4_compress_fast_extState(lz4.get(), from, to, size, size - 1, 1);
        break;
    case ContainerLevel::small:
        made = ::LZ4_compress_HC_extStateHC(lz4.get(), from, to, size, size - 1, lz4_small_level);
        break;
    }
    return Bytes(packed).first(static_cast<std::size_t>(std::max(made, 0)));
}

Result<void> FrameEncoder::State::encode_lz4(Bytes content, Bytes stored, Bytes rest,
                                             ByteVector& to) {
    append_number(to, lz4_magic);
    const std::size_t descriptor = to.size();
    append_number(to, static_cast<std::uint8_t>(lz4_flags));
    append_number(to, static_cast<std::uint8_t>(lz4_block_size));
    append_number(to, static_cast<std::uint64_t>(content.size()));
    append_number(to, static_cast<std::uint8_t>(xxh32(Bytes(to).subspan(descriptor)) >> 8U));
    const auto add_block = [&](Bytes bytes, std::uint32_t flag) {
        append_number(to, static_cast<std::uint32_t>(bytes.size()) | flag);
        append(to, bytes);
    };
    constexpr std::uint32_t as_it_is = 0x80000000;
    while (!stored.empty()) {
        add_block(take_piece(stored, lz4_block_bytes), as_it_is);
    }
    while (!rest.empty()) {
        const Bytes piece = take_piece(rest, lz4_block_bytes);
        const Bytes block = lz4_block(piece);
        add_block(block.empty() ? piece : block, block.empty() ? as_it_is : 0U);
    }
    append_number(to, std::uint32_t{0}); // the mark of the end
    append_number(to, xxh32(content));
    return {};
}

FrameEncoder::FrameEncoder(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

FrameEncoder::FrameEncoder(FrameEncoder&& other) noexcept = default;
FrameEncoder& FrameEncoder::operator=(FrameEncoder&& other) noexcept = default;
FrameEncoder::~FrameEncoder() = default;

Result<FrameEncoder> FrameEncoder::create(Container kind, ContainerLevel level) {
    auto state = std::make_unique<State>();
    state->kind = kind;
    state->level = level;
    switch (kind) {
    case Container::none:
        return fail(ErrorCode::unsupported, "frames without a container");
    case Container::zstd:
        state->zstd.reset(::ZSTD_createCCtx());
        if (state->zstd == nullptr) {
            return fail(ErrorCode::limit, "memory for zstd");
        }
        for (const auto& [parameter, value] :
             {std::pair{ZSTD_c_compressionLevel, zstd_level(level)},
              std::pair{ZSTD_c_contentSizeFlag, 0}, std::pair{ZSTD_c_checksumFlag, 0}}) {
            if (::ZSTD_isError(::ZSTD_CCtx_setParameter(state->zstd.get(), parameter, value)) !=
                0) {
                return fail(ErrorCode::unsupported, "this version of libzstd");
            }
        }
        break;
    case Container::lz4:
        const int size =
            level == ContainerLevel::small ? ::LZ4_sizeofStateHC() : ::LZ4_sizeofState();
        state->lz4 = std::make_unique<std::byte[]>(static_cast<std::size_t>(size));
        break;
    }
    return FrameEncoder(std::move(state));
}

Result<void> FrameEncoder::encode(Bytes content, std::size_t stored, ByteVector& to) {
    if (content.size() > limits::buffer_bytes) {
        return fail(ErrorCode::limit, "content of a frame", {}, limits::buffer_bytes,
                    content.size());
    }
    const Bytes plain = clamped(content, 0, stored);
    const Bytes rest = content.subspan(plain.size());
    return state_->kind == Container::zstd ? state_->encode_zstd(content, plain, rest, to)
                                           : state_->encode_lz4(content, plain, rest, to);
}

} // namespace etl::io
