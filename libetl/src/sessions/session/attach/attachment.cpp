#include "session/attachment.hpp"

#include "session/attach/attachment_state.hpp"

#include <memory>
#include <system_error>

namespace etl::session {

void Attachment::State::added(const RegistrationFacts& facts) {
    std::shared_ptr<HostLink> link;
    std::uint32_t request = 0;
    {
        const std::lock_guard lock(mutex_);
        if (is_child_) {
            return;
        }
        Known& known = known_[facts.number] = Known{.facts = facts};
        link = link_;
        request = link == nullptr ? 0 : announce(known);
    }
    if (link != nullptr) {
        link->wait_until_handled(request, wait_);
    } else { // in the child of a fork, its thread announces it with the others
        child_wait_->wait();
    }
    apply_all();
    runtime_->registrations.run_callbacks(*facts.node, facts.handle); // another thread may be at it
}

void Attachment::State::traits_set(const RegistrationFacts& facts) {
    std::shared_ptr<HostLink> link;
    std::uint32_t request = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(facts.number);
        if (is_child_ || found == known_.end() || found->second.facts.handle != facts.handle) {
            return;
        }
        found->second.facts = facts;
        link = link_;
        if (link == nullptr) {
            return;
        }
        request =
            link->request(link::SetTraits{.registration = found->second.number,
                                          .traits = {facts.traits.begin(), facts.traits.end()}},
                          wait_);
    }
    link->wait_until_handled(request, wait_);
    apply_all();
    runtime_->registrations.run_callbacks(*facts.node, facts.handle); // another thread may be at it
}

void Attachment::State::removing(RegistrationNode& node, std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(known_, [&](const auto& one) {
        return one.second.facts.node == &node && one.second.facts.handle == handle;
    });
    if (is_child_ || found == known_.end()) {
        return;
    }
    if (link_ != nullptr) {
        link_->request(link::Unregister{found->second.number}, wait_);
    }
    known_.erase(found);
}

void Attachment::State::before_fork() noexcept {
    mutex_.lock();
}

void Attachment::State::in_parent() noexcept {
    mutex_.unlock();
}

/// Thread, region, and link are the parent's.
void Attachment::State::in_child() noexcept {
    is_linked_ = false;
    if (link_ != nullptr) {
        link_->region()->forget_in_child();
        link_ = nullptr;
    }
    ++links_;
    for (auto& [slot, known] : known_) {
        known.version = known.changes = known.captures = 0;
    }
    // A thread that is not here may hold the one; the other one is joinable for ever.
    std::construct_at(&applying_);
    std::construct_at(&thread_);
    child_wait_->begin(wait_);
    runtime_->registrations.await_machine(child_wait_.get());
    is_child_ = !with_children_ || !restart_in_child();
    if (is_child_) {
        runtime_->registrations.await_machine(nullptr);
        child_wait_->end();
    }
    mutex_.unlock();
}

/// Its thread waits for locks of the fork, then links as that of a new process.
bool Attachment::State::restart_in_child() {
    const auto page = host::open_wake_page(places_.back());
    auto poller = host::Poller::create();
    if (!page || !poller) {
        return false;
    }
    auto mapping = host::Mapping::of(*page, 0, host::wake_page_bytes, host::Sharing::read_only);
    if (!mapping) {
        return false;
    }
    wake_page_ = std::move(*mapping);
    poller_ = std::move(*poller);
    has_ended_ = is_stopping_ = false;
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        return false;
    }
    return true;
}

Attachment::Attachment(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

Attachment::Attachment(Attachment&&) noexcept = default;
Attachment& Attachment::operator=(Attachment&&) noexcept = default;
Attachment::~Attachment() = default;

bool Attachment::is_linked() const noexcept {
    return state_ != nullptr && state_->is_linked();
}

std::optional<Failure> Attachment::refusal() const {
    return state_ == nullptr ? std::nullopt : state_->refusal();
}

Outcome<Attachment> attach(Runtime& runtime, const AttachOptions& options) {
    const std::vector<host::MeetingPlace> places =
        options.directory.empty() ? host::meeting_places()
                                  : std::vector{host::MeetingPlace{options.directory}};
    if (places.empty()) {
        return refuse(Status::not_supported, "no place for a host of machine sessions");
    }
    // The page of the user can be created here; that of the machine exists if it has a host.
    const host::MeetingPlace& own = places.back();
    if (auto prepared = host::prepare_place(own, host::is_place_of_machine(own)); !prepared) {
        return refuse(Status::access_denied, prepared.error().what, prepared.error().os_code);
    }
    const auto page = host::open_wake_page(own);
    if (!page) {
        return refuse(Status::access_denied, page.error().what, page.error().os_code);
    }
    auto mapping = host::Mapping::of(*page, 0, host::wake_page_bytes, host::Sharing::read_only);
    if (!mapping) {
        return refuse(Status::not_supported, mapping.error().what, mapping.error().os_code);
    }
    auto state =
        std::make_unique<Attachment::State>(runtime.state(), places, std::move(*mapping), options);
    state->begin();
    return Attachment(std::move(state));
}

} // namespace etl::session
