#include "compat/notifications.hpp"

#include <etl/machine.hpp>

#include "compat/environment.hpp"
#include "host/process.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace etl::compat {

namespace {

using session::SessionEvent;

/// As handles of registrations never are.
constexpr REGHANDLE first_handle = 0x4E54'0000'0000'0000;

/// Nothing: there is no such notification on Windows.
std::optional<ETW_SESSION_NOTIFICATION_TYPE> type_of(SessionEvent::Kind kind) noexcept {
    switch (kind) {
    case SessionEvent::Kind::started:
        return EtwSessionNotificationSessionStarted;
    case SessionEvent::Kind::stopped:
        return EtwSessionNotificationSessionTerminated;
    case SessionEvent::Kind::new_file:
        return EtwSessionNotificationMediaChanged;
    case SessionEvent::Kind::backlog_full:
    case SessionEvent::Kind::buffers_lost:
        return EtwSessionNotificationRealtimeError;
    case SessionEvent::Kind::write_failed:
    case SessionEvent::Kind::file_full:
    case SessionEvent::Kind::file_switch_failed:
        break;
    case SessionEvent::Kind::provider_taken_over:
    case SessionEvent::Kind::provider_returned:
        return std::nullopt;
    }
    return EtwSessionNotificationLogfileError;
}

/// NTSTATUS_FROM_WIN32, and two that have a code of their own.
LONG nt_status_of(session::Status status) noexcept {
    constexpr std::uint32_t from_win32 = 0xC007'0000, log_file_full = 0xC000'0188,
                            disk_full = 0xC000'007F;
    if (status == session::Status::success) {
        return 0;
    }
    const std::uint32_t code = status == session::Status::log_file_full ? log_file_full
                               : status == session::Status::disk_full
                                   ? disk_full
                                   : from_win32 | static_cast<std::uint32_t>(status);
    return static_cast<LONG>(code);
}

/// Number of the machine's next event; of a host that starts later, its first one. Errors:
/// access_denied.
session::Outcome<std::uint64_t> first_of_machine() {
    constexpr std::uint64_t first = 1;
    if (!environment().is_of_machine) {
        return 0;
    }
    auto controller = machine::Controller::connect({.start = machine::StartHost::never});
    if (!controller) {
        return first;
    }
    const auto now = controller->events(0, std::chrono::milliseconds(0));
    if (!now && now.error().status == session::Status::access_denied) {
        return std::unexpected(now.error());
    }
    return now ? now->next : first;
}

} // namespace

session::Outcome<REGHANDLE> Notifications::add(PETW_NOTIFICATION_CALLBACK callback, PVOID context) {
    // Without the lock: the host may answer late, and sessions of the process report events.
    const auto next = first_of_machine();
    if (!next) {
        return std::unexpected(next.error());
    }
    const std::lock_guard lock(mutex_);
    if (!thread_ && !begin(*next)) {
        return session::refuse(session::Status::no_system_resources, "a thread for notifications");
    }
    const REGHANDLE handle = first_handle + ++last_;
    registered_[handle] = {callback, context};
    return handle;
}

/// Under the lock. False: no thread can be had.
bool Notifications::begin(std::uint64_t next) {
    next_ = next;
    try {
        std::thread thread([this] { run(); });
        thread_ = thread.get_id();
        thread.detach();
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

std::optional<PVOID> Notifications::remove(REGHANDLE handle) {
    std::unique_lock lock(mutex_);
    const auto found = registered_.find(handle);
    if (found == registered_.end()) {
        return std::nullopt;
    }
    const PVOID context = found->second.context;
    registered_.erase(found);
    if (thread_ != std::this_thread::get_id()) {
        changed_.wait(lock, [&] { return running_ != handle; });
    }
    return context;
}

void Notifications::post(const SessionEvent& event) {
    const std::lock_guard lock(mutex_);
    if (thread_ && !registered_.empty()) { // in the child of a fork, nothing would take it
        posted_.push_back(event);
        changed_.notify_all();
    }
}

void Notifications::forget_in_child() noexcept {
    thread_.reset();
    posted_.clear();
    running_ = 0;
    std::construct_at(&changed_); // a thread that is not here may have waited for it
    mutex_.unlock();
}

void Notifications::run() {
    host::become_helper_thread("etl-notify");
    for (;;) {
        wait();
        for (;;) {
            std::unique_lock lock(mutex_);
            if (posted_.empty()) {
                break;
            }
            const SessionEvent event = std::move(posted_.front());
            posted_.pop_front();
            lock.unlock();
            deliver(event, false);
        }
    }
}

/// For something to deliver.
void Notifications::wait() {
    constexpr std::chrono::milliseconds look{500};
    if (!environment().is_of_machine) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !posted_.empty(); });
        return;
    }
    auto controller = machine::Controller::connect({.start = machine::StartHost::never});
    auto events =
        controller ? controller->events(next_, look) : std::unexpected(controller.error());
    if (!events) {
        next_ = controller ? next_ : 1; // of the next host
        std::this_thread::sleep_for(look);
        return;
    }
    next_ = events->next;
    for (const SessionEvent& event : events->events) {
        deliver(event, true);
    }
}

void Notifications::deliver(const SessionEvent& event, bool is_of_machine) {
    const auto type = type_of(event.kind);
    if (!type) {
        return;
    }
    ETW_SESSION_NOTIFICATION_PACKET packet{};
    packet.NotificationHeader.NotificationType = EtwNotificationTypeSession;
    packet.NotificationHeader.NotificationSize = sizeof packet;
    packet.NotificationHeader.SourcePID = is_of_machine ? 0 : host::process_id();
    packet.NotificationHeader.TargetPID = host::process_id();
    packet.NotificationHeader.DestinationGuid = session_notifications;
    packet.Type = *type;
    packet.Status = nt_status_of(event.status);
    packet.TraceHandle =
        is_of_machine ? event.session_id : environment().state.handle_of(event.session_id);
    std::unique_lock lock(mutex_);
    for (auto at = registered_.begin(); at != registered_.end();
         at = registered_.upper_bound(running_)) {
        running_ = at->first;
        const Registered one = at->second;
        ETW_SESSION_NOTIFICATION_PACKET copy = packet;
        lock.unlock();
        one.callback(&copy.NotificationHeader, one.context);
        lock.lock();
        changed_.notify_all();
    }
    running_ = 0;
    changed_.notify_all();
}

} // namespace etl::compat
