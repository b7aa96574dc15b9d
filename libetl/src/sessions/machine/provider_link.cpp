#include "machine/provider_link.hpp"

#include "base/layout.hpp"
#include "host/process.hpp"
#include "session/control/runtime_state.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace etl::machine {

namespace {

/// What one ring holds while the host is busy: as much as the buffers of a large session. Only what
/// records have reached takes memory.
constexpr std::size_t ring_bytes = std::size_t{16} << 20U;

/// The more processes a user has, the less memory each of them gets, so that there is some for the
/// last one.
std::size_t region_bytes_for(const Account& account) {
    const std::size_t max =
        ring_bytes * std::min<std::size_t>(host::processor_count(), link::max_stripes);
    constexpr std::uint64_t min = link::min_ring_bytes + link::region_page;
    constexpr std::uint64_t part = 8;
    const std::uint64_t left = account.left(Good::region_bytes);
    const std::uint64_t for_others = account.left(Good::link) * min;
    const std::uint64_t spare = left > for_others ? left - for_others : 0;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(spare / part, min, max));
}

/// Messages taken in a row, so that one process cannot occupy the host.
constexpr int max_messages = 64;

/// S-1-22-1-UID, Samba's form, as host::user_sid for this process.
std::vector<std::byte> sid_of(std::uint32_t user) {
    std::vector<std::byte> sid(16);
    sid[0] = std::byte{1};
    sid[1] = std::byte{2};
    sid[7] = std::byte{22};
    store_le<std::uint32_t>(&sid[8], 1);
    store_le<std::uint32_t>(&sid[12], user);
    return sid;
}

} // namespace

ProviderLink::ProviderLink(session::Runtime& runtime, host::LocalSocket socket,
                           std::shared_ptr<Account> account)
    : runtime_(&runtime), account_(std::move(account)), socket_(std::move(socket)),
      peer_(socket_.peer()), sid_(sid_of(peer_.user_id)) {
    host::PeerProcess facts = socket_.peer_process();
    start_key_ = facts.start_key;
    process_ = std::make_shared<session::ProcessIdentity>(
        session::ProcessIdentity{peer_.process_id, std::move(facts.program), peer_.user_id});
}

ProviderLink::~ProviderLink() = default;

Result<std::shared_ptr<ProviderLink>> ProviderLink::accept(session::Runtime& runtime,
                                                           host::LocalSocket socket,
                                                           std::shared_ptr<Account> account) {
    auto link_share = account->take(Good::link);
    const auto shape = link::RegionShape::of(host::processor_count(), region_bytes_for(*account));
    auto region_share = account->take(Good::region_bytes, shape.size());
    if (!link_share || !region_share) {
        socket.send(encode(link::Refusal{.reason = link::Refusal::Reason::programs}));
        return fail(ErrorCode::limit, link::describe(link::Refusal::Reason::programs));
    }
    auto made = std::make_shared<ProviderLink>(runtime, std::move(socket), std::move(account));
    made->shares_.push_back(std::move(*link_share));
    made->shares_.push_back(std::move(*region_share));
    if (auto opened = made->open(shape); !opened) {
        made->socket_.send(encode(link::Refusal{.reason = link::Refusal::Reason::resources}));
        return std::unexpected(opened.error());
    }
    return made;
}

/// Makes the shared memory, and passes it to the process.
Result<void> ProviderLink::open(const link::RegionShape& shape) {
    auto control = host::share_memory(sizeof(link::ControlPage), host::Sharing::read_only);
    if (!control) {
        return std::unexpected(control.error());
    }
    control_ = std::move(*control);
    auto memory = host::share_memory(shape.size(), host::Sharing::read_write);
    if (!memory) {
        return std::unexpected(memory.error());
    }
    auto region = link::RegionMemory::map(memory->descriptor, shape);
    if (!region) {
        return std::unexpected(region.error());
    }
    region_ = std::move(*region);
    for (std::uint32_t i = 0; i < shape.stripes; ++i) {
        queues_.emplace_back(
            link::RingReader(header().stripes[i], region_.ring(i), shape.ring_bytes),
            static_cast<std::uint16_t>(i));
    }
    const std::array descriptors{control_.descriptor.number(), memory->descriptor.number()};
    const auto welcome = encode(link::Welcome{.process_id = host::process_id(), .shape = shape});
    if (socket_.send(welcome, descriptors) != host::LocalSocket::Sent::done) {
        return fail(ErrorCode::io_failure, "the process does not take the answer");
    }
    control_.descriptor.close();
    return {};
}

link::ControlPage& ProviderLink::control() const noexcept {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory, zero at first
    return *reinterpret_cast<link::ControlPage*>(control_.mapping.data());
}

bool ProviderLink::serve(bool& ring_bell) {
    std::vector<std::byte> packet(link::max_packet_bytes);
    for (int i = 0; i < max_messages; ++i) {
        const auto received = socket_.receive(packet);
        if (received.state == host::LocalSocket::Received::State::would_block) {
            return true;
        }
        if (received.state == host::LocalSocket::Received::State::closed) {
            return false;
        }
        const auto message = link::decode_provider_message(Bytes(packet).first(received.size));
        if (!message) {
            return false;
        }
        bool is_valid = true;
        bool is_request = true;
        if (const auto* added = std::get_if<link::Register>(&*message)) {
            is_valid = handle(*added);
        } else if (const auto* removed = std::get_if<link::Unregister>(&*message)) {
            is_valid = handle(*removed);
        } else if (const auto* traits = std::get_if<link::SetTraits>(&*message)) {
            is_valid = handle(*traits);
        } else if (const auto* confirm = std::get_if<link::Confirm>(&*message)) {
            is_request = false;
            has_announced_ = true;
            const std::lock_guard lock(mutex_);
            confirmed_ = confirm->published;
            confirmed_changed_.notify_all();
        } else {
            is_request = false;
            is_valid = std::holds_alternative<link::Doorbell>(*message);
            ring_bell = true;
        }
        if (!is_valid) {
            return false;
        }
        if (is_request) {
            control().handled.fetch_add(1, std::memory_order_release);
            host::wake_waiting(control().handled);
            ring_bell = ring_bell || is_enabled(); // from now on the drain looks regularly
        }
    }
    return true;
}

bool ProviderLink::handle(const link::Register& request) {
    {
        const std::lock_guard lock(mutex_);
        if (request.slot >= link::max_link_registrations ||
            registered_.size() >= link::max_link_registrations ||
            !registered_
                 .try_emplace(request.registration,
                              Registered{.slot = request.slot, .is_classic = request.is_classic})
                 .second) {
            return false;
        }
        registered_[request.registration].enabling.registration = request.registration;
        slots_.at(request.slot) = request.registration;
    }
    auto share = account_->take(Good::registration);
    if (!share) {
        return true; // as below
    }
    const std::weak_ptr<ProviderLink> self = weak_from_this();
    const auto node = runtime_->state().registrations.add(
        request.provider,
        request.is_classic ? session::ProviderKind::classic : session::ProviderKind::modern,
        [self, id = request.registration](const session::EnableNotification& notice) {
            if (const auto link = self.lock()) {
                link->publish(id, notice);
            }
        },
        process_);
    if (!node) {
        return true; // too many in all: the process keeps what it has
    }
    session::EnableNotification first;
    {
        const std::lock_guard lock(mutex_);
        Registered& registered = registered_[request.registration];
        registered.node = *node;
        registered.share = std::move(*share);
        first = registered.first;
    }
    if (first.is_enabled != 0) { // it may be enabled no more: then this says so
        publish(request.registration, first);
    }
    return true;
}

bool ProviderLink::handle(const link::Unregister& request) {
    const std::lock_guard lock(mutex_);
    const auto found = registered_.find(request.registration);
    if (found == registered_.end()) {
        return false;
    }
    if (slots_.at(found->second.slot) == request.registration) {
        slots_.at(found->second.slot) = 0;
    }
    if (found->second.node != nullptr) {
        removed_.push_back(found->second.node); // the drain may still find events of it
    } else {
        registered_.erase(found);
    }
    return true;
}

bool ProviderLink::handle(const link::SetTraits& request) {
    session::RegistrationNode* node = nullptr;
    {
        const std::lock_guard lock(mutex_);
        const auto found = registered_.find(request.registration);
        if (found == registered_.end()) {
            return false;
        }
        node = found->second.node;
    }
    // The process has checked them; a second time, or damaged ones, change nothing here.
    if (node != nullptr) {
        static_cast<void>(runtime_->state().registrations.set_traits(*node, request.traits));
    }
    return true;
}

const session::RegistrationNode* ProviderLink::find(std::uint32_t registration) {
    if (last_found_ != nullptr && last_registration_ == registration) [[likely]] {
        return last_found_;
    }
    const std::lock_guard lock(mutex_);
    const auto found = registered_.find(registration);
    last_registration_ = registration;
    last_found_ = found == registered_.end() ? nullptr : found->second.node;
    return last_found_;
}

std::vector<session::RegistrationNode*> ProviderLink::take_removed() {
    const std::lock_guard lock(mutex_);
    if (!has_ended_) {
        return std::exchange(removed_, {});
    }
    std::vector<session::RegistrationNode*> all;
    for (const auto& [id, registered] : registered_) {
        if (registered.node != nullptr) {
            all.push_back(registered.node);
        }
    }
    removed_.clear();
    confirmed_changed_.notify_all();
    return all;
}

std::vector<session::SessionRef> ProviderLink::enabled_by() {
    std::vector<session::RegistrationNode*> nodes;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, registered] : registered_) {
            if (registered.node != nullptr) {
                nodes.push_back(registered.node);
            }
        }
    }
    std::vector<session::SessionRef> sessions;
    for (const session::RegistrationNode* node : nodes) {
        const session::Enablers enablers = runtime_->state().registrations.enablers(*node);
        for (const session::EnableView& view : enablers.recording) {
            if (std::ranges::find(sessions, view.session) == sessions.end()) {
                sessions.push_back(view.session);
            }
        }
    }
    return sessions;
}

std::vector<session::RegistrationNode*>
ProviderLink::forget(const std::vector<session::RegistrationNode*>& nodes) {
    std::vector<session::RegistrationNode*> gone;
    if (nodes.empty()) {
        return gone;
    }
    gone.reserve(nodes.size());
    last_found_ = nullptr;
    const std::lock_guard lock(mutex_);
    std::erase_if(registered_, [&](const auto& one) {
        if (std::ranges::find(nodes, one.second.node) == nodes.end()) {
            return false;
        }
        enabled_ -= one.second.enabling.count != 0 ? 1U : 0U;
        gone.push_back(one.second.node);
        return true;
    });
    show_classic_sessions();
    return gone;
}

std::array<std::uint32_t, link::max_machine_sessions> ProviderLink::take_lost() noexcept {
    std::array<std::uint32_t, link::max_machine_sessions> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::uint32_t now = header().lost[i].load(std::memory_order_relaxed);
        result[i] = now - lost_[i];
        lost_[i] = now;
    }
    return result;
}

// What a process learns of enablements, in its control page.

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
    result.resize(std::min(result.size(), link::max_enablers));
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
