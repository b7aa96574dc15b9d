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

/// Prints events until the session ends.
void print(etl::Trace& live) {
    for (const etl::Event& event : live) { // waits
        std::string line(event.name());
        for (const etl::Field& field : event.fields()) {
            line.append(" ").append(field.name()).append("=");
            field.append_text(line);
        }
        std::puts(line.c_str());
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
    auto live = etl::Trace::listen(*today);
    if (!live) {
        return 1;
    }

    std::thread printer([&] { print(*live); });
    for (int order = 1; order <= orders; ++order) {
        events->write(sold, "croissant", order);
    }
    auto end = today->stop(); // consumers receive the rest, then the end
    printer.join();
    return end && end->real_time_buffers_lost == 0 ? 0 : 2;
}
