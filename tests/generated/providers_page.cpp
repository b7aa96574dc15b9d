// The examples of docs/providers.md as a program, which writes the events of them into two traces,
// by a writer and by a session: providers_page OUT OUT. providers_page.cmake holds the page against
// what is between the marks.
#include <etl/etl.hpp>

#include <string>
#include <vector>

// [page]
#include "coffee_events.hpp"

// [end]

// [page]
struct Order {
    std::uint32_t id;
    std::vector<std::string> drinks;
};

template <>
struct etl::provider::Wire<Order>
    : etl::provider::Structure<Order, etl::provider::Member<"Id", &Order::id>,
                               etl::provider::Member<"Drinks", &Order::drinks>> {};

// [end]

namespace {

// [page]
const etl::provider::Provider coffee("MyCompany.Coffee");

// [end]

bool write_self_describing(etl::Writer& writer) {
    // [page]
    etl::provider::SelfDescribingEvent event(coffee, "CupFinished", {.level = 4, .keyword = 1});
    event.add("Drink", u"espresso").add("Temperature", 93);
    event.add_struct("Machine", [](auto& machine) {
        machine.add("Address", etl::provider::Ipv4{{192, 0, 2, 1}})
            .add("Port", etl::provider::Port{631});
    });
    auto added = writer.add(event.record({.time = etl::now().ticks}));
    event.clear(); // keeps its memory; the next event of this name
    // [end]
    event.add("Order", Order{7, {"mocha", "tea"}});
    return added && writer.add(event.record({.time = etl::now().ticks}));
}

bool write_static(etl::Writer& writer) {
    // [page]
    using Drink = etl::provider::Field<"Drink", std::u16string_view>;
    using Temperature = etl::provider::Field<"Temperature", std::int32_t>;
    etl::provider::StaticEvent<"CupFinished", etl::provider::EventOptions{.level = 4}, Drink,
                               Temperature>
        cup_finished(coffee);
    auto added = writer.add(cup_finished.record({.time = etl::now().ticks}, u"espresso", 93));
    // [end]
    return added.has_value();
}

} // namespace

namespace of_manifest {

namespace {

bool write(etl::Writer& writer) {
    // [page]
    etl::provider::Event event =
        coffee_events::cup_finished(u"espresso", 93, coffee_events::Size::large);
    auto added = writer.add(event.record({.time = etl::now().ticks}));
    // [end]
    // [page]
    event =
        coffee_events::cup_finished(u"mocha", 91, coffee_events::Size::small_, std::move(event));
    // [end]
    return added && writer.add(event.record({.time = etl::now().ticks}));
}

} // namespace

} // namespace of_manifest

namespace in_a_session {

namespace {

bool write(const char* file) {
    // [page]
    etl::session::Runtime runtime;
    auto session = runtime.start({.name = "Morning", .file = file});
    auto by_name = runtime.add(coffee);
    auto by_manifest = runtime.add(coffee_events::provider_guid);
    // [end]
    if (!session || !by_name || !by_manifest) {
        return false;
    }
    // [page]
    auto enabled = session->enable(coffee.guid(), {.level = 4});
    // [end]
    enabled = enabled ? session->enable(coffee_events::provider_guid) : enabled;
    using Drink = etl::provider::Field<"Drink", std::u16string_view>;
    etl::provider::StaticEvent<"CupFinished", etl::provider::EventOptions{.level = 4}, Drink>
        cup_finished(coffee);
    etl::provider::SelfDescribingEvent event(coffee, "CupBroken", {.level = 2});
    // [page]
    if (by_name->is_enabled()) {
        by_name->write(cup_finished, u"espresso");
        by_name->write(event.add("Order", Order{8, {"mocha"}}));
    }
    auto finished = coffee_events::cup_finished(u"mocha", 91, coffee_events::Size::small_);
    by_manifest->write(finished);
    // [end]
    auto stopped = session->stop();
    return enabled && stopped && stopped->events_lost == 0;
}

} // namespace

} // namespace in_a_session

int main(int count, char** arguments) {
    if (count != 3) {
        return 64;
    }
    auto writer = etl::Writer::create(arguments[1], {.existing = etl::Existing::replace});
    return writer && write_self_describing(*writer) && write_static(*writer) &&
                   of_manifest::write(*writer) && writer->close() &&
                   in_a_session::write(arguments[2])
               ? 0
               : 1;
}
