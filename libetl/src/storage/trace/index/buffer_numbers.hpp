// The sequence numbers that a trace has, as spans of numbers that follow each other: what both the
// reader of a file and that of a stream know of missing buffers. docs/format/damage.md#missing
#pragma once

#include "trace/missing_buffers.hpp"

#include <limits>
#include <map>

namespace etl::trace {

class BufferNumbers {
public:
    static constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

    /// Keeps at most so many spans: with more, only the count of buffers is judged.
    explicit BufferNumbers(std::uint32_t log_file_mode,
                           std::size_t most_spans = any_number) noexcept
        : log_file_mode_(log_file_mode), most_spans_(most_spans) {}

    /// All buffers, in the order of the file. `has_header`: the first one has a log file header.
    void add(const BufferEntry& buffer, bool has_header);

    /// How many there are, without those that repeat others.
    std::uint64_t count() const noexcept { return count_ - repeated_; }

    /// As find_missing_buffers. `end`: where the trace ends.
    MissingBuffers judge(const flow::TraceInfo& info, std::optional<std::uint32_t> log_file_mode,
                         FileOffset end) const;

private:
    /// A number that no session gets to is damaged, and none can be added to it.
    static constexpr std::int64_t last_number = std::int64_t{1} << 62U;

    /// Numbers of one run; the key has the run and the first of them.
    struct Span {
        std::int64_t last = 0;
        std::uint32_t first_place = 0, last_place = 0; // of buffers with these numbers
        FileOffset where{};                            // of the first one
    };

    using Key = std::pair<std::uint32_t, std::int64_t>;

    bool repeats_last(const BufferEntry& buffer);

    void put(std::int64_t sequence, std::uint32_t place, FileOffset where);
    std::vector<MissingBuffers::Gap> gaps(bool from_first) const;
    std::optional<std::uint16_t> only_processor(const flow::TraceInfo& info) const;

    std::uint32_t log_file_mode_;
    std::size_t most_spans_;
    std::map<Key, Span> spans_;
    std::uint32_t run_ = 0; // of the whole trace: never less than that of the buffer before
    std::uint64_t count_ = 0, repeated_ = 0;
    std::map<std::uint32_t, BufferId> last_; // by stream
    std::optional<std::uint16_t> processor_; // of the first buffer that is no header buffer
    bool has_head_ = false, has_one_processor_ = true, has_too_many_spans_ = false;
};

} // namespace etl::trace
