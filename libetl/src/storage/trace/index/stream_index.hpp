// The index pass over a trace that comes in pieces: the same hops as index_buffers(), one by one,
// over what is at hand. docs/format/buffer.md#index
#pragma once

#include "trace/index/buffer_index.hpp"

#include <memory>

namespace etl::trace {

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
