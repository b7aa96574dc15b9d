#include <etl/catalog/catalog.hpp>
#include <etl/decode/harvest.hpp>
#include <etl/merge/correlate.hpp>
#include <etl/view/limits.hpp>

#include "view/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace etl::inline view {

namespace {

using Store = schema::SchemaStore;

/// What the files of one session's series carry together: they rely on what the first was told.
struct Carried {
    std::vector<trace::Reader*> readers;
    std::shared_ptr<Store> store;
    std::unordered_set<Guid> providers; // that occur
};

std::vector<Carried> find_series(const Readers& readers) {
    std::vector<Carried> all;
    for (const auto& reader : readers) {
        const auto series = std::ranges::find_if(all, [&](const Carried& carried) {
            return merge::are_of_one_series(carried.readers.front()->info(), reader->info());
        });
        (series != all.end() ? *series : all.emplace_back()).readers.push_back(reader.get());
    }
    return all;
}

void harvest(Carried& carried, unsigned threads, const std::shared_ptr<const Store>& base,
             Remarks& remarks) {
    decode::Harvest whole;
    for (trace::Reader* const reader : carried.readers) {
        std::vector<decode::Harvest> parts(threads); // each thread collects for itself
        reader->for_each_buffer(threads, [&](unsigned worker, const trace::BufferEntry&,
                                             flow::Run events) { parts[worker].add(events); });
        for (decode::Harvest& part : parts) {
            whole.combine(std::move(part));
        }
    }
    carried.store = std::make_shared<Store>(base);
    carried.providers = whole.providers();
    const decode::HarvestReport report = whole.finish(*carried.store);
    const std::string& name = carried.readers.front()->info().name;
    for (const std::string& note : report.notes) {
        remarks.add(fmt::format("{}: embedded schema rejected: {}", name, note));
    }
    if (report.left_out) {
        remarks.add(fmt::format("{}: too many embedded schemas; the last ones are ignored", name));
    }
}

/// Adds what a trace carries that was named as a source of schemas.
std::optional<TraceError> lend(const std::string& path, unsigned threads, Store& to,
                               Remarks& remarks) {
    const trace::Inputs inputs = trace::open_inputs({path});
    for (const auto& file : inputs.files) {
        auto reader = trace::Reader::open(file);
        if (!reader) {
            return TraceError{reader.error(), file->name(), {}};
        }
        Carried carried{.readers = {reader->get()}, .store = {}, .providers = {}};
        harvest(carried, threads, nullptr, remarks);
        for (const auto& [guid, names] : carried.store->providers()) {
            to.add_provider(names);
        }
        for (const auto& schema : carried.store->schemas()) {
            to.add(schema);
        }
    }
    return std::nullopt;
}

void add_remarks(const catalog::Catalog& catalog, Remarks& to) {
    for (const catalog::Remark& remark : catalog.remarks()) {
        if (remark.refused || remark.damaged) {
            const std::string line = remark.line > 0 ? fmt::format(":{}", remark.line) : "";
            to.add(fmt::format("{}{}: {}: {}", remark.file, line,
                               remark.refused ? "refused" : "incomplete", remark.text));
        }
    }
}

/// The schema files of the options, and a store with what traces among them carry.
struct Files {
    catalog::Catalog catalog;
    std::shared_ptr<Store> store;
};

std::expected<Files, TraceError> open_schema_files(const TraceOptions& options, Remarks& remarks) {
    std::vector<std::string> paths = options.schemas;
    const auto traces = std::ranges::stable_partition(paths, std::not_fn(trace::is_trace_file));
    const std::vector<std::string> lenders(traces.begin(), traces.end());
    paths.erase(traces.begin(), traces.end());
    auto catalog = catalog::Catalog::open({.paths = paths, .culture = options.culture});
    if (!catalog) {
        return refuse(catalog.error().error, catalog.error().path);
    }
    Files files{std::move(*catalog), std::make_shared<Store>()};
    for (const std::string& path : lenders) {
        if (auto error = lend(path, threads_of(options), *files.store, remarks)) {
            return std::unexpected(*std::move(error));
        }
    }
    return files;
}

} // namespace

void Remarks::add(std::string line) {
    if (lines_.size() < limits::kept_remarks) {
        lines_.push_back(std::move(line));
    } else if (lines_.size() == limits::kept_remarks) {
        lines_.emplace_back("more remarks omitted");
    }
}

std::expected<schema::SchemasByTrace, TraceError>
gather_schemas(const Readers& readers, const TraceOptions& options, Remarks& remarks) {
    auto files = open_schema_files(options, remarks);
    if (!files) {
        return std::unexpected(std::move(files.error()));
    }
    std::vector<Carried> all = find_series(readers);
    std::unordered_set<Guid> providers;
    for (Carried& carried : all) {
        harvest(carried, threads_of(options), files->store, remarks);
        providers.merge(carried.providers);
    }
    files->catalog.load(providers, *files->store);
    files->store->freeze();
    add_remarks(files->catalog, remarks);
    schema::SchemasByTrace schemas(files->store);
    for (const Carried& carried : all) {
        if (carried.store->size() == 0 && carried.store->providers().empty()) {
            continue; // events of the same kind share what is known about it
        }
        carried.store->freeze();
        for (const trace::Reader* const reader : carried.readers) {
            if (!schemas.set(reader->info().file, carried.store)) {
                remarks.add(fmt::format("{}: schemas embedded in the trace are ignored: at most {} "
                                        "traces can have their own",
                                        reader->info().name, schema::SchemasByTrace::most_stores));
            }
        }
    }
    return schemas;
}

std::expected<schema::SchemasByTrace, TraceError> load_schemas(const TraceOptions& options,
                                                               Remarks& remarks) {
    auto files = open_schema_files(options, remarks);
    if (!files) {
        return std::unexpected(std::move(files.error()));
    }
    files->catalog.load_all(*files->store);
    files->store->freeze();
    add_remarks(files->catalog, remarks);
    return schema::SchemasByTrace(files->store);
}

} // namespace etl::inline view
