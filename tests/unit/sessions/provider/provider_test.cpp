#include <etl/provider.hpp>

#include "format/encode.hpp"
#include "format/provider_identity.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <list>

namespace etl::provider::provider_test {
namespace {

using namespace literals;

std::vector<std::byte> copy_of(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

TEST(Provider, HasTheGuidThatBelongsToItsName) {
    const Provider coffee("MyCompany.Coffee");
    EXPECT_EQ(coffee.guid(), format::guid_of_provider_name("mycompany.COFFEE"));
    EXPECT_EQ(coffee.name(), "MyCompany.Coffee");
}

TEST(Provider, TakesAGuidOfItsOwn) {
    constexpr Guid own = "7e57ab1e-0000-4000-8000-00000000cafe"_guid;
    EXPECT_EQ(Provider("Coffee", {.guid = own}).guid(), own);
}

TEST(Provider, KeepsItsTraitsReady) {
    constexpr Guid group = "7e57ab1e-0000-4000-8000-000000000001"_guid;
    EXPECT_EQ(copy_of(Provider("Coffee").traits()), test::provider_traits("Coffee"));
    EXPECT_EQ(copy_of(Provider("Coffee", {.group = group}).traits()),
              test::provider_traits("Coffee", {.group = group}));
}

TEST(Provider, EndsItsNameAtANul) {
    const Provider coffee(std::string_view("Coffee\0Tea", 10));
    EXPECT_EQ(coffee.name(), "Coffee");
    EXPECT_EQ(coffee.guid(), Provider("Coffee").guid());
}

TEST(Provider, WithANameThatFitsNoEventMakesRecordsThatAreRefused) {
    const Provider coffee(std::string(70'000, 'x'));
    const SelfDescription description(coffee.traits(), {});
    format::EventRecord record = record_of(coffee.guid(), {}, {}, {});
    record.items = description.items();
    ByteWriter to;
    const auto encoded = format::encode(record, to);
    ASSERT_FALSE(encoded.has_value());
    EXPECT_EQ(encoded.error().code, ErrorCode::limit);
}

TEST(Wire, TakesBytesAndTimesOfAllKinds) {
    static_assert(Wire<MutableBytes>::in == In::binary);
    static_assert(Wire<std::span<std::byte, 4>>::in == In::binary);
    static_assert(Wire<std::vector<bool>>::count_bits == wire::variable_count);
    static_assert(Wire<std::list<int>>::count_bits == wire::variable_count);
    using namespace std::chrono;
    const auto ticks_of = [](auto duration) {
        using Time = time_point<system_clock, decltype(duration)>;
        return to_filetime(Time(duration)).ticks - Filetime::unix_epoch;
    };
    EXPECT_EQ(ticks_of(nanoseconds(-1)), -1);
    EXPECT_EQ(ticks_of(nanoseconds(199)), 1);
    EXPECT_EQ(ticks_of(hours(1)), 36'000'000'000);
    EXPECT_EQ(ticks_of(duration<double>(-0.25)), -2'500'000);
    EXPECT_EQ(ticks_of(duration<int, std::ratio<1, 3>>(1)), 3'333'333);
}

} // namespace
} // namespace etl::provider::provider_test
