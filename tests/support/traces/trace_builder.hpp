// Says a trace in words: facts of the session, buffers, records; build() gives the file, written by
// trace::LogFile, with the oddities that one can say here and LogFile would not write. One thread.
//     TraceBuilder trace({.processors = 2});
//     trace.buffer({.processor = 1}).add(format::EventRecord{.time = 10, .descriptor = {.id = 1}});
//     auto file = trace.build();
// Misuse (a record that does not fit) throws std::logic_error: the test is wrong.
#pragma once

#include <etl/time.hpp>

#include "codec/codec.hpp"
#include "format/buffer_header.hpp"
#include "format/encode.hpp"
#include "format/logfile_header.hpp"
#include "trace/recording.hpp"

#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace etl::test {

/// A file in memory.
using Image = std::vector<std::byte>;

/// 2024-05-17T04:00:00Z: when all our invented sessions start.
inline constexpr std::int64_t story_start = 133'603'920'000'000'000;

struct TraceFacts {
    trace::Lineage lineage = trace::Lineage::session;
    format::ClockType clock = format::ClockType::qpc;
    unsigned pointer_size = 8;
    std::uint32_t mode = format::log_mode::sequential;
    std::uint32_t buffer_size = 0x1000;
    std::uint8_t layout_major = 1, layout_minor = 5;
    std::uint8_t windows_major = 10, windows_minor = 0;
    std::uint32_t build = 19045;
    std::uint32_t processors = 1;
    std::int64_t reference_time = 1'000'000; // raw stamp of the header record
    std::int64_t start_time = story_start;
    std::int64_t boot_time = story_start - 36'000'000'000;
    std::optional<std::int64_t> end_time = story_start + 600'000'000; // none: never stopped
    std::optional<std::uint32_t> buffers_written{};                   // else as many as there are
    std::int64_t perf_freq = 10'000'000;
    std::uint32_t cpu_speed_mhz = 2400;
    std::uint32_t events_lost = 0;
    std::uint32_t buffers_lost = 0;
    std::uint32_t process_id = 4242, thread_id = 4244; // the controller's
    std::u16string session_name = u"Signal Box";
    std::u16string file_name = u"C:\\Traces\\signal-box.etl";
};

struct BufferFacts {
    std::uint16_t processor = 0;
    std::optional<std::int64_t> sequence{}; // else one more than the last
    std::int64_t time_stamp = 0;
    codec::Format compression = codec::Format::none;
    format::BufferType type = format::BufferType::generic;
    std::uint16_t flags = 0;             // beside those that the writer sets
    std::optional<std::uint32_t> used{}; // Offset and SavedOffset, where they shall not be right
};

/// The records of one buffer.
class BufferBuilder {
public:
    BufferBuilder(const BufferFacts& facts, std::int64_t sequence);

    /// Any of format's record structs.
    template <typename Record>
    BufferBuilder& add(const Record& record) {
        if (!format::encode(record, records_)) {
            throw std::logic_error("record cannot be encoded");
        }
        return *this;
    }

    /// Bytes that are no record of ours, from the next multiple of 8 on.
    BufferBuilder& raw(Bytes bytes);

    const BufferFacts& facts() const noexcept { return facts_; }

    std::int64_t sequence() const noexcept { return sequence_; }

    /// Room for the buffer header, then the records.
    Bytes bytes() const noexcept { return records_.view(); }

private:
    BufferFacts facts_;
    std::int64_t sequence_;
    ByteWriter records_;
};

class TraceBuilder {
public:
    explicit TraceBuilder(TraceFacts facts = {});

    /// Begins the next buffer. The reference stays good for the life of this builder.
    BufferBuilder& buffer(const BufferFacts& facts = {});

    /// The header buffer, behind its first record.
    BufferBuilder& header_buffer() noexcept { return header_; }

    /// From here on an appended run: sequence numbers start over at 1.
    TraceBuilder& begin_run() noexcept;

    /// Moves the first `count` data buffers behind the others, as a circular file has them that
    /// went round once.
    TraceBuilder& wrap(std::size_t count);

    const TraceFacts& facts() const noexcept { return facts_; }

    /// The log file header as the file will have it.
    format::LogfileHeader logfile_header() const;

    Image build() const;

private:
    /// The same trace with one compression for all, cut where its buffers begin.
    struct Pieces {
        Image header;
        std::vector<Image> buffers;
    };

    bool is_compressed() const noexcept;
    trace::Recording recording() const;
    Pieces write(codec::Format compression) const;
    void restate(Image& header_buffer) const;

    TraceFacts facts_;
    BufferBuilder header_;
    std::deque<BufferBuilder> buffers_;
    std::int64_t next_sequence_ = 1;
};

} // namespace etl::test
