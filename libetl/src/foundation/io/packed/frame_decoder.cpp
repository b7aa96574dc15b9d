#include "base/text.hpp"
#include "io/container.hpp"
#include "io/packed/content_hash.hpp"
#include "io/packed/frame_format.hpp"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>

namespace etl::io {

namespace {

struct FreeZstdDecoder {
    void operator()(ZSTD_DCtx* context) const noexcept { ::ZSTD_freeDCtx(context); }
};

/// Bytes of `to` that the packed block gives at least; all of them when `wanted` is `to.size()`
/// and the result is what a whole block gives. Negative: the block is bad before that.
int lz4_unpacked(Bytes block, MutableBytes to, std::size_t wanted) noexcept {
    // A view as char, which the C interface asks for.
    char* const out = reinterpret_cast<char*>(to.data()); // NOLINT(*-reinterpret-cast)
    const int size = static_cast<int>(block.size());
    const int room = static_cast<int>(to.size());
    return ::LZ4_decompress_safe_partial(as_text(block).data(), out, size, static_cast<int>(wanted),
                                         room);
}

/// What stands before the damage: liblz4 does not say how far it came, but unpacks as much as it is
/// asked for.
std::size_t lz4_good_part(Bytes block, MutableBytes to) noexcept {
    std::size_t good = 0;
    std::size_t bad = to.size() + 1;
    while (bad - good > 1) {
        const std::size_t wanted = good + (bad - good) / 2;
        const int got = lz4_unpacked(block, to, wanted);
        if (got < static_cast<int>(wanted)) {
            bad = wanted;
        } else {
            good = wanted;
        }
    }
    // The last trial may have failed and left other bytes there.
    const int got = good == 0 ? 0 : lz4_unpacked(block, to, good);
    return static_cast<std::size_t>(std::max(got, 0));
}

/// Puts the content of one LZ4 block to the front of `to`.
DecodedFrame unpack_lz4_block(const Block& block, MutableBytes to, std::size_t largest) noexcept {
    if (block.kind == Block::Kind::stored) {
        const Bytes there = clamped(block.bytes, 0, to.size());
        std::ranges::copy(there, to.begin());
        return {there.size(), std::nullopt};
    }
    const MutableBytes room = to.first(std::min(to.size(), largest));
    char* const out = reinterpret_cast<char*>(room.data()); // NOLINT(*-reinterpret-cast)
    const int got =
        ::LZ4_decompress_safe(as_text(block.bytes).data(), out,
                              static_cast<int>(block.bytes.size()), static_cast<int>(room.size()));
    if (got >= 0) {
        return {static_cast<std::size_t>(got), std::nullopt};
    }
    return {lz4_good_part(block.bytes, room), Error{ErrorCode::malformed, "block of LZ4"}};
}

} // namespace

struct FrameDecoder::State {
    Container kind = Container::none;
    std::unique_ptr<ZSTD_DCtx, FreeZstdDecoder> zstd;

    DecodedFrame decode_zstd(Bytes frame, const FrameHead& head, MutableBytes to) noexcept;
    DecodedFrame zstd_block_by_block(Bytes frame, const FrameHead& head, MutableBytes to) noexcept;
    static DecodedFrame decode_lz4(Bytes frame, const FrameHead& head, MutableBytes to) noexcept;
};

DecodedFrame FrameDecoder::State::decode_zstd(Bytes frame, const FrameHead& head,
                                              MutableBytes to) noexcept {
    BlockWalk walk(Container::zstd, frame, head, {});
    while (walk.next()) {
    }
    if (!walk.error()) {
        const std::size_t size =
            ::ZSTD_decompressDCtx(zstd.get(), to.data(), to.size(), frame.data(), walk.size());
        if (size == to.size()) { // and no error, which is a much larger number
            return {size, std::nullopt};
        }
    }
    return zstd_block_by_block(frame, head, to);
}

// Slower, but what blocks before the damage hold comes out.
DecodedFrame FrameDecoder::State::zstd_block_by_block(Bytes frame, const FrameHead& head,
                                                      MutableBytes to) noexcept {
    ::ZSTD_DCtx_reset(zstd.get(), ZSTD_reset_session_only);
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    const auto feed = [&](Bytes piece) {
        ZSTD_inBuffer in{piece.data(), piece.size(), 0};
        while (in.pos < in.size) {
            const std::size_t before = in.pos + out.pos;
            const std::size_t status = ::ZSTD_decompressStream(zstd.get(), &out, &in);
            if (::ZSTD_isError(status) != 0 || in.pos + out.pos == before) {
                return false;
            }
        }
        return true;
    };
    BlockWalk walk(Container::zstd, frame, head, {});
    std::size_t fed = 0;
    bool good = feed(frame.first(head.size));
    fed = head.size;
    while (good && walk.next()) {
        good = feed(frame.subspan(fed, walk.size() - fed));
        fed = good ? walk.size() : fed;
    }
    if (!good) {
        return {out.pos, Error{ErrorCode::malformed, "block of zstd", {fed}}};
    }
    if (walk.error()) {
        if (walk.rest() && walk.rest()->kind == Block::Kind::stored) {
            const Bytes there = clamped(walk.rest()->bytes, 0, to.size() - out.pos);
            std::ranges::copy(there, to.subspan(out.pos).begin());
            out.pos += there.size();
        }
        return {out.pos, walk.error()};
    }
    if (walk.size() > fed && !feed(frame.subspan(fed, walk.size() - fed))) {
        return {out.pos, Error{ErrorCode::malformed, "checksum of a frame", {fed}}};
    }
    return {out.pos, Error{ErrorCode::malformed, "content of a frame", {}, to.size(), out.pos}};
}

DecodedFrame FrameDecoder::State::decode_lz4(Bytes frame, const FrameHead& head,
                                             MutableBytes to) noexcept {
    BlockWalk walk(Container::lz4, frame, head, {});
    std::size_t written = 0;
    std::size_t at = head.size;
    while (const auto block = walk.next()) {
        DecodedFrame part = unpack_lz4_block(*block, to.subspan(written), head.largest_block);
        written += part.written;
        if (part.error) {
            part.error->where = {at};
            return {written, part.error};
        }
        at = walk.size();
    }
    if (walk.error()) {
        if (walk.rest()) {
            const MutableBytes room = to.subspan(written);
            const Bytes there = walk.rest()->bytes;
            written += walk.rest()->kind == Block::Kind::stored
                           ? unpack_lz4_block(*walk.rest(), room, head.largest_block).written
                           : lz4_good_part(there, room.first(std::min<std::size_t>(
                                                      room.size(), head.largest_block)));
        }
        return {written, walk.error()};
    }
    if (written != to.size()) {
        return {written, Error{ErrorCode::malformed, "content of a frame", {}, to.size(), written}};
    }
    if (walk.checksum() && *walk.checksum() != xxh32(to)) {
        return {written, Error{ErrorCode::malformed, "checksum of a frame", {walk.size() - 4}}};
    }
    return {written, std::nullopt};
}

FrameDecoder::FrameDecoder(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

FrameDecoder::FrameDecoder(FrameDecoder&& other) noexcept = default;
FrameDecoder& FrameDecoder::operator=(FrameDecoder&& other) noexcept = default;
FrameDecoder::~FrameDecoder() = default;

Result<FrameDecoder> FrameDecoder::create(Container kind) {
    if (kind == Container::none) {
        return fail(ErrorCode::unsupported, "frames without a container");
    }
    auto state = std::make_unique<State>();
    state->kind = kind;
    if (kind == Container::zstd) {
        state->zstd.reset(::ZSTD_createDCtx());
        if (state->zstd == nullptr) {
            return fail(ErrorCode::limit, "memory for zstd");
        }
    }
    return FrameDecoder(std::move(state));
}

DecodedFrame FrameDecoder::decode(Bytes frame, MutableBytes to) noexcept {
    const auto head = read_frame_head(state_->kind, frame, {});
    if (!head) {
        return {0, head.error()};
    }
    if (to.size() < head->content_size) {
        return {0, Error{ErrorCode::limit,
                         "size for the content of a frame",
                         {},
                         to.size(),
                         head->content_size}};
    }
    const MutableBytes content = to.first(head->content_size);
    return state_->kind == Container::zstd ? state_->decode_zstd(frame, *head, content)
                                           : State::decode_lz4(frame, *head, content);
}

} // namespace etl::io
