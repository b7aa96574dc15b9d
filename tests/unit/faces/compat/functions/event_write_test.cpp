// Providers with descriptors by Windows' names: what handles, null pointers and types of data
// descriptors come to. What is written: tests/unit/session. docs/compat.md#providers
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

namespace etl::test::event_write_test {
namespace {

constexpr EVENT_DESCRIPTOR some_event{7, 1, 0, TRACE_LEVEL_INFORMATION, 0, 0, 0x1};

class Provider {
public:
    explicit Provider(PENABLECALLBACK callback = nullptr, void* context = nullptr) {
        EXPECT_EQ(EventRegister(&some_provider, callback, context, &handle_), 0U);
    }

    Provider(const Provider&) = delete;
    Provider& operator=(const Provider&) = delete;

    ~Provider() { EventUnregister(handle_); }

    REGHANDLE handle() const { return handle_; }

private:
    REGHANDLE handle_ = 0;
};

TEST(EventRegister_, RefusesNoProviderAndNoHandle) { // V243
    REGHANDLE handle = 1;
    EXPECT_EQ(EventRegister(nullptr, nullptr, nullptr, &handle), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventRegister(&some_provider, nullptr, nullptr, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
}

TEST(EventWrite_, RefusesNoDescriptor) { // V245
    const Provider provider;
    EXPECT_EQ(EventWrite(provider.handle(), nullptr, 0, nullptr), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventWrite(0, nullptr, 0, nullptr), ULONG{ERROR_INVALID_PARAMETER});
}

TEST(EventWrite_, RefusesHandlesOfNobody) { // V246
    REGHANDLE stale = 0;
    ASSERT_EQ(EventRegister(&some_provider, nullptr, nullptr, &stale), 0U);
    ASSERT_EQ(EventUnregister(stale), 0U);
    EXPECT_EQ(EventWrite(stale, &some_event, 0, nullptr), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(EventWrite(0, &some_event, 0, nullptr), ULONG{ERROR_INVALID_HANDLE});
    EXPECT_EQ(EventUnregister(stale), ULONG{ERROR_INVALID_HANDLE});
}

TEST(EventWrite_, IsFineWhereNobodyListens) { // V247
    const Provider provider;
    EXPECT_EQ(EventWrite(provider.handle(), &some_event, 0, nullptr), 0U);
    EXPECT_EQ(EventProviderEnabled(provider.handle(), 0, 0), FALSE);
}

TEST(EventWrite_, TakesUpTo128Parts) { // V248, V249
    const CSession session;
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
    const Provider provider;
    std::array<EVENT_DATA_DESCRIPTOR, 129> parts{};
    EXPECT_EQ(EventWrite(provider.handle(), &some_event, 129, parts.data()),
              ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventWrite(provider.handle(), &some_event, 128, parts.data()), 0U);
    EXPECT_EQ(EventWrite(provider.handle(), &some_event, 1, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
}

TEST(EventEnabled_, SaysNoOnlyWhereNobodyCanWantIt) {
    const CSession session;
    const Provider provider;
    EXPECT_EQ(EventEnabled(provider.handle(), &some_event), FALSE);
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 4, 0x1, 0, 0, nullptr), 0U);
    EXPECT_EQ(EventEnabled(provider.handle(), &some_event), TRUE);
    EXPECT_EQ(EventEnabled(provider.handle(), nullptr), FALSE);
    EXPECT_EQ(EventEnabled(0, &some_event), FALSE);
    EXPECT_EQ(EventProviderEnabled(provider.handle(), 5, 0x1), FALSE);
    EXPECT_EQ(EventProviderEnabled(provider.handle(), 4, 0x2), FALSE);
}

struct Told {
    int calls = 0;
    ULONG is_enabled = 99;
    UCHAR level = 0;
    ULONGLONG any = 0, all = 0, instance = 0;
    GUID source{};
    ULONG filter_type = 0;
    std::string filter;
};

VOID tell(LPCGUID source, ULONG is_enabled, UCHAR level, ULONGLONG any, ULONGLONG all,
          PEVENT_FILTER_DESCRIPTOR filter, PVOID context) {
    auto& told = *static_cast<Told*>(context);
    ++told.calls;
    told.is_enabled = is_enabled;
    told.level = level;
    told.any = any;
    told.all = all;
    told.source = *source;
    told.filter_type = filter != nullptr ? filter->Type : 0;
    if (filter != nullptr) {
        const auto* data = reinterpret_cast<const char*>(static_cast<ULONG_PTR>(filter->Ptr));
        EVENT_FILTER_HEADER header{};
        std::memcpy(&header, data, sizeof header);
        told.instance = header.InstanceId;
        told.filter.assign(data + sizeof header, filter->Size - sizeof header);
    }
}

TEST(EnableCallback_, IsToldWhatTheControllerSaid) {
    const CSession session;
    Told told;
    const Provider provider(tell, &told);

    struct {
        EVENT_FILTER_HEADER header{};
        char text[8] = "schema!";
    } data;

    EVENT_FILTER_DESCRIPTOR filter{};
    filter.Ptr = reinterpret_cast<ULONG_PTR>(&data);
    filter.Size = sizeof data;
    filter.Type = EVENT_FILTER_TYPE_SCHEMATIZED;
    ENABLE_TRACE_PARAMETERS parameters{};
    parameters.Version = ENABLE_TRACE_PARAMETERS_VERSION_2;
    parameters.SourceId = some_provider;
    parameters.EnableFilterDesc = &filter;
    parameters.FilterDescCount = 1;
    ASSERT_EQ(
        EnableTraceEx2(session.handle(), &some_provider, 1, 3, 0x5, 0x1, INFINITE, &parameters),
        0U);
    EXPECT_EQ(told.calls, 1);
    EXPECT_EQ(told.is_enabled, 1U);
    EXPECT_EQ(told.level, 3);
    EXPECT_EQ(told.any, 0x5U);
    EXPECT_EQ(told.all, 0x1U);
    EXPECT_EQ(told.source, some_provider);
    EXPECT_EQ(told.filter_type, ULONG{EVENT_FILTER_TYPE_SCHEMATIZED});
    EXPECT_STREQ(told.filter.c_str(), "schema!");
    EXPECT_EQ(told.instance & (told.instance - 1), 0U); // one bit
    EXPECT_NE(told.instance, 0U);
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 0, 0, 0, 0, INFINITE, nullptr), 0U);
    EXPECT_EQ(told.calls, 2);
    EXPECT_EQ(told.is_enabled, 0U);
}

struct Held {
    std::atomic<bool> is_released{false}, has_ended{false};

    static VOID wait(LPCGUID, ULONG, UCHAR, ULONGLONG, ULONGLONG, PEVENT_FILTER_DESCRIPTOR,
                     PVOID context) {
        auto& self = *static_cast<Held*>(context);
        self.is_released.wait(false);
        self.has_ended = true;
    }

    void release() {
        is_released = true;
        is_released.notify_all();
    }
};

TEST(EnableCallback_, IsNotWaitedForLongerThanAsked) { // V201, V202
    for (const ULONG timeout : {10U, 0U}) {
        const CSession session;
        Held held;
        {
            const Provider provider(Held::wait, &held);
            EXPECT_EQ(
                EnableTraceEx2(session.handle(), &some_provider, 1, 3, 0, 0, timeout, nullptr),
                timeout == 0 ? ULONG{ERROR_SUCCESS} : ULONG{ERROR_TIMEOUT});
            EXPECT_FALSE(held.has_ended);
            EXPECT_EQ(EventProviderEnabled(provider.handle(), 3, 0), TRUE); // in force all the same
            held.release();
        }
    }
}

TEST(EnableCallback_, NeedNotBeThere) { // V242
    const CSession session;
    const Provider provider;
    EXPECT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 3, 0, 0, INFINITE, nullptr), 0U);
    EXPECT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 4, 0, 0, INFINITE, nullptr), 0U);
}

VOID control_from_callback(LPCGUID, ULONG, UCHAR, ULONGLONG, ULONGLONG, PEVENT_FILTER_DESCRIPTOR,
                           PVOID context) {
    PropertyBlock block;
    *static_cast<ULONG*>(context) = StopTraceW(0, u"T1", block.get());
}

TEST(EnableCallback_, MayNotControlSessions) {
    const CSession session;
    ULONG answer = 0;
    const Provider provider(control_from_callback, &answer);
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 3, 0, 0, INFINITE, nullptr), 0U);
    EXPECT_EQ(answer, ULONG{ERROR_POSSIBLE_DEADLOCK});
}

TEST(EventSetInformation_, AnswersAsTheTableSays) {
    const Provider provider;
    const REGHANDLE handle = provider.handle();
    const auto set = [handle](int which, void* data, ULONG size) {
        return EventSetInformation(handle, static_cast<EVENT_INFO_CLASS>(which), data, size);
    };
    EXPECT_EQ(set(99, nullptr, 0), ULONG{ERROR_NOT_SUPPORTED});     // V260
    EXPECT_EQ(set(2, nullptr, 16), ULONG{ERROR_INVALID_PARAMETER}); // V261
    char short_by_one[] = "\x07\0Name";
    EXPECT_EQ(set(2, short_by_one, 8), ULONG{ERROR_FILE_CORRUPT}); // V263
    EXPECT_EQ(set(2, short_by_one, 7), 0U);
    EXPECT_EQ(set(2, short_by_one, 7), ULONG{ERROR_GEN_FAILURE}); // V262
    BOOLEAN yes = TRUE;
    EXPECT_EQ(set(3, &yes, 1), 0U);
    EXPECT_EQ(set(3, &yes, 2), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventSetInformation(0, EventProviderSetTraits, short_by_one, 7),
              ULONG{ERROR_INVALID_PARAMETER});
}

TEST(EventWrite_, TakesTypesOfDescriptorsAtTheirWord) {
    const CSession session;
    const Provider provider;
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 5, 0, 0, 0, nullptr), 0U);
    const EVENT_DESCRIPTOR event{1, 0, 0, 4, 0, 0, 1};
    ULONGLONG data = 1;
    EVENT_DATA_DESCRIPTOR parts[3];
    const auto write = [&](UCHAR type, ULONG size, ULONG count) {
        for (EVENT_DATA_DESCRIPTOR& part : parts) {
            EventDataDescCreate(&part, &data, size);
            part.Type = type;
        }
        return EventWrite(provider.handle(), &event, count, parts);
    };
    constexpr UCHAR metadata = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
    constexpr UCHAR time = EVENT_DATA_DESCRIPTOR_TYPE_TIMESTAMP_OVERRIDE;
    EXPECT_EQ(write(time, 4, 1), 0U); // nobody said that types mean something
    BOOLEAN yes = TRUE;
    EXPECT_EQ(EventSetInformation(provider.handle(), EventProviderUseDescriptorType, &yes, 1), 0U);
    EXPECT_EQ(write(time, 8, 1), 0U);
    EXPECT_EQ(write(time, 4, 1), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(write(metadata, 8, 2), 0U);
    EXPECT_EQ(write(metadata, 8, 3), ULONG{ERROR_INVALID_PARAMETER});
    BOOLEAN no = FALSE;
    EXPECT_EQ(EventSetInformation(provider.handle(), EventProviderUseDescriptorType, &no, 1), 0U);
    EXPECT_EQ(write(time, 4, 1), 0U);
}

TEST(EventActivityIdControl_, GivesEachThreadItsOwn) {
    GUID id = some_provider;
    std::thread([&id] {
        EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &id), 0U); // V264
        EXPECT_EQ(id, GUID{});
    }).join();
    EXPECT_EQ(EventActivityIdControl(6, &id), ULONG{ERROR_INVALID_PARAMETER}); // V265
    EXPECT_EQ(EventActivityIdControl(0, &id), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
}

TEST(EventActivityIdControl_, SetsAndSwapsAndMakes) {
    GUID one = some_provider;
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &one), 0U);
    GUID swapped{};
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_SET_ID, &swapped), 0U);
    EXPECT_EQ(swapped, some_provider);
    GUID made{};
    GUID other{};
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &made), 0U);
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &other), 0U);
    EXPECT_NE(made, other);
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_SET_ID, &one), 0U);
    EXPECT_EQ(one, GUID{});
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &one), 0U);
    EXPECT_NE(one, GUID{});
    GUID none{};
    EXPECT_EQ(EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &none), 0U);
}

} // namespace
} // namespace etl::test::event_write_test
