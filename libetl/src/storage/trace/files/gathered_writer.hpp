// Compressed buffers on their way to the file, written as much at a time as one buffer of the
// session holds, whatever that cuts in two. docs/format/writing.md#gathered
#pragma once

#include <etl/bytes.hpp>

#include "trace/files/file_series.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace etl::trace {

/// One thread.
class Gathered {
public:
    struct Buffer {
        std::uint64_t bytes = 0;
        std::int64_t newest_time = 0;
        std::uint16_t processor = 0;
    };

    explicit Gathered(std::uint32_t bytes_at_a_time) noexcept : at_a_time_(bytes_at_a_time) {}

    std::uint64_t bytes() const noexcept { return bytes_.size(); }

    bool is_ready() const noexcept { return bytes_.size() >= at_a_time_; }

    /// What goes to the file next; empty: there is nothing.
    Bytes next() const noexcept { return clamped(bytes_, 0, at_a_time_); }

    void add(Bytes packed, const Buffer& buffer) {
        bytes_.insert(bytes_.end(), packed.begin(), packed.end());
        waiting_.push_back({buffer, buffer.bytes});
    }

    /// next() is in the file. The result is the buffers of which all is there now.
    std::vector<Buffer> written() {
        std::uint64_t size = next().size();
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
        std::vector<Buffer> whole;
        while (size > 0) {
            Waiting& first = waiting_.front();
            const std::uint64_t part = std::min(size, first.left);
            first.left -= part;
            size -= part;
            if (first.left == 0) {
                whole.push_back(first.buffer);
                waiting_.pop_front();
            }
        }
        return whole;
    }

    /// Of the first buffer, bytes that are in the file.
    std::uint64_t begun() const noexcept {
        return waiting_.empty() ? 0 : waiting_.front().buffer.bytes - waiting_.front().left;
    }

    /// Forgets all but one of which a part is in the file; the result is how many.
    std::uint64_t drop() {
        const std::size_t kept = begun() != 0 ? 1 : 0;
        const std::uint64_t dropped = waiting_.size() - kept;
        bytes_.resize(kept != 0 ? static_cast<std::size_t>(waiting_.front().left) : 0);
        waiting_.resize(kept);
        return dropped;
    }

    /// Forgets that one, too.
    void clear() noexcept {
        bytes_.clear();
        waiting_.clear();
    }

private:
    struct Waiting {
        Buffer buffer;
        std::uint64_t left = 0; // bytes that are not in the file
    };

    std::uint32_t at_a_time_;
    std::vector<std::byte> bytes_;
    std::deque<Waiting> waiting_;
};

// Compressed buffers into the files of a log, gathered: a write has as much as one buffer of the
// session holds. docs/format/writing.md#gathered

/// One thread.
class GatheredWriter {
public:
    /// `series` and `counts` outlive this object.
    GatheredWriter(std::uint32_t bytes_at_a_time, FileSeries& series, LogCounts& counts) noexcept
        : gathered_(bytes_at_a_time), series_(series), counts_(counts) {}

    /// True when the buffer is in the file, or will be.
    bool put(const PackedBuffer& packed);

    /// Writes what there is; what fails is lost.
    void write_all();

    /// The file ends: what could not be written is lost, with the part of it that could.
    void give_up();

private:
    bool make_room(std::uint64_t size);
    bool write_next();

    Gathered gathered_; // what is not in the file yet
    FileSeries& series_;
    LogCounts& counts_;
};

} // namespace etl::trace
