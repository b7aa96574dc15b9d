// Sessions that only have what Registrations asks of them: an identity. No buffers are open.
#pragma once

#include "session/providers/registrations.hpp"

#include <cstdint>
#include <deque>

namespace etl::session {

using namespace etl::literals;

inline constexpr Guid coffee = "0b1c2d3e-4f50-4162-8374-95a6b7c8d9e0"_guid;
inline constexpr Guid cocoa = "1b1c2d3e-4f50-4162-8374-95a6b7c8d9e0"_guid;
inline constexpr Guid drinks = "2b1c2d3e-4f50-4162-8374-95a6b7c8d9e0"_guid; // a group

class StandInSessions {
public:
    /// The n-th one; it stays the same.
    SessionRef operator[](std::size_t n) {
        while (cores_.size() <= n) {
            SessionCore& core = cores_.emplace_back();
            core.id = static_cast<std::uint16_t>(cores_.size());
            core.bit = std::uint64_t{1} << (cores_.size() - 1);
        }
        return {&cores_[n], 1};
    }

private:
    std::deque<SessionCore> cores_;
};

/// An Enable that waits for callbacks.
inline EnableOptions now(EnableOptions how) {
    how.timeout.reset();
    return how;
}

/// Sessions whose slots in the provider let such an event pass.
inline int takers(const RegistrationNode& node, std::uint8_t level, std::uint64_t keyword) {
    int result = 0;
    const std::uint32_t mask = node.state.mask.load();
    const auto look = [&](const GuidEntry* entry, std::uint32_t bits) {
        for (std::size_t i = 0; entry != nullptr && i < entry->slots.size(); ++i) {
            EnableView view;
            if ((bits >> i & 1U) != 0 && entry->slots[i].read(view) &&
                view.matches(level, keyword)) {
                ++result;
            }
        }
    };
    look(node.provider.load(), mask & 0xFFU);
    look(node.group.load(), mask >> slots_per_provider);
    return result;
}

} // namespace etl::session
