// The hops of the index pass from one buffer header to the next, and the search for the next one
// where there is none. docs/format/buffer.md#index
#pragma once

#include "trace/index/buffer_index.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace etl::trace {

/// Bytes where a buffer was expected and none is, on their way through a stream.
struct IndexGap {
    std::uint64_t begin = 0;
    std::uint64_t at = 0;      // no buffer begins before it
    std::uint64_t checked = 0; // is_zero holds up to here
    bool is_zero = true;
    bool is_searched = false; // byte by byte, not by hops over headers of zeros
};

/// Of a whole file, or of a stream whose bytes come one after the other. One thread.
class BufferIndexer {
public:
    /// `content` as for index_buffers(); null for a stream.
    BufferIndexer(Bytes file, const IndexHints& hints, const io::InputFile* content = nullptr);

    /// All buffers of a whole file.
    BufferIndex run();

    /// From now on these bytes of the trace are at hand, from `begin` on; `is_all`: no others
    /// follow.
    void show(Bytes bytes, std::uint64_t begin, bool is_all) noexcept;

    /// How many bytes must be at hand from `at` on for size_at(): the header of the next buffer. Of
    /// a compressed one that leads nowhere also those of a buffer that may begin inside of it.
    std::uint64_t need(std::uint64_t at) const noexcept;

    /// Whether a buffer is at `at`, as far as that shows without what follows it, and at hand.
    bool is_at_hand(std::uint64_t at) const noexcept;

    /// Continues in a gap of a stream: the end of the gap; nothing: it is not at hand yet.
    std::optional<std::uint64_t> cross(IndexGap& gap);

    /// The first byte that cross() will want to see again.
    std::uint64_t kept_from(const IndexGap& gap) const noexcept;

    std::uint64_t end() const noexcept { return begin_ + file_.size(); }

    IndexBuilder& builder() noexcept { return index_; }

    /// How far the buffer at `at` reaches, where one is expected; 0: none is there.
    std::uint32_t size_at(std::uint64_t at);

    /// Adds the buffer at `at` and gives the offset behind it.
    std::uint64_t add(std::uint64_t at, std::uint32_t size);

private:
    /// A header that was read.
    struct Head {
        std::uint64_t at = UINT64_MAX;
        std::array<std::byte, format::buffer_header::size> bytes;
    };

    Bytes from(std::uint64_t at) const noexcept;
    Bytes head_at(std::uint64_t at) noexcept;
    bool leads_on(std::uint64_t at) noexcept;
    std::uint32_t shortened(std::uint64_t at, std::uint32_t size);
    std::uint64_t skip(std::uint64_t at);
    void report_gap(std::uint64_t at, std::uint64_t next, bool is_unwritten);
    std::optional<std::uint64_t> hop(IndexGap& gap) const noexcept;
    std::uint64_t hop_over_zeros(std::uint64_t at) const noexcept;
    std::uint64_t search_end(std::uint64_t at) const noexcept;
    bool is_next(std::uint64_t at) const noexcept;
    std::uint64_t search(std::uint64_t at, std::uint64_t last) const noexcept;
    std::uint64_t search_leading(std::uint64_t at, std::uint64_t last) noexcept;
    std::uint64_t search_first(std::uint64_t at, std::uint64_t last) noexcept;

    Bytes file_;                   // what is at hand of it
    const io::InputFile* content_; // to read headers from, or null
    std::array<Head, 2> heads_;    // the last ones read: of a buffer, and of the one behind it
    std::size_t latest_head_ = 0;  // of them
    std::uint64_t begin_ = 0;
    bool is_all_ = true;    // nothing follows
    std::uint32_t nominal_; // bytes of an uncompressed buffer; 0: not known yet
    bool compressed_;
    bool is_preallocated_; // zeros at the end can be space that was reserved
    IndexBuilder index_;
};

// The index pass over a trace that comes in pieces: the same hops as index_buffers(), one by one,
// over what is at hand. docs/format/buffer.md#index

/// One thread.
class StreamIndex {
public:
    /// `first` is the beginning of the trace, with the header of its first buffer.
    StreamIndex(Bytes first, const IndexHints& hints);
    StreamIndex(const StreamIndex&) = delete;
    StreamIndex& operator=(const StreamIndex&) = delete;
    ~StreamIndex();

    enum class Step : std::uint8_t {
        buffer, // take() has an entry more; its bytes are at hand
        gap,    // bytes that are no buffer were stepped over
        more,   // more bytes must be at hand
        end,    // there is nothing more
    };

    /// What follows the bytes at hand.
    enum class Following : std::uint8_t {
        something,
        nothing_yet, // a pause: a buffer that is complete need not wait for the next one
        nothing,     // the end of the trace
    };

    /// One step over the bytes at hand, which begin at `begin` of the trace, at or before
    /// position().
    Step advance(Bytes bytes, std::uint64_t begin, Following following);

    /// The first byte of the trace that is still needed.
    std::uint64_t position() const noexcept;

    /// After Step::more: how many bytes from position() on the next step may need, by those that
    /// advance() saw last. At most 32 MB and a header.
    std::uint64_t needed() const noexcept;

    /// Entries and findings since the last call.
    BufferIndex take();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::trace
