#include "io/container.hpp"

#include "base/cursor.hpp"
#include "base/layout.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "io/packed/frame_format.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace etl::io {

namespace {

constexpr std::uint32_t seekable_magic = 0x8F92EAB1;
constexpr std::size_t seek_table_entry = 8;  // two sizes
constexpr std::size_t seek_table_footer = 9; // number of frames, descriptor, magic

/// Work on frames that did not end well, which are gone over again and again. A block takes three
/// bytes and more, so that the size of the file is enough for the others.
constexpr std::uint64_t most_wasted_work = 1U << 22U;

/// Of a frame with content that a table lists: a header without or with the smallest size of a
/// content, and one block of one byte; LZ4 marks the end. A skippable frame may be smaller.
constexpr std::uint32_t smallest_frame(Container kind) noexcept {
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
    while (work_ <= packed_.size() + most_wasted_work) {
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
    frames.reserve(std::min<std::size_t>(count, table->begin / smallest_frame(kind)));
    FileOffset where{};
    for (std::size_t at = 0; at < table->entries.size(); at += table->entry_size) {
        const auto packed_size = load_le<std::uint32_t>(table->entries.data() + at);
        const auto content_size = load_le<std::uint32_t>(table->entries.data() + at + 4);
        const std::size_t smallest = content_size != 0 ? smallest_frame(kind) : skippable_head;
        if (content_size > limits::buffer_bytes || packed_size < smallest ||
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

} // namespace etl::io
