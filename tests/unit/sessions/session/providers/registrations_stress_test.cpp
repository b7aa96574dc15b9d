// Writers that look at slots, aggregates and filters while controllers change them. What a session
// wants that is enabled all the while is never missed. Made for the thread sanitizer;
// ETL_STRESS_SECONDS makes it longer.
#include <etl/byte_writer.hpp>

#include "session/providers/event_filters.hpp"
#include "tests/unit/sessions/session/bare_session.hpp"
#include "tests/unit/sessions/session/stand_in_session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

namespace etl::session::registrations_stress_test {
namespace {

constexpr int short_rounds = 2000;

std::vector<std::byte> traits_named(std::string_view name) {
    ByteWriter traits;
    traits.u16(static_cast<std::uint16_t>(2 + name.size() + 1)).zero_terminated8(name);
    return {traits.view().begin(), traits.view().end()};
}

bool goes_on(int round, std::chrono::steady_clock::time_point start) {
    const char* seconds = std::getenv("ETL_STRESS_SECONDS");
    return seconds == nullptr ? round < short_rounds
                              : std::chrono::steady_clock::now() - start <
                                    std::chrono::seconds(std::atoi(seconds));
}

/// Does what a writer does with an event; how many sessions take it.
int write(const RegistrationNode& node, std::uint8_t level, std::uint64_t keyword,
          std::uint16_t id) {
    if (!node.state.accepts(level, keyword)) {
        return 0;
    }
    int written = 0;
    const format::EventDescriptor descriptor{.id = id, .level = level, .keyword = keyword};
    const std::uint32_t mask = node.state.mask.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < slots_per_provider; ++i) {
        const EnableSlot& slot = node.provider.load()->slots[i];
        EnableView view;
        if ((mask >> i & 1U) == 0 || !slot.read(view) || !view.matches(level, keyword)) {
            continue;
        }
        if (view.filters != nullptr) {
            const FilterGuard guard(node);
            if (!slot.read(view) || !view.matches(level, keyword) ||
                (view.filters != nullptr && !view.filters->admits({&descriptor, {}, {}}))) {
                continue;
            }
        }
        ++written;
    }
    return written;
}

TEST(Registrations, NeverMissWhatAnEnabledSessionWants) {
    StandInSessions sessions;
    for (std::size_t i = 0; i < 8; ++i) {
        sessions[i];
    }
    std::atomic<std::uint64_t> told{0};
    Registrations registrations;
    RegistrationNode& node = **registrations.add(
        coffee, ProviderKind::modern, [&](const EnableNotification&) { told.fetch_add(1); });
    // Session 0 keeps it enabled; how is changed, but events of level 2 with keyword 1 and id 7 are
    // always among them.
    ASSERT_TRUE(registrations.control(sessions[0], coffee, Control::enable, {.level = 2}));

    std::atomic<bool> is_over{false};
    std::atomic<std::uint64_t> missed{0};
    std::atomic<std::uint64_t> asked{0};
    const auto writer = [&] {
        while (!is_over.load(std::memory_order_relaxed)) {
            missed += write(node, 2, 1, 7) == 0 ? 1 : 0;
            write(node, 5, 2, 8);
            ++asked;
        }
    };
    const auto changer = [&] {
        const auto start = std::chrono::steady_clock::now();
        for (int round = 0; goes_on(round, start); ++round) {
            EnableOptions how{.level = static_cast<std::uint8_t>(2 + round % 3),
                              .match_any = round % 2 == 0 ? 0U : 3U,
                              .match_all = static_cast<std::uint64_t>(round % 4 == 0 ? 1 : 0)};
            if (round % 3 != 0) {
                how.filters = {make_event_filter({7, static_cast<std::uint16_t>(round)})};
            }
            EXPECT_TRUE(registrations.control(sessions[0], coffee, Control::enable, how));
        }
    };
    const auto toggler = [&](std::size_t first) {
        const auto start = std::chrono::steady_clock::now();
        for (int round = 0; goes_on(round, start); ++round) {
            const SessionRef session = sessions[first + static_cast<std::size_t>(round % 2)];
            EnableOptions how{.level = static_cast<std::uint8_t>(1 + round % 5),
                              .match_any = static_cast<std::uint64_t>(round % 7),
                              .property = round % 5 == 0 ? enable_property::ignore_keyword_0 : 0};
            if (round % 2 == 0) {
                how.filters = {make_event_exclusion_filter({8})};
            }
            EXPECT_TRUE(registrations.control(session, coffee, Control::enable, how));
            EXPECT_TRUE(registrations.control(session, coffee, Control::disable, {}));
        }
    };
    const auto registrar = [&] {
        const auto start = std::chrono::steady_clock::now();
        for (int round = 0; goes_on(round, start); ++round) {
            RegistrationNode& other =
                **registrations.add(coffee, ProviderKind::modern,
                                    [&](const EnableNotification&) { told.fetch_add(1); });
            const std::uint64_t handle = other.handle.load();
            EXPECT_EQ(registrations.find(handle), &other);
            missed += write(other, 2, 1, 7) == 0 ? 1 : 0;
            registrations.remove(other);
            EXPECT_EQ(registrations.find(handle), nullptr);
            registrations.list();
        }
    };

    std::vector<std::thread> writers;
    writers.emplace_back(writer);
    writers.emplace_back(writer);
    std::vector<std::thread> controllers;
    controllers.emplace_back(changer);
    controllers.emplace_back(toggler, 1);
    controllers.emplace_back(toggler, 3);
    controllers.emplace_back(registrar);
    for (std::thread& thread : controllers) {
        thread.join();
    }
    is_over = true;
    for (std::thread& thread : writers) {
        thread.join();
    }
    EXPECT_EQ(missed.load(), 0U);
    EXPECT_GT(asked.load(), 0U);
    registrations.remove(node);
    EXPECT_GT(told.load(), 0U);
}

TEST(EnableSlot, GivesWholeValuesWhileItIsChanged) {
    StandInSessions sessions;
    const SessionRef refs[] = {sessions[0], sessions[1]};
    EnableSlot slot;
    std::atomic<bool> is_over{false};
    std::thread changing([&] {
        for (std::uint64_t i = 1; i < 20'000; ++i) {
            EnableView view;
            view.session = {refs[i % 2].core, static_cast<std::uint16_t>(i)};
            view.level = static_cast<std::uint8_t>(i);
            view.match_any = i;
            view.match_all = ~i;
            view.property = static_cast<std::uint32_t>(i);
            slot.write(view);
        }
        is_over = true;
    });
    std::uint64_t torn = 0;
    while (!is_over) {
        EnableView view;
        if (slot.read(view)) {
            const std::uint64_t i = view.match_any;
            const bool is_whole = view.session.core == refs[i % 2].core &&
                                  view.session.ticket == static_cast<std::uint16_t>(i) &&
                                  view.level == static_cast<std::uint8_t>(i) &&
                                  view.match_all == ~i && view.property == i;
            torn += is_whole ? 0 : 1;
        }
    }
    changing.join();
    EXPECT_EQ(torn, 0U);
}

TEST(Registrations, WritersMayComeTooLateForOneThatIsRemoved) {
    BareSession session;
    Registrations registrations;
    std::atomic<std::uint64_t> handle{0};
    std::atomic<bool> is_over{false};
    const std::array traits{traits_named("Coffee"), traits_named("Tea")};
    const auto writer = [&] {
        const format::EventDescriptor descriptor{.id = 7, .level = 2, .keyword = 1};
        while (!is_over.load(std::memory_order_relaxed)) {
            if (const RegistrationNode* node = registrations.find(handle.load())) {
                write_event(*node, {.descriptor = &descriptor}, {});
            }
        }
    };
    const auto changer = [&] {
        const EnableOptions how{.level = 5, .filters = {make_event_filter({7})}};
        while (!is_over.load(std::memory_order_relaxed)) {
            for (const Guid& provider : {coffee, cocoa}) {
                EXPECT_TRUE(registrations.control(session.ref(), provider, Control::enable, how));
                EXPECT_TRUE(registrations.control(session.ref(), provider, Control::disable, {}));
            }
        }
    };
    std::vector<std::thread> threads;
    threads.emplace_back(writer);
    threads.emplace_back(writer);
    threads.emplace_back(changer);
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; goes_on(round, start); ++round) {
        const bool is_cocoa = round % 2 != 0;
        RegistrationNode& node =
            **registrations.add(is_cocoa ? cocoa : coffee, ProviderKind::modern, {});
        EXPECT_TRUE(registrations.set_traits(node, traits.at(is_cocoa ? 1 : 0)));
        handle = node.handle.load();
        registrations.remove(node);
    }
    is_over = true;
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const auto& record : session.records()) {
        const Guid provider = field_of<format::event_record::provider_id>(record);
        ASSERT_TRUE(provider == coffee || provider == cocoa);
        const auto& named = traits.at(provider == cocoa ? 1 : 0);
        const bool has_traits = record.size() > format::event_record::size; // else it was early
        EXPECT_TRUE(!has_traits || !std::ranges::search(record, named).empty());
    }
}

} // namespace
} // namespace etl::session::registrations_stress_test
