#include "machine/accounts.hpp"

#include <utility>

namespace etl::machine {

Share& Share::operator=(Share&& other) noexcept {
    if (this != &other) {
        give_back();
        of_ = std::move(other.of_);
        good_ = other.good_;
        amount_ = other.amount_;
    }
    return *this;
}

void Share::give_back() noexcept {
    if (of_ != nullptr) {
        const std::lock_guard lock(of_->mutex_);
        of_->held_.at(static_cast<std::size_t>(good_)) -= amount_;
    }
    of_.reset();
}

std::optional<Share> Account::take(Good good, std::uint64_t amount) {
    const std::lock_guard lock(mutex_);
    std::uint64_t& held = held_.at(static_cast<std::size_t>(good));
    if (amount > limits_.of(good) - held) {
        return std::nullopt;
    }
    held += amount;
    return Share(shared_from_this(), good, amount);
}

std::uint64_t Account::held(Good good) const {
    const std::lock_guard lock(mutex_);
    return held_.at(static_cast<std::size_t>(good));
}

std::uint64_t Account::left(Good good) const {
    return limits_.of(good) - held(good);
}

Account::Clock::duration Account::delay_of_request(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (now >= second_end_) {
        second_end_ = now + std::chrono::seconds{1};
        requests_ = 0;
    }
    return requests_++ < limits_.requests_per_second ? Clock::duration::zero() : second_end_ - now;
}

bool Account::counts_requests(Clock::time_point now) const {
    const std::lock_guard lock(mutex_);
    return now < second_end_;
}

std::shared_ptr<Account> Accounts::of(std::uint32_t user, bool is_privileged,
                                      Account::Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    std::erase_if(accounts_, [&](const auto& one) { // nobody else can take it while it is unused
        return one.second.use_count() == 1 && !one.second->counts_requests(now);
    });
    const User key{user, is_privileged};
    if (const auto known = accounts_.find(key); known != accounts_.end()) {
        return known->second;
    }
    auto account = std::make_shared<Account>(user, is_privileged ? privileged_limits : user_limits);
    accounts_.emplace(key, account);
    return account;
}

} // namespace etl::machine
