// Drafts that an edit gives: when they come, and how long they live.
#include "relog/edit.hpp"
#include "relog/limits.hpp"
#include "tests/unit/editing/relog/edited.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::relog::edit_drafts_test {
namespace {

using test::TraceBuilder;
using testing::ElementsAre;

TEST(EditedSource, PutsDraftsOfThePresentWhereTheyAreGiven) {
    const auto ids = edited_ids(turns(4), [](const flow::Event& each, Output& to) {
        if (is_id(each, 2)) {
            to.emit(shifted(each, 0, 20));
            to.pass();
            to.emit(shifted(each, -1, 21));
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
            to.emit(shifted(each, 35, 30));
            to.emit(shifted(each, 15, 31));
            to.emit(shifted(each, 15, 32));
            to.emit(shifted(each, 1000, 33)); // behind the end
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 2, 31, 32, 3, 4, 30, 5, 6, 33));
}

TEST(EditedSource, GivesDraftsHereAndNowWhenTold) {
    const auto ids = edited_ids(turns(3), [](const flow::Event& each, Output& to) {
        to.pass();
        if (is_id(each, 1)) {
            to.emit_now(shifted(each, 1000, 30));
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 30, 2, 3));
}

TEST(EditedSource, CopiesDraftsSoThatTheyMayBeUsedAgain) {
    Draft draft;
    const auto ids = edited_ids(turns(5), [&](const flow::Event& each, Output& to) {
        draft.assign(each);
        draft.set_descriptor({.id = static_cast<std::uint16_t>(flow::read_header(each).id + 100)});
        to.emit(draft);
    });
    EXPECT_THAT(ids, ElementsAre(101, 102, 103, 104, 105));
}

TEST(EditedSource, GivesNoDraftOfNothing) {
    const auto ids = edited_ids(turns(2), [](const flow::Event&, Output& to) {
        to.emit(Draft());
        to.emit_now(Draft());
        to.pass();
    });
    EXPECT_THAT(ids, ElementsAre(1, 2));
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
            to.emit(shifted(each, 5, 10));
        } else if (is_id(each, 2)) {
            to.emit(Draft(each));
            to.pass();
        } else {
            to.pass();
        }
    });
    EXPECT_THAT(ids, ElementsAre(1, 2, 2, 10, 3));
}

TEST(EditedSource, KeepsPinnedDraftsAlive) {
    struct Kept {
        flow::Run run;
        flow::Pin pin;
        std::vector<std::int64_t> times;
    };

    FunctionEdit edit([](const flow::Event& each, Output& to) {
        to.pass();
        for (int i = 0; i < 300; ++i) {
            to.emit(shifted(each, i, static_cast<std::uint16_t>(i)));
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
    const std::size_t most = relog::limits::waiting_drafts / payload;
    std::vector<int> ids = edited_ids(turns(1), [&](const flow::Event& each, Output& to) {
        if (!is_id(each, 1)) {
            return;
        }
        Draft draft(each);
        ASSERT_TRUE(draft.set_payload(std::vector<std::byte>(payload)));
        for (std::size_t i = 0; i < most + 50; ++i) {
            draft.set_raw_time(each.raw_time + 1000 - static_cast<std::int64_t>(i));
            draft.set_descriptor({.id = static_cast<std::uint16_t>(i + 2)});
            to.emit(draft);
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
            draft.set_payload(std::vector<std::byte>(format::max_record_size - 0x50))) {
            to.emit(draft);
            to.emit(Draft(each));
        }
    };
    EXPECT_THAT(edited_ids(turns(3), large), ElementsAre(1, 1, 2, 2, 3, 3));
}

} // namespace
} // namespace etl::relog::edit_drafts_test
