#include "host/programs.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>

#ifndef _WIN32

namespace etl::host::programs_test {
namespace {

using End = Captured::End;
using namespace std::chrono_literals;

constexpr auto never = [] { return false; };

Captured run(const std::string& script, const CaptureOptions& options = {},
             FunctionRef<bool()> should_stop = never) {
    const auto captured = run_and_capture({"sh", "-c", script}, options, should_stop);
    EXPECT_TRUE(captured.has_value());
    return captured.value_or(Captured{});
}

TEST(Programs, CapturesBothStreamsAndTheExitCode) {
    const Captured captured = run("echo out; echo err >&2; exit 3");
    EXPECT_EQ(captured.end, End::exited);
    EXPECT_EQ(captured.code, 3);
    EXPECT_EQ(captured.output, "out\n");
    EXPECT_EQ(captured.errors, "err\n");
}

TEST(Programs, ReadAnEmptyStandardInput) {
    EXPECT_EQ(run("cat; echo end").output, "end\n");
}

TEST(Programs, AreEndedWhenTheyWriteTooMuch) {
    const Captured captured = run("yes", {.max_output = 1000});
    EXPECT_EQ(captured.end, End::output_full);
    EXPECT_EQ(captured.output.size(), 1000U);
}

TEST(Programs, MayWriteAsManyErrorsAsTheyLike) {
    const Captured captured = run("head -c 1000000 /dev/zero >&2; echo end", {.max_errors = 10});
    EXPECT_EQ(captured.end, End::exited);
    EXPECT_EQ(captured.errors.size(), 10U);
    EXPECT_EQ(captured.output, "end\n");
}

TEST(Programs, AreEndedAfterTheTimeLimit) {
    EXPECT_EQ(run("exec sleep 1000", {.time_limit = 1ms}).end, End::timed_out);
}

TEST(Programs, AreEndedOnRequest) {
    int asked = 0;
    EXPECT_EQ(run("exec sleep 1000", {}, [&] { return ++asked > 3; }).end, End::stopped);
    EXPECT_EQ(asked, 4);
}

TEST(Programs, EndBySignals) {
    const Captured captured = run("kill -SEGV $$");
    EXPECT_EQ(captured.end, End::signaled);
    EXPECT_EQ(captured.code, SIGSEGV);
}

TEST(Programs, ThatDoNotExistCannotBeRun) {
    const auto captured = run_and_capture({"/no/such/program"}, {}, never);
    ASSERT_FALSE(captured.has_value());
    EXPECT_EQ(captured.error().code, ErrorCode::not_found);
    EXPECT_FALSE(run_and_capture({}, {}, never).has_value());
}

TEST(Programs, CanStartThemselvesAgain) {
    const auto captured = run_and_capture({own_program(), "--gtest_list_tests"}, {}, never);
    ASSERT_TRUE(captured.has_value());
    EXPECT_NE(captured->output.find("CanStartThemselvesAgain"), std::string::npos);
}

} // namespace
} // namespace etl::host::programs_test

#endif
