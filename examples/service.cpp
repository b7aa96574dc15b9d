// A program that runs until it has served a number of orders, and can be traced at any time:
//     etl session start Evening --provider MyCompany.Service -o evening.etl
// docs/trace-a-running-program.md
#include <etl/provider.hpp>
#include <etl/session.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace etl;
using provider::EventOptions;
using provider::Field;
using provider::StaticEvent;

int main(int argc, char** argv) {
    const int orders = argc > 1 ? std::atoi(argv[1]) : 10;
    const std::chrono::milliseconds pause(argc > 2 ? std::atoi(argv[2]) : 0);

    const provider::Provider service("MyCompany.Service");
    StaticEvent<"OrderServed", EventOptions{.level = 4, .keyword = 0x1},
                Field<"Order", std::int32_t>, Field<"Dish", std::u16string_view>>
        order_served(service);

    session::Runtime runtime;
    const auto attached = session::attach(runtime); // without it, sessions of this process only
    if (!attached) {
        std::fprintf(stderr, "not traceable: %s\n", describe(attached.error()).c_str());
    }
    const auto events = runtime.add(service);
    for (std::int32_t order = 1; order <= orders; ++order) {
        events->write(order_served, order, u"soup"); // a load and a branch if not enabled
        std::this_thread::sleep_for(pause);
    }
    std::printf("served %d orders\n", orders);
}
