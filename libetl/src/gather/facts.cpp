#include <etl/gather/facts.hpp>
#include <etl/gather/trace_index.hpp>
#include <etl/trace/recording.hpp>

#include "gather/pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace etl::gather {

namespace {

void report_dropped(const std::string& trace, const facts::Counts& counts, RemarkSink remarks) {
    if (counts.dropped_names + counts.dropped_lifetimes + counts.dropped_stacks == 0) {
        return;
    }
    remarks({.severity = Remark::Severity::warning,
             .file = trace,
             .text = fmt::format(
                 "too many processes, images, methods, files, or stacks: ignored {} "
                 "names, {} lifetimes, and {} stacks",
                 counts.dropped_names, counts.dropped_lifetimes, counts.dropped_stacks)});
}

/// Ascending, once.
std::vector<std::uint32_t> both(const std::vector<std::uint32_t>& a,
                                const std::vector<std::uint32_t>& b) {
    std::vector<std::uint32_t> all;
    std::ranges::set_union(a, b, std::back_inserter(all));
    return all;
}

/// Reads the buffers that contain facts of the scope, or the sampling interval. Facts are applied
/// in the order of the buffers, so the others are added as empty ones.
facts::Facts read_indexed(facts::Collector& collector, trace::Reader& reader,
                          const trace::TraceIndex& index, facts::Scope scope) {
    const auto mark = scope == facts::Scope::everything ? &trace::IndexedBuffer::has_facts
                                                        : &trace::IndexedBuffer::has_processes;
    std::size_t next = 0;
    const auto add_empty_up_to = [&](std::size_t end) {
        for (; next < end; ++next) {
            collector.add(0, next, {});
        }
    };
    const auto numbers =
        both(index.numbers_of(mark), index.numbers_of(&trace::IndexedBuffer::has_sampling));
    reader.show_buffers(numbers, [&](const trace::BufferContent& buffer) {
        const auto number = static_cast<std::size_t>(buffer.entry - reader.buffers().data());
        add_empty_up_to(number);
        collector.add(0, number, buffer.events);
        ++next;
    });
    add_empty_up_to(reader.buffers().size());
    return collector.finish();
}

} // namespace

std::shared_ptr<const facts::FactsByTrace> facts_of(Readers readers,
                                                    const schema::SchemasByTrace& schemas,
                                                    const facts::CollectorOptions& options,
                                                    unsigned threads, RemarkSink remarks) {
    return facts_of(readers, {}, schemas, options, threads, remarks);
}

std::shared_ptr<const facts::FactsByTrace> facts_of(Readers readers, Indexes indexes,
                                                    const schema::SchemasByTrace& schemas,
                                                    const facts::CollectorOptions& options,
                                                    unsigned threads, RemarkSink remarks) {
    auto all = std::make_shared<facts::FactsByTrace>();
    for (std::size_t i = 0; i < readers.size(); ++i) {
        const auto& reader = readers[i];
        facts::Collector collector(schemas, options, threads);
        const flow::TraceInfo& trace = reader->info();
        all->resize(std::max<std::size_t>(all->size(), trace.file + std::size_t{1}));
        facts::Facts& facts = (*all)[trace.file];
        facts = i < indexes.size() && indexes[i]
                    ? read_indexed(collector, *reader, *indexes[i], options.scope)
                    : collector.read(*reader, threads);
        report_dropped(trace.name, facts.counts(), remarks);
    }
    return all;
}

bool may_have_several_origins(Readers readers) noexcept {
    return readers.size() > 1 || std::ranges::any_of(readers, [](const auto& reader) {
               return reader->info().header.session_name == trace::relogged_session;
           });
}

std::shared_ptr<const facts::Origins> origins_of(Readers readers,
                                                 const facts::OriginCollector& collected) {
    std::vector<const flow::TraceInfo*> infos;
    infos.reserve(readers.size());
    for (const auto& reader : readers) {
        infos.push_back(&reader->info());
    }
    return std::make_shared<const facts::Origins>(infos, collected);
}

std::shared_ptr<const facts::Origins> origins_of(Readers readers, unsigned threads) {
    facts::OriginCollector collected;
    for (const auto& reader : readers) {
        collect(*reader, threads, collected);
    }
    return origins_of(readers, collected);
}

match::TimeBounds bounds_of(Readers readers) {
    match::TimeBounds bounds;
    bool is_first = true;
    for (const auto& reader : readers) {
        const flow::TraceInfo& info = reader->info();
        if (std::exchange(is_first, false)) {
            bounds.start = {info.has_header ? info.header.start_time
                                            : info.clock.to_filetime(0).ticks};
        }
        for (const trace::BufferEntry& entry : reader->buffers()) {
            if (entry.time_stamp != 0) {
                bounds.end = std::max(bounds.end.value_or(Filetime{}),
                                      info.clock.to_filetime(entry.time_stamp));
            }
        }
        if (!bounds.end && info.has_header && info.header.end_time != 0) {
            bounds.end = Filetime{info.header.end_time};
        }
    }
    return bounds;
}

} // namespace etl::gather
