// A program that traces itself into a file: a provider, its events, a session that writes them.
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
    // Who writes, and what: the shape of the event is known when compiling.
    const etl::provider::Provider coffee("MyCompany.Coffee");
    StaticEvent<"CupFinished", EventOptions{.level = 4, .keyword = 0x1},
                Field<"Drink", std::u16string_view>, Field<"Temperature", std::int32_t>>
        cup_finished(coffee);

    // One runtime for the program; the provider is there for any session that wants it.
    session::Runtime runtime;
    auto events = runtime.add(coffee);
    if (!events) {
        return fail(events.error());
    }
    events->write(cup_finished, u"ristretto", 90); // to nobody, so far

    // A session that writes a file, and wants this provider's events up to level 4.
    auto morning = runtime.start({.name = "Morning", .file = argc > 1 ? argv[1] : "coffee.etl"});
    if (!morning) {
        return fail(morning.error());
    }
    if (auto enabled = morning->enable(coffee.guid(), {.level = 4, .match_any = 0x1}); !enabled) {
        return fail(enabled.error());
    }

    for (int cup = 1; cup <= 3; ++cup) {
        const session::ActivityScope activity; // what belongs to one cup has one activity id
        if (events->is_enabled(4, 0x1)) {      // a load and a branch, where nobody listens
            events->write(cup_finished, u"espresso", 92 + cup);
        }
    }

    auto end = morning->stop(); // writes what it has, and finishes the file
    if (!end) {
        return fail(end.error());
    }
    std::printf("%s: %u buffers, %llu events lost\n", end->file.c_str(), end->buffers_written,
                static_cast<unsigned long long>(end->events_lost));
}
