#include "session/runtime.hpp"

#include "session/control/runtime_state.hpp"
#include "session/control/session_names.hpp"

#include <mutex>
#include <utility>

namespace etl::session {

namespace {

using Phase = SessionCore::Phase;

bool is_found(const SessionCore& core) {
    return core.phase == Phase::running || core.phase == Phase::stopping;
}

} // namespace

Runtime::Runtime(RuntimeOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Runtime::~Runtime() {
    state_->stop_all();
}

std::optional<Session> Runtime::find(std::string_view name) const {
    const std::u16string folded = folded_name(name);
    std::optional<Session> found;
    const std::lock_guard lock(state_->mutex);
    state_->for_each_core([&](const SessionCore& core) {
        if (is_found(core) && !state_->is_private(core.id) && core.name == folded) {
            found = Session(const_cast<Runtime&>(*this), core.id, core.number);
        }
    });
    return found;
}

std::optional<Session> Runtime::find(std::uint64_t handle) const {
    std::optional<Session> found;
    const std::lock_guard lock(state_->mutex);
    state_->for_each_core([&](const SessionCore& core) {
        if (is_found(core) && state_->handle_of(core.id) == handle) {
            found = Session(const_cast<Runtime&>(*this), core.id, core.number);
        }
    });
    return found;
}

std::vector<SessionState> Runtime::sessions(Private which) const {
    std::vector<SessionHold> held;
    {
        const std::lock_guard lock(state_->mutex);
        state_->for_each_core([&](SessionCore& core) {
            const bool is_asked_for = which == Private::included || !state_->is_private(core.id);
            if (core.phase == Phase::running && is_asked_for) {
                held.emplace_back(core);
            }
        });
    }
    std::vector<SessionState> states;
    states.reserve(held.size());
    for (const SessionHold& hold : held) {
        states.push_back(state_->state_of(hold.core()));
    }
    return states;
}

Outcome<Registration> Runtime::add(const provider::Provider& provider, EnableCallback callback) {
    auto added = add(provider.guid(), std::move(callback));
    if (added) {
        if (auto set = added->set_traits(provider.traits()); !set) {
            return std::unexpected(set.error());
        }
    }
    return added;
}

Outcome<Registration> Runtime::add(const Guid& provider, EnableCallback callback,
                                   ProviderKind kind) {
    const auto node = state_->registrations.add(provider, kind, std::move(callback));
    if (!node) {
        return std::unexpected(node.error());
    }
    return Registration(*this, (*node)->handle, (*node)->state);
}

std::vector<ProviderState> Runtime::providers() const {
    return state_->registrations.list();
}

} // namespace etl::session
