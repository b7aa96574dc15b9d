// What a process learns of enablements, in its control page.
#include "machine/provider_link.hpp"
#include "session/control/runtime_state.hpp"

#include <algorithm>
#include <vector>

namespace etl::machine {

namespace {

/// For the process, with what the session refuses of it.
link::Enabler enabler_of(const session::EnableView& view, std::uint32_t refused) noexcept {
    const auto mode = view.session.core->mode.load(std::memory_order_relaxed);
    refused |= (mode & session::mode::secure) != 0 ? link::refuses_classic : 0U;
    return {.session = view.session.core->id,
            .level = view.level,
            .accepts_keyword_0 = static_cast<std::uint8_t>(view.accepts_keyword_0() ? 1 : 0),
            .property = view.property | refused,
            .match_any = view.match_any,
            .match_all = view.match_all};
}

std::vector<link::Enabler> enablers_of(const session::Enablers& sessions) {
    std::vector<link::Enabler> result;
    for (const session::EnableView& view : sessions.recording) {
        result.push_back(enabler_of(view, 0));
    }
    for (const session::EnableView& view : sessions.refusing) {
        result.push_back(enabler_of(view, link::refuses_all));
    }
    result.resize(std::min(result.size(), link::most_enablers));
    return result;
}

} // namespace

void ProviderLink::publish(std::uint32_t registration, const session::EnableNotification& notice) {
    session::RegistrationNode* node = nullptr;
    {
        const std::lock_guard lock(mutex_);
        const auto found = registered_.find(registration);
        if (found == registered_.end()) {
            return;
        }
        node = found->second.node;
        if (node == nullptr) { // it is being registered, which publishes afterwards
            if (notice.is_enabled <= 1) {
                found->second.first = notice;
                found->second.first.filter = nullptr;
            }
            return;
        }
    }
    const std::lock_guard publishing(publishing_); // the latest state is published last
    const auto enablers = enablers_of(runtime_->state().registrations.enablers(*node));
    const std::lock_guard lock(mutex_);
    const auto found = registered_.find(registration);
    if (found == registered_.end()) {
        return;
    }
    link::Enabling& enabling = found->second.enabling;
    enabled_ += (enablers.empty() ? 0U : 1U) - (enabling.count == 0 ? 0U : 1U);
    enabling.count = static_cast<std::uint32_t>(enablers.size());
    std::ranges::copy(enablers, enabling.enablers.begin());
    if (found->second.is_classic) {
        show_classic_sessions();
    }
    publish_now(found->second, notice);
}

/// Under the lock.
void ProviderLink::show_classic_sessions() noexcept {
    std::uint64_t sessions = 0;
    for (const auto& [id, registered] : registered_) {
        const link::Enabler& one = registered.enabling.enablers.front();
        if (registered.is_classic && registered.enabling.count != 0 && !one.is_refusing()) {
            sessions |= std::uint64_t{1} << (one.session - 1U);
        }
    }
    classic_sessions_ = sessions;
}

/// Under the lock.
void ProviderLink::publish_now(Registered& registered, const session::EnableNotification& notice) {
    constexpr auto capture = static_cast<std::uint32_t>(session::Control::capture_state);
    link::Enabling& enabling = registered.enabling;
    (notice.is_enabled == capture ? enabling.captures : enabling.changes) += 1;
    enabling.is_enabled = notice.is_enabled;
    enabling.level = notice.level;
    enabling.match_any = notice.match_any;
    enabling.match_all = notice.match_all;
    enabling.source = notice.source;
    enabling.filter_size = 0;
    if (notice.filter != nullptr && notice.filter->data.size() <= enabling.filter.size()) {
        enabling.filter_type = notice.filter->type;
        enabling.filter_size = static_cast<std::uint32_t>(notice.filter->data.size());
        std::ranges::copy(notice.filter->data, enabling.filter.begin());
    }
    if (slots_.at(registered.slot) != enabling.registration) {
        return; // removed, and its slot may be that of another one
    }
    control().registrations.at(registered.slot).write(enabling);
    control().published.fetch_add(1, std::memory_order_release);
    // If the process does not read, one such message is on its way already.
    static_cast<void>(socket_.send(link::look_packet));
}

bool ProviderLink::wait_until_confirmed(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    const std::uint32_t published = control().published.load();
    return confirmed_changed_.wait_until(lock, deadline, [&] {
        return has_ended_ || static_cast<std::int32_t>(confirmed_ - published) >= 0;
    });
}

} // namespace etl::machine
