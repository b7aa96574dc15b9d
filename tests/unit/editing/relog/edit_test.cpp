// What an edit gives on, and in which order.
#include "relog/edit.hpp"
#include "tests/support/reading.hpp"
#include "tests/unit/editing/relog/edited.hpp"
#include "trace/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::relog::edit_test {
namespace {

using test::TraceBuilder;
using testing::ElementsAre;

TEST(EditedSource, PassesEventsWhereTheyLie) {
    const TraceBuilder trace = turns(12);
    FunctionEdit edit([](const flow::Event&, Output& to) { to.pass(); });
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

TEST(EditedSource, GivesRunsOfOneBufferEach) {
    FunctionEdit edit([](const flow::Event& each, Output& to) {
        if (each.raw_time % 4 == 0) {
            to.emit(Draft(each));
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
            to.emit(draft);
            draft.set_raw_time(last->raw_time + 40);
            draft.set_descriptor({.id = 91});
            to.emit(draft);
            draft.set_raw_time(last->raw_time - 40);
            draft.set_descriptor({.id = 92});
            to.emit(draft);
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
    FunctionEdit doubled([](const flow::Event& each, Output& to) {
        to.pass();
        Draft draft(each);
        draft.set_raw_time(each.raw_time + 15);
        draft.set_descriptor({.id = static_cast<std::uint16_t>(flow::read_header(each).id + 100)});
        to.emit(draft);
    });
    FunctionEdit odd([](const flow::Event& each, Output& to) {
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

TEST(EditedSource, GivesDraftsToTheProcessorTheySay) {
    FunctionEdit edit([](const flow::Event& each, Output& to) {
        Draft draft(each);
        EXPECT_TRUE(draft.set_processor(7));
        to.emit(draft);
    });
    Edited edited(turns(5), edit);
    flow::EventCursor events(edited.source);
    while (const flow::Event* each = events.next()) {
        EXPECT_EQ(each->buffer->processor, 7);
        EXPECT_GE(each->bytes().data(), each->buffer->bytes.data());
        EXPECT_LE(each->offset() + each->size, each->buffer->bytes.size());
    }
}

} // namespace
} // namespace etl::relog::edit_test
