// Trace files made of others, in one call each.
#include <etl/rewrite.hpp>

#include "dataset/dataset.hpp"
#include "flow/context.hpp"
#include "io/find_files.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/shop_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#ifndef _WIN32
#include <sys/stat.h>
#endif

namespace etl::rewrite_test {
namespace {

using namespace test;
using rewrite::SplitBy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t day = std::int64_t{24} * 3600 * Filetime::per_second;
const std::string corpus = test::source_dir() + "/corpus";

/// Number of events after the log file header.
std::uint64_t events_in(const std::string& path) {
    auto traces = dataset::Dataset::open({path});
    auto events = traces.events();
    EXPECT_TRUE(events) << path;
    std::uint64_t count = 0;
    for (flow::Run run = events->source().next_run(); !run.empty();
         run = events->source().next_run()) {
        count += static_cast<std::uint64_t>(std::ranges::count_if(
            run, [](const flow::Event& event) { return !flow::is_logfile_header(event); }));
    }
    return count;
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Rewrites : public testing::Test {
protected:
    std::string sales(const std::string& name, int count, std::int64_t first = opening_time) const {
        return write_sales(folder_.file(name), count, name, first);
    }

    /// The file that this would be.
    std::string file(const std::string& name) const { return folder_.file(name); }

private:
    ShopFolder folder_;
};

using Merges = Rewrites;
using Splits = Rewrites;
using Repairs = Rewrites;
using Anonymizes = Rewrites;

TEST_F(Merges, OneTraceOfSeveral) {
    const auto merged = rewrite::merge({sales("a.etl", 3), sales("b.etl", 4)}, file("all.etl"));
    ASSERT_TRUE(merged) << describe(merged.error());
    EXPECT_EQ(merged->events, 7U);
    EXPECT_GT(merged->bytes, 0U);
    EXPECT_THAT(merged->remarks, IsEmpty());
    EXPECT_EQ(events_in(file("all.etl")), 7U);
}

TEST_F(Merges, NotOverInputsOrExistingFiles) {
    const std::string a = sales("a.etl", 3);
    const std::string b = sales("b.etl", 4);
    const std::string before = content_of(a);
    const auto over_input = rewrite::merge({a, b}, a, {.files = {.existing = Existing::replace}});
    ASSERT_FALSE(over_input);
    EXPECT_EQ(over_input.error().code, ErrorCode::invalid_option);
    EXPECT_THAT(describe(over_input.error()), HasSubstr("same file as the input"));
    const auto over_other = rewrite::merge({a}, b);
    ASSERT_FALSE(over_other);
    EXPECT_THAT(describe(over_other.error()), HasSubstr("already exists"));
    EXPECT_EQ(content_of(a), before);
    EXPECT_TRUE(rewrite::merge({a}, b, {.files = {.existing = Existing::replace}}));
    EXPECT_EQ(events_in(b), 3U);
}

TEST_F(Merges, AllInputsOrNone) {
    const auto merged = rewrite::merge({sales("a.etl", 3), file("none.etl")}, file("all.etl"));
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().code, ErrorCode::not_found);
    EXPECT_EQ(merged.error().about, file("none.etl"));
    EXPECT_FALSE(io::is_regular_file(file("all.etl")));
    EXPECT_FALSE(rewrite::merge({}, file("all.etl")));
}

TEST_F(Merges, OtherClocksOnlyByRestamping) {
    const std::vector<std::string> inputs{corpus + "/good/clock-qpc.etl",
                                          corpus + "/good/clock-system-time.etl"};
    const auto refused = rewrite::merge(inputs, file("all.etl"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_THAT(describe(refused.error()), HasSubstr("differs from"));
    const auto merged = rewrite::merge(inputs, file("all.etl"), {.restamps = true});
    ASSERT_TRUE(merged) << describe(merged.error());
    EXPECT_GT(merged->events, 0U);
}

TEST_F(Merges, OffsetsNameInputs) {
    const std::vector<std::string> inputs{sales("a.etl", 3), sales("b.etl", 4)};
    const auto unknown = rewrite::merge(inputs, file("all.etl"), {.offsets = {{"c.etl", 1}}});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(describe(unknown.error()), "c.etl: not an input");
    EXPECT_TRUE(rewrite::merge(inputs, file("all.etl"), {.offsets = {{"b.etl", day}}}));
    const auto traces = dataset::Dataset::open({file("all.etl")});
    EXPECT_GT(traces.bounds().end->ticks - traces.bounds().start.ticks, day);
}

TEST_F(Splits, ByCount) {
    const auto split = rewrite::split(sales("a.etl", 10), file("part_%d.etl"),
                                      {.by = rewrite::SplitBy::count, .limit = 4});
    ASSERT_TRUE(split) << describe(split.error());
    ASSERT_EQ(split->parts.size(), 3U);
    EXPECT_EQ(split->parts[0].path, file("part_1.etl"));
    EXPECT_EQ(split->parts[0].key, "events 1 to 4");
    EXPECT_EQ(split->parts[2].events, 2U);
    EXPECT_EQ(split->events, 10U);
    EXPECT_EQ(events_in(file("part_2.etl")), 4U);
}

TEST_F(Splits, ChosenEvents) {
    const auto split = rewrite::split(
        sales("a.etl", 10), file("part_%d.etl"),
        {.by = rewrite::SplitBy::count, .limit = 2, .where = "data.Order > 4", .from = "+7s"});
    ASSERT_TRUE(split) << describe(split.error());
    EXPECT_EQ(split->events, 4U);
    const auto wrong = rewrite::split(file("a.etl"), file("x_%d.etl"),
                                      {.by = rewrite::SplitBy::count, .limit = 2, .where = "=="});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().about, "where");
}

TEST_F(Splits, SayThatNothingMatches) {
    const auto split = rewrite::split(
        sales("a.etl", 3), file("part_%d.etl"),
        {.by = rewrite::SplitBy::count, .limit = 2, .where = "provider == 'nobody'"});
    ASSERT_TRUE(split) << describe(split.error());
    EXPECT_THAT(split->remarks, ElementsAre(HasSubstr("no event is from provider 'nobody'")));
}

TEST_F(Splits, NoPartOverAnotherFile) {
    const std::string part = sales("part_2.etl", 1);
    const auto split = rewrite::split(sales("a.etl", 10), file("part_%d.etl"),
                                      {.by = rewrite::SplitBy::count, .limit = 4});
    ASSERT_FALSE(split);
    EXPECT_EQ(describe(split.error()), part + ": already exists");
    EXPECT_FALSE(io::is_regular_file(file("part_1.etl")));
    EXPECT_EQ(events_in(part), 1U);
    const auto over_input = rewrite::split(
        part, file("part_%d.etl"),
        {.files = {.existing = Existing::replace}, .by = rewrite::SplitBy::processor});
    ASSERT_TRUE(over_input) << describe(over_input.error()); // it is part_1 alone
    const auto over_itself = rewrite::split(
        file("part_1.etl"), file("part_%d.etl"),
        {.files = {.existing = Existing::replace}, .by = rewrite::SplitBy::processor});
    ASSERT_FALSE(over_itself);
    EXPECT_THAT(describe(over_itself.error()), HasSubstr("same file as the input"));
}

TEST_F(Repairs, IntactRecords) {
    const auto repaired =
        rewrite::repair(corpus + "/damaged/garbage-between-buffers.etl", file("fixed.etl"));
    ASSERT_TRUE(repaired) << describe(repaired.error());
    EXPECT_FALSE(repaired->is_complete);
    EXPECT_GT(repaired->losses, 0U);
    EXPECT_GE(repaired->remarks.size(), repaired->losses);
    EXPECT_GT(repaired->bytes, 0U);
    EXPECT_GT(events_in(file("fixed.etl")), 0U);
    const auto again = rewrite::repair(file("fixed.etl"), file("again.etl"));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->is_complete);
    EXPECT_EQ(again->events, repaired->events);
}

TEST_F(Repairs, HeaderOfTheSameSessionOnly) {
    const std::string damaged = corpus + "/damaged/truncated.etl";
    const std::string other = corpus + "/good/clock-qpc.etl";
    const auto refused = rewrite::repair(damaged, file("fixed.etl"), {.header_from = other});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_option);
    EXPECT_TRUE(rewrite::repair(damaged, file("fixed.etl"),
                                {.header_from = other, .accepts_any_header = true}));
    const auto missing = rewrite::repair(damaged, file("other.etl"), {.live_buffers = "none"});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().about, "none");
}

TEST_F(Anonymizes, NamesAndRedactions) {
    const std::string trace = corpus + "/good/process-activity.etl";
    const auto first = rewrite::anonymize({trace}, file("1.etl"), {.key = "kettle"});
    ASSERT_TRUE(first) << describe(first.error());
    EXPECT_GT(first->changed_values, 0U);
    ASSERT_TRUE(rewrite::anonymize({trace}, file("2.etl"), {.key = "kettle"}));
    EXPECT_EQ(content_of(file("1.etl")), content_of(file("2.etl")));
    const auto none = rewrite::anonymize(
        {trace}, file("3.etl"), {.redactions = {"Nobody/None/Field"}, .redacts_only = true});
    ASSERT_TRUE(none) << describe(none.error());
    EXPECT_EQ(none->changed_values, 0U);
    EXPECT_THAT(none->remarks, ElementsAre("Nobody/None/Field matches no field"));
    const auto wrong = rewrite::anonymize({trace}, file("4.etl"), {.redactions = {"Field"}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::invalid_option);
}

TEST_F(Anonymizes, UndecodableEventsAreRefused) {
    const std::string trace = corpus + "/good/every-record-kind.etl";
    const auto refused = rewrite::anonymize({trace}, file("1.etl"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_FALSE(io::is_regular_file(file("1.etl")));
    const auto dropped =
        rewrite::anonymize({trace}, file("1.etl"), {.undecodable = rewrite::Undecodable::drop});
    ASSERT_TRUE(dropped) << describe(dropped.error());
    EXPECT_GT(dropped->undecodable_events, 0U);
    const auto kept =
        rewrite::anonymize({trace}, file("2.etl"), {.undecodable = rewrite::Undecodable::keep});
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->events, dropped->events + dropped->undecodable_events);
    const auto cleared =
        rewrite::anonymize({trace}, file("3.etl"), {.undecodable = rewrite::Undecodable::clear});
    ASSERT_TRUE(cleared);
    EXPECT_EQ(cleared->events, kept->events);
    EXPECT_EQ(cleared->bytes, kept->bytes);
    EXPECT_THAT(cleared->remarks, Contains(HasSubstr("were cleared")));
}

#ifndef _WIN32 // there, who may read a new file is up to its directory

/// The usual mask, whatever that of this process is.
class UsualMask {
public:
    UsualMask() : before_(::umask(S_IWGRP | S_IWOTH)) {}

    UsualMask(const UsualMask&) = delete;
    UsualMask& operator=(const UsualMask&) = delete;

    ~UsualMask() { ::umask(before_); }

private:
    mode_t before_;
};

// A trace that only its owner may read stays so, in every form.
TEST_F(Rewrites, OutputsAreNotReadableByMoreUsersThanTheInputs) {
    using std::filesystem::perms;
    const UsualMask mask;
    const std::string secret = sales("secret.etl", 6);
    const std::string open = sales("open.etl", 2);
    std::filesystem::permissions(secret, perms::owner_read | perms::owner_write);
    std::filesystem::permissions(open, perms::owner_read | perms::owner_write | perms::others_read);
    const auto readers_of = [&](const std::string& name) {
        return std::filesystem::status(file(name)).permissions() &
               (perms::group_all | perms::others_all);
    };
    ASSERT_TRUE(rewrite::merge({open, secret}, file("all.etl")));
    ASSERT_TRUE(rewrite::split(secret, file("part_%d.etl"), {.by = SplitBy::count, .limit = 3}));
    ASSERT_TRUE(rewrite::repair(secret, file("repaired.etl")));
    ASSERT_TRUE(rewrite::anonymize({secret}, file("anonymous.etl"),
                                   {.undecodable = rewrite::Undecodable::keep}));
    for (const char* name :
         {"all.etl", "part_1.etl", "part_2.etl", "repaired.etl", "anonymous.etl"}) {
        EXPECT_EQ(readers_of(name), perms::none) << name;
    }
    ASSERT_TRUE(rewrite::merge({open}, file("copy.etl"))); // the rights of one call end with it
    EXPECT_EQ(readers_of("copy.etl"), perms::others_read);

    // All that a repair reads counts: a pattern for the trace, and the header of another one.
    ASSERT_TRUE(rewrite::repair(file("secr*.etl"), file("of-pattern.etl")));
    EXPECT_EQ(readers_of("of-pattern.etl"), perms::none);
    ASSERT_TRUE(rewrite::repair(open, file("of-header.etl"),
                                {.header_from = secret, .accepts_any_header = true}));
    EXPECT_EQ(readers_of("of-header.etl"), perms::none);
}

#endif

} // namespace
} // namespace etl::rewrite_test
