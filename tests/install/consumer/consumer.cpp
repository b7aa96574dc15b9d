// A stranger's program: counts the events of a trace, and of one that it writes itself; and
// computes a table.
#include <etl/etl.hpp>

#include <cstdio>

namespace {

std::optional<unsigned long> events_in(std::expected<etl::Trace, etl::TraceError> trace) {
    if (!trace) {
        return std::nullopt;
    }
    unsigned long number = 0;
    for (const etl::Event& event : *trace) {
        number += event.name().empty() ? 0 : 1;
    }
    return trace->error() == nullptr ? std::optional(number) : std::nullopt;
}

bool reads_what_it_writes() {
    auto writer = etl::Writer::to_memory();
    if (!writer) {
        return false;
    }
    const etl::provider::Provider provider("Stranger");
    etl::provider::SelfDescribingEvent event(provider, "Hello");
    event.add("Number", 1);
    const auto added = writer->add(event.record({.time = etl::now().ticks}));
    const auto closed = writer->close();
    const auto events = events_in(etl::Trace::open_memory(writer->take(), "own.etl"));
    return added && closed && events == 2UL; // the log file header is one
}

bool computes(const char* path) {
    const auto table = etl::Table::compute("stats", {path});
    return table && table->row_count() > 0 && table->csv().starts_with(table->column(0).name);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        return 64;
    }
    const auto number = events_in(etl::Trace::open(arguments[1]));
    if (!number || !reads_what_it_writes() || !computes(arguments[1])) {
        return 2;
    }
    std::printf("%lu events\n", *number);
    return 0;
}
