// EnumerateTraceGuids and the queries for groups. docs/compat.md#controllers
#include <etl/guid.hpp>

#include "tests/unit/faces/compat/c_provider.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <array>

namespace etl::test::enumerate_guids_test {
namespace {

/// What EnumerateTraceGuids says, with room for `room` providers.
struct Enumerated {
    ULONG status = 0, count = 0;
    std::vector<TRACE_GUID_PROPERTIES> providers;

    explicit Enumerated(ULONG room) : providers(room) {
        std::vector<TRACE_GUID_PROPERTIES*> pointers;
        for (TRACE_GUID_PROPERTIES& one : providers) {
            one.IsEnable = 77;
            pointers.push_back(&one);
        }
        status = EnumerateTraceGuids(pointers.data(), room, &count);
    }
};

TEST(EnumerateTraceGuids_, ListsWhatIsRegisteredAndWhoEnabledItLast) {
    const CSession first(u"First");
    const CSession second(u"Second");
    const Provider enabled;
    const Provider idle(other_provider);
    ASSERT_EQ(EnableTraceEx2(first.handle(), &some_provider, 1, 2, 0x20, 0, 0, nullptr), 0U);
    ASSERT_EQ(EnableTraceEx2(second.handle(), &some_provider, 1, 4, 0x40, 0, 0, nullptr), 0U);
    const Enumerated all(8);
    ASSERT_EQ(all.status, 0U);
    ASSERT_EQ(all.count, 2U);
    EXPECT_EQ(all.providers[0].Guid, some_provider); // in the order of GUIDs
    EXPECT_EQ(all.providers[0].IsEnable, TRUE);
    EXPECT_EQ(all.providers[0].LoggerId, second.handle());
    EXPECT_EQ(all.providers[0].EnableLevel, 4U);
    EXPECT_EQ(all.providers[0].EnableFlags, 0x40U);
    EXPECT_EQ(all.providers[1].Guid, other_provider);
    EXPECT_EQ(all.providers[1].IsEnable, FALSE);
    EXPECT_EQ(all.providers[1].LoggerId, 0U);
    EXPECT_EQ(all.providers[1].EnableLevel, 0U);
    ASSERT_EQ(EnableTraceEx2(first.handle(), &some_provider, 1, 3, 0x30, 0, 0, nullptr), 0U);
    const Enumerated later(8);
    EXPECT_EQ(later.providers[0].LoggerId, first.handle()) << "it enabled it once more";
    EXPECT_EQ(later.providers[0].EnableLevel, 3U);
}

TEST(EnumerateTraceGuids_, LeavesOutWhatIsEnabledButNotRegistered) {
    const CSession session;
    ASSERT_EQ(EnableTraceEx2(session.handle(), &other_provider, 1, 4, 0, 0, 0, nullptr), 0U);
    const Provider registered;
    const Enumerated all(8);
    EXPECT_EQ(all.status, 0U);
    ASSERT_EQ(all.count, 1U);
    EXPECT_EQ(all.providers[0].Guid, some_provider);
    EXPECT_EQ(all.providers[1].IsEnable, 77) << "untouched";
}

TEST(EnumerateTraceGuids_, FillsWhatFitsAndSaysHowManyThereAre) {
    const Provider one;
    const Provider two(other_provider);
    const Enumerated all(1);
    EXPECT_EQ(all.status, ULONG{ERROR_MORE_DATA});
    EXPECT_EQ(all.count, 2U);
    EXPECT_EQ(all.providers[0].Guid, some_provider);
}

TEST(EnumerateTraceGuids_, RefusesNoArrayAndNoRoom) {
    TRACE_GUID_PROPERTIES one{};
    TRACE_GUID_PROPERTIES* pointer = &one;
    ULONG count = 0;
    EXPECT_EQ(EnumerateTraceGuids(&pointer, 0, &count), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EnumerateTraceGuids(nullptr, 1, &count), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EnumerateTraceGuids(&pointer, 1, nullptr), ULONG{ERROR_INVALID_PARAMETER});
}

/// A provider whose traits name some_group.
class GroupMember : public Provider {
public:
    explicit GroupMember(const GUID& guid) : Provider(guid) {
        std::vector<char> traits(2);
        for (const char c : {'N', '\0'}) {
            traits.push_back(c);
        }
        const USHORT trait_size = 3 + sizeof(GUID);
        traits.push_back(static_cast<char>(trait_size));
        traits.push_back(0);
        traits.push_back(1); // a group
        const auto* group = reinterpret_cast<const char*>(&some_group);
        traits.insert(traits.end(), group, group + sizeof some_group);
        traits[0] = static_cast<char>(traits.size());
        EXPECT_EQ(EventSetInformation(handle(), EventProviderSetTraits, traits.data(),
                                      static_cast<ULONG>(traits.size())),
                  0U);
    }
};

ULONG enable_group(const CSession& session, ULONG code, UCHAR level, ULONGLONG any) {
    ENABLE_TRACE_PARAMETERS parameters{};
    parameters.Version = ENABLE_TRACE_PARAMETERS_VERSION_2;
    parameters.EnableProperty = EVENT_ENABLE_PROPERTY_PROVIDER_GROUP;
    return EnableTraceEx2(session.handle(), &some_group, code, level, any, 0, 0, &parameters);
}

std::vector<GUID> list(TRACE_QUERY_INFO_CLASS which) {
    std::array<GUID, 8> guids{};
    ULONG size = 0;
    EXPECT_EQ(EnumerateTraceGuidsEx(which, nullptr, 0, guids.data(), sizeof guids, &size), 0U);
    return {guids.begin(), guids.begin() + size / sizeof(GUID)};
}

TEST(TraceGuidQuery, ListsTheProvidersOfTheProcess) {
    const CSession session;
    const GroupMember one(some_provider);
    ASSERT_EQ(EnableTraceEx2(session.handle(), &other_provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
                             5, 0, 0, 0, nullptr),
              0U);
    EXPECT_EQ(list(TraceGuidQueryList), (std::vector{some_provider, other_provider}));
    EXPECT_EQ(list(TraceGuidQueryProcess), std::vector{some_provider});
}

TEST(TraceGroupQuery, ListsGroupsApartFromProviders) {
    const GroupMember one(some_provider);
    const Provider alone(other_provider);
    EXPECT_EQ(list(TraceGroupQueryList), std::vector{some_group});
    EXPECT_EQ(list(TraceGuidQueryList), (std::vector{some_provider, other_provider}));
    ULONG size = 0;
    EXPECT_EQ(EnumerateTraceGuidsEx(TraceGroupQueryList, nullptr, 0, nullptr, 0, &size),
              ULONG{ERROR_INSUFFICIENT_BUFFER});
    EXPECT_EQ(size, sizeof(GUID));
}

TEST(TraceGroupQuery, ShowsTheMembersAndWhoEnabledTheGroup) {
    const CSession session;
    const GroupMember one(some_provider);
    const GroupMember two(other_provider);
    ASSERT_EQ(enable_group(session, 1, 3, 0x8), 0U);

    struct Member {
        TRACE_PROVIDER_INSTANCE_INFO instance;
        TRACE_ENABLE_INFO enabled;
    };

    struct {
        TRACE_GUID_INFO info;
        Member members[2];
    } answer{};

    GUID asked = some_group;
    ULONG size = 0;
    EXPECT_EQ(EnumerateTraceGuidsEx(TraceGroupQueryInfo, &asked, sizeof asked, &answer, 8, &size),
              ULONG{ERROR_INSUFFICIENT_BUFFER});
    ASSERT_EQ(size, sizeof answer);
    ASSERT_EQ(EnumerateTraceGuidsEx(TraceGroupQueryInfo, &asked, sizeof asked, &answer,
                                    sizeof answer, &size),
              0U);
    EXPECT_EQ(answer.info.InstanceCount, 2U);
    EXPECT_EQ(answer.members[0].instance.NextOffset, sizeof(Member));
    EXPECT_EQ(answer.members[1].instance.NextOffset, 0U);
    for (const Member& member : answer.members) {
        EXPECT_EQ(member.instance.EnableCount, 1U);
        EXPECT_EQ(member.instance.Pid, GetCurrentProcessId());
        EXPECT_EQ(member.instance.Flags, 0U);
        EXPECT_EQ(member.enabled.IsEnabled, ULONG{TRUE});
        EXPECT_EQ(member.enabled.Level, 3);
        EXPECT_EQ(member.enabled.LoggerId, session.handle());
        EXPECT_EQ(member.enabled.MatchAnyKeyword, 0x8U);
        EXPECT_EQ(member.enabled.EnableProperty, ULONG{EVENT_ENABLE_PROPERTY_PROVIDER_GROUP});
    }
    EXPECT_EQ(EventProviderEnabled(one.handle(), 3, 0x8), TRUE);
    ASSERT_EQ(enable_group(session, 0, 0, 0), 0U);
    EXPECT_EQ(EventProviderEnabled(one.handle(), 3, 0x8), FALSE);
}

TEST(TraceGroupQuery, KnowsNoGroupOfAProvidersGuid) {
    const GroupMember one(some_provider);
    GUID asked = some_provider;
    std::array<std::byte, 256> answer{};
    ULONG size = 0;
    EXPECT_EQ(EnumerateTraceGuidsEx(TraceGroupQueryInfo, &asked, sizeof asked, answer.data(),
                                    sizeof answer, &size),
              ULONG{ERROR_WMI_GUID_NOT_FOUND});
    asked = some_group;
    EXPECT_EQ(EnumerateTraceGuidsEx(TraceGuidQueryInfo, &asked, sizeof asked, answer.data(),
                                    sizeof answer, &size),
              ULONG{ERROR_WMI_GUID_NOT_FOUND});
    EXPECT_EQ(
        EnumerateTraceGuidsEx(TraceGroupQueryInfo, &asked, 15, answer.data(), sizeof answer, &size),
        ULONG{ERROR_INVALID_PARAMETER});
}

} // namespace
} // namespace etl::test::enumerate_guids_test
