// Buffers filled with invented events, and a memory of them.
#pragma once

#include "format/encode.hpp"
#include "tests/support/traces/written.hpp"
#include "trace/log_file.hpp"

#include <cstring>

namespace etl::test {

/// 2024-05-17T04:00:00Z, as all our stories.
inline trace::Recording story_recording(std::uint32_t processors = 2) {
    trace::Recording recording = trace::begin_recording({story_start}, processors);
    recording.header.session_name = u"Signal Box";
    recording.process_id = 4242;
    recording.thread_id = 4244;
    recording.logger_id = 5;
    return recording;
}

struct FilledFacts {
    std::uint16_t processor = 0;
    unsigned events = 5;
    std::size_t payload = 40;
    std::uint16_t flags = 0;
    bool noise = false; // in the payload, so that nothing compresses it
};

/// Gives buffers to a LogFile, and knows what was in them.
class Filler {
public:
    /// Events begin so much after the beginning of the story.
    explicit Filler(trace::LogFile& log, std::int64_t after = 0)
        : log_(&log), sequence_(log.first_sequence()), time_(story_start + after) {}

    trace::FilledBuffer fill(const FilledFacts& facts = {}) {
        trace::FilledBuffer buffer{.memory = log_->memory(),
                                   .used = format::buffer_header::size,
                                   .processor = facts.processor,
                                   .flags = facts.flags,
                                   .sequence = sequence_++,
                                   .time_stamp = time_,
                                   .newest_time = 0};
        buffers_.push_back({facts.processor, {}});
        for (unsigned i = 0; i < facts.events; ++i) {
            const Image record = event(facts);
            const auto padded = format::padded(static_cast<std::uint32_t>(record.size()));
            std::memset(buffer.memory.get() + buffer.used, 0, padded);
            std::memcpy(buffer.memory.get() + buffer.used, record.data(), record.size());
            buffer.used += padded;
            buffer.newest_time = time_;
            buffers_.back().records.push_back(record);
        }
        return buffer;
    }

    void write(const FilledFacts& facts = {}) { log_->write(fill(facts)); }

    /// A buffer of 4 KB, to its end.
    void write_full(std::uint16_t processor = 0) {
        write({.processor = processor, .events = 9, .payload = 360});
    }

    /// What was in the buffers [first, last), counted from 0.
    Streams records(std::size_t first = 0, std::size_t last = ~0ULL) const {
        Streams streams;
        for (std::size_t i = first; i < std::min(last, buffers_.size()); ++i) {
            const Filled& buffer = buffers_[i];
            auto& stream = streams[buffer.processor];
            stream.insert(stream.end(), buffer.records.begin(), buffer.records.end());
        }
        return streams;
    }

    std::int64_t last_time() const noexcept { return time_; }

private:
    struct Filled {
        std::uint16_t processor;
        std::vector<Image> records;
    };

    Image event(const FilledFacts& facts) {
        std::vector<std::byte> payload(facts.payload);
        for (std::byte& byte : payload) {
            random_ = random_ * 6364136223846793005U + 1442695040888963407U;
            byte = facts.noise ? static_cast<std::byte>(random_ >> 56U)
                               : static_cast<std::byte>('a' + (random_ >> 62U));
        }
        time_ += 1000;
        ByteWriter bytes;
        static_cast<void>(format::encode(format::EventRecord{.process_id = 7,
                                                             .thread_id = 8,
                                                             .time = time_,
                                                             .descriptor = {.id = ++id_},
                                                             .payload = payload},
                                         bytes));
        return bytes.take();
    }

    trace::LogFile* log_;
    std::int64_t sequence_;
    std::int64_t time_;
    std::uint16_t id_ = 0;
    std::uint64_t random_ = 1;
    std::vector<Filled> buffers_;
};

} // namespace etl::test
