#include "format/kernel_group.hpp"

#include <gtest/gtest.h>

namespace etl::format::kernel_group_test {
namespace {

using namespace literals;

TEST(ClassOfHook, FollowsTheGroup) {
    EXPECT_EQ(class_of_hook(0x0301), "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid); // Process
    EXPECT_EQ(class_of_hook(0x0000), "68fdd900-4a3e-11d1-84f4-0000f80464e3"_guid); // EventTrace
    EXPECT_EQ(class_of_hook(0x0F2E), "ce1dbfb4-137e-4da6-87b0-3f59aa102cbc"_guid); // PerfInfo
    EXPECT_EQ(class_of_hook(0x1EFF), "2ce9a149-effe-42f0-a635-a1d39e26c8f2"_guid); // HypervisorX
}

TEST(ClassOfHook, GivesImageLoadToTheImageClass) {
    EXPECT_EQ(class_of_hook(0x030A), class_of_hook(0x1402));
    EXPECT_EQ(class_name(class_of_hook(0x030A)), "Image");
    EXPECT_EQ(class_name(class_of_hook(0x030B)), "Process");
}

TEST(ClassOfHook, GivesUnknownGroupsTheZeroGuid) {
    for (unsigned group = 0x1F; group < 0x100; ++group) {
        EXPECT_TRUE(class_of_hook(static_cast<std::uint16_t>(group << 8U)).is_zero()) << group;
    }
    EXPECT_FALSE(class_of_hook(0x1E00).is_zero());
}

TEST(ClassName, KnowsNoOtherGuids) {
    EXPECT_EQ(class_name(Guid{}), "");
    EXPECT_EQ(class_name(system_trace_guid), "");
}

TEST(HookOfClass, IsTheInverseOfClassOfHook) {
    for (unsigned hook = 0; hook < 0x1F00; ++hook) {
        const auto id = static_cast<std::uint16_t>(hook);
        const auto found = hook_of_class(class_of_hook(id), static_cast<std::uint8_t>(id));
        EXPECT_EQ(found, id == 0x140A ? 0x030A : id); // two hooks, one class and type
    }
}

TEST(HookOfClass, KnowsNoHookOfOtherClasses) {
    EXPECT_EQ(hook_of_class(Guid{}, 1), std::nullopt);
    EXPECT_EQ(hook_of_class(system_trace_guid, 1), std::nullopt);
}

} // namespace

} // namespace etl::format::kernel_group_test
