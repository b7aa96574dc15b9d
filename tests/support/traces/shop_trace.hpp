// A trace of an invented coffee shop, made for each test that opens it.
#pragma once

#include <etl/provider.hpp>

#include "trace/writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

namespace etl::test {

inline constexpr std::int64_t opening_time = 132'756'357'000'000'000;

/// A folder of its own for each test, removed at its end.
class ShopFolder {
public:
    ShopFolder() {
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(testing::TempDir()) /
                (std::string("etl-view-") + test->test_suite_name() + "-" + test->name());
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }

    ShopFolder(const ShopFolder&) = delete;
    ShopFolder& operator=(const ShopFolder&) = delete;

    ~ShopFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string file(const std::string& name) const { return (path_ / name).string(); }

    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

using AddEvents = std::function<void(const provider::Provider& shop, trace::Writer& writer)>;

/// Writes a trace of the provider `Coffee.Shop` that begins at opening_time.
inline std::string write_trace(const std::string& path, const AddEvents& add) {
    const provider::Provider shop("Coffee.Shop");
    auto writer =
        trace::Writer::create(path, {.recording = trace::begin_recording({opening_time})});
    EXPECT_TRUE(writer);
    add(shop, **writer);
    EXPECT_TRUE((*writer)->close());
    return path;
}

/// `count` events Sold, one each second: what is sold is `croissant`, the order counts from 1.
inline std::string write_sales(const std::string& path, int count, std::string_view what,
                               std::int64_t first = opening_time) {
    return write_trace(path, [&](const provider::Provider& shop, trace::Writer& writer) {
        for (int i = 1; i <= count; ++i) {
            provider::SelfDescribingEvent sold(shop, "Sold", {.level = 4});
            sold.add("What", what).add("Order", i);
            EXPECT_TRUE(writer.add(sold.record(
                {.time = first + i * Filetime::per_second, .process_id = 7, .thread_id = 9})));
        }
    });
}

} // namespace etl::test
