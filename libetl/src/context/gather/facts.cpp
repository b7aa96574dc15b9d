#include "gather/facts.hpp"

#include "gather/pass.hpp"
#include "gather/scopes.hpp"
#include "gather/trace_index.hpp"
#include "trace/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
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

/// The facts of one scope in the making. Buffers are numbered through all of its traces.
struct Collecting {
    std::unique_ptr<facts::Collector> collector; // from its first trace to its last one
    std::size_t buffers = 0;                     // of the traces before
    std::size_t traces_left = 0;
};

/// Where the facts of each buffer of a trace go.
class Deal {
public:
    Deal(const trace::Reader& reader, const Scopes& scopes, std::vector<Collecting>& all)
        : entries_(reader.buffers()), all_(&all) {
        places_.reserve(entries_.size());
        for (const trace::BufferEntry& entry : entries_) {
            const std::uint32_t scope = scopes.of(reader.info(), entry.merged_input);
            places_.emplace_back(scope, scope < all.size() ? all[scope].buffers++ : 0);
        }
    }

    void add(unsigned worker, std::size_t number, flow::Run events) const {
        const auto [scope, place] = places_[number];
        if (scope < all_->size()) {
            (*all_)[scope].collector->add(worker, place, events);
        }
    }

    std::size_t number_of(const trace::BufferEntry& entry) const {
        return static_cast<std::size_t>(&entry - entries_.data());
    }

private:
    std::span<const trace::BufferEntry> entries_;
    std::vector<Collecting>* all_;
    std::vector<std::pair<std::uint32_t, std::size_t>> places_; // by number of the buffer
};

void read_all(const Deal& deal, trace::Reader& reader, unsigned threads) {
    reader.for_each_buffer(threads,
                           [&](unsigned worker, const trace::BufferEntry& entry, flow::Run events) {
                               deal.add(worker, deal.number_of(entry), events);
                           });
}

/// Reads the buffers that contain facts of the extent, or the sampling interval. Facts are applied
/// in the order of the buffers, so the others are added as empty ones.
void read_indexed(const Deal& deal, trace::Reader& reader, const trace::TraceIndex& index,
                  facts::Scope extent, const flow::TimeFilter::Window& stacks) {
    const bool is_all = extent == facts::Scope::everything;
    const auto mark =
        is_all ? &trace::IndexedBuffer::has_facts : &trace::IndexedBuffer::has_processes;
    std::size_t next = 0;
    const auto add_empty_up_to = [&](std::size_t end) {
        for (; next < end; ++next) {
            deal.add(0, next, {});
        }
    };
    auto numbers =
        both(index.numbers_of(mark), index.numbers_of(&trace::IndexedBuffer::has_sampling));
    if (is_all) {
        numbers = both(numbers, index.numbers_of_stacks(stacks.raw(reader.info().clock)));
    }
    reader.show_buffers(numbers, [&](const trace::BufferContent& buffer) {
        const std::size_t number = deal.number_of(*buffer.entry);
        add_empty_up_to(number);
        deal.add(0, number, buffer.events);
        ++next;
    });
    add_empty_up_to(reader.buffers().size());
}

} // namespace

std::shared_ptr<const facts::FactsByTrace> facts_of(Readers readers,
                                                    const schema::SchemasByTrace& schemas,
                                                    const facts::CollectorOptions& options,
                                                    unsigned threads, RemarkSink remarks) {
    return facts_of(readers, {}, schemas, options, threads, remarks);
}

namespace {

/// The facts of each scope, by its number.
std::vector<facts::Facts> facts_of_scopes(Readers readers, Indexes indexes,
                                          const schema::SchemasByTrace& schemas,
                                          const facts::CollectorOptions& options, unsigned threads,
                                          const flow::TimeFilter::Window& stacks,
                                          const Scopes& scopes) {
    std::vector<Collecting> collecting(scopes.all().size());
    std::vector<facts::Facts> found(scopes.all().size());
    std::vector<std::vector<std::size_t>> scopes_of_reader(readers.size());
    for (std::size_t number = 0; number < collecting.size(); ++number) {
        for (const std::size_t reader : scopes.all()[number].readers) {
            scopes_of_reader[reader].push_back(number);
            ++collecting[number].traces_left;
        }
    }
    for (std::size_t i = 0; i < readers.size(); ++i) {
        for (const std::size_t number : scopes_of_reader[i]) {
            auto& collector = collecting[number].collector;
            if (!collector) {
                collector = std::make_unique<facts::Collector>(schemas, options, threads);
            }
        }
        const Deal deal(*readers[i], scopes, collecting);
        if (i < indexes.size() && indexes[i]) {
            read_indexed(deal, *readers[i], *indexes[i], options.scope, stacks);
        } else {
            read_all(deal, *readers[i], threads);
        }
        for (const std::size_t number : scopes_of_reader[i]) {
            if (--collecting[number].traces_left == 0) {
                found[number] = collecting[number].collector->finish();
                collecting[number].collector.reset();
            }
        }
    }
    return found;
}

} // namespace

std::shared_ptr<const facts::FactsByTrace> facts_of(Readers readers, Indexes indexes,
                                                    const schema::SchemasByTrace& schemas,
                                                    const facts::CollectorOptions& options,
                                                    unsigned threads, RemarkSink remarks,
                                                    const flow::TimeFilter::Window& stacks) {
    const Scopes scopes(readers);
    scopes.report(remarks);
    auto found = facts_of_scopes(readers, indexes, schemas, options, threads, stacks, scopes);
    const auto has_unknown_keys = [](const facts::Facts& one) {
        return one.counts().unknown_keys != 0;
    };
    // The stack in user mode that an event shares may be one that is recorded later.
    if ((stacks.from || stacks.to) && std::ranges::any_of(found, has_unknown_keys)) {
        found = facts_of_scopes(readers, indexes, schemas, options, threads, {}, scopes);
    }
    auto all = std::make_shared<facts::FactsByTrace>();
    for (std::size_t number = 0; number < found.size(); ++number) {
        const std::size_t last = scopes.all()[number].readers.back();
        report_dropped(readers[last]->info().name, found[number].counts(), remarks);
        all->add(std::move(found[number]));
    }
    scopes.apply_to(*all);
    return all;
}

bool may_have_several_origins(Readers readers) noexcept {
    return readers.size() > 1 || std::ranges::any_of(readers, [](const auto& reader) {
               return trace::is_relogged(reader->info());
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

namespace {

/// The latest time of the buffers of a trace; none: none states it.
std::optional<Filetime> last_flush_of(const trace::Reader& reader) {
    std::optional<Filetime> last;
    for (const trace::BufferEntry& entry : reader.buffers()) {
        if (entry.time_stamp != 0) {
            last = std::max(last.value_or(Filetime{}),
                            reader.info().clock.to_filetime(entry.time_stamp));
        }
    }
    return last;
}

/// The latest time of the events in the last buffer of each processor; none: there are no events.
std::optional<Filetime> last_event_of(trace::Reader& reader) {
    std::map<std::uint16_t, std::uint32_t> last_buffers; // by processor
    for (std::uint32_t number = 0; number < reader.buffers().size(); ++number) {
        const trace::BufferEntry& entry = reader.buffers()[number];
        if (entry.type != format::BufferType::header) {
            last_buffers[entry.processor] = number;
        }
    }
    std::vector<std::uint32_t> numbers;
    std::ranges::copy(last_buffers | std::views::values, std::back_inserter(numbers));
    std::optional<Filetime> last;
    reader.show_buffers(std::move(numbers), [&](const trace::BufferContent& buffer) {
        for (const flow::Event& event : buffer.events) {
            if (const auto time = flow::wall_time(event)) {
                last = std::max(last.value_or(*time), *time);
            }
        }
    });
    return last;
}

} // namespace

match::TimeBounds bounds_of(Readers readers) {
    match::TimeBounds bounds;
    bool is_first = true;
    for (const auto& reader : readers) {
        const flow::TraceInfo& info = reader->info();
        if (std::exchange(is_first, false)) {
            bounds.start = {info.has_header ? info.header.start_time
                                            : info.clock.to_filetime(0).ticks};
        }
        auto end = trace::is_relogged(info) ? last_event_of(*reader) : last_flush_of(*reader);
        if (!end && info.has_header && info.header.end_time != 0) {
            end = Filetime{info.header.end_time};
        }
        if (end) {
            bounds.end = std::max(bounds.end.value_or(*end), *end);
        }
    }
    return bounds;
}

} // namespace etl::gather
