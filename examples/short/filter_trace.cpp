// filter_trace IN OUT EXPR: saves the events that match EXPR, with their context events.
#include <etl/etl.hpp>

#include <cstdio>

int main(int, char** arguments) {
    auto trace = etl::Trace::open(arguments[1], {.where = arguments[3]});
    if (!trace) return std::puts(etl::describe(trace.error()).c_str());
    auto saved = trace->save(arguments[2]);
    if (!saved) return std::puts(etl::describe(saved.error()).c_str());
    std::printf("%zu events\n", static_cast<std::size_t>(*saved));
    for (const std::string& remark : trace->remarks()) std::puts(remark.c_str());
}
