// A session whose clock is set back, and what a reader sees of it.
#pragma once

#include "tests/support/reading.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace etl::trace {

inline constexpr std::int64_t hour = 3600;

/// A session whose clock does what a test wants: events are recorded on several processors, whose
/// buffers are flushed when they are full. The id of an event says when it was recorded.
class Session {
public:
    /// What a flush writes as the time of the buffer.
    enum class FlushTime : std::uint8_t { clock, last_event, none };

    struct Facts {
        std::size_t buffer_events = 4;
        FlushTime flush_time = FlushTime::clock;
        std::uint32_t mode = format::log_mode::sequential;
        codec::Format compression = codec::Format::none;
    };

    explicit Session(Facts facts)
        : facts_(facts), trace_([&] {
              test::TraceFacts trace;
              trace.reference_time = 0; // the clock of the session begins with the trace
              trace.processors = 8;
              trace.mode = facts.mode;
              return trace;
          }()) {}

    Session() : Session(Facts()) {}

    void pass(std::int64_t time) { clock_ += time; }

    void set_back(std::int64_t by) { clock_ -= by; }

    void record(std::uint16_t processor, std::uint16_t count = 1) {
        for (std::uint16_t i = 0; i < count; ++i) {
            auto& events = open_[processor];
            events.push_back({.time = clock_++, .descriptor = {.id = next_id_++}});
            if (events.size() == facts_.buffer_events) {
                flush(processor);
            }
        }
    }

    void flush(std::uint16_t processor) {
        const auto events = std::exchange(open_[processor], {});
        if (events.empty()) {
            return;
        }
        auto& buffer = trace_.buffer({.processor = processor,
                                      .time_stamp = facts_.flush_time == FlushTime::clock ? clock_
                                                    : facts_.flush_time == FlushTime::last_event
                                                        ? events.back().time
                                                        : 0,
                                      .compression = facts_.compression});
        for (const auto& event : events) {
            buffer.add(event);
        }
    }

    void flush_all() {
        for (const auto& [processor, events] : std::map(open_)) {
            flush(processor);
        }
    }

    test::TraceBuilder& trace() { return trace_; }

    test::Image stop() {
        flush_all();
        return trace_.build();
    }

    int recorded() const { return next_id_; }

private:
    Facts facts_;
    test::TraceBuilder trace_;
    std::int64_t clock_ = 100 * hour;
    std::uint16_t next_id_ = 0;
    std::map<std::uint16_t, std::vector<format::EventRecord>> open_;
};

inline std::vector<std::int64_t> times(const test::Reading& reading) {
    std::vector<std::int64_t> times;
    for (const test::Seen& event : reading.events) {
        if (format::is_event(event.kind)) {
            times.push_back(event.time);
        }
    }
    return times;
}

inline std::vector<int> sorted(std::vector<int> ids) {
    std::ranges::sort(ids);
    return ids;
}

inline std::vector<int> up_to(int count) {
    std::vector<int> ids(static_cast<std::size_t>(count));
    std::ranges::generate(ids, [i = 0]() mutable { return i++; });
    return ids;
}

/// Everything comes, in the order of time and in that of recording.
inline void expect_both_orders(const test::Image& file, int count) {
    for (const unsigned threads : {1U, 3U}) {
        const test::Reading by_time = test::read(file, {.threads = threads});
        EXPECT_TRUE(std::ranges::is_sorted(times(by_time)));
        EXPECT_EQ(sorted(by_time.ids()), up_to(count));
        EXPECT_EQ(by_time.damage, 0U);
        EXPECT_FALSE(by_time.found("beyond the two-buffer window"));
        const test::Reading recorded =
            test::read(file, {.order = Order::recorded, .threads = threads});
        EXPECT_EQ(recorded.ids(), up_to(count));
        EXPECT_FALSE(recorded.found("beyond the two-buffer window"));
    }
}

} // namespace etl::trace
