#include "compat/environment.hpp"

#include "host/places.hpp"

#include <cstdlib>

namespace etl::compat {

std::uintptr_t ClassGuids::add(const Guid& guid) {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < owned_.size(); ++i) {
        if (owned_[i].guid == guid) {
            return i + 1;
        }
    }
    if (owned_.size() == max) {
        return 0;
    }
    ClassGuid& made = owned_.emplace_back();
    made.guid = guid;
    places_[owned_.size() - 1].store(&made, std::memory_order_release);
    return owned_.size();
}

namespace {

void leave() noexcept {
    try {
        environment().state.leave();
        // Nobody is left who could be told.
        // NOLINTNEXTLINE(bugprone-empty-catch)
    } catch (...) {
    }
}

} // namespace

Environment::Environment()
    : state(runtime.state()), registrations(state.registrations),
      is_of_machine(host::is_machine_scope()) {
    watch();
    if (is_of_machine) {
        if (auto done = session::attach(runtime, {.with_children = true})) {
            attached = std::move(*done);
        }
    }
}

// Behind the runtime's, in this order: who has one of these locks takes none of those.
void Environment::before_fork() noexcept {
    classes.lock();
    traces.lock();
    notifications.lock();
}

void Environment::in_parent() noexcept {
    notifications.unlock();
    unlock();
}

void Environment::unlock() noexcept {
    traces.unlock();
    classes.unlock();
}

void Environment::in_child() noexcept {
    notifications.forget_in_child();
    unlock();
}

Environment& environment() {
    static Environment* const one = [] {
        auto* made = new Environment; // kept for ever, see above
        std::atexit(leave);
        return made;
    }();
    return *one;
}

} // namespace etl::compat
