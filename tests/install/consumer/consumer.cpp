// A stranger's program: counts the events of a trace.
#include <etl/etl.hpp>

#include <cstdio>

int main(int count, char** arguments) {
    if (count != 2) {
        return 64;
    }
    const auto file = etl::io::InputFile::map(arguments[1]);
    if (!file) {
        return 2;
    }
    const auto reader = etl::trace::Reader::open(*file);
    if (!reader) {
        return 2;
    }
    etl::flow::EventCursor events(**reader);
    unsigned long number = 0;
    while (events.next() != nullptr) {
        ++number;
    }
    std::printf("%lu events\n", number);
    return (*reader)->error() == nullptr ? 0 : 2;
}
