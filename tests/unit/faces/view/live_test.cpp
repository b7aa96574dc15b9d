// Written in one line, read in one loop: sessions of the program itself.

#include <etl/provider.hpp>
#include <etl/session.hpp>
#include <etl/trace.hpp>

#include "tests/support/traces/tracelogging_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace etl::live_test {
namespace {

using provider::EventOptions;
using testing::ElementsAre;
using Sold =
    provider::StaticEvent<"Sold", EventOptions{.level = 4},
                          provider::Field<"What", std::string_view>, provider::Field<"Order", int>>;

class LiveTraces : public testing::Test {
protected:
    void SetUp() override {
        auto started = runtime_.start({.name = "Live", .mode = session::mode::real_time});
        ASSERT_TRUE(started) << session::describe(started.error());
        session_ = *started;
        auto added = runtime_.add(shop_);
        ASSERT_TRUE(added);
        registration_.emplace(*std::move(added));
        ASSERT_TRUE(session_.enable(shop_.guid(), {.level = 4}));
    }

    std::vector<std::string> sold(const TraceOptions& options) {
        auto trace = Trace::listen(session_, options);
        std::vector<std::string> all;
        if (!trace) {
            ADD_FAILURE() << describe(trace.error());
            return all;
        }
        Sold sold(shop_);
        for (int order = 1; order <= 3; ++order) {
            EXPECT_EQ(registration_->write(sold, "croissant", order).written, 1);
        }
        EXPECT_TRUE(session_.stop());
        for (const Event& event : *trace) {
            if (event.name() == "Sold") {
                all.push_back(event["What"].text() + " " + event["Order"].text());
            }
        }
        EXPECT_EQ(trace->error(), nullptr);
        return all;
    }

    provider::Provider shop_{"Coffee.Shop"};
    session::Runtime runtime_;
    session::Session session_;
    std::optional<session::Registration> registration_;
};

TEST_F(LiveTraces, GiveEventsAsTheyCome) {
    EXPECT_THAT(sold({}), ElementsAre("croissant 1", "croissant 2", "croissant 3"));
}

TEST_F(LiveTraces, DecodeByManifestsThatTheyCarry) {
    auto trace = Trace::listen(session_, {.where = "id != 3 || !has(Cups) || Cups == 2"});
    ASSERT_TRUE(trace);
    const std::string manifest = fmt::format(
        R"(<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">)"
        R"(<instrumentation><events><provider name="Coffee.Shop" guid="{}" symbol="S")"
        R"( resourceFileName="s" messageFileName="s">)"
        R"(<tasks><task name="Brewing" value="1"/></tasks>)"
        R"(<templates><template tid="a"><data name="Cups" inType="win:UInt32"/></template></templates>)"
        R"(<events><event value="3" version="0" task="Brewing" template="a"/></events>)"
        R"(</provider></events></instrumentation></instrumentationManifest>)",
        to_string(shop_.guid()));
    const std::vector<std::byte> cups{std::byte{2}, std::byte{0}, std::byte{0}, std::byte{0}};
    EXPECT_EQ(registration_->write({.descriptor = {.id = 3}, .payload = cups}).written, 1);
    for (const auto& chunk : test::manifest_chunks(manifest)) {
        EXPECT_EQ(
            registration_
                ->write({.descriptor = {.id = 0xFFFE, .version = 1, .opcode = 0xFE, .task = 0xFFFE},
                         .payload = chunk})
                .written,
            1);
    }
    EXPECT_EQ(registration_->write({.descriptor = {.id = 3}, .payload = cups}).written, 1);
    ASSERT_TRUE(session_.stop());
    std::vector<std::string> values;
    for (const Event& event : *trace) {
        if (event.id() == 3) {
            values.push_back(event.is_decoded() ? event["Cups"].text() : "raw");
        }
    }
    EXPECT_THAT(values, ElementsAre("2", "2")); // one buffer: the manifest serves all of it
}

TEST_F(LiveTraces, AreFiltered) {
    EXPECT_THAT(sold({.where = "data.Order == 2"}), ElementsAre("croissant 2"));
}

TEST_F(LiveTraces, SayWhyTheyCannotBe) {
    ASSERT_TRUE(session_.stop());
    const auto ended = Trace::listen(session_);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::not_found);
    EXPECT_THAT(describe(ended.error()), testing::HasSubstr("session: ERROR_WMI_INSTANCE"));
    for (const TraceOptions& bad :
         {TraceOptions{.where = "process == x"}, TraceOptions{.where = "("},
          TraceOptions{.from = "5s"}, TraceOptions{.to = "5s"}, TraceOptions{.enrich = true}}) {
        const auto rejected = Trace::listen(session_, bad);
        ASSERT_FALSE(rejected);
        EXPECT_EQ(rejected.error().code, ErrorCode::invalid_option) << rejected.error().about;
    }
}

TEST(WritingInOneCall, MakesNoRecordWhenNobodyListens) {
    struct Counted {
        format::EventRecord record(const provider::EventContext&, int) {
            ++made;
            return {};
        }

        int made = 0;
    } event;

    const session::Registration nobody;
    EXPECT_EQ(nobody.write(event, 5).written, 0);
    EXPECT_EQ(event.made, 0);
}

TEST(Failures, AreErrorsToo) {
    const session::Failure rejected{session::Status::access_denied, "the file", 13};
    const Result<int> result = session::Outcome<int>(std::unexpected(rejected));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::io_failure);
    EXPECT_STREQ(result.error().what, "the file");
    EXPECT_EQ(result.error().os_code, 13);
    EXPECT_EQ(Error(session::Failure{session::Status::invalid_parameter, "x"}).code,
              ErrorCode::invalid_option);
}

} // namespace
} // namespace etl::live_test
