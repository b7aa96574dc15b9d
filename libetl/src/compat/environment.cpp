#include "compat/environment.hpp"

#include <cstdlib>
#include <optional>

namespace etl::compat {

namespace {

void stop_all() {
    session::Runtime& runtime = environment().runtime;
    for (const session::SessionState& state : runtime.sessions(session::Runtime::Private::listed)) {
        if (const std::optional<session::Session> session = runtime.find(state.handle)) {
            static_cast<void>(session->stop()); // nobody is left who could be told
        }
    }
}

} // namespace

Environment::Environment() : state(runtime.state()), registrations(state.registrations) {}

Environment& environment() {
    static Environment* const one = [] {
        auto* made = new Environment; // kept for ever, see above
        std::atexit(stop_all);
        return made;
    }();
    return *one;
}

} // namespace etl::compat
