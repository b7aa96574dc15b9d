#include "io/container.hpp"

#include "base/cursor.hpp"
#include "base/layout.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "io/packed/frame_format.hpp"

#include <lz4.h>
#include <lz4hc.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace etl::io {

namespace {

constexpr std::uint32_t seekable_magic = 0x8F92EAB1;
constexpr std::size_t seek_table_entry = 8;  // two sizes
constexpr std::size_t seek_table_footer = 9; // number of frames, descriptor, magic

/// Work on frames that did not end well, which are gone over again and again. A block takes three
/// bytes and more, so that the size of the file is enough for the others.
constexpr std::uint64_t max_wasted_work = 1U << 22U;

/// Of a frame with content that a table lists: a header without or with the smallest size of a
/// content, and one block of one byte; LZ4 marks the end. A skippable frame may be smaller.
constexpr std::uint32_t min_frame(Container kind) noexcept {
    return kind == Container::zstd ? 6 + zstd_block_head + 1
                                   : lz4_frame_head + lz4_block_head + 1 + lz4_block_head;
}

bool is_skippable(Bytes bytes) noexcept {
    return bytes.size() >= 4 && (load_le<std::uint32_t>(bytes.data()) & ~0xFU) == skippable_magic;
}

/// The first bytes of the content when they are stored, or those of them that are there.
Bytes stored_at_front(Container kind, Bytes frame, const FrameHead& head) noexcept {
    BlockWalk walk(kind, frame, head, {});
    auto block = walk.next();
    if (!block) {
        block = walk.rest();
    }
    return block && block->kind == Block::Kind::stored ? block->bytes : Bytes{};
}

/// The frame at the front of `rest` by its header and first block.
std::optional<Frame> begun_frame(Container kind, Bytes rest, FileOffset where) noexcept {
    const auto head = read_frame_head(kind, rest, where);
    if (!head) {
        return std::nullopt;
    }
    const Bytes stored = stored_at_front(kind, rest, *head);
    return stored.empty() ? std::nullopt
                          : std::optional(Frame{where, 0, head->content_size, stored});
}

/// The frame at the front of `rest`. Without stored bytes it is none for us.
struct Measured {
    Frame frame;
    std::optional<Error> error;
    std::uint32_t blocks = 0;
};

Measured measure(Container kind, Bytes rest, FileOffset where) noexcept {
    const auto head = read_frame_head(kind, rest, where);
    if (!head) {
        return {{.where = where}, head.error()};
    }
    Measured measured{{.where = where, .content_size = head->content_size}, {}, 1};
    Frame& frame = measured.frame;
    frame.stored = stored_at_front(kind, rest, *head);
    BlockWalk walk(kind, rest, *head, where);
    if (frame.stored.empty() && frame.content_size != 0) {
        measured.error = walk.next() || !walk.error()
                             ? Error{ErrorCode::unsupported, "frame without stored blocks", where}
                             : *walk.error();
        return measured;
    }
    while (walk.next()) {
    }
    measured.error = walk.error();
    measured.blocks = walk.blocks();
    // What the end of the file cuts belongs to the frame, as far as it is there.
    frame.is_truncated = walk.error().has_value();
    const bool ends_early = frame.is_truncated && walk.error()->code == ErrorCode::truncated;
    frame.packed_size = static_cast<std::uint32_t>(ends_early ? rest.size() : walk.size());
    return measured;
}

struct SeekTable {
    std::uint64_t begin = 0; // of its frame: where the others end
    Bytes entries;
    std::size_t entry_size = 0;
};

std::optional<SeekTable> find_seek_table(Bytes packed) noexcept {
    if (packed.size() < skippable_head + seek_table_footer) {
        return std::nullopt;
    }
    const std::byte* const footer = packed.last(seek_table_footer).data();
    const std::uint64_t count = load_le<std::uint32_t>(footer);
    const auto descriptor = load_le<std::uint8_t>(footer + 4);
    constexpr unsigned checksums = 0x80; // of each frame, four bytes more
    constexpr unsigned reserved = 0x7C;
    if (load_le<std::uint32_t>(footer + 5) != seekable_magic || (descriptor & reserved) != 0) {
        return std::nullopt;
    }
    const std::size_t entry_size = seek_table_entry + ((descriptor & checksums) != 0 ? 4 : 0);
    const std::uint64_t payload = count * entry_size + seek_table_footer;
    if (payload > packed.size() - skippable_head) {
        return std::nullopt;
    }
    const std::uint64_t begin = packed.size() - skippable_head - payload;
    const Bytes table = packed.subspan(static_cast<std::size_t>(begin));
    if (load_le<std::uint32_t>(table.data()) != seek_table_magic ||
        load_le<std::uint32_t>(table.data() + 4) != payload) {
        return std::nullopt;
    }
    return SeekTable{begin,
                     table.subspan(skippable_head, static_cast<std::size_t>(count * entry_size)),
                     entry_size};
}

std::array<std::byte, 4> little_endian(std::uint32_t value) noexcept {
    std::array<std::byte, 4> bytes{};
    store_le(bytes.data(), value);
    return bytes;
}

} // namespace

Container container_by_name(std::string_view file_name) noexcept {
    const auto ends_in = [&](std::string_view ending) {
        return file_name.size() > ending.size() &&
               equals_ignoring_case(file_name.substr(file_name.size() - ending.size()), ending);
    };
    return ends_in(".zst") ? Container::zstd : ends_in(".lz4") ? Container::lz4 : Container::none;
}

Container container_of(Bytes packed) noexcept {
    return begun_frame(Container::zstd, packed, {})  ? Container::zstd
           : begun_frame(Container::lz4, packed, {}) ? Container::lz4
                                                     : Container::none;
}

void encode_seek_table(Container kind, std::span<const FrameSizes> frames,
                       std::vector<std::byte>& to) {
    const std::uint64_t payload = frames.size() * seek_table_entry + seek_table_footer;
    if (kind == Container::none || payload > std::numeric_limits<std::uint32_t>::max()) {
        return; // half a billion frames; without a table the file is whole, too
    }
    std::size_t at = to.size();
    to.resize(to.size() + skippable_head + static_cast<std::size_t>(payload));
    const auto add = [&]<typename T>(T value) {
        store_le(to.data() + at, value);
        at += sizeof(T);
    };
    add(seek_table_magic);
    add(static_cast<std::uint32_t>(payload));
    for (const FrameSizes& frame : frames) {
        add(frame.packed);
        add(frame.content);
    }
    add(static_cast<std::uint32_t>(frames.size()));
    add(std::uint8_t{0}); // no checksums of frames
    add(seekable_magic);
}

std::optional<Frame> FrameScanner::next() noexcept {
    while (!error_ && at_.value < packed_.size()) {
        const Bytes rest = packed_.subspan(static_cast<std::size_t>(at_.value));
        if (is_skippable(rest)) {
            Cursor in(rest, at_);
            in.u32("skippable frame");
            in.bytes("skippable frame", in.u32("skippable frame"));
            if (!in) {
                lose(in.error(), at_ + 1);
                return std::nullopt;
            }
            at_ = at_ + in.position();
            continue;
        }
        const Measured measured = measure(kind_, rest, at_);
        const Frame& frame = measured.frame;
        work_ += measured.blocks;
        if (measured.error) {
            lose(*measured.error, at_ + 4);
        }
        at_ = at_ + frame.packed_size;
        if (!frame.stored.empty()) {
            return frame;
        }
    }
    return std::nullopt;
}

bool FrameScanner::resume(FileOffset from) noexcept {
    const auto magic = little_endian(kind_ == Container::zstd ? zstd_magic : lz4_magic);
    Bytes rest = clamped(packed_, static_cast<std::size_t>(from.value));
    while (work_ <= packed_.size() + max_wasted_work) {
        const auto found = std::ranges::search(rest, magic);
        if (found.empty()) {
            return false;
        }
        rest = rest.subspan(static_cast<std::size_t>(found.begin() - rest.begin()));
        ++work_;
        if (begun_frame(kind_, rest, {})) {
            at_ = {packed_.size() - rest.size()};
            error_.reset();
            return true;
        }
        rest = rest.subspan(1);
    }
    return false;
}

std::optional<Frame> FrameScanner::peek() const noexcept {
    return begun_frame(kind_, clamped(packed_, static_cast<std::size_t>(at_.value)), at_);
}

void FrameScanner::lose(const Error& error, FileOffset resume_from) noexcept {
    error_ = error;
    resume_from_ = resume_from;
}

std::vector<Frame> frames_by_seek_table(Container kind, Bytes packed) {
    const auto table = find_seek_table(packed);
    if (kind == Container::none || !table) {
        return {};
    }
    std::vector<Frame> frames;
    const std::size_t count = table->entries.size() / table->entry_size;
    frames.reserve(std::min<std::size_t>(count, table->begin / min_frame(kind)));
    FileOffset where{};
    for (std::size_t at = 0; at < table->entries.size(); at += table->entry_size) {
        const auto packed_size = load_le<std::uint32_t>(table->entries.data() + at);
        const auto content_size = load_le<std::uint32_t>(table->entries.data() + at + 4);
        const std::size_t smallest = content_size != 0 ? min_frame(kind) : skippable_head;
        if (content_size > etl::limits::buffer_bytes || packed_size < smallest ||
            packed_size > table->begin - where.value) {
            return {};
        }
        if (content_size != 0) { // else a frame that is skipped
            const Bytes frame = packed.subspan(static_cast<std::size_t>(where.value), packed_size);
            const auto head = read_frame_head(kind, frame, where);
            const bool agrees = head && head->content_size == content_size;
            frames.push_back({where, packed_size, content_size,
                              agrees ? stored_at_front(kind, frame, *head) : Bytes{}});
        }
        where = where + packed_size;
    }
    return where.value == table->begin ? frames : std::vector<Frame>{};
}

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
        DecodedFrame part = unpack_lz4_block(*block, to.subspan(written), head.max_block);
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
            written +=
                walk.rest()->kind == Block::Kind::stored
                    ? unpack_lz4_block(*walk.rest(), room, head.max_block).written
                    : lz4_good_part(there,
                                    room.first(std::min<std::size_t>(room.size(), head.max_block)));
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
Bytes take_piece(Bytes& bytes, std::size_t max) {
    const Bytes piece = clamped(bytes, 0, max);
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
    if (content.size() > etl::limits::buffer_bytes) {
        return fail(ErrorCode::limit, "content of a frame", {}, etl::limits::buffer_bytes,
                    content.size());
    }
    const Bytes plain = clamped(content, 0, stored);
    const Bytes rest = content.subspan(plain.size());
    return state_->kind == Container::zstd ? state_->encode_zstd(content, plain, rest, to)
                                           : state_->encode_lz4(content, plain, rest, to);
}

} // namespace etl::io
