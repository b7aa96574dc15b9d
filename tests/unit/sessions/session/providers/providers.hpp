// Registrations, and sessions that have their providers enabled.
#pragma once

#include "tests/unit/sessions/session/stand_in_session.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace etl::session {

class Providers : public testing::Test {
protected:
    RegistrationNode& add(const Guid& guid, ProviderKind kind = ProviderKind::modern) {
        return **registrations.add(guid, kind, {});
    }

    Status enable(std::size_t session, const Guid& guid, const EnableOptions& how = {}) {
        const auto done = registrations.control(sessions[session], guid, Control::enable, how);
        return done ? Status::success : done.error().status;
    }

    void disable(std::size_t session, const Guid& guid, const EnableOptions& how = {}) {
        ASSERT_TRUE(registrations.control(sessions[session], guid, Control::disable, how));
    }

    static std::vector<std::byte> traits(std::string_view name, std::optional<Guid> in = {}) {
        const provider::Provider made(name, {.group = in});
        return {made.traits().begin(), made.traits().end()};
    }

    static constexpr std::uint32_t group = enable_property::provider_group;
    StandInSessions sessions;
    Registrations registrations;
};

} // namespace etl::session
