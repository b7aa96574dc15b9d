// count_events TRACE...: counts the events of each provider.
#include <etl/etl.hpp>

#include <cstdio>
#include <map>

int main(int count, char** arguments) {
    auto trace = etl::Trace::open_all({arguments + 1, arguments + count});
    if (!trace) return std::puts(etl::describe(trace.error()).c_str());
    std::map<std::string, std::size_t, std::less<>> events;
    for (const etl::Event& event : *trace) {
        auto found = events.find(event.provider());
        ++(found != events.end() ? found->second : events[std::string(event.provider())]);
    }
    for (const auto& [provider, number] : events)
        std::printf("%6zu %s\n", number, provider.c_str());
}
