// What tests/capi, in C, cannot provoke: structures of other versions, and exhausted memory.
#include <etl/etl.h>

#include "tests/support/counting_new.hpp"
#include "tests/support/folders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <string>

namespace etl::capi::boundary_test {
namespace {

using testing::HasSubstr;

const std::string path_of_first_steps = test::source_dir() + "/corpus/good/first-steps.etl";
const char* const first_steps = path_of_first_steps.c_str();

struct Opened {
    explicit Opened(const etl_open_options* options = nullptr) {
        status = etl_open(&first_steps, 1, options, &trace, &error);
    }

    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

    ~Opened() {
        etl_trace_free(trace);
        etl_error_free(error);
    }

    std::size_t count() const {
        std::size_t events = 0;
        for (etl_event* event = nullptr; etl_trace_next(trace, &event, nullptr) == ETL_OK;) {
            ++events;
        }
        return events;
    }

    etl_trace* trace = nullptr;
    etl_error* error = nullptr;
    etl_status status = ETL_OK;
};

TEST(OptionsOfOlderHeaders, AreDefaultsBeyondTheirEnd) {
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    std::memset(&options, 0xFF, sizeof options); // what an older program has there
    options.struct_size = offsetof(etl_open_options, from);
    options.where = "level == 3";
    const Opened opened(&options);
    ASSERT_EQ(opened.status, ETL_OK) << etl_error_message(opened.error);
    EXPECT_EQ(opened.count(), 1U);
}

TEST(OptionsOfOlderHeaders, HaveNoParts) {
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    options.part = options.parts = std::numeric_limits<std::uint32_t>::max();
    options.struct_size = offsetof(etl_open_options, part);
    const Opened opened(&options);
    ASSERT_EQ(opened.status, ETL_OK) << etl_error_message(opened.error);
    EXPECT_EQ(opened.count(), 11U);
}

TEST(OptionsOfNewerHeaders, AreRejectedIfTheyAskForMore) {
    struct Newer {
        etl_open_options options = ETL_OPEN_OPTIONS_INIT;
        std::uint64_t more = 0;
    } newer;

    newer.options.struct_size = sizeof newer;
    EXPECT_EQ(Opened(&newer.options).status, ETL_OK);
    newer.more = 1;
    const Opened opened(&newer.options);
    EXPECT_EQ(opened.status, ETL_UNSUPPORTED);
    EXPECT_THAT(etl_error_message(opened.error), HasSubstr("does not have"));
}

TEST(OptionsWithoutSize, AreRejected) {
    const etl_open_options options{};
    EXPECT_EQ(Opened(&options).status, ETL_INVALID_ARGUMENT);
}

TEST(HeadersOfOlderPrograms, AreNotWrittenBeyondTheirEnd) {
    const Opened opened;
    etl_event* event = nullptr;
    ASSERT_EQ(etl_trace_next(opened.trace, &event, nullptr), ETL_OK);
    etl_event_header header = ETL_EVENT_HEADER_INIT;
    header.struct_size = offsetof(etl_event_header, keyword);
    header.keyword = 0x1234;
    EXPECT_EQ(etl_event_get_header(event, &header, nullptr), ETL_OK);
    EXPECT_EQ(header.time, etl_event_time(event));
    EXPECT_EQ(header.keyword, 0x1234U);
    EXPECT_EQ(header.struct_size, offsetof(etl_event_header, keyword));
    header.struct_size = 0;
    EXPECT_EQ(etl_event_get_header(event, &header, nullptr), ETL_INVALID_ARGUMENT);
}

/// Uses the events of a trace in each way.
etl_status walk(etl_trace* trace, etl_error*& error) {
    etl_event* event = nullptr;
    etl_status status = ETL_OK;
    while ((status = etl_trace_next(trace, &event, &error)) == ETL_OK) {
        etl_event_json(event);
        etl_event_message(event);
        for (etl_field field = etl_event_fields(event); field.node != nullptr;
             field = etl_field_next(field)) {
            etl_field_text(field);
        }
    }
    return status;
}

// Each request for memory of a walk fails once, until all are served.
TEST(ExhaustedMemory, IsAStatus) {
    if (!test::can_count_allocations()) {
        GTEST_SKIP();
    }
    unsigned failures = 0;
    for (unsigned nth = 1;; ++nth) {
        const Opened opened;
        ASSERT_EQ(opened.status, ETL_OK);
        bool has_failed = false;
        etl_status status = ETL_OK;
        etl_error* error = nullptr;
        {
            const test::FailingNew failing(nth);
            status = walk(opened.trace, error);
            has_failed = failing.has_failed();
        }
        EXPECT_EQ(status, has_failed ? ETL_NO_MEMORY : ETL_END) << nth;
        EXPECT_STREQ(etl_error_message(error), has_failed ? "out of memory" : "");
        etl_error_free(error);
        if (!has_failed) {
            break;
        }
        ++failures;
    }
    EXPECT_GT(failures, 20U);
}

// The same while a trace is opened: with a filter, which looks at every buffer first.
TEST(ExhaustedMemory, WhileOpeningIsAStatus) {
    if (!test::can_count_allocations()) {
        GTEST_SKIP();
    }
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    options.where = "event == CowOnTheLine";
    options.threads = 1;
    unsigned failures = 0;
    for (unsigned nth = 1;; ++nth) {
        const test::FailingNew failing(nth);
        const Opened opened(&options);
        if (!failing.has_failed()) {
            EXPECT_EQ(opened.status, ETL_OK);
            break;
        }
        // What only saves time may be given up.
        EXPECT_TRUE(opened.status == ETL_NO_MEMORY || opened.status == ETL_OK)
            << nth << ": " << etl_error_message(opened.error);
        failures += opened.status == ETL_NO_MEMORY;
    }
    EXPECT_GT(failures, 50U);
}

TEST(ExhaustedMemoryOfViews, IsTheStatusOfTheNextEvent) {
    if (!test::can_count_allocations()) {
        GTEST_SKIP();
    }
    const Opened opened;
    etl_event* event = nullptr;
    ASSERT_EQ(etl_trace_next(opened.trace, &event, nullptr), ETL_OK);
    etl_text json{};
    {
        const test::FailingNew failing(1);
        json = etl_event_json(event);
    }
    EXPECT_EQ(json.data, nullptr);
    EXPECT_EQ(etl_event_json(event).data, nullptr); // also later
    EXPECT_EQ(etl_field_next(etl_event_fields(event)).node, nullptr);
    EXPECT_EQ(etl_trace_next(opened.trace, &event, nullptr), ETL_NO_MEMORY);
    EXPECT_EQ(etl_trace_rewind(opened.trace, nullptr), ETL_NO_MEMORY);
}

TEST(TextsOfAnEvent, AreValidTogether) {
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    options.where = "event == CowOnTheLine";
    const Opened opened(&options);
    etl_event* event = nullptr;
    ASSERT_EQ(etl_trace_next(opened.trace, &event, nullptr), ETL_OK);
    const etl_text first = etl_event_json(event);
    const std::string copy(first.data, first.size);
    for (int i = 0; i < 200; ++i) {
        etl_event_json(event);
    }
    EXPECT_EQ(std::string(first.data, first.size), copy);
}

TEST(KindsOfEvents, HaveOneNameEach) {
    const Opened opened;
    std::map<std::uint64_t, std::string> names;
    for (etl_event* event = nullptr; etl_trace_next(opened.trace, &event, nullptr) == ETL_OK;) {
        const etl_text name = etl_event_name(event);
        const auto known =
            names.emplace(etl_event_kind(event), std::string(name.data, name.size)).first;
        EXPECT_EQ(known->second, std::string(name.data, name.size));
    }
    EXPECT_GT(names.size(), 4U);
}

TEST(Times, SaturateAndRound) {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(etl_unix_ns(116'444'736'000'000'000), 0);
    EXPECT_EQ(etl_unix_ns(least), least);
    EXPECT_EQ(etl_unix_ns(most), most);
    EXPECT_EQ(etl_unix_ns(0), least); // 1601 is before the first nanosecond
    EXPECT_EQ(etl_filetime(0), 116'444'736'000'000'000);
    EXPECT_EQ(etl_filetime(-1), 116'444'735'999'999'999);
}

} // namespace
} // namespace etl::capi::boundary_test
