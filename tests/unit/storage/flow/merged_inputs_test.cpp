#include "flow/merged_inputs.hpp"

#include <gmock/gmock.h>

namespace etl::flow::merged_inputs_test {
namespace {

using testing::ElementsAre;

constexpr std::int64_t boot = 133'603'920'000'000'000;
constexpr std::int64_t second = Filetime::per_second;

MergedInput input(std::int64_t boot_time, std::uint32_t first_processor = 0) {
    MergedInput made;
    made.start = {boot + 3600 * second};
    made.boot = {boot_time};
    made.first_processor = first_processor;
    return made;
}

TEST(MachinesOf, AreThoseOfOneBootAndFirstProcessor) {
    const std::vector<MergedInput> inputs{input(boot), input(boot + second), input(boot, 4),
                                          input(boot + 2 * second), input(boot)};
    EXPECT_THAT(machines_of(inputs), ElementsAre(0, 0, 1, 2, 0));
}

TEST(MachinesOf, AreUnknownWithoutABoot) {
    MergedInput of_start = input(boot);
    of_start.boot = of_start.start;
    MergedInput later = input(0);
    later.start = {boot + 3601 * second};
    MergedInput without_start = input(0);
    without_start.start = {};
    const std::vector<MergedInput> inputs{input(boot),   input(0),      later,
                                          without_start, without_start, input(0, 4)};
    EXPECT_THAT(machines_of(inputs), ElementsAre(0, 1, 2, 3, 4, 5));
    // Parts of one recording begin at the same time.
    EXPECT_THAT(machines_of(std::vector<MergedInput>{input(0), input(-1), of_start, later}),
                ElementsAre(0, 0, 0, 1));
}

} // namespace
} // namespace etl::flow::merged_inputs_test
