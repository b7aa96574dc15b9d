// The kinds of the events of a trace, as tables have them.
#include "format/encode.hpp"
#include "sql/kinds.hpp"
#include "sql/limits.hpp"
#include "tests/unit/faces/sql/shop_queries.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace etl::sql::kinds_test {
namespace {

class KindHeads : public test::ShopQueries {
protected:
    void add_kernel_events(std::size_t count) {
        const std::vector<std::byte> payload(24);
        for (std::size_t i = 0; i < count; ++i) {
            add_record(format::SystemRecord{.width = format::Width::bits64,
                                            .version = static_cast<std::uint8_t>(2 + (i >> 16U)),
                                            .hook_id = static_cast<std::uint16_t>(i),
                                            .payload = payload});
        }
    }

    /// The table of hook 0x0524, CSwitch.
    std::optional<Kind> switches() {
        const Inputs inputs = shop().inputs();
        const Kinds kinds = find_kinds(inputs.traces->readers(), inputs.schemas, 2);
        const auto found = std::ranges::find_if(
            kinds.list, [](const Kind& kind) { return kind.name.ends_with("/CSwitch"); });
        return found != kinds.list.end() ? std::optional(*found) : std::nullopt;
    }
};

TEST_F(KindHeads, AreThoseOfTheEvents) {
    add_kernel_events(0x0600);
    const auto kind = switches();
    ASSERT_TRUE(kind);
    EXPECT_FALSE(kind->fields.empty());
    ASSERT_TRUE(kind->heads);
    EXPECT_EQ(kind->heads->size(), 1U);
}

TEST_F(KindHeads, AreNotKnownIfThereAreTooMany) {
    add_kernel_events(4 * limits::query_kinds); // more than two threads take
    const auto kind = switches();
    ASSERT_TRUE(kind);
    EXPECT_FALSE(kind->fields.empty());
    EXPECT_FALSE(kind->heads);
}

} // namespace
} // namespace etl::sql::kinds_test
