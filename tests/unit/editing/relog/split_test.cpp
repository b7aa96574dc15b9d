// What is in the parts of a trace.
#include "merge/merge.hpp"
#include "relog/split.hpp"
#include "tests/unit/editing/relog/split_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::relog::split_test {
namespace {

using namespace test;

TEST(Split, PartsHaveEveryEventOnceAndAllContext) {
    const Image whole = timetable();
    for (SplitOptions options : every_way) {
        SCOPED_TRACE(static_cast<int>(options.by));
        const Outcome outcome = split_image(whole, options);
        EXPECT_GT(outcome.parts.size(), 1U);
        expect_partition(whole, outcome, true);
        options.context = SplitContext::none;
        expect_partition(whole, split_image(whole, options), false);
    }
}

TEST(Split, SharedContextIsInAFileOfItsOwn) {
    const Image whole = timetable();
    const std::vector<Told> all = told_by(whole);
    for (SplitOptions options : every_way) {
        SCOPED_TRACE(static_cast<int>(options.by));
        options.context = SplitContext::shared;
        std::vector<SplitForecast> forecasts;
        options.planned = [&](const SplitForecast& forecast) { forecasts.push_back(forecast); };
        Outcome outcome = split_image(whole, options);
        ASSERT_FALSE(outcome.error);
        ASSERT_GT(outcome.parts.size(), 2U);
        ASSERT_EQ(forecasts.size(), 1U);
        EXPECT_EQ(forecasts[0].parts, outcome.parts.size() - 1);
        EXPECT_EQ(forecasts[0].context_events, context_in(all).size());
        EXPECT_EQ(forecasts[0].context_bytes, outcome.parts[0].context_record_bytes);
        EXPECT_EQ(outcome.parts[0].path, "part-0.etl");
        EXPECT_EQ(outcome.parts[0].key, PartKey{});
        EXPECT_EQ(outcome.parts[0].events, 0U);
        EXPECT_EQ(told_by(outcome.files[0]), context_in(all));
        EXPECT_EQ(outcome.parts[1].path, "part-1.etl");
        EXPECT_EQ(outcome.parts[1].context, 0U);
        EXPECT_EQ(outcome.parts[1].context_path, "part-0.etl");
        outcome.parts.erase(outcome.parts.begin());
        outcome.files.erase(outcome.files.begin());
        const SplitOptions copied = {.by = options.by, .limit = options.limit};
        const Outcome with_copies = split_image(whole, copied);
        ASSERT_EQ(outcome.files.size(), with_copies.files.size());
        for (std::size_t i = 0; i < outcome.files.size(); ++i) {
            EXPECT_EQ(told_by(outcome.files[i]), own_in(told_by(with_copies.files[i])));
        }
    }
}

TEST(Split, PartsMergedAreTheOriginal) {
    const Image whole = timetable();
    for (SplitOptions options : every_way) {
        SCOPED_TRACE(static_cast<int>(options.by));
        options.context =
            options.by == SplitBy::count ? SplitContext::shared : SplitContext::copied;
        const Outcome outcome = split_image(whole, options);
        std::vector<merge::Input> inputs;
        for (const Image& file : outcome.files) {
            auto reader = trace::Reader::open(in_memory(file));
            ASSERT_TRUE(reader);
            const auto info = std::make_shared<const flow::TraceInfo>((*reader)->info());
            inputs.push_back(
                {.trace = info, .open = [file]() -> Result<std::unique_ptr<flow::Source>> {
                     return trace::Reader::open(in_memory(file));
                 }});
        }
        auto merged = merge::MergedSource::create(std::move(inputs));
        ASSERT_TRUE(merged);
        std::vector<Told> told = told_by(**merged);
        std::erase_if(
            told, [](const Told& one) { return one.header.is_kernel && one.header.hook_id == 0; });
        EXPECT_EQ(told, told_by(whole));
        EXPECT_EQ((*merged)->recording().header.events_lost, 3U);
    }
}

TEST(Split, StacksGoWithTheirEvents) {
    const Outcome outcome = split_image(timetable(), by(SplitBy::count, 5));
    for (const Image& file : outcome.files) {
        std::vector<std::int64_t> sampled;
        for (const Told& one : told_by(file)) {
            if (one.header.hook_id == 0x0F2E) {
                sampled.push_back(one.time);
            } else if (one.header.hook_id == 0x1820) {
                EXPECT_THAT(sampled, testing::Contains(load_le<std::int64_t>(
                                         one.record.data() + one.record.size() - 40)));
            }
        }
    }
}

TEST(Split, PartsOfASizeHaveNoMoreBytesOfRecords) {
    const Image whole = timetable();
    const Outcome outcome = split_image(whole, by(SplitBy::size, 10'000));
    for (std::size_t i = 0; i < outcome.files.size(); ++i) {
        std::size_t bytes = 0;
        for (const Told& one : own_in(told_by(outcome.files[i]))) {
            bytes += format::padded(static_cast<std::uint32_t>(one.record.size()));
        }
        EXPECT_LE(bytes, 10'000U + 80); // the stack of the last event
        if (i + 1 < outcome.files.size()) {
            EXPECT_GT(bytes, 10'000U - 400);
        }
    }
}

TEST(Split, WindowsOfTimeBeginWithTheTrace) {
    const Outcome outcome = split_image(timetable(), by(SplitBy::time, second / 10));
    for (std::size_t i = 0; i < outcome.parts.size(); ++i) {
        const auto window = std::get<PartKey::Window>(outcome.parts[i].key.value);
        EXPECT_EQ((window.from.ticks - story_start) % (second / 10), 0);
        EXPECT_EQ(window.to.ticks - window.from.ticks, second / 10);
        for (const Told& one : own_in(told_by(outcome.files[i]))) {
            const bool is_stack = one.header.hook_id == 0x1820; // goes with its event
            EXPECT_GE(one.time, window.from.ticks);
            EXPECT_LT(one.time, window.to.ticks + (is_stack ? second : 0));
        }
    }
}

TEST(Split, KeysSayWhatIsInAPart) {
    const Image whole = timetable();
    const Outcome by_cpu = split_image(whole, by(SplitBy::processor));
    ASSERT_EQ(by_cpu.parts.size(), 3U);
    EXPECT_EQ(by_cpu.parts[1].key, PartKey{PartKey::Processor{1}});
    EXPECT_EQ(by_cpu.parts[1].path, "part-2.etl");
    for (const Told& one : own_in(told_by(by_cpu.files[1]))) {
        EXPECT_EQ(one.processor, 1);
    }
    const Outcome by_provider = split_image(whole, by(SplitBy::provider));
    EXPECT_EQ(by_provider.parts[0].key, PartKey{canal});
    for (const Told& one : own_in(told_by(by_provider.files[0]))) {
        EXPECT_EQ(one.header.provider, canal);
    }
    const Outcome by_process = split_image(whole, by(SplitBy::process));
    // Samples tell of no process.
    ASSERT_EQ(by_process.parts.size(), 5U);
    EXPECT_EQ(by_process.parts[0].key, PartKey{PartKey::Process{1}});
    EXPECT_EQ(by_process.parts[4].key, PartKey{PartKey::Process{flow::no_id}});
    const Outcome by_count = split_image(whole, by(SplitBy::count, 600));
    ASSERT_EQ(by_count.parts.size(), 2U);
    EXPECT_EQ(by_count.parts[1].key, (PartKey{PartKey::Range{601, 900}}));
}

TEST(Split, ProcessesAreThoseThatTheCallerNames) {
    const Image whole = timetable();
    SplitOptions options = by(SplitBy::process);
    options.process_of = [](const flow::Event& event) {
        constexpr std::size_t thread_offset = 8;
        const flow::EventHeader header = flow::read_header(event);
        const bool is_sample = header.is_kernel && header.hook_id == 0x0F2E;
        return PartKey::Process{
            is_sample ? load_le<std::uint32_t>(header.payload.data() + thread_offset) / 10
                      : header.process_id};
    };
    const Outcome outcome = split_image(whole, options);
    expect_partition(whole, outcome, true);
    ASSERT_EQ(outcome.parts.size(), 4U) << "every sample has a process, and takes its stack along";
    for (std::size_t i = 0; i < outcome.parts.size(); ++i) {
        const auto process = static_cast<std::uint32_t>(i + 1);
        EXPECT_EQ(outcome.parts[i].key, PartKey{PartKey::Process{process}});
        EXPECT_EQ(outcome.parts[i].events % 3, 0U);
    }
    options.context = SplitContext::none;
    expect_partition(whole, split_image(whole, options), false);
}

TEST(Split, HeadersAreThoseOfTheWholeButForTheEnd) {
    const Image whole = timetable();
    const Outcome outcome =
        split_image(whole, {.by = SplitBy::count, .limit = 300, .context = SplitContext::none});
    const auto header = [](const Image& file) { return content_of(file).info.header; };
    EXPECT_EQ(header(outcome.files[1]).session_name, u"Timetable");
    EXPECT_EQ(header(outcome.files[1]).start_time, header(whole).start_time);
    EXPECT_LT(header(outcome.files[0]).end_time, header(outcome.files[1]).end_time);
    EXPECT_EQ(header(outcome.files[0]).events_lost, 3U);
    EXPECT_EQ(header(outcome.files[1]).events_lost, 0U);
}

} // namespace
} // namespace etl::relog::split_test
