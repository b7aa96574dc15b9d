// live_events: a program that reads its own events in real time.
#include <etl/etl.hpp>

#include <cstdio>
using namespace etl::provider;

int main() {
    const Provider shop("MyCompany.Shop");
    StaticEvent<"Sold", EventOptions{.level = 4}, Field<"What", std::string_view>> sold(shop);
    etl::session::Runtime runtime;
    auto registration = runtime.add(shop);
    auto session = runtime.start({.name = "Live", .mode = etl::session::mode::real_time});
    if (!session || !session->enable(shop.guid())) return 1;
    auto trace = etl::Trace::listen(*session);
    registration->write(sold, "croissant");
    if (!trace || !session->stop()) return 1;
    for (const etl::Event& event : *trace) std::puts(event.json().c_str());
}
