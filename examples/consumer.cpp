// A real-time consumer: one thread writes events, another one decodes and prints them. No file.
//     consumer [EVENTS]
#include <etl/etl.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace session = etl::session;
using etl::provider::EventOptions;
using etl::provider::Field;
using etl::provider::StaticEvent;

namespace {

/// Prints events as JSON lines until the session ends.
void print(etl::flow::Source& source) {
    etl::sink::Options options;
    options.fields = {"provider", "event", "data"};
    etl::sink::JsonLines json(options);
    std::string line;
    etl::flow::EventCursor events(source);
    while (const etl::flow::Event* event = events.next()) { // waits
        line.clear();
        json.encode(*event, line);
        std::fputs(line.c_str(), stdout);
    }
}

} // namespace

int main(int argc, char** argv) {
    const int orders = argc > 1 ? std::atoi(argv[1]) : 5;
    const etl::provider::Provider shop("MyCompany.Shop");
    StaticEvent<"Sold", EventOptions{.level = 4}, Field<"Item", std::string_view>,
                Field<"Number", std::int32_t>>
        sold(shop);
    session::Runtime runtime;
    auto events = runtime.add(shop);
    auto today = runtime.start({.name = "Today", .mode = session::mode::real_time});
    if (!events || !today || !today->enable(shop.guid(), {.level = 4})) {
        return 1;
    }
    auto live = today->listen();
    if (!live) {
        return 1;
    }

    std::thread printer([&] { print(**live); });
    for (int order = 1; order <= orders; ++order) {
        events->write(sold, "croissant", order);
    }
    auto end = today->stop(); // consumers receive the rest, then the end
    printer.join();
    return end && (*live)->buffers_lost() == 0 ? 0 : 2;
}
