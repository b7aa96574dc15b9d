// A program that traces itself to a file: a provider, its events, and a session that writes them.
//     provider [FILE]
#include <etl/etl.hpp>

#include <cstdio>

namespace session = etl::session;
using etl::provider::EventOptions;
using etl::provider::Field;
using etl::provider::StaticEvent;

namespace {

int fail(const session::Failure& failure) {
    std::puts(session::describe(failure).c_str());
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    // The provider and its event, whose fields are known at compile time.
    const etl::provider::Provider coffee("MyCompany.Coffee");
    StaticEvent<"CupFinished", EventOptions{.level = 4, .keyword = 0x1},
                Field<"Drink", std::u16string_view>, Field<"Temperature", std::int32_t>>
        cup_finished(coffee);

    // One runtime per program. Registering the provider lets sessions enable it.
    session::Runtime runtime;
    auto events = runtime.add(coffee);
    if (!events) {
        return fail(events.error());
    }
    events->write(cup_finished, u"ristretto", 90); // not enabled yet

    // A session that writes a file and enables this provider up to level 4.
    auto morning = runtime.start({.name = "Morning", .file = argc > 1 ? argv[1] : "coffee.etl"});
    if (!morning) {
        return fail(morning.error());
    }
    if (auto enabled = morning->enable(coffee.guid(), {.level = 4, .match_any = 0x1}); !enabled) {
        return fail(enabled.error());
    }

    for (int cup = 1; cup <= 3; ++cup) {
        const session::ActivityScope activity; // events of one cup share an activity ID
        if (events->is_enabled(4, 0x1)) {      // a load and a branch if not enabled
            events->write(cup_finished, u"espresso", 92 + cup);
        }
    }

    auto end = morning->stop(); // flushes, then finalizes the file
    if (!end) {
        return fail(end.error());
    }
    std::printf("%s: %u buffers, %llu events lost\n", end->file.c_str(), end->buffers_written,
                static_cast<unsigned long long>(end->events_lost));
}
