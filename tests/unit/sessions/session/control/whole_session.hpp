// A runtime with one provider, and sessions of one processor.
#pragma once

#include <etl/session.hpp>

#include "format/records.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace etl::session {

inline constexpr std::uint32_t in_process = mode::private_logger | mode::private_in_proc;
inline constexpr std::size_t large = 1000; // bytes of payload: a buffer of 4 KB takes three

/// A runtime with one provider, and sessions of one processor, so that order is that of writing.
class WholeSession : public testing::Test {
protected:
    WholeSession() {
        auto added = runtime_.add(tea);
        if (added) {
            provider_ = std::move(*added);
        }
    }

    SessionOptions options(std::uint32_t chosen, const std::string& file = "a.etl") {
        SessionOptions options;
        options.name = "Morning";
        options.guid = some_guid;
        options.buffer_kb = 4;
        options.maximum_buffers = 200;
        options.mode = chosen;
        options.processors = 1;
        if (!file.empty()) {
            options.file = folder_ / file;
        }
        return options;
    }

    /// Started and enabled.
    Session begin(const SessionOptions& options) {
        const auto session = runtime_.start(options);
        if (!session) {
            ADD_FAILURE() << describe(session.error());
            return {};
        }
        EXPECT_TRUE(session->enable(tea, {.level = 5}));
        return *session;
    }

    /// Numbers from `first` on; how many got in.
    std::uint32_t write(std::uint32_t first, std::uint32_t count, std::size_t size = 8) {
        std::uint32_t written = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            written += write_number(provider_, first + i, size).written;
        }
        return written;
    }

    static std::vector<std::uint32_t> from_to(std::uint32_t first, std::uint32_t end) {
        std::vector<std::uint32_t> numbers(end - first);
        std::iota(numbers.begin(), numbers.end(), first);
        return numbers;
    }

    test::Written sound(const std::string& file) {
        test::Written written = written_to(folder_ / file);
        EXPECT_FALSE(written.error) << file;
        EXPECT_THAT(written.checked, testing::IsEmpty()) << file;
        return written;
    }

    TestFolder folder_;
    Runtime runtime_;
    Registration provider_;
};

} // namespace etl::session
