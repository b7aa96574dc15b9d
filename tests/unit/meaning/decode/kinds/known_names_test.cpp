#include "decode/known_names.hpp"
#include "decode/schema_tables.hpp"
#include "format/kernel_group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace etl::known_names_test {
namespace {

using namespace literals;

TEST(HookNames, KnowTheEventsOfTheKernel) {
    EXPECT_EQ(decode::hook_name(0x0301).event, "Process/Start");
    EXPECT_EQ(decode::hook_name(0x0301).symbol, "WMI_LOG_TYPE_PROCESS_CREATE");
    EXPECT_EQ(decode::hook_name(0x0000).event, "EventTrace/Header");
    EXPECT_EQ(decode::hook_name(0x030A).event, "Image/Load") << "logged under the Process group";
    EXPECT_EQ(decode::hook_name(0xFFFF).symbol, "");
}

TEST(HookNames, AreInOrderWithoutRepetition) {
    const auto hooks = decode::tables::hooks();
    EXPECT_GT(hooks.size(), 500U);
    EXPECT_TRUE(
        std::ranges::is_sorted(hooks, std::ranges::less_equal{}, &decode::HookName::hook_id) ||
        std::ranges::adjacent_find(hooks, std::ranges::greater_equal{},
                                   &decode::HookName::hook_id) == hooks.end());
}

TEST(HookNames, NameTheClassOfTheirGroup) {
    for (const decode::HookName& hook : decode::tables::hooks()) {
        if (!hook.event.empty()) {
            EXPECT_EQ(hook.event.substr(0, hook.event.find('/')),
                      format::class_name(format::class_of_hook(hook.hook_id)))
                << hook.event;
        }
    }
}

TEST(KnownProviders, AreFoundByGuid) {
    EXPECT_EQ(decode::known_provider_name("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"_guid),
              "Microsoft-Windows-Kernel-Process");
    EXPECT_EQ(decode::known_provider_name({}), "");
}

TEST(UngroupedClasses, HaveNames) {
    EXPECT_EQ(decode::ungrouped_class_name("b3e675d7-2554-4f18-830b-2762732560de"_guid), "ImageId");
    EXPECT_EQ(decode::ungrouped_class_name("ed54dff8-c409-4cf6-bf83-05e1e61a09c4"_guid), "WinSAT");
    EXPECT_EQ(decode::ungrouped_class_name("f8f10121-b617-4a56-868b-9df1b27fe32c"_guid), "MMCSS");
    EXPECT_EQ(decode::ungrouped_class_name({}), "");
}

// Classes of other classic providers go by the names of these, and are none of the kernel's.
TEST(KnownProviders, AreThoseOfClasses) {
    constexpr Guid domains = "2306fe37-dbf6-11d2-9244-006008269001"_guid;
    constexpr Guid files = "f681e6cc-ec6c-4ee9-90a6-c0c4e83276c2"_guid;
    constexpr Guid image_id = "b3e675d7-2554-4f18-830b-2762732560de"_guid;
    EXPECT_EQ(decode::known_provider_name(domains), "Local Security Authority (LSA)");
    EXPECT_EQ(decode::known_provider_name(files), "File Kernel Trace; Operation Set 1");
    EXPECT_EQ(decode::ungrouped_class_name(files), "");
    EXPECT_EQ(decode::known_provider_name(image_id), "");
    EXPECT_EQ(decode::find_class_events("ImageId/Info").count, 1U);
    EXPECT_EQ(decode::find_class_events("EnumTrustedDoms/Start").count, 0U);
}

TEST(KnownProviders, AreDistinct) {
    std::set<Guid> seen;
    for (const auto& provider : decode::tables::providers()) {
        EXPECT_TRUE(seen.insert(provider.guid).second) << provider.name;
        EXPECT_FALSE(provider.name.empty());
    }
}

TEST(ClassicEvents, AreDistinctAndOfOneProviderEach) {
    std::set<std::pair<Guid, unsigned>> seen;
    std::map<Guid, std::string_view> providers;
    for (const auto& event : decode::tables::classic_events()) {
        EXPECT_TRUE(seen.emplace(event.class_guid, event.type).second) << event.event;
        EXPECT_EQ(providers.emplace(event.class_guid, event.provider).first->second,
                  event.provider);
        EXPECT_TRUE(format::class_name(event.class_guid).empty()) << event.event;
    }
    EXPECT_GE(seen.size(), 300U);
}

TEST(ErrorNames, AreFoundInTheirOwnSpace) {
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::win32, 5), "ERROR_ACCESS_DENIED");
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::ntstatus, 0xC0000022), "STATUS_ACCESS_DENIED");
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::hresult, 0x80004005), "E_FAIL");
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::hresult, 0x80070002), "ERROR_FILE_NOT_FOUND");
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::hresult, 0xD0000022), "STATUS_ACCESS_DENIED");
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::win32, 0x80004005), "E_FAIL");
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::win32, 0x80070002), "ERROR_FILE_NOT_FOUND");
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::none, 5), "");
    EXPECT_EQ(decode::error_name(decode::ErrorSpace::win32, 0xABCDEF), "");
}

} // namespace
} // namespace etl::known_names_test
