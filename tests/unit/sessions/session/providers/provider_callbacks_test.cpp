// What the callback of a provider is told, when, in which thread, and who waits for it.
#include <etl/byte_writer.hpp>

#include "tests/unit/sessions/session/stand_in_session.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <mutex>
#include <thread>
#include <vector>

namespace etl::session::provider_callbacks_test {
namespace {

using namespace std::chrono_literals;

/// A notice with what it points to.
struct Heard {
    EnableNotification notice;
    std::vector<std::byte> filter;
    bool has_filter = false;
    std::thread::id thread;
};

class ProviderCallbacks : public testing::Test {
protected:
    EnableCallback listener() {
        return [this](const EnableNotification& notice) {
            const std::scoped_lock lock(mutex);
            heard.push_back({notice, {}, notice.filter != nullptr, std::this_thread::get_id()});
            if (notice.filter != nullptr) {
                heard.back().filter = notice.filter->data;
            }
        };
    }

    RegistrationNode& add(EnableCallback callback) {
        return **registrations.add(coffee, ProviderKind::modern, std::move(callback));
    }

    Status control(std::size_t session, Control what, const EnableOptions& how = {}) {
        const auto done = registrations.control(sessions[session], coffee, what, how);
        return done ? Status::success : done.error().status;
    }

    StandInSessions sessions;
    std::latch inside{1}, answered{1}, called{1}; // for callbacks, in that order
    std::atomic<int> running{0};
    std::atomic<bool> overlapped{false}, has_ended{false};
    std::mutex mutex;
    std::vector<Heard> heard;
    Registrations registrations; // last: its threads call the rest
};

TEST_F(ProviderCallbacks, AreToldWhatIsLeftWhenOneSessionDisablesV238) {
    add(listener());
    control(0, Control::enable, now({.level = 3}));
    control(1, Control::enable, now({.level = 5}));
    control(1, Control::disable, now({}));
    ASSERT_EQ(heard.size(), 3U);
    EXPECT_EQ(heard[2].notice.is_enabled, 1U);
    EXPECT_EQ(heard[2].notice.level, 3);
}

TEST_F(ProviderCallbacks, AreToldNothingsWhenTheLastDisablesV239) {
    add(listener());
    control(0, Control::enable, now({.level = 3, .match_any = 1, .match_all = 1}));
    control(0, Control::disable, now({}));
    ASSERT_EQ(heard.size(), 2U);
    EXPECT_EQ(heard[1].notice.is_enabled, 0U);
    EXPECT_EQ(heard[1].notice.level, 0);
    EXPECT_EQ(heard[1].notice.match_any, 0U);
    EXPECT_EQ(heard[1].notice.match_all, 0U);
}

TEST_F(ProviderCallbacks, OfLateRegistrationsAreToldNoSourceV240) {
    control(0, Control::enable,
            {.level = 3, .source = cocoa, .filters = {{filter_type::schematized, {}}}});
    add(listener());
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].notice.is_enabled, 1U);
    EXPECT_EQ(heard[0].notice.level, 3);
    EXPECT_TRUE(heard[0].notice.source.is_zero());
    EXPECT_FALSE(heard[0].has_filter);
    EXPECT_EQ(heard[0].thread, std::this_thread::get_id());
}

TEST_F(ProviderCallbacks, AreAskedForTheirStateV241) {
    add(listener());
    control(0, Control::enable, now({.level = 3}));
    control(0, Control::capture_state, now({}));
    ASSERT_EQ(heard.size(), 2U);
    EXPECT_EQ(heard[1].notice.is_enabled, 2U);
    EXPECT_EQ(heard[1].notice.level, 3);
}

TEST_F(ProviderCallbacks, AreNotAskedBySessionsThatHaveNotEnabledThem) {
    add(listener());
    control(0, Control::enable, now({}));
    EXPECT_EQ(control(1, Control::capture_state, now({})), Status::success);
    EXPECT_EQ(heard.size(), 1U);
}

TEST_F(ProviderCallbacks, ThatAreNotThereAreNotWaitedForV242) {
    add({});
    EXPECT_EQ(control(0, Control::enable, now({})), Status::success);
    EXPECT_EQ(control(0, Control::enable, now({})), Status::success);
}

TEST_F(ProviderCallbacks, LongerThanTheTimeoutGoOnAndAreInForceV201) {
    const RegistrationNode& node = add([&](const EnableNotification&) { answered.wait(); });
    EXPECT_EQ(control(0, Control::enable, {.timeout = 10ms}), Status::timeout);
    EXPECT_EQ(node.state.mask.load(), 1U);
    answered.count_down();
}

TEST_F(ProviderCallbacks, AreNotWaitedForWithoutTimeoutV202) {
    add([&](const EnableNotification&) {
        answered.wait();
        called.count_down();
    });
    EXPECT_EQ(control(0, Control::enable, {.timeout = 0ms}), Status::success);
    answered.count_down();
    called.wait();
}

TEST_F(ProviderCallbacks, WithinTheTimeoutAreWaitedFor) {
    add(listener());
    EXPECT_EQ(control(0, Control::enable, {.timeout = 10min}), Status::success);
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_NE(heard[0].thread, std::this_thread::get_id());
}

TEST_F(ProviderCallbacks, OfOneRegistrationRunOneAfterTheOtherInOrder) {
    add([&](const EnableNotification& notice) {
        overlapped = overlapped || ++running != 1;
        const std::scoped_lock lock(mutex);
        heard.push_back({notice, {}, false, {}});
        --running;
    });
    for (std::uint8_t level = 1; level <= 100; ++level) {
        control(0, Control::enable, {.level = level});
    }
    control(0, Control::enable, now({.level = 101})); // all in front of it have run then
    EXPECT_FALSE(overlapped);
    ASSERT_EQ(heard.size(), 101U);
    for (std::size_t i = 0; i < heard.size(); ++i) {
        EXPECT_EQ(heard[i].notice.level, i + 1);
    }
}

TEST_F(ProviderCallbacks, ThatAreSlowDoNotHoldUpOthers) {
    add([&](const EnableNotification&) { answered.wait(); });
    control(0, Control::enable, {});
    ASSERT_TRUE(registrations.add(cocoa, ProviderKind::modern,
                                  [&](const EnableNotification&) { called.count_down(); }));
    ASSERT_TRUE(registrations.control(sessions[0], cocoa, Control::enable, {}));
    called.wait();
    answered.count_down();
}

TEST_F(ProviderCallbacks, AreToldTheSourceTheFilterAndTheBitOfTheSession) {
    add(listener());
    const std::vector<std::byte> data(7, std::byte{9});
    control(2, Control::enable,
            now({.source = cocoa, .filters = {{filter_type::schematized, data}}}));
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].notice.source, cocoa);
    EXPECT_EQ(heard[0].notice.session_bit, 4U);
    EXPECT_EQ(heard[0].filter, data);
    // Of another session: not this one's filter.
    control(0, Control::enable, now({}));
    EXPECT_FALSE(heard[1].has_filter);
    EXPECT_EQ(heard[1].notice.session_bit, 1U);
}

TEST_F(ProviderCallbacks, AreToldWhenASessionIsForgotten) {
    add(listener());
    control(0, Control::enable, now({.source = cocoa}));
    registrations.forget(sessions[0]);
    ASSERT_EQ(heard.size(), 2U);
    EXPECT_EQ(heard[1].notice.is_enabled, 0U);
    EXPECT_TRUE(heard[1].notice.source.is_zero());
}

TEST_F(ProviderCallbacks, OfClassicProvidersAreToldWhatWasSaid) {
    ASSERT_TRUE(registrations.add(coffee, ProviderKind::classic, listener()));
    control(0, Control::enable, now({.level = 0, .match_any = 0x1'0000'0005}));
    control(1, Control::enable, now({.level = 2, .match_any = 0}));
    control(0, Control::disable, now({})); // has lost it already
    ASSERT_EQ(heard.size(), 2U);
    EXPECT_EQ(heard[0].notice.level, 0);
    EXPECT_EQ(heard[0].notice.match_any, 5U);
    EXPECT_EQ(heard[1].notice.level, 2);
    EXPECT_EQ(heard[1].notice.match_any, 0U);
    EXPECT_EQ(heard[1].notice.session_bit, 2U);
}

TEST_F(ProviderCallbacks, SeeWhatTheyAreToldInForce) {
    RegistrationNode* node = nullptr;
    bool wanted = false;
    node = &add([&](const EnableNotification&) { wanted = node->state.accepts(4, 1); });
    control(0, Control::enable, now({.level = 4}));
    EXPECT_TRUE(wanted);
}

TEST_F(ProviderCallbacks, DoNotControlSessions) {
    std::vector<Status> answers;
    EXPECT_FALSE(Registrations::is_in_callback());
    add([&](const EnableNotification&) {
        EXPECT_TRUE(Registrations::is_in_callback());
        answers.push_back(control(1, Control::enable));
        const auto disallowed = registrations.disallow(sessions[1], {});
        answers.push_back(disallowed ? Status::success : disallowed.error().status);
    });
    control(0, Control::enable, now({}));
    EXPECT_EQ(answers, std::vector(2, Status::possible_deadlock));
    EXPECT_FALSE(Registrations::is_in_callback());
}

TEST_F(ProviderCallbacks, MayRegisterAndRemove) {
    RegistrationNode* node = nullptr;
    int calls = 0;
    node = &add([&](const EnableNotification&) {
        ++calls;
        registrations.remove(*node);
        auto* other = *registrations.add(cocoa, ProviderKind::modern, {});
        registrations.remove(*other);
    });
    control(0, Control::enable, now({}));
    control(0, Control::enable, now({}));
    EXPECT_EQ(calls, 1);
}

TEST_F(ProviderCallbacks, ThatJoinAGroupFromInsideAreToldAfterwards) {
    const provider::Provider made("Coffee", {.group = drinks});
    ASSERT_TRUE(registrations.control(sessions[0], drinks, Control::enable,
                                      {.property = enable_property::provider_group}));
    RegistrationNode* node = nullptr;
    int calls = 0;
    node = &add([&](const EnableNotification&) {
        if (++calls == 1) {
            EXPECT_TRUE(registrations.set_traits(*node, made.traits()));
        }
    });
    control(0, Control::enable, now({}));
    EXPECT_EQ(calls, 2);
}

TEST_F(ProviderCallbacks, AreWaitedForByRemove) {
    RegistrationNode& node = add([&](const EnableNotification&) {
        inside.count_down();
        answered.wait();
        has_ended = true;
    });
    control(0, Control::enable, {});
    inside.wait();
    std::thread answer([&] { answered.count_down(); });
    registrations.remove(node);
    EXPECT_TRUE(has_ended);
    answer.join();
}

TEST_F(ProviderCallbacks, ThatThrowHarmNobody) {
    add([&](const EnableNotification&) { throw 1; });
    EXPECT_EQ(control(0, Control::enable, now({})), Status::success);
    EXPECT_FALSE(Registrations::is_in_callback());
}

} // namespace
} // namespace etl::session::provider_callbacks_test
