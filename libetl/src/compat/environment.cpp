#include "compat/environment.hpp"

#include <cstdlib>

namespace etl::compat {

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

Environment::Environment() : state(runtime.state()), registrations(state.registrations) {}

Environment& environment() {
    static Environment* const one = [] {
        auto* made = new Environment; // kept for ever, see above
        std::atexit(leave);
        return made;
    }();
    return *one;
}

} // namespace etl::compat
