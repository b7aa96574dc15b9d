// The reading loop of etl/etl.hpp as a program: tutorial FILE OUT prints one line per event of
// FILE, then how many values they hold; and writes OUT, a copy of them.
#include <etl/etl.hpp>

#include <cstdio>

namespace {

std::size_t count_values(const auto& fields) {
    std::size_t values = 0;
    for (const etl::Field& field : fields) {
        values += field.is_value() ? 1 : count_values(field);
    }
    return values;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        return 64;
    }
    auto trace = etl::Trace::open(arguments[1]);
    if (!trace) {
        std::puts(etl::describe(trace.error()).c_str());
        return 2;
    }
    std::size_t values = 0;
    for (const etl::Event& event : *trace) { // valid until the next step of the loop
        std::printf("%s %u %s\n", std::string(event.provider()).c_str(), event.id(),
                    std::string(event.name()).c_str());
        values += count_values(event.fields());
    }
    std::printf("%zu values\n", values);
    if (trace->error() != nullptr) {
        return 1;
    }
    const auto written = trace->save(arguments[2], etl::Existing::replace);
    if (!written) {
        std::puts(etl::describe(written.error()).c_str());
        return 2;
    }
    std::printf("%llu events written\n", static_cast<unsigned long long>(*written));
    return 0;
}
