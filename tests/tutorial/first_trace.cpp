// The program of README.md that writes a trace. tests/tutorial/first_trace.cmake holds its text to
// the lines below.
// [README.md]
#include <etl/etl.hpp>

#include <cstdio>

int main() {
    const etl::provider::Provider coffee("MyCompany.Coffee");
    auto writer = etl::Writer::create("coffee.etl", {.existing = etl::Existing::replace});
    if (!writer) {
        return std::puts(etl::describe(writer.error()).c_str());
    }
    etl::provider::SelfDescribingEvent event(coffee, "CupFinished", {.level = 4});
    event.add("Drink", u"espresso").add("Temperature", 93);
    auto added = writer->add(event.record({.time = etl::now().ticks}));
    auto closed = writer->close();
    return added && closed ? 0 : 2;
}

// [end]
