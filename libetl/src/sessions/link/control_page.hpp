// ControlPage: what a process knows of the machine sessions that enabled its registrations. Written
// by the host, read-only for the process. State, not messages: a process that is stopped finds the
// latest when it continues, and the host never waits for it.
// docs/machine-sessions-internals.md#control
#pragma once

#include <etl/guid.hpp>

#include "link/region.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace etl::link {

/// Registrations of one process.
inline constexpr std::size_t max_link_registrations = 2048;

/// Sessions that reach one registration: those of its provider and those of its group.
inline constexpr std::size_t max_enablers = 16;

inline constexpr std::size_t max_filter_bytes = 1024;

/// In Enabler::property: the session refuses classic events but messages, or all events of this
/// process (EVENT_TRACE_SECURE_MODE).
inline constexpr std::uint32_t refuses_classic = 0x8000'0000, refuses_all = 0x4000'0000;

/// One session that enabled a registration. Levels and masks as the host compares them.
struct Enabler {
    std::uint16_t session = 0; // its number, 1 to 64
    std::uint8_t level = 0;
    std::uint8_t accepts_keyword_0 = 0;
    std::uint32_t property = 0;
    std::uint64_t match_any = 0, match_all = 0;

    bool is_refusing() const noexcept { return (property & refuses_all) != 0; }

    bool matches(std::uint8_t event_level, std::uint64_t keyword) const noexcept {
        if (event_level > level) {
            return false;
        }
        return keyword == 0 ? accepts_keyword_0 != 0
                            : (keyword & match_any) != 0 && (keyword & match_all) == match_all;
    }
};

/// The enablement of one registration, and the last notice for its callback. A value.
struct Enabling {
    std::uint32_t registration = 0; // for which this was written; 0: none
    std::uint32_t changes = 0;      // notices of enabling and disabling so far
    std::uint32_t captures = 0;     // requests for capture state so far
    std::uint32_t count = 0;        // of `enablers`
    std::array<Enabler, max_enablers> enablers{};
    // EnableNotification: the aggregate of all sessions.
    std::uint32_t is_enabled = 0;
    std::uint32_t level = 0;
    std::uint64_t match_any = 0, match_all = 0;
    Guid source{};
    std::uint32_t filter_type = 0;
    std::uint32_t filter_size = 0; // 0: none
    std::array<std::byte, max_filter_bytes> filter{};
};

static_assert(std::is_trivially_copyable_v<Enabling> && sizeof(Enabling) % 8 == 0);

/// A value that one writer changes and readers copy: they start over if it changed meanwhile.
template <typename T>
class Published {
    static constexpr std::size_t words = sizeof(T) / sizeof(std::uint64_t);

public:
    /// One writer at a time.
    void write(const T& value) noexcept {
        const auto raw = std::bit_cast<std::array<std::uint64_t, words>>(value);
        const std::uint32_t version = version_.load(std::memory_order_relaxed);
        version_.store(version + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        for (std::size_t i = 0; i < words; ++i) {
            words_[i].store(raw[i], std::memory_order_relaxed);
        }
        version_.store(version + 2, std::memory_order_release);
    }

    /// 0: never written. Changes with every write.
    std::uint32_t version() const noexcept { return version_.load(std::memory_order_acquire); }

    /// Returns the version that was copied; 0 if the writer stopped in the middle of a change.
    std::uint32_t read(T& value) const noexcept {
        constexpr int tries = 100'000; // the host may have been killed in the middle
        std::array<std::uint64_t, words> raw;
        for (int i = 0; i < tries; ++i) {
            const std::uint32_t before = version_.load(std::memory_order_acquire);
            for (std::size_t word = 0; word < words; ++word) {
                raw[word] = words_[word].load(std::memory_order_relaxed);
            }
            std::atomic_thread_fence(std::memory_order_acquire);
            if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) {
                value = std::bit_cast<T>(raw);
                return before;
            }
        }
        return 0;
    }

private:
    std::atomic<std::uint32_t> version_{0};
    std::uint32_t padding_ = 0;
    std::array<std::atomic<std::uint64_t>, words> words_{};
};

struct ControlPage {
    /// Requests of the process that the host has executed. A futex.
    std::atomic<std::uint32_t> handled{0};
    /// Changes of `registrations` so far; the process confirms it.
    std::atomic<std::uint32_t> published{0};
    alignas(64) std::array<Published<Enabling>, max_link_registrations> registrations;
};

} // namespace etl::link
