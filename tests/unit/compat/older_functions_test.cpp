// EnableTraceEx, EnumerateTraceGuids, the queries for groups, EventWriteEx, TraceMessageVa and
// EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME. docs/compat.md#controllers #providers #messages
#include <etl/base/guid.hpp>

#include "tests/unit/compat/c_records.hpp"
#include "tests/unit/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdarg>
#include <mutex>
#include <thread>

namespace etl::test {
namespace {

using namespace etl::literals;

constexpr GUID other_provider = {
    0x66666666, 0x7777, 0x8888, {0x99, 0x99, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA}};
constexpr GUID some_group = {
    0xBBBBBBBB, 0xCCCC, 0xDDDD, {0xEE, 0xEE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}};
constexpr GUID some_source = {0x50, 0x51, 0x52, {1, 2, 3, 4, 5, 6, 7, 8}};
constexpr GUID some_activity = {0xAC, 0x71, 0x01, {8, 7, 6, 5, 4, 3, 2, 1}};
constexpr Guid some_source_guid = "00000050-0051-0052-0102-030405060708"_guid;
constexpr Guid some_activity_guid = "000000ac-0071-0001-0807-060504030201"_guid;

constexpr EVENT_DESCRIPTOR event_of(USHORT id, UCHAR level, ULONGLONG keyword = 1) {
    return {id, 0, 0, level, 0, 0, keyword};
}

/// One call of an enable callback.
struct Notice {
    GUID source{};
    ULONG is_enabled = 99;
    UCHAR level = 0;
    ULONGLONG any = 0, all = 0;
    ULONG filter_type = 0;
    ULONGLONG session_bit = 0;
    std::string filter;
};

/// A registration that keeps what its callback is told. Callbacks come from any thread.
class Provider {
public:
    explicit Provider(const GUID& guid = some_provider) {
        EXPECT_EQ(EventRegister(&guid, on_enable, this, &handle_), 0U);
    }

    Provider(const Provider&) = delete;
    Provider& operator=(const Provider&) = delete;

    ~Provider() { EventUnregister(handle_); }

    REGHANDLE handle() const { return handle_; }

    /// The latest notice once there are `count`; waits for it up to 10 s.
    Notice notice(std::size_t count) {
        for (int i = 0; i < 1000; ++i) {
            {
                const std::lock_guard lock(mutex_);
                if (notices_.size() >= count) {
                    return notices_[count - 1];
                }
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        ADD_FAILURE() << "no notice";
        return {};
    }

    ULONG write(const EVENT_DESCRIPTOR& event) const {
        return EventWrite(handle_, &event, 0, nullptr);
    }

private:
    static VOID on_enable(LPCGUID source, ULONG is_enabled, UCHAR level, ULONGLONG any,
                          ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter, PVOID context) {
        auto& self = *static_cast<Provider*>(context);
        Notice notice{*source, is_enabled, level, any, all, 0, 0, {}};
        if (filter != nullptr) {
            const auto* data = reinterpret_cast<const char*>(static_cast<ULONG_PTR>(filter->Ptr));
            EVENT_FILTER_HEADER header{};
            std::memcpy(&header, data, sizeof header);
            notice.filter_type = filter->Type;
            notice.session_bit = header.InstanceId;
            notice.filter.assign(data + sizeof header, filter->Size - sizeof header);
        }
        const std::lock_guard lock(self.mutex_);
        self.notices_.push_back(notice);
    }

    REGHANDLE handle_ = 0;
    std::mutex mutex_;
    std::vector<Notice> notices_;
};

/// A schematized filter, as a controller passes it.
struct SchematizedFilter {
    struct {
        EVENT_FILTER_HEADER header{};
        char text[8] = "schema!";
    } data;

    EVENT_FILTER_DESCRIPTOR descriptor{};

    SchematizedFilter() {
        data.header.Size = sizeof data;
        descriptor.Ptr = reinterpret_cast<ULONG_PTR>(&data);
        descriptor.Size = sizeof data;
        descriptor.Type = EVENT_FILTER_TYPE_SCHEMATIZED;
    }
};

std::vector<int> ids_in(const std::string& path) {
    std::vector<int> ids;
    for (const Record& record : records_of(path)) {
        ids.push_back(record.header.id);
    }
    return ids;
}

TEST(EnableTraceEx_, TellsTheProviderAllThatItIsGiven) {
    const CSession session;
    Provider provider;
    SchematizedFilter filter;
    ASSERT_EQ(EnableTraceEx(&some_provider, &some_source, session.handle(), 1, 3, 0x30, 0x10, 0,
                            &filter.descriptor),
              0U);
    const Notice on = provider.notice(1);
    EXPECT_EQ(on.source, some_source);
    EXPECT_EQ(on.is_enabled, 1U);
    EXPECT_EQ(on.level, 3);
    EXPECT_EQ(on.any, 0x30U);
    EXPECT_EQ(on.all, 0x10U);
    EXPECT_EQ(on.filter_type, ULONG{EVENT_FILTER_TYPE_SCHEMATIZED});
    EXPECT_STREQ(on.filter.c_str(), "schema!");
    ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, session.handle(), 0, 0, 0, 0, 0, nullptr), 0U);
    const Notice off = provider.notice(2);
    EXPECT_EQ(off.source, GUID{});
    EXPECT_EQ(off.is_enabled, 0U);
    EXPECT_EQ(EventProviderEnabled(provider.handle(), 1, 0x10), FALSE);
}

TEST(EnableTraceEx_, LetsPassWhatLevelKeywordsAndPropertySay) {
    const Folder folder;
    {
        const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        const Provider provider;
        EXPECT_EQ(provider.write(event_of(1, 1)), 0U); // not enabled yet
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, session.handle(), 1, 3, 0x30, 0x10,
                                EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0, nullptr),
                  0U);
        EXPECT_EQ(provider.write(event_of(2, 3, 0x10)), 0U);
        EXPECT_EQ(provider.write(event_of(3, 4, 0x10)), 0U); // level
        EXPECT_EQ(provider.write(event_of(4, 3, 0x20)), 0U); // match all
        EXPECT_EQ(provider.write(event_of(5, 3, 0x01)), 0U); // match any
        EXPECT_EQ(provider.write(event_of(6, 3, 0)), 0U);    // property
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, session.handle(), 1, 5, 0, 0, 0, nullptr),
                  0U);
        EXPECT_EQ(provider.write(event_of(7, 4, 0x40)), 0U); // all of it was replaced
        EXPECT_EQ(provider.write(event_of(8, 5, 0)), 0U);
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, session.handle(), 0, 0, 0, 0, 0, nullptr),
                  0U);
        EXPECT_EQ(provider.write(event_of(9, 1)), 0U);
    }
    EXPECT_EQ(ids_in(folder / "a.etl"), (std::vector{2, 7, 8}));
}

TEST(EnableTraceEx_, RefusesWhatEnableTraceEx2Refuses) {
    const CSession session;
    const TRACEHANDLE handle = session.handle();
    constexpr ULONG refused = ERROR_INVALID_PARAMETER;
    EXPECT_EQ(EnableTraceEx(nullptr, nullptr, handle, 1, 4, 0, 0, 0, nullptr), refused);
    EXPECT_EQ(EnableTraceEx(&some_provider, nullptr, 0, 1, 4, 0, 0, 0, nullptr), refused);
    EXPECT_EQ(EnableTraceEx(&some_provider, nullptr, 0x7777, 1, 4, 0, 0, 0, nullptr), refused);
    EXPECT_EQ(EnableTraceEx(&some_provider, nullptr, handle, 3, 4, 0, 0, 0, nullptr), refused);
    SchematizedFilter filter;
    filter.descriptor.Ptr = 0;
    EXPECT_EQ(EnableTraceEx(&some_provider, nullptr, handle, 1, 4, 0, 0, 0, &filter.descriptor),
              refused);
}

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

TEST(EventWriteEx_, LeavesOutTheSessionsOfTheFilter) {
    const Folder folder;
    {
        const CSession with(u"With", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "with.etl");
        const CSession without(u"Without", EVENT_TRACE_FILE_MODE_SEQUENTIAL,
                               folder / "without.etl");
        Provider provider;
        ASSERT_EQ(EnableTraceEx2(with.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
        SchematizedFilter filter;
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, without.handle(), 1, 5, 0, 0, 0,
                                &filter.descriptor),
                  0U);
        const ULONG64 bit = provider.notice(2).session_bit;
        ASSERT_NE(bit, 0U);
        constexpr EVENT_DESCRIPTOR first = event_of(1, 4);
        constexpr EVENT_DESCRIPTOR second = event_of(2, 4);
        constexpr EVENT_DESCRIPTOR third = event_of(3, 4);
        const REGHANDLE handle = provider.handle();
        EXPECT_EQ(EventWriteEx(handle, &first, bit, 0, nullptr, nullptr, 0, nullptr), 0U);
        EXPECT_EQ(EventWriteEx(handle, &second, 0, 0, nullptr, nullptr, 0, nullptr), 0U);
        EXPECT_EQ(EventWriteEx(handle, &third, ~ULONG64{0}, 0, nullptr, nullptr, 0, nullptr), 0U);
    }
    EXPECT_EQ(ids_in(folder / "with.etl"), (std::vector{1, 2}));
    EXPECT_EQ(ids_in(folder / "without.etl"), std::vector{2});
}

TEST(EventWriteEx_, KeepsInPrivateEventsFromSessionsThatExcludeThem) {
    const Folder folder;
    {
        const CSession all(u"All", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "all.etl");
        const CSession some(u"Some", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "some.etl");
        const Provider provider;
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, all.handle(), 1, 5, 0, 0, 0, nullptr), 0U);
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, some.handle(), 1, 5, 0, 0,
                                EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE, nullptr),
                  0U);
        constexpr EVENT_DESCRIPTOR in_private = event_of(1, 4);
        constexpr EVENT_DESCRIPTOR ordinary = event_of(2, 4);
        const REGHANDLE handle = provider.handle();
        EXPECT_EQ(EventWriteEx(handle, &in_private, 0, EVENT_WRITE_FLAG_INPRIVATE, nullptr, nullptr,
                               0, nullptr),
                  0U);
        EXPECT_EQ(EventWriteEx(handle, &ordinary, 0, EVENT_WRITE_FLAG_NO_FAULTING, nullptr, nullptr,
                               0, nullptr),
                  0U);
    }
    EXPECT_EQ(ids_in(folder / "all.etl"), (std::vector{1, 2}));
    EXPECT_EQ(ids_in(folder / "some.etl"), std::vector{2});
}

TEST(EventWriteEx_, StoresActivitiesAndData) {
    const Folder folder;
    {
        const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        const Provider provider;
        ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
        EVENT_DATA_DESCRIPTOR parts[2];
        EventDataDescCreate(&parts[0], "two ", 4);
        EventDataDescCreate(&parts[1], "parts", 5);
        constexpr EVENT_DESCRIPTOR event = event_of(1, 4);
        const REGHANDLE handle = provider.handle();
        EXPECT_EQ(EventWriteEx(handle, &event, 0, 0, &some_activity, &some_source, 2, parts), 0U);
        GUID of_thread = some_source;
        ASSERT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &of_thread), 0U);
        EXPECT_EQ(EventWriteEx(handle, &event, 0, 0, nullptr, nullptr, 0, nullptr), 0U);
        GUID none{};
        ASSERT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &none), 0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].payload, "two parts");
    EXPECT_EQ(records[0].header.activity, some_activity_guid);
    EXPECT_EQ(records[0].related, some_source_guid);
    EXPECT_EQ(records[1].header.activity, some_source_guid) << "that of the thread";
    EXPECT_TRUE(records[1].related.is_zero());
}

TEST(EventWriteEx_, RefusesWhatEventWriteRefuses) {
    const Provider provider;
    constexpr EVENT_DESCRIPTOR event = event_of(1, 4);
    EXPECT_EQ(EventWriteEx(provider.handle(), nullptr, 0, 0, nullptr, nullptr, 0, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventWriteEx(0, &event, 0, 0, nullptr, nullptr, 0, nullptr),
              ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(EventWriteEx(provider.handle(), &event, 0, 0, nullptr, nullptr, 129, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
}

/// A trace function of a program, as WPP makes them.
ULONG trace(TRACEHANDLE session, ULONG flags, LPCGUID id, USHORT number, ...) {
    va_list arguments;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvarargs" // a USHORT in front of the dots, as WPP declares it
    va_start(arguments, number);
#pragma GCC diagnostic pop
    const ULONG status = TraceMessageVa(session, flags, id, number, arguments);
    va_end(arguments);
    return status;
}

TEST(TraceMessageVa_, HoldsTheFieldsAndArgumentsThatItIsGiven) {
    const Folder folder;
    constexpr ULONG usual = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID | TRACE_MESSAGE_TIMESTAMP |
                            TRACE_MESSAGE_SYSTEMINFO;
    {
        const CSession session(u"T1",
                               EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_USE_LOCAL_SEQUENCE,
                               folder / "a.etl");
        const TRACEHANDLE handle = session.handle();
        EXPECT_EQ(trace(handle, usual, &some_source, 10, "one", std::size_t{3}, "four",
                        std::size_t{4}, nullptr),
                  0U);
        EXPECT_EQ(trace(handle, usual, &some_source, 11, nullptr), 0U);
        EXPECT_EQ(TraceMessage(handle, usual, &some_source, 12, nullptr), 0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0].kind, format::RecordKind::message);
    EXPECT_EQ(records[0].header.id, 10);
    EXPECT_EQ(records[0].header.provider, some_source_guid);
    EXPECT_EQ(records[0].payload, "onefour");
    EXPECT_EQ(records[0].header.process_id, GetCurrentProcessId());
    EXPECT_EQ(records[0].header.thread_id, GetCurrentThreadId());
    EXPECT_EQ(records[1].header.id, 11);
    EXPECT_TRUE(records[1].payload.empty());
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(records[i].header.sequence, i + 1) << "one counter for both functions";
    }
}

TEST(TraceMessageVa_, RefusesWhatTraceMessageRefuses) {
    const CSession session;
    EXPECT_EQ(trace(0, 0, nullptr, 1, nullptr), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(trace(session.handle(), TRACE_MESSAGE_GUID, nullptr, 1, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
    const std::vector<std::byte> large(70000);
    EXPECT_EQ(trace(session.handle(), 0, nullptr, 1, large.data(), large.size(), nullptr),
              ULONG{ERROR_MORE_DATA});
}

ULONG convert(const CSession& session, PropertyBlock& block) {
    return ControlTraceW(session.handle(), nullptr, block.get(),
                         EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME);
}

struct Consumer {
    std::mutex mutex;
    std::vector<int> ids;

    static VOID on_record(PEVENT_RECORD record) {
        auto& self = *static_cast<Consumer*>(record->UserContext);
        const std::lock_guard lock(self.mutex);
        self.ids.push_back(record->EventHeader.EventDescriptor.Id);
    }
};

TEST(ConvertToRealTime, EndsTheFileAndGoesOnWithConsumers) {
    const Folder folder;
    Consumer consumer;
    {
        CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        const Provider provider;
        ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
        EXPECT_EQ(provider.write(event_of(1, 4)), 0U);
        PropertyBlock block;
        block.file("");
        ASSERT_EQ(convert(session, block), 0U);
        EXPECT_EQ(block->LogFileMode & EVENT_TRACE_REAL_TIME_MODE,
                  ULONG{EVENT_TRACE_REAL_TIME_MODE});
        EXPECT_EQ(block->FlushTimer, 1U);
        EXPECT_EQ(block.file_name(), u"");
        EXPECT_EQ(ids_in(folder / "a.etl"), std::vector{1}) << "the file is complete";
        const CSession successor(u"T2", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        EXPECT_EQ(successor.status(), 0U) << "nobody writes the file any more";
        EXPECT_EQ(provider.write(event_of(2, 4)), 0U);

        EVENT_TRACE_LOGFILEW asked{};
        WCHAR name[] = u"T1";
        asked.LoggerName = name;
        asked.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD | PROCESS_TRACE_MODE_REAL_TIME;
        asked.EventRecordCallback = Consumer::on_record;
        asked.Context = &consumer;
        TRACEHANDLE opened = OpenTraceW(&asked);
        ASSERT_NE(opened, INVALID_PROCESSTRACE_HANDLE);
        std::thread reader([&] { ProcessTrace(&opened, 1, nullptr, nullptr); });
        do { // until it listens
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            const std::lock_guard lock(consumer.mutex);
            if (!consumer.ids.empty()) {
                break;
            }
        } while (true);
        EXPECT_EQ(session.stop(), 0U);
        reader.join();
        EXPECT_EQ(CloseTrace(opened), 0U);
    }
    EXPECT_EQ(consumer.ids.back(), 2);
    EXPECT_EQ(std::ranges::count(consumer.ids, 1), 0) << "that one is in the file";
}

TEST(ConvertToRealTime, IsNotForRingsAndPrivateSessions) {
    const Folder folder;
    PropertyBlock block;
    const CSession ring(u"Ring", EVENT_TRACE_BUFFERING_MODE);
    EXPECT_EQ(convert(ring, block), ULONG{ERROR_INVALID_PARAMETER});
    const CSession own(u"Own", EVENT_TRACE_PRIVATE_LOGGER_MODE | EVENT_TRACE_PRIVATE_IN_PROC,
                       folder / "own.etl");
    EXPECT_EQ(convert(own, block), ULONG{ERROR_INVALID_PARAMETER});
}

} // namespace
} // namespace etl::test
