#include <etl/flow/merged_inputs.hpp>

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
    const std::vector<MergedInput> inputs{input(0), input(0), input(-1), of_start, of_start};
    EXPECT_THAT(machines_of(inputs), ElementsAre(0, 1, 2, 3, 4));
}

} // namespace
} // namespace etl::flow::merged_inputs_test
