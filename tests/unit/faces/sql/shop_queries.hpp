// Queries over a trace of a coffee shop, whose events the test adds.
#pragma once

#include <etl/provider.hpp>

#include "tests/unit/faces/sql/queries.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

namespace etl::test {

using provider::EventOptions;
using provider::SelfDescribingEvent;

inline constexpr std::int64_t opening_time = 132'756'357'000'000'000; // 2021-09-09T04:35:00Z

/// Events that are written, and then asked for.
class ShopQueries : public testing::Test {
protected:
    void add(const char* name, const EventOptions& options,
             const std::function<void(SelfDescribingEvent&)>& fill, std::uint32_t pid = 7) {
        SelfDescribingEvent event(shop_, name, options);
        fill(event);
        EXPECT_TRUE(
            writer_->add(event.record({.time = opening_time + count_++ * Filetime::per_second,
                                       .process_id = pid,
                                       .thread_id = 9})));
    }

    /// What EXPLAIN QUERY PLAN says, a line for each row.
    std::string plan_of(const std::string& query) {
        std::string plan;
        for (const std::string& row : rows("EXPLAIN QUERY PLAN " + query)) {
            plan += row + "\n";
        }
        return plan;
    }

    /// Any of format's record structs.
    template <typename Record>
    void add_record(Record record) {
        record.time = opening_time + count_++ * Filetime::per_second;
        EXPECT_TRUE(writer_->add(record));
    }

    Queried& shop() {
        if (!queried_) {
            EXPECT_TRUE(writer_->close());
            auto file = io::InputFile::map(path_);
            std::filesystem::remove(path_);
            queried_.emplace(std::vector{*std::move(file)});
        }
        return *queried_;
    }

    std::vector<std::string> rows(const std::string& text) { return shop().rows(text); }

private:
    std::string path_ = (std::filesystem::path(testing::TempDir()) /
                         (std::string("etl-sql-") +
                          testing::UnitTest::GetInstance()->current_test_info()->name() + ".etl"))
                            .string();
    provider::Provider shop_{"Coffee.Shop"};
    std::unique_ptr<trace::Writer> writer_ =
        *trace::Writer::create(path_, {.recording = trace::begin_recording({opening_time})});
    std::int64_t count_ = 0;
    std::optional<Queried> queried_;
};

} // namespace etl::test
