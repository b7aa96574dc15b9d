// write_trace OUT: writes one event through a session to a file.
#include <etl/etl.hpp>

#include <cstdio>
using namespace etl::provider;

int main(int, char** arguments) {
    const Provider shop("MyCompany.Shop");
    StaticEvent<"Sold", EventOptions{.level = 4}, Field<"What", std::string_view>,
                Field<"Count", int>>
        sold(shop);
    etl::session::Runtime runtime;
    auto registration = runtime.add(shop);
    auto session = runtime.start({.name = "Sales", .file = arguments[1]});
    if (!session) return std::puts(etl::session::describe(session.error()).c_str());
    if (session->enable(shop.guid())) registration->write(sold, "croissant", 3);
    return session->stop() ? 0 : 1;
}
