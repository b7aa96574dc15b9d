// A stranger's program: counts the events of a trace, and of one that it writes itself.
#include <etl/etl.hpp>

#include <cstdio>
#include <optional>

namespace {

std::optional<unsigned long> events_in(const std::shared_ptr<const etl::io::InputFile>& file) {
    const auto reader = etl::trace::Reader::open(file);
    if (!reader) {
        return std::nullopt;
    }
    etl::flow::EventCursor events(**reader);
    unsigned long number = 0;
    while (events.next() != nullptr) {
        ++number;
    }
    return (*reader)->error() == nullptr ? std::optional(number) : std::nullopt;
}

bool writes_what_it_reads() {
    etl::io::MemoryFiles files;
    const auto writer = etl::trace::Writer::create("own.etl", {.files = &files});
    if (!writer) {
        return false;
    }
    const etl::provider::Provider provider("Stranger");
    etl::provider::SelfDescribingEvent event(provider, "Hello");
    event.add("Number", 1);
    const auto added = (*writer)->add(event.record({.time = etl::trace::now().ticks}));
    const auto closed = (*writer)->close();
    const auto own = etl::io::InputFile::from_memory(files.files()["own.etl"], "own.etl");
    return added && closed && events_in(own) == 2UL; // the log file header is one
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        return 64;
    }
    const auto file = etl::io::InputFile::map(arguments[1]);
    const auto number = file ? events_in(*file) : std::nullopt;
    if (!number || !writes_what_it_reads()) {
        return 2;
    }
    std::printf("%lu events\n", *number);
    return 0;
}
