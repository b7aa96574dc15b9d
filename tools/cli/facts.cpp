#include "cli/facts.hpp"

#include "cli/console.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

void tell_what_is_missing(const etl::flow::TraceInfo& trace, const etl::facts::Counts& counts) {
    const std::size_t missing =
        counts.dropped_names + counts.dropped_lifetimes + counts.dropped_stacks;
    if (missing > 0) {
        say(fmt::format("{}: warning: more processes, images, and files than can be remembered: "
                        "left out {} names, {} lifetimes, and {} stacks",
                        printable(trace.name), counts.dropped_names, counts.dropped_lifetimes,
                        counts.dropped_stacks));
    }
}

etl::facts::Facts collect(etl::trace::Reader& reader, unsigned threads,
                          etl::facts::Collector& collector) {
    const etl::trace::BufferEntry* first = reader.buffers().data();
    reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry& entry, etl::flow::Run events) {
            collector.add(worker, static_cast<std::size_t>(&entry - first), events);
        });
    return collector.finish();
}

} // namespace

std::shared_ptr<const etl::facts::FactsByTrace>
gather_facts(const Traces& traces, const etl::schema::SchemasByTrace& schemas,
             const etl::facts::CollectorOptions& options, unsigned threads) {
    auto all = std::make_shared<etl::facts::FactsByTrace>();
    for (const auto& reader : traces.readers()) {
        etl::facts::Collector collector(schemas, options, threads);
        const etl::flow::TraceInfo& trace = reader->info();
        all->resize(std::max<std::size_t>(all->size(), trace.file + std::size_t{1}));
        etl::facts::Facts& facts = (*all)[trace.file];
        facts = collect(*reader, threads, collector);
        tell_what_is_missing(trace, facts.counts());
    }
    return all;
}

} // namespace cli
