// EnableTraceEx2, who is registered, slots, classic providers; callbacks are in
// provider_callbacks_test.cpp.
#include "session/providers/event_filters.hpp"
#include "tests/unit/sessions/session/providers/providers.hpp"
#include "tests/unit/sessions/session/stand_in_session.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::session::enabling_test {
namespace {

Filter of_size(std::uint32_t type, std::size_t bytes) {
    return {type, std::vector<std::byte>(bytes)};
}

std::vector<Filter> of_different_types(std::size_t count) {
    std::vector<Filter> filters;
    for (std::size_t i = 0; i < count; ++i) {
        filters.push_back(of_size(static_cast<std::uint32_t>(i + 1), 4)); // the provider's own
    }
    return filters;
}

struct Enabling {
    const char* id;
    Status expected;
    std::size_t others = 0; // sessions that have the provider enabled
    bool by_one_of_them = false;
    std::vector<Filter> filters{};
    bool has_session = true;
    Control control = Control::enable;
    std::optional<ProviderKind> registered = ProviderKind::modern;
};

void PrintTo(const Enabling& row, std::ostream* to) {
    *to << row.id;
}

const Enabling enablings[] = {
    {.id = "V193", .expected = Status::invalid_parameter, .has_session = false},
    {.id = "V195", .expected = Status::invalid_parameter, .control = static_cast<Control>(3)},
    {.id = "V196", .expected = Status::success, .registered = std::nullopt},
    {.id = "V197", .expected = Status::success, .others = 7},
    {.id = "V198", .expected = Status::no_system_resources, .others = 8},
    {.id = "V199", .expected = Status::success, .others = 8, .by_one_of_them = true},
    {.id = "V200", .expected = Status::success, .others = 1, .registered = ProviderKind::classic},
    {.id = "V203",
     .expected = Status::invalid_parameter,
     .filters = {make_process_filter({1}), make_process_filter({2})}},
    {.id = "V204",
     .expected = Status::invalid_parameter,
     .filters = {make_process_filter({1, 2, 3, 4, 5, 6, 7, 8, 9})}},
    {.id = "V205",
     .expected = Status::invalid_parameter,
     .filters = {make_event_filter(std::vector<std::uint16_t>(65))}},
    {.id = "V206",
     .expected = Status::invalid_parameter,
     .filters = {of_size(filter_type::schematized, 1025)}},
    {.id = "V207",
     .expected = Status::invalid_parameter,
     .filters = {of_size(filter_type::payload, 4097)}},
    {.id = "V208", .expected = Status::invalid_parameter, .filters = of_different_types(14)},
    // At the limits.
    {.id = "Processes8",
     .expected = Status::success,
     .filters = {make_process_filter({1, 2, 3, 4, 5, 6, 7, 8})}},
    {.id = "Events64",
     .expected = Status::success,
     .filters = {make_event_filter(std::vector<std::uint16_t>(64))}},
    {.id = "Schematized1024",
     .expected = Status::success,
     .filters = {of_size(filter_type::schematized, 1024)}},
    {.id = "Filters13", .expected = Status::success, .filters = of_different_types(13)},
    {.id = "Payload",
     .expected = Status::not_supported,
     .filters = {of_size(filter_type::payload, 64)}},
};

class EnableTraceEx2 : public testing::TestWithParam<Enabling> {};

TEST_P(EnableTraceEx2, IsAsInTheTable) {
    const Enabling& row = GetParam();
    StandInSessions sessions;
    Registrations registrations;
    if (row.registered) {
        ASSERT_TRUE(registrations.add(coffee, *row.registered, {}));
    }
    for (std::size_t i = 0; i < row.others; ++i) {
        ASSERT_TRUE(registrations.control(sessions[i], coffee, Control::enable, {}));
    }
    const SessionRef session =
        row.has_session ? sessions[row.by_one_of_them ? 0 : row.others] : SessionRef{};

    const auto done =
        registrations.control(session, coffee, row.control, {.level = 4, .filters = row.filters});

    EXPECT_EQ(done ? Status::success : done.error().status, row.expected);
    const auto is_there = !registrations.enabled_by(session).empty();
    EXPECT_EQ(is_there, row.expected == Status::success || row.by_one_of_them);
}

INSTANTIATE_TEST_SUITE_P(Vectors, EnableTraceEx2, testing::ValuesIn(enablings),
                         [](const auto& row) { return std::string(row.param.id); });

TEST_F(Providers, EnabledBeforeTheyRegisterAreEnabledAtOnce) {
    EXPECT_EQ(enable(0, coffee, {.level = 4}), Status::success);
    const RegistrationNode& node = add(coffee);
    EXPECT_TRUE(node.state.accepts(4, 1));
    EXPECT_FALSE(node.state.accepts(5, 1));
}

TEST_F(Providers, AreNotReachedByWhatOthersAreEnabledWith) {
    const RegistrationNode& other = add(cocoa);
    enable(0, coffee);
    EXPECT_EQ(other.state.mask.load(), 0U);
}

TEST_F(Providers, AllRegistrationsOfOneSeeIt) {
    const RegistrationNode& first = add(coffee);
    const RegistrationNode& second = add(coffee);
    enable(0, coffee);
    EXPECT_EQ(takers(first, 1, 1) + takers(second, 1, 1), 2);
}

TEST_F(Providers, ASecondCallReplacesAllOfTheFirstV209) {
    const RegistrationNode& node = add(coffee);
    enable(0, coffee, {.level = 5, .property = 4, .filters = {make_event_filter({7})}});
    EnableView view;
    ASSERT_TRUE(node.provider.load()->slots[0].read(view));
    EXPECT_NE(view.filters, nullptr);

    enable(0, coffee, {.level = 2});
    ASSERT_TRUE(node.provider.load()->slots[0].read(view));
    EXPECT_EQ(view.filters, nullptr);
    EXPECT_EQ(view.level, 2);
    EXPECT_EQ(view.property, 0U);
    EXPECT_FALSE(node.provider.load()->slots[1].read(view));
}

TEST_F(Providers, AFreedSlotIsTakenAgain) {
    const RegistrationNode& node = add(coffee);
    for (std::size_t i = 0; i < 8; ++i) {
        enable(i, coffee);
    }
    disable(3, coffee);
    EXPECT_EQ(node.state.mask.load(), 0xF7U);
    EXPECT_EQ(enable(8, coffee), Status::success);
    EXPECT_EQ(node.state.mask.load(), 0xFFU);
    EnableView view;
    ASSERT_TRUE(node.provider.load()->slots[3].read(view));
    EXPECT_EQ(view.session, sessions[8]);
}

TEST_F(Providers, DisablingWhatIsNotEnabledIsNothing) {
    const RegistrationNode& node = add(coffee);
    enable(0, coffee);
    disable(1, coffee);
    disable(1, cocoa);
    EXPECT_EQ(node.state.mask.load(), 1U);
}

TEST_F(Providers, OfOtherProcessesAreNotEnabledHere) {
    const RegistrationNode& node = add(coffee);
    EXPECT_EQ(enable(0, coffee, {.filters = {make_executable_filter("somebody-else.exe")}}),
              Status::success);
    EXPECT_EQ(node.state.mask.load(), 0U);
    EXPECT_EQ(registrations.enabled_by(sessions[0]).size(), 1U);
}

TEST_F(Providers, AForgottenSessionIsGoneAndStaysAway) {
    const RegistrationNode& node = add(coffee);
    enable(0, coffee);
    enable(1, coffee);
    enable(0, cocoa);
    registrations.forget(sessions[0]);
    EXPECT_EQ(node.state.mask.load(), 2U);
    EXPECT_TRUE(registrations.enabled_by(sessions[0]).empty());
    EXPECT_EQ(enable(0, coffee), Status::wmi_instance_not_found);
}

TEST_F(Providers, ClassicOnesAreTakenOverV200) {
    const RegistrationNode& node = add(coffee, ProviderKind::classic);
    enable(0, coffee, {.level = 2, .match_any = 1});
    enable(1, coffee, {.level = 3});
    const auto taken = registrations.enabled_by(sessions[0]);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].taken_over_by, std::vector{sessions[1].core->id});
    // The provider compares by itself.
    EXPECT_EQ(takers(node, 9, 0), 1);
    EXPECT_TRUE(node.state.accepts(9, 0));
    const auto enabled = registrations.enabled_by(sessions[1]);
    ASSERT_EQ(enabled.size(), 1U);
    EXPECT_EQ(enabled[0].match_any, 0U); // as it was said
    EXPECT_TRUE(enabled[0].taken_over_by.empty());
}

TEST_F(Providers, ClassicOnesReturnWhenTheLaterSessionDisablesThemOrEnds) {
    std::vector<TakeOver> told;
    Registrations all(max_registrations, [&](const TakeOver& one) { told.push_back(one); });
    std::vector<std::uint8_t> levels; // that the provider is told
    ASSERT_TRUE(all.add(coffee, ProviderKind::classic,
                        [&](const EnableNotification& notice) { levels.push_back(notice.level); }));
    const auto enable = [&](std::size_t session, std::uint8_t level) {
        ASSERT_TRUE(all.control(sessions[session], coffee, Control::enable, now({.level = level})));
    };
    enable(0, 1);
    EXPECT_TRUE(told.empty());
    enable(1, 2);
    enable(2, 3);
    ASSERT_TRUE(all.control(sessions[2], coffee, Control::disable, now({})));
    all.forget(sessions[1]);
    EXPECT_EQ(levels, (std::vector<std::uint8_t>{1, 2, 3, 2, 1}));
    std::vector<std::string> events;
    for (const TakeOver& one : told) {
        events.push_back(std::to_string(one.session.core->id) +
                         (one.has_returned ? " back from " : " by ") +
                         std::to_string(one.by.core->id));
        EXPECT_EQ(one.provider, coffee);
    }
    EXPECT_EQ(events, (std::vector<std::string>{"1 by 2", "1 by 3", "2 by 3", "1 by 2",
                                                "2 back from 3", "1 back from 2"}));
}

TEST_F(Providers, ClassicOnesOfOneUserAreTakenOverFromTheOthersForThatUserOnly) {
    const auto of = [](std::uint32_t user) {
        return std::make_shared<const ProcessIdentity>(ProcessIdentity{user, "program", user});
    };
    const auto& roots = **registrations.add(coffee, ProviderKind::classic, {}, of(0));
    const auto& users = **registrations.add(coffee, ProviderKind::classic, {}, of(1000));
    enable(0, coffee, {.level = 1});
    enable(1, coffee, {.level = 2, .only_user = 1000});
    const auto recorder = [&](const RegistrationNode& node) {
        const auto views = registrations.enablers(node).recording;
        return views.size() == 1 ? views.front().session : SessionRef{};
    };
    EXPECT_EQ(recorder(roots), sessions[0]);
    EXPECT_EQ(recorder(users), sessions[1]);
    EXPECT_EQ(registrations.enabled_by(sessions[0]).front().taken_over_by.size(), 1U);
    const auto instances = registrations.list().front().instances;
    EXPECT_FALSE(instances[0].enabled[0].is_taken_over);
    EXPECT_TRUE(instances[1].enabled[0].is_taken_over);
    disable(1, coffee);
    EXPECT_EQ(recorder(users), sessions[0]);
    EXPECT_TRUE(registrations.enabled_by(sessions[0]).front().taken_over_by.empty());
}

TEST_F(Providers, SecureSessionsRecordProcessesOfRootAndTheOwnerOnly) {
    const auto of = [](std::uint32_t user) {
        return std::make_shared<const ProcessIdentity>(ProcessIdentity{user, "program", user});
    };
    const SessionRef secure = sessions[0];
    secure.core->mode = mode::secure;
    secure.core->owner = 1000;
    for (const ProviderKind kind : {ProviderKind::modern, ProviderKind::classic}) {
        const Guid& provider = kind == ProviderKind::modern ? coffee : cocoa;
        enable(0, provider, {.level = 4});
        for (const std::uint32_t user : {0U, 1000U, 2000U}) {
            const auto& node = **registrations.add(provider, kind, {}, of(user));
            const bool is_refused = user == 2000;
            EXPECT_EQ(node.state.mask.load(), is_refused ? 0U : 1U) << user;
            EXPECT_EQ(registrations.enablers(node).recording.size(), is_refused ? 0U : 1U);
            EXPECT_EQ(registrations.enablers(node).refusing.size(), is_refused ? 1U : 0U);
        }
        // A session that records them is not switched off by one that refuses them.
        const auto& node = **registrations.add(provider, kind, {}, of(2000));
        enable(1, provider, {.level = 3});
        enable(0, provider, {.level = 5});
        ASSERT_EQ(registrations.enablers(node).recording.size(), 1U);
        EXPECT_EQ(registrations.enablers(node).recording.front().session, sessions[1]);
    }
}

TEST_F(Providers, ThatAreGoneKeepTheirNamesInTheSessionsThatEnabledThem) {
    RegistrationNode& node = add(coffee);
    enable(0, coffee);
    ASSERT_TRUE(registrations.set_traits(node, traits("Coffee")));
    enable(1, coffee);
    registrations.remove(node);
    EXPECT_EQ(registrations.enabled_by(sessions[0]).front().name, "Coffee");
    enable(1, coffee, {.level = 3});
    EXPECT_EQ(registrations.enabled_by(sessions[1]).front().name, "Coffee");
}

TEST_F(Providers, ClassicOnesAreTakenOverByANinthSession) {
    add(coffee, ProviderKind::classic);
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(enable(i, coffee), Status::success);
    }
    // The first one has lost its place.
    EXPECT_TRUE(registrations.enabled_by(sessions[0]).empty());
    EXPECT_EQ(registrations.enabled_by(sessions[1]).size(), 1U);
}

TEST_F(Providers, ASessionOfOneUserTakesNoPlaceFromOthers) {
    add(coffee, ProviderKind::classic);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(enable(i, coffee), Status::success);
    }
    EXPECT_EQ(enable(8, coffee, {.only_user = 1000}), Status::no_system_resources);
    EXPECT_EQ(registrations.enabled_by(sessions[0]).size(), 1U);
}

TEST_F(Providers, ClassicOnesThatRegisterLateFollowTheLastSession) {
    enable(0, coffee, {.level = 1});
    enable(1, coffee, {.level = 2});
    EnableNotification told{};
    ASSERT_TRUE(registrations.add(coffee, ProviderKind::classic,
                                  [&](const EnableNotification& notice) { told = notice; }));
    EXPECT_EQ(told.level, 2);
    EXPECT_EQ(told.match_any, 0U);
}

TEST_F(Providers, AClassicOneThatHasGoneIsNotUpdated) {
    RegistrationNode& node = add(coffee, ProviderKind::classic);
    enable(0, coffee, {.level = 1});
    registrations.remove(node);
    EXPECT_EQ(enable(0, coffee, {.level = 2}), Status::invalid_function);
}

TEST_F(Providers, HandlesOfThePastAndOfOthersAreNobodys) {
    Registrations others;
    const std::uint64_t foreign = (*others.add(coffee, ProviderKind::modern, {}))->handle.load();
    RegistrationNode& node = add(coffee);
    const std::uint64_t handle = node.handle.load();
    EXPECT_EQ(registrations.find(handle), &node);
    registrations.remove(node);
    EXPECT_EQ(registrations.find(handle), nullptr);
    RegistrationNode& again = add(cocoa);
    EXPECT_EQ(&again, &node); // the same memory
    EXPECT_EQ(registrations.find(handle), nullptr);
    for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0},
                                      std::uint64_t{0x800}, std::uint64_t{0x801}, foreign}) {
        EXPECT_EQ(registrations.find(wrong), nullptr) << wrong;
    }
}

TEST_F(Providers, Are2048RegistrationsAtMostV244) {
    RegistrationNode* last = nullptr;
    for (std::size_t i = 0; i < max_registrations; ++i) {
        last = &add(coffee);
    }
    const auto refused = registrations.add(cocoa, ProviderKind::modern, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, Status::outofmemory);
    registrations.remove(*last);
    EXPECT_TRUE(registrations.add(cocoa, ProviderKind::modern, {}));
}

TEST_F(Providers, AreListedByGuidWithAllWhoHaveThem) {
    RegistrationNode& node = add(cocoa);
    ASSERT_TRUE(registrations.set_traits(node, traits("Tea")));
    add(cocoa);
    enable(0, coffee, {.level = 4});
    enable(1, cocoa, {.match_any = 8, .property = 1});
    enable(0, cocoa);

    const auto list = registrations.list();
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].guid, coffee);
    EXPECT_FALSE(list[0].is_registered);
    ASSERT_EQ(list[0].instances.size(), 1U);
    EXPECT_EQ(list[0].instances[0].process_id, 0U);
    EXPECT_EQ(list[0].instances[0].enabled[0].match_any, ~std::uint64_t{0});
    EXPECT_EQ(list[1].name, "Tea");
    ASSERT_EQ(list[1].instances.size(), 2U);
    EXPECT_NE(list[1].instances[0].process_id, 0U);
    ASSERT_EQ(list[1].instances[1].enabled.size(), 2U);
    EXPECT_EQ(list[1].instances[1].enabled[0].session_id, 2U);
    EXPECT_EQ(list[1].instances[1].enabled[0].match_any, 8U);

    const auto by_first = registrations.enabled_by(sessions[0]);
    ASSERT_EQ(by_first.size(), 2U);
    EXPECT_EQ(by_first[0].guid, coffee);
    EXPECT_EQ(by_first[1].guid, cocoa);
}

TEST_F(Providers, NobodyNeedsAreNotListed) {
    RegistrationNode& node = add(coffee);
    enable(0, coffee);
    registrations.remove(node);
    EXPECT_EQ(registrations.list().size(), 1U);
    disable(0, coffee);
    EXPECT_TRUE(registrations.list().empty());
}

} // namespace
} // namespace etl::session::enabling_test
