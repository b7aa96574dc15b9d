// Traits of providers, and the groups that they name.
#include "session/providers/provider_traits.hpp"
#include "tests/unit/sessions/session/providers/providers.hpp"
#include "tests/unit/sessions/session/stand_in_session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace etl::session::traits_and_groups_test {
namespace {

TEST_F(Providers, TraitsAreSetOnceV262) {
    RegistrationNode& node = add(coffee);
    ASSERT_TRUE(registrations.set_traits(node, traits("Coffee")));
    EXPECT_EQ(node.traits().size(), 2 + sizeof "Coffee");
    const auto again = registrations.set_traits(node, traits("Coffee"));
    EXPECT_EQ(again.error().status, Status::gen_failure);
}

TEST_F(Providers, TraitsOfTheSameBytesAreKeptOnceAndAsLongAsTheRuntime) {
    RegistrationNode& first = add(coffee);
    RegistrationNode& second = add(cocoa);
    ASSERT_TRUE(registrations.set_traits(first, traits("Coffee")));
    ASSERT_TRUE(registrations.set_traits(second, traits("Coffee")));
    const Bytes kept = first.traits();
    EXPECT_EQ(kept.data(), second.traits().data());
    registrations.remove(first);
    registrations.remove(second);
    EXPECT_TRUE(std::ranges::equal(kept, traits("Coffee")));
    EXPECT_EQ(registrations.set_traits(first, traits("Coffee")).error().status,
              Status::invalid_handle);
}

TEST(KeptTraits, AreRefusedWhenThereAreTooManyDifferentOnes) {
    KeptTraits kept(1000);
    const std::array<std::byte, 500> first{std::byte{1}};
    const std::array<std::byte, 500> second{std::byte{2}};
    const auto* const known = kept.keep(first);
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(kept.keep(second), nullptr);
    EXPECT_EQ(kept.keep(first), known);
}

TEST_F(Providers, TraitsOfAnotherSizeAreCorruptV263) {
    auto wrong = traits("Coffee");
    wrong.push_back({});
    const auto done = registrations.set_traits(add(coffee), wrong);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().status, Status::file_corrupt);
}

TEST_F(Providers, TraitsThatEndEarlyAreCorrupt) {
    const auto whole = traits("Coffee", drinks);
    RegistrationNode& node = add(coffee);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        auto cut = std::vector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        if (size >= 2) {
            store_le<std::uint16_t>(cut.data(), static_cast<std::uint16_t>(size));
        }
        const bool is_whole = size == 2 + sizeof "Coffee"; // behind the name
        if (!is_whole) {
            EXPECT_FALSE(registrations.set_traits(node, cut)) << size;
        }
    }
    EXPECT_TRUE(registrations.set_traits(node, whole));
}

TEST_F(Providers, ClassicOnesHaveNoTraits) {
    const auto done = registrations.set_traits(add(coffee, ProviderKind::classic), traits("C"));
    EXPECT_EQ(done.error().status, Status::invalid_parameter);
}

TEST_F(Providers, OfAGroupAreEnabledWithIt) {
    RegistrationNode& node = add(coffee);
    ASSERT_TRUE(registrations.set_traits(node, traits("Coffee", drinks)));
    const RegistrationNode& other = add(cocoa);
    enable(0, drinks, {.level = 3, .property = group});
    EXPECT_EQ(node.state.mask.load(), 0x100U);
    EXPECT_EQ(takers(node, 3, 1), 1);
    EXPECT_EQ(takers(node, 4, 1), 0);
    EXPECT_EQ(other.state.mask.load(), 0U);
    enable(1, coffee, {.level = 5});
    EXPECT_EQ(node.state.mask.load(), 0x101U);
    EXPECT_EQ(takers(node, 3, 1), 2);
    disable(0, drinks, {.property = group});
    EXPECT_EQ(node.state.mask.load(), 1U);
}

TEST_F(Providers, AGroupAndAProviderOfTheSameGuidAreTwo) {
    const RegistrationNode& node = add(drinks);
    enable(0, drinks, {.property = group});
    EXPECT_EQ(node.state.mask.load(), 0U);
    EXPECT_EQ(registrations.list().size(), 2U);
}

TEST_F(Providers, JoiningAnEnabledGroupIsTold) {
    enable(0, drinks, {.level = 3, .property = group});
    int calls = 0;
    RegistrationNode& node = **registrations.add(coffee, ProviderKind::modern,
                                                 [&](const EnableNotification&) { ++calls; });
    EXPECT_EQ(calls, 0);
    ASSERT_TRUE(registrations.set_traits(node, traits("Coffee", drinks)));
    EXPECT_EQ(calls, 1);
}

TEST_F(Providers, DisallowedOnesAreLeftOutOfTheGroup) {
    RegistrationNode& node = add(coffee);
    ASSERT_TRUE(registrations.set_traits(node, traits("Coffee", drinks)));
    enable(0, drinks, {.property = group});
    ASSERT_TRUE(registrations.disallow(sessions[0], {coffee}));
    EXPECT_EQ(node.state.mask.load(), 0U);
    enable(1, drinks, {.property = group});
    EXPECT_EQ(node.state.mask.load(), 0x200U);
    ASSERT_TRUE(registrations.disallow(sessions[0], {cocoa}));
    EXPECT_EQ(node.state.mask.load(), 0x300U);
}

TEST_F(Providers, PrivateSessionsHaveNoGroups) {
    sessions[0].core->mode = mode::private_logger;
    EXPECT_EQ(enable(0, drinks, {.property = group}), Status::invalid_parameter);
    EXPECT_EQ(enable(0, drinks), Status::success);
}

TEST_F(Providers, FiltersByEventDoNotApplyToGroups) {
    RegistrationNode& node = add(coffee);
    ASSERT_TRUE(registrations.set_traits(node, traits("Coffee", drinks)));
    enable(0, drinks, {.property = group, .filters = {make_event_filter({7})}});
    EnableView view;
    ASSERT_TRUE(node.group.load()->slots[0].read(view));
    EXPECT_EQ(view.filters, nullptr);
}

} // namespace
} // namespace etl::session::traits_and_groups_test
