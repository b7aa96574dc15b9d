#include <etl/relog/edit.hpp>
#include <etl/relog/limits.hpp>
#include <etl/trace/reader.hpp>

#include "tests/support/reading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::relog {
namespace {

using test::TraceBuilder;
using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr std::int64_t t0 = 1'000'000; // the header's

format::EventRecord event(std::int64_t time, std::uint16_t id) {
    return {.time = t0 + time, .descriptor = {.id = id}};
}

/// Events 1 to `count`, 10 ticks apart, from processor 0 and 1 in turns of three.
TraceBuilder turns(int count) {
    TraceBuilder trace({.processors = 2});
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
    Edited(const TraceBuilder& trace, Edit& edit)
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

bool is_id(const flow::Event& event, int id) {
    const flow::EventHeader header = flow::read_header(event);
    return !header.is_kernel && header.id == id;
}

std::vector<int> edited_ids(const TraceBuilder& trace, EditWith::Function function) {
    EditWith edit(std::move(function));
    return Edited(trace, edit).ids();
}

/// A draft like `event` of another id and time.
Draft shifted(const flow::Event& event, std::int64_t by, std::uint16_t id) {
    Draft draft(event);
    draft.set_raw_time(event.raw_time + by);
    draft.set_descriptor({.id = id});
    return draft;
}

TEST(EditedSource, PassesEventsWhereTheyLie) {
    const TraceBuilder trace = turns(12);
    EditWith edit([](const flow::Event&, Output& to) { to.pass(); });
    Edited edited(trace, edit);
    auto plain = std::move(*trace::Reader::open(test::in_memory(trace.build())));
    for (flow::Run run = plain->next_run(); !run.empty(); run = plain->next_run()) {
        const flow::Run ours = edited.source.next_run();
        ASSERT_EQ(ours.size(), run.size());
        EXPECT_EQ(ours.front().raw_time, run.front().raw_time);
        EXPECT_EQ(ours.front().offset(), run.front().offset());
        EXPECT_EQ(ours.front().buffer->number, run.front().buffer->number);
        EXPECT_EQ(edited.source.pin(), edited.reader().pin());
    }
    EXPECT_TRUE(edited.source.next_run().empty());
    EXPECT_TRUE(edited.source.next_run().empty());
}

TEST(EditedSource, LeavesOutWhatIsNotGivenOn) {
    const auto ids = edited_ids(turns(6), [](const flow::Event& each, Output& to) {
        if (!is_id(each, 2) && !is_id(each, 5) && !is_id(each, 6)) {
            to.pass();
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 3, 4));
}

TEST(EditedSource, GivesNothingWhenNothingIsGivenOn) {
    EXPECT_THAT(edited_ids(turns(6), [](const flow::Event&, Output&) {}), ElementsAre());
}

TEST(EditedSource, PassesAnEventAsOftenAsItIsTold) {
    const auto ids = edited_ids(turns(3), [](const flow::Event& each, Output& to) {
        to.pass();
        if (is_id(each, 2)) {
            to.pass();
            to.pass();
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 2, 2, 2, 3));
}

TEST(EditedSource, PutsDraftsOfThePresentWhereTheyAreGiven) {
    const auto ids = edited_ids(turns(4), [](const flow::Event& each, Output& to) {
        if (is_id(each, 2)) {
            to.give(shifted(each, 0, 20));
            to.pass();
            to.give(shifted(each, -1, 21));
        } else {
            to.pass();
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 20, 2, 21, 3, 4));
}

TEST(EditedSource, KeepsDraftsOfTheFutureUntilTheirTime) {
    const auto ids = edited_ids(turns(6), [](const flow::Event& each, Output& to) {
        to.pass();
        if (is_id(each, 1)) {
            to.give(shifted(each, 35, 30));
            to.give(shifted(each, 15, 31));
            to.give(shifted(each, 15, 32));
            to.give(shifted(each, 1000, 33)); // behind the end
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 2, 31, 32, 3, 4, 30, 5, 6, 33));
}

TEST(EditedSource, GivesDraftsHereAndNowWhenTold) {
    const auto ids = edited_ids(turns(3), [](const flow::Event& each, Output& to) {
        to.pass();
        if (is_id(each, 1)) {
            to.give_here(shifted(each, 1000, 30));
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 30, 2, 3));
}

TEST(EditedSource, CopiesDraftsSoThatTheyMayBeUsedAgain) {
    Draft draft;
    const auto ids = edited_ids(turns(5), [&](const flow::Event& each, Output& to) {
        draft.assign(each);
        draft.set_descriptor({.id = static_cast<std::uint16_t>(flow::read_header(each).id + 100)});
        to.give(draft);
    });
    EXPECT_THAT(ids, ElementsAre(101, 102, 103, 104, 105));
}

TEST(EditedSource, GivesNoDraftOfNothing) {
    const auto ids = edited_ids(turns(2), [](const flow::Event&, Output& to) {
        to.give(Draft());
        to.give_here(Draft());
        to.pass();
    });
    EXPECT_THAT(ids, ElementsAre(1, 2));
}

TEST(EditedSource, GivesDraftsToTheProcessorTheySay) {
    EditWith edit([](const flow::Event& each, Output& to) {
        Draft draft(each);
        EXPECT_TRUE(draft.set_processor(7));
        to.give(draft);
    });
    Edited edited(turns(5), edit);
    flow::EventCursor events(edited.source);
    while (const flow::Event* each = events.next()) {
        EXPECT_EQ(each->buffer->processor, 7);
        EXPECT_GE(each->bytes().data(), each->buffer->bytes.data());
        EXPECT_LE(each->offset() + each->size, each->buffer->bytes.size());
    }
}

TEST(EditedSource, GivesRunsOfOneBufferEach) {
    EditWith edit([](const flow::Event& each, Output& to) {
        if (each.raw_time % 4 == 0) {
            to.give(Draft(each));
        } else {
            to.pass();
        }
    });
    Edited edited(turns(40), edit);
    std::size_t count = 0;
    for (auto run = edited.source.next_run(); !run.empty(); run = edited.source.next_run()) {
        for (const flow::Event& each : run) {
            EXPECT_EQ(each.buffer, run.front().buffer);
            ++count;
        }
    }
    EXPECT_EQ(count, 41U);
}

TEST(EditedSource, KeepsUnstampedEventsInTheirPlace) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    buffer.add(event(10, 1));
    buffer.add(format::MessageRecord{.number = 2});
    buffer.add(event(20, 3));
    const auto ids = edited_ids(trace, [](const flow::Event& each, Output& to) {
        if (is_id(each, 1)) {
            to.pass();
            to.give(shifted(each, 5, 10));
        } else if (is_id(each, 2)) {
            to.give(Draft(each));
            to.pass();
        } else {
            to.pass();
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 2, 2, 10, 3));
}

class Finisher final : public Edit {
public:
    void edit(const flow::Event& /*event*/, Output& to) override { to.pass(); }

    void finish(const flow::Event* last, Output& to) override {
        ++finished;
        if (last != nullptr) {
            to.pass(); // there is nothing to pass any more
            Draft draft(Draft::Form::event, *last);
            draft.set_raw_time(last->raw_time + 50);
            draft.set_descriptor({.id = 90});
            to.give(draft);
            draft.set_raw_time(last->raw_time + 40);
            draft.set_descriptor({.id = 91});
            to.give(draft);
            draft.set_raw_time(last->raw_time - 40);
            draft.set_descriptor({.id = 92});
            to.give(draft);
        }
    }

    int finished = 0;
};

TEST(EditedSource, LetsEditsFinishOnce) {
    Finisher edit;
    Edited edited(turns(3), edit);
    EXPECT_THAT(edited.ids(), ElementsAre(1, 2, 3, 92, 91, 90));
    EXPECT_TRUE(edited.source.next_run().empty());
    EXPECT_EQ(edit.finished, 1);
}

class Nothing final : public flow::Source {
public:
    explicit Nothing(std::optional<Error> error) : error_(error) {}

    flow::Run next_run() override { return {}; }

    flow::Pin pin() const override { return nullptr; }

    const Error* error() const noexcept override { return error_ ? &*error_ : nullptr; }

private:
    std::optional<Error> error_;
};

TEST(EditedSource, TellsWhyItsUpstreamEnded) {
    Nothing upstream(Error{ErrorCode::io_failure, "read"});
    Finisher edit;
    EditedSource source(upstream, edit);
    EXPECT_TRUE(source.next_run().empty());
    ASSERT_NE(source.error(), nullptr);
    EXPECT_EQ(source.error()->code, ErrorCode::io_failure);
    EXPECT_EQ(edit.finished, 1);
}

TEST(EditedSource, EditsWhatWasEdited) {
    EditWith doubled([](const flow::Event& each, Output& to) {
        to.pass();
        Draft draft(each);
        draft.set_raw_time(each.raw_time + 15);
        draft.set_descriptor({.id = static_cast<std::uint16_t>(flow::read_header(each).id + 100)});
        to.give(draft);
    });
    EditWith odd([](const flow::Event& each, Output& to) {
        if (flow::read_header(each).id % 2 == 1) {
            to.pass();
        }
    });
    Edited first(turns(4), doubled);
    EditedSource second(first.source, odd);
    std::vector<int> ids;
    flow::EventCursor events(second);
    while (const flow::Event* each = events.next()) {
        ids.push_back(flow::read_header(*each).id);
    }
    EXPECT_THAT(ids, ElementsAre(1, 101, 3, 103));
}

TEST(EditedSource, KeepsPinnedDraftsAlive) {
    struct Kept {
        flow::Run run;
        flow::Pin pin;
        std::vector<std::int64_t> times;
    };

    EditWith edit([](const flow::Event& each, Output& to) {
        to.pass();
        for (int i = 0; i < 300; ++i) {
            to.give(shifted(each, i, static_cast<std::uint16_t>(i)));
        }
    });
    Edited edited(turns(60), edit);
    std::vector<Kept> kept;
    for (auto run = edited.source.next_run(); !run.empty(); run = edited.source.next_run()) {
        Kept& one = kept.emplace_back(Kept{run, edited.source.pin(), {}});
        for (const flow::Event& each : run) {
            one.times.push_back(each.raw_time);
        }
    }
    std::size_t count = 0;
    for (const Kept& one : kept) {
        for (std::size_t i = 0; i < one.run.size(); ++i, ++count) {
            EXPECT_EQ(one.run[i].raw_time, one.times[i]);
            EXPECT_EQ(format::record_at(one.run[i].bytes()).time, one.times[i]);
        }
    }
    EXPECT_EQ(count, 61U * 301U - 0U);
}

TEST(EditedSource, DoesNotLetDraftsWaitWithoutEnd) {
    const std::size_t payload = 60'000;
    const std::size_t most = limits::waiting_drafts / payload;
    std::vector<int> ids = edited_ids(turns(1), [&](const flow::Event& each, Output& to) {
        if (!is_id(each, 1)) {
            return;
        }
        Draft draft(each);
        ASSERT_TRUE(draft.set_payload(std::vector<std::byte>(payload)));
        for (std::size_t i = 0; i < most + 50; ++i) {
            draft.set_raw_time(each.raw_time + 1000 - static_cast<std::int64_t>(i));
            draft.set_descriptor({.id = static_cast<std::uint16_t>(i + 2)});
            to.give(draft);
        }
        to.pass();
    });
    ASSERT_EQ(ids.size(), most + 51);
    const auto passed = std::ranges::find(ids, 1);
    EXPECT_GT(passed - ids.begin(), 40); // what had no room went out early
    EXPECT_LT(passed - ids.begin(), 60);
    EXPECT_TRUE(std::ranges::is_sorted(passed + 1, ids.end(), std::greater()));
}

TEST(EditedSource, GivesTheLargestDrafts) {
    const auto large = [](const flow::Event& each, Output& to) {
        Draft draft(each);
        if (flow::read_header(each).is_kernel ||
            draft.set_payload(std::vector<std::byte>(0xFFFF - 0x50))) {
            to.give(draft);
            to.give(Draft(each));
        }
    };
    EXPECT_THAT(edited_ids(turns(3), large), ElementsAre(1, 1, 2, 2, 3, 3));
}

} // namespace
} // namespace etl::relog
