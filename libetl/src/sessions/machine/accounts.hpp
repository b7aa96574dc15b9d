// Accounts: what each user holds of the host, so that one cannot take it from the others. Any
// thread. docs/machine-sessions.md#limits
#pragma once

#include "host/local_socket.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace etl::machine {

/// What is counted.
enum class Good : std::uint8_t {
    connection,   // that has not said what it is
    controller,   // connections of controllers, with a thread each
    link,         // processes with providers
    region_bytes, // memory of theirs that the host has mapped
    registration, // providers registered by them
    consumer,     // real-time consumers, with a descriptor each
    queue_bytes,  // memory for what they have not read yet
    new_buffers,  // bytes for sessions that are being started or enlarged; of all users together
};

inline constexpr std::size_t goods = 8;

/// How much of each a user may hold.
struct Limits {
    std::array<std::uint64_t, goods> max{};
    std::size_t sessions = 0;
    std::uint64_t buffer_bytes = 0; // of all sessions
    std::uint64_t queue_bytes = 0;  // of a consumer
    /// Bytes of a real-time session that nothing has read yet; 0: as many as it asks for.
    std::uint64_t backlog_bytes = 0;
    std::uint32_t requests_per_second = 0;

    std::uint64_t of(Good good) const noexcept { return max.at(static_cast<std::size_t>(good)); }
};

/// The limits of the user of the host, and of users with all rights.
inline constexpr Limits privileged_limits{
    .max = {1024, 512, 1U << 16U, 1ULL << 42U, 1U << 16U, 512, 1ULL << 42U},
    .sessions = 64,
    .buffer_bytes = ~std::uint64_t{0},
    .queue_bytes = 64U << 20U,
    .requests_per_second = ~0U};

/// The limits of all users together.
inline constexpr Limits no_limits{.max = {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL}};

inline constexpr Limits user_limits{.max = {64, 32, 256, 64U << 20U, 4096, 16, 64U << 20U},
                                    .sessions = 8,
                                    .buffer_bytes = 64U << 20U,
                                    .queue_bytes = 2U << 20U,
                                    .backlog_bytes = 8U << 20U,
                                    .requests_per_second = 1000};

class Account;

/// An amount of a good, held until it is destroyed.
class Share {
public:
    Share() noexcept = default;

    Share(std::shared_ptr<Account> of, Good good, std::uint64_t amount) noexcept
        : of_(std::move(of)), good_(good), amount_(amount) {}

    Share(Share&& other) noexcept = default;
    Share& operator=(Share&& other) noexcept;

    ~Share() { give_back(); }

private:
    void give_back() noexcept;

    std::shared_ptr<Account> of_; // null: nothing
    Good good_ = Good::connection;
    std::uint64_t amount_ = 0;
};

/// The account of one user.
class Account : public std::enable_shared_from_this<Account> {
public:
    using Clock = std::chrono::steady_clock;

    Account(std::uint32_t user, const Limits& limits) noexcept : user_(user), limits_(limits) {}

    std::uint32_t user() const noexcept { return user_; }

    const Limits& limits() const noexcept { return limits_; }

    /// Nothing: the user holds as much as it may.
    std::optional<Share> take(Good good, std::uint64_t amount = 1);

    /// Returns how much of a good is held, and how much is left.
    std::uint64_t held(Good good) const;
    std::uint64_t left(Good good) const;

    /// Held while a session is started or updated: the sessions of a user and their buffers are
    /// counted one after the other.
    std::unique_lock<std::mutex> lock_starts() { return std::unique_lock(starts_); }

    /// Counts a request. Returns how long to wait before executing it.
    Clock::duration delay_of_request(Clock::time_point now);

    /// Returns whether requests of this second have been counted.
    bool counts_requests(Clock::time_point now) const;

private:
    friend class Share;

    const std::uint32_t user_;
    const Limits limits_;
    std::mutex starts_;
    mutable std::mutex mutex_;
    std::array<std::uint64_t, goods> held_{};
    Clock::time_point second_end_{};
    std::uint32_t requests_ = 0; // in that second
};

class Accounts {
public:
    /// Returns the account of a user with or without all rights; the same one as long as anything
    /// is held of it, and while its requests of a second are counted.
    std::shared_ptr<Account> of(std::uint32_t user, bool is_privileged,
                                Account::Clock::time_point now);

private:
    using User = std::pair<std::uint32_t, bool>;

    std::mutex mutex_;
    std::map<User, std::shared_ptr<Account>> accounts_;
};

} // namespace etl::machine
