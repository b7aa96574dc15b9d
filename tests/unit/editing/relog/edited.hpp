// A trace behind an edit.
#pragma once

#include "relog/edit.hpp"
#include "tests/support/reading.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace etl::relog {

inline constexpr std::int64_t t0 = 1'000'000; // the header's

inline format::EventRecord event(std::int64_t time, std::uint16_t id) {
    return {.time = t0 + time, .descriptor = {.id = id}};
}

/// Events 1 to `count`, 10 ticks apart, from processor 0 and 1 in turns of three.
inline test::TraceBuilder turns(int count) {
    test::TraceBuilder trace({.processors = 2});
    test::BufferBuilder* buffers[] = {&trace.buffer({.processor = 0}),
                                      &trace.buffer({.processor = 1})};
    for (int i = 1; i <= count; ++i) {
        buffers[(i / 3) % 2]->add(event(10LL * i, static_cast<std::uint16_t>(i)));
    }
    return trace;
}

/// Behind another source: the events that say they are headers left out, for tests that count.
class Edited {
public:
    Edited(const test::TraceBuilder& trace, Edit& edit)
        : reader_(std::move(*trace::Reader::open(test::in_memory(trace.build())))),
          source(*reader_, edit) {}

private:
    std::unique_ptr<trace::Reader> reader_;

public:
    EditedSource source;

    const trace::Reader& reader() const { return *reader_; }

    /// Ids in the order given; the log file header record is left out.
    std::vector<int> ids() {
        std::vector<int> ids;
        flow::EventCursor events(source);
        while (const flow::Event* event = events.next()) {
            if (!flow::read_header(*event).is_kernel) {
                ids.push_back(flow::read_header(*event).id);
            }
        }
        EXPECT_EQ(source.error(), nullptr);
        return ids;
    }
};

inline bool is_id(const flow::Event& event, int id) {
    const flow::EventHeader header = flow::read_header(event);
    return !header.is_kernel && header.id == id;
}

inline std::vector<int> edited_ids(const test::TraceBuilder& trace,
                                   FunctionEdit::Function function) {
    FunctionEdit edit(std::move(function));
    return Edited(trace, edit).ids();
}

/// A draft like `event` of another id and time.
inline Draft shifted(const flow::Event& event, std::int64_t by, std::uint16_t id) {
    Draft draft(event);
    draft.set_raw_time(event.raw_time + by);
    draft.set_descriptor({.id = id});
    return draft;
}

} // namespace etl::relog
