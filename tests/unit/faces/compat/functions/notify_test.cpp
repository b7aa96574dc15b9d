// EtwNotificationRegister: what becomes of sessions.
#include <etl/compat/ntetw.h>

#include "tests/support/sanitizers.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace etl::test::notify_test {

namespace {

static_assert(sizeof(ETW_NOTIFICATION_HEADER) == 0x48);
static_assert(sizeof(ETW_SESSION_NOTIFICATION_PACKET) == 0x60);

constexpr GUID session_notifications = {
    0x2a6e185b, 0x90de, 0x4fc5, {0x82, 0x6c, 0x9f, 0x44, 0xe6, 0x08, 0xa4, 0x27}};

struct Seen {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<ETW_SESSION_NOTIFICATION_PACKET> packets;

    bool wait_for(std::size_t count) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, std::chrono::seconds(60),
                                [&] { return packets.size() >= count; });
    }
};

ULONG WINAPI see(PETW_NOTIFICATION_HEADER header, PVOID context) {
    auto& seen = *static_cast<Seen*>(context);
    const std::lock_guard lock(seen.mutex);
    seen.packets.push_back(*reinterpret_cast<ETW_SESSION_NOTIFICATION_PACKET*>(header));
    seen.changed.notify_all();
    return 0;
}

TEST(EtwNotificationRegister, TellsWhenSessionsStartAndStop) {
    Seen seen;
    REGHANDLE handle = 0;
    ASSERT_EQ(EtwNotificationRegister(&session_notifications, EtwNotificationTypeSession, see,
                                      &seen, &handle),
              0U);
    EXPECT_NE(handle, 0);
    TRACEHANDLE session = 0;
    {
        const CSession started;
        session = started.handle();
    }
    ASSERT_TRUE(seen.wait_for(2));
    PVOID context = nullptr;
    EXPECT_EQ(EtwNotificationUnregister(handle, &context), 0U);
    EXPECT_EQ(context, &seen);
    ASSERT_EQ(seen.packets.size(), 2);
    EXPECT_EQ(seen.packets[0].Type, EtwSessionNotificationSessionStarted);
    EXPECT_EQ(seen.packets[1].Type, EtwSessionNotificationSessionTerminated);
    EXPECT_EQ(seen.packets[0].TraceHandle, session);
    EXPECT_EQ(seen.packets[1].Status, 0);
    EXPECT_EQ(seen.packets[0].NotificationHeader.NotificationSize, 0x60U);
    EXPECT_TRUE(
        IsEqualGUID(seen.packets[0].NotificationHeader.DestinationGuid, session_notifications));
    {
        const CSession unseen;
    }
    EXPECT_EQ(seen.packets.size(), 2);
    EXPECT_EQ(EtwNotificationUnregister(handle, nullptr), ULONG{ERROR_INVALID_HANDLE});
}

TEST(EtwNotificationRegister, AChildIsNotifiedOnlyOfSessionsAfterItsRegistration) {
    if (!can_start_threads_in_child()) {
        GTEST_SKIP() << "the sanitizer cannot start threads in a child";
    }
    Seen seen;
    REGHANDLE handle = 0;
    const auto add = [&](Seen& to) {
        return EtwNotificationRegister(&session_notifications, EtwNotificationTypeSession, see, &to,
                                       &handle);
    };
    ASSERT_EQ(add(seen), 0U);
    const pid_t child = ::fork();
    if (child == 0) {
        const CSession before;
        Seen later;
        const bool is_added = add(later) == 0U;
        const CSession after(u"T2");
        const bool is_seen = is_added && later.wait_for(1) &&
                             later.packets[0].TraceHandle == after.handle() &&
                             after.handle() != before.handle();
        ::_exit(is_seen ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(EtwNotificationUnregister(handle, nullptr), 0U);
}

TEST(EtwNotificationRegister, RefusesWhatThereIsNot) {
    REGHANDLE handle = 1;
    const auto add = [&](const GUID* guid, ULONG type) {
        return EtwNotificationRegister(guid, type, see, nullptr, &handle);
    };
    EXPECT_EQ(add(nullptr, EtwNotificationTypeSession), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(add(&session_notifications, 0), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(add(&session_notifications, EtwNotificationTypeMax), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(add(&session_notifications, EtwNotificationTypeAudio), ULONG{ERROR_NOT_SUPPORTED});
    const GUID other{};
    EXPECT_EQ(add(&other, EtwNotificationTypeSession), ULONG{ERROR_NOT_SUPPORTED});
    EXPECT_EQ(handle, 0);
}

} // namespace

} // namespace etl::test::notify_test
