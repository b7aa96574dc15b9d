// print_events TRACE: prints all fields of all events.
#include <etl/etl.hpp>
#include <etl/format.hpp>

#include <cstdio>

int main(int, char** arguments) {
    auto trace = etl::Trace::open(arguments[1]);
    if (!trace) return std::puts(etl::describe(trace.error()).c_str());
    for (const etl::Event& event : *trace) {
        fmt::print("{} {} {}\n", event.time(), event.provider(), event.name());
        for (const etl::Field& field : event.fields())
            fmt::print("  {}={}\n", field.name(), field.text());
    }
    return trace->error() ? 1 : 0;
}
