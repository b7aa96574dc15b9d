// Registrations in the child of a fork: there, and enabled by nobody, whatever went on in threads
// of the parent.
#include "session/providers/event_filters.hpp"
#include "tests/unit/sessions/session/stand_in_session.hpp"

#include <gtest/gtest.h>

#if !defined(_WIN32)
#include <latch>
#include <sys/wait.h>
#include <unistd.h>

namespace etl::session::registrations_fork_test {
namespace {

/// As a runtime does; whether `child` returned true in the forked process.
template <typename Child>
bool holds_in_child(Registrations& registrations, Child child) {
    registrations.before_fork();
    const pid_t id = ::fork();
    if (id == 0) {
        registrations.forget_in_child();
        ::_exit(child() ? 0 : 1);
    }
    registrations.after_fork();
    int status = -1;
    ::waitpid(id, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(RegistrationsInAChild, AreThereButEnabledByNobody) {
    StandInSessions sessions;
    Registrations registrations;
    const RegistrationNode& node = **registrations.add(coffee, ProviderKind::modern, {});
    const auto enable = [&](std::size_t session, const Guid& guid) {
        return registrations
            .control(sessions[session], guid, Control::enable,
                     {.filters = {make_event_filter({7})}})
            .has_value();
    };
    ASSERT_TRUE(enable(0, coffee) && enable(0, cocoa));

    EXPECT_TRUE(holds_in_child(registrations, [&] {
        return node.state.mask.load() == 0 && registrations.list().size() == 1 &&
               registrations.find(node.handle.load()) == &node &&
               registrations.enabled_by(sessions[0]).empty() && enable(1, coffee) &&
               takers(node, 1, 1) == 1;
    }));
    EXPECT_EQ(node.state.mask.load(), 1U);
    EXPECT_TRUE(enable(1, coffee));
}

TEST(RegistrationsInAChild, DoNotWaitForCallbacksThatRanInThreadsOfTheParent) {
    StandInSessions sessions;
    std::latch inside{1}, answered{1};
    std::atomic<int> calls{0};
    Registrations registrations;
    RegistrationNode& node =
        **registrations.add(coffee, ProviderKind::modern, [&](const EnableNotification& notice) {
            ++calls;
            if (notice.level == 1) {
                inside.count_down();
                answered.wait();
            }
        });
    ASSERT_TRUE(registrations.control(sessions[0], coffee, Control::enable, {.level = 1}));
    inside.wait();
    ASSERT_TRUE(registrations.control(sessions[0], coffee, Control::enable, {.level = 2}));

    EXPECT_TRUE(holds_in_child(registrations, [&] {
        const bool is_told =
            registrations.control(sessions[1], coffee, Control::enable, now({.level = 3}))
                .has_value() &&
            calls.load() == 2; // the one that the parent is in, and this one
        registrations.remove(node);
        return is_told;
    }));
    answered.count_down();
    ASSERT_TRUE(registrations.control(sessions[0], coffee, Control::enable, now({.level = 3})));
    EXPECT_EQ(calls.load(), 3);
}

} // namespace
} // namespace etl::session::registrations_fork_test
#endif
