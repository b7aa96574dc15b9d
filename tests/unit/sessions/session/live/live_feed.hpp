// Plays the logger of a session: delivers buffers to a LiveQueue. One thread.
#pragma once

#include <etl/byte_writer.hpp>

#include "format/buffer_header.hpp"
#include "format/encode.hpp"
#include "session/live/live_queue.hpp"
#include "trace/recording.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etl::session {

inline constexpr std::uint32_t feed_buffer_size = 0x10000;
inline constexpr std::int64_t feed_start = 133'603'920'000'000'000; // 2024-05-17T04:00:00Z

/// What an EVENT record of the feed says.
struct Fed {
    std::int64_t time = 0; // raw: 100 ns from the session's start
    std::uint16_t id = 0;

    bool operator==(const Fed&) const = default;
};

inline trace::Recording feed_recording(std::uint16_t stripes, std::int64_t start = feed_start) {
    trace::Recording recording = trace::begin_recording({start}, stripes, format::ClockType::qpc);
    recording.header.session_name = u"Feed";
    recording.process_id = 7;
    recording.logger_id = 3;
    return recording;
}

/// The memory of a filled buffer.
class FedBuffer {
public:
    FedBuffer(std::uint16_t stripe, std::int64_t closed_at)
        : stripe_(stripe), closed_at_(closed_at) {
        bytes_.fill(format::buffer_header::size);
    }

    template <typename Record>
    FedBuffer& add(const Record& record) {
        EXPECT_TRUE(format::encode(record, bytes_));
        return *this;
    }

    FedBuffer& add(const Fed& event) {
        return add(format::EventRecord{.time = event.time, .descriptor = {.id = event.id}});
    }

    ClosedBuffer view() {
        bytes_.align(8);
        memory_.assign(bytes_.view().begin(), bytes_.view().end());
        return {.memory = memory_.data(),
                .used = static_cast<std::uint32_t>(memory_.size()),
                .number = 1,
                .processor = stripe_,
                .closed_at = closed_at_};
    }

private:
    std::uint16_t stripe_;
    std::int64_t closed_at_;
    ByteWriter bytes_;
    std::vector<std::byte> memory_;
};

class Feed {
public:
    explicit Feed(std::uint16_t stripes = 2, std::uint64_t backlog_bytes = 1U << 20U,
                  std::int64_t start = feed_start) {
        queue.open(feed_recording(stripes, start), feed_buffer_size, true, backlog_bytes,
                   [this](std::uint32_t max) { note(max); });
    }

    std::uint32_t deliver(std::uint16_t stripe, std::int64_t closed_at,
                          std::span<const Fed> events) {
        FedBuffer buffer(stripe, closed_at);
        for (const Fed& event : events) {
            buffer.add(event);
        }
        return queue.deliver(buffer.view(), ++sequence_).lost;
    }

    std::uint32_t deliver(std::uint16_t stripe, std::int64_t closed_at,
                          std::initializer_list<Fed> events) {
        return deliver(stripe, closed_at, std::span(events.begin(), events.size()));
    }

    std::unique_ptr<LiveSource> listen(const LiveOptions& options = {}) {
        auto source = queue.connect(options);
        EXPECT_TRUE(source);
        return std::move(*source);
    }

    LiveQueue queue;
    std::vector<bool> refusals; // whether writers are refused, whenever that changed
    std::uint32_t admitted = Buffers::no_limit;

private:
    void note(std::uint32_t max) {
        if ((std::exchange(admitted, max) == 0) != (max == 0)) {
            refusals.push_back(max == 0);
        }
    }

    std::int64_t sequence_ = 0;
};

/// What an event is, in a word: "header", "lost 33", or the id of an EVENT record.
inline std::string word(const flow::Event& event) {
    if (format::is_event(event.kind)) {
        return std::to_string(flow::read_header(event).id);
    }
    const flow::EventHeader header = flow::read_header(event);
    if (header.is_kernel && header.hook_id == 0) {
        return "header";
    }
    return "lost " + std::to_string(header.opcode);
}

/// All that comes until the source ends.
inline std::vector<std::string> words(flow::Source& source) {
    std::vector<std::string> all;
    flow::EventCursor events(source);
    while (const flow::Event* event = events.next()) {
        all.push_back(word(*event));
    }
    return all;
}

} // namespace etl::session
