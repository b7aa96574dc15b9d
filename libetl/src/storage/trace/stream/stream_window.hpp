// The bytes of a stream that are at hand.
#pragma once

#include <etl/bytes.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace etl::trace {

/// The part of a stream that was read and is still needed.
class StreamWindow {
public:
    explicit StreamWindow(std::vector<std::byte> head)
        : memory_(std::move(head)), end_(memory_.size()) {}

    Bytes bytes() const noexcept { return Bytes(memory_).subspan(begin_, end_ - begin_); }

    /// Of the first byte, in the stream.
    std::uint64_t where() const noexcept { return where_; }

    /// Forgets what lies before `where`.
    void forget(std::uint64_t where) noexcept {
        const auto size = static_cast<std::size_t>(where - where_);
        begin_ += size;
        where_ = where;
    }

    /// Space behind the bytes for a block, and for `needed` bytes in all.
    MutableBytes space(std::size_t needed) {
        const std::size_t size = end_ - begin_;
        const std::size_t capacity = std::max(needed, size + block);
        if (begin_ + capacity > memory_.size()) {
            std::memmove(memory_.data(), memory_.data() + begin_, size);
            begin_ = 0;
            end_ = size;
            memory_.resize(std::max(memory_.size(), capacity + 2 * block));
        }
        return MutableBytes(memory_).subspan(end_);
    }

    void append(std::size_t size) noexcept { end_ += size; }

private:
    static constexpr std::size_t block = 1U << 18U; // read at a time

    std::vector<std::byte> memory_;
    std::uint64_t where_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_;
};

} // namespace etl::trace
