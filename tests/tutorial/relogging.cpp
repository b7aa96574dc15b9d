// The program of docs/relogging.md. tests/tutorial/relogging.cmake holds its text to the lines
// below.
// [docs/relogging.md]
#include <etl/etl.hpp>

#include <cstdio>

int main(int, char** arguments) {
    auto trace = etl::Trace::open(arguments[1]);
    if (!trace) {
        return std::puts(etl::describe(trace.error()).c_str());
    }
    etl::relog::Draft draft; // reused for every event
    auto written = trace->relog(arguments[2], [&](const etl::Event& event, etl::relog::Output& to) {
        if (event.level() == 3) {
            return; // dropped: not passed on
        }
        if (event.process_id() != 1300) {
            return to.pass(); // unchanged
        }
        draft.assign(event); // a changed copy
        draft.set_process_id(99);
        to.emit(draft);
        etl::relog::Draft mark(etl::relog::Draft::Form::event, event); // a new event
        mark.set_descriptor({.id = 9000, .level = 4});
        mark.set_time({event.time().ticks + etl::Filetime::per_second}); // written at that time
        to.emit(mark);
    });
    if (!written) {
        return std::puts(etl::describe(written.error()).c_str());
    }
    std::printf("%llu events\n", static_cast<unsigned long long>(*written));
}

// [end]
