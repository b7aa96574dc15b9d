#include "cli/schemas.hpp"

#include <etl/merge/correlate.hpp>
#include <etl/trace/inputs.hpp>

#include "cli/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace cli {

void SchemaOptions::add_to(CLI::App& verb) {
    verb.add_option(
            "--schema", paths,
            "manifest, MOF, executable, .mui, TMF, or PDB file, a directory or archive of them, or "
            "a trace that carries schemas; repeatable. Also searched: ETL_SCHEMA_PATH, "
            "TRACE_FORMAT_SEARCH_PATH, etl/schemas in the user configuration")
        ->allow_extra_args(false)
        ->type_name("PATH");
    verb.add_option(
            "--culture", culture,
            "language of message strings, as de-AT: that one, else its parents, others of the "
            "language, en-US, en, the first there is (default: en-US)")
        ->type_name("NAME");
    verb.add_flag_callback(
        "--no-harvest", [this] { harvest = false; }, "ignore schemas embedded in the traces");
}

namespace {

/// Traces whose schemas serve each other.
std::vector<std::vector<etl::trace::Reader*>> find_series(const Traces& traces) {
    std::vector<std::vector<etl::trace::Reader*>> all;
    for (const auto& reader : traces.readers()) {
        const auto series = std::ranges::find_if(all, [&](const auto& readers) {
            return etl::merge::is_same_series(readers.front()->info(), reader->info());
        });
        (series != all.end() ? *series : all.emplace_back()).push_back(reader.get());
    }
    return all;
}

/// Each thread collects for itself. Null: not wanted.
void look_through(etl::trace::Reader& reader, unsigned threads, etl::decode::Harvest* schemas,
                  etl::facts::OriginCollector* origins) {
    std::vector<etl::decode::Harvest> schema_parts(threads);
    std::vector<etl::facts::OriginCollector> origin_parts(threads);
    reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
            if (schemas != nullptr) {
                schema_parts[worker].add(events);
            }
            if (origins != nullptr) {
                origin_parts[worker].add(events);
            }
        });
    for (unsigned i = 0; i < threads; ++i) {
        if (schemas != nullptr) {
            schemas->combine(std::move(schema_parts[i]));
        }
        if (origins != nullptr) {
            origins->combine(std::move(origin_parts[i]));
        }
    }
}

/// The first refusals of all traces together, by trace.
class Refusals {
public:
    void add(const std::string& trace, const etl::decode::HarvestReport& report) {
        for (const std::string& note : report.notes) {
            if (++count_ <= most) {
                say(fmt::format("{}: embedded schema refused: {}", printable(trace),
                                printable(note)));
            }
        }
        if (report.omitted) {
            say(fmt::format("{}: note: more embedded schemas than are kept; the last ones are "
                            "ignored",
                            printable(trace)));
        }
    }

    void finish() const {
        if (count_ > most) {
            say(fmt::format("{} more embedded schemas refused", count_ - most));
        }
    }

private:
    static constexpr std::size_t most = 10;
    std::size_t count_ = 0;
};

void add_all(const etl::schema::SchemaStore& from, etl::schema::SchemaStore& to) {
    for (const auto& [guid, names] : from.providers()) {
        to.add_provider(names);
    }
    for (const auto& schema : from.schemas()) {
        to.add(schema);
    }
}

} // namespace

void tell_refusals(const std::string& trace, const etl::decode::HarvestReport& report) {
    Refusals refusals;
    refusals.add(trace, report);
    refusals.finish();
}

std::vector<std::string> take_traces(std::vector<std::string>& paths) {
    const auto traces =
        std::ranges::stable_partition(paths, std::not_fn(etl::trace::is_trace_file));
    std::vector<std::string> taken(traces.begin(), traces.end());
    paths.erase(traces.begin(), traces.end());
    return taken;
}

bool lend(std::vector<std::string> paths, unsigned threads, etl::schema::SchemaStore& to) {
    if (paths.empty()) {
        return true;
    }
    TraceOptions options;
    options.arguments = std::move(paths);
    const Traces lenders(options);
    if (lenders.readers().empty()) {
        return false;
    }
    for (const CarriedSchemas& carried : harvest(lenders, threads, nullptr)) {
        if (carried.store->size() == 0) {
            say(fmt::format("{}: note: carries no schemas",
                            printable(carried.readers.front()->info().name)));
        }
        add_all(*carried.store, to);
    }
    return true;
}

namespace {

etl::schema::SchemasByTrace by_trace(const std::shared_ptr<etl::schema::SchemaStore>& shared,
                                     const std::vector<CarriedSchemas>& carried) {
    etl::schema::SchemasByTrace schemas(shared);
    for (const CarriedSchemas& each : carried) {
        if (each.store->size() == 0 && each.store->providers().empty()) {
            continue; // events of the same kind share what is known about it
        }
        each.store->freeze();
        for (const etl::trace::Reader* const reader : each.readers) {
            if (!schemas.set(reader->info().file, each.store)) {
                say(fmt::format("{}: warning: schemas embedded in the trace are ignored: at most "
                                "{} traces can have their own",
                                printable(reader->info().name),
                                etl::schema::SchemasByTrace::max_stores));
            }
        }
    }
    return schemas;
}

} // namespace

std::vector<CarriedSchemas> harvest(const Traces& traces, unsigned threads,
                                    const std::shared_ptr<const etl::schema::SchemaStore>& base,
                                    etl::facts::OriginCollector* origins) {
    std::vector<CarriedSchemas> all;
    Refusals refusals;
    for (const auto& readers : find_series(traces)) {
        etl::decode::Harvest harvest;
        for (etl::trace::Reader* const reader : readers) {
            look_through(*reader, threads, &harvest, origins);
        }
        CarriedSchemas& carried = all.emplace_back();
        carried.readers.assign(readers.begin(), readers.end());
        carried.store = std::make_shared<etl::schema::SchemaStore>(base);
        carried.providers = harvest.providers();
        refusals.add(readers.front()->info().name, harvest.finish(*carried.store));
    }
    refusals.finish();
    return all;
}

// Remarks on files that were read all the same (a map that is not defined, a message that is
// missing) concern whoever maintains the file: `etl schema validate` tells them.
void tell_refusals(const etl::catalog::Catalog& catalog, std::size_t told) {
    for (const etl::catalog::Remark& remark : std::span(catalog.remarks()).subspan(told)) {
        if (remark.refused) {
            std::string line = remark.line > 0 ? fmt::format(":{}", remark.line) : "";
            line += remark.column > 0 ? fmt::format(":{}", remark.column) : "";
            say(fmt::format("{}{}: refused: {}", printable(remark.file), line,
                            printable(remark.text)));
        } else if (remark.damaged) {
            say(fmt::format("warning: {}: {}; only what precedes the cut is used",
                            printable(remark.file), printable(remark.text)));
        }
    }
}

void gather_origins(const Traces& traces, unsigned threads, etl::facts::OriginCollector& origins) {
    for (const auto& reader : traces.readers()) {
        look_through(*reader, threads, nullptr, &origins);
    }
}

std::shared_ptr<const etl::facts::Origins>
origins_of(const Traces& traces, const etl::facts::OriginCollector& collected) {
    std::vector<const etl::flow::TraceInfo*> infos;
    for (const auto& reader : traces.readers()) {
        infos.push_back(&reader->info());
    }
    return std::make_shared<const etl::facts::Origins>(infos, collected);
}

std::optional<etl::schema::SchemasByTrace>
gather_schemas(const SchemaOptions& options, const Traces& traces, unsigned threads,
               std::optional<etl::catalog::Catalog>* files, etl::facts::OriginCollector* origins) {
    std::vector<std::string> paths = options.paths;
    std::vector<std::string> lending = take_traces(paths);
    auto catalog = etl::catalog::Catalog::open({.paths = paths, .culture = options.culture});
    if (!catalog) {
        say(catalog.error().path, catalog.error().error);
        return std::nullopt;
    }
    const auto shared = std::make_shared<etl::schema::SchemaStore>();
    if (!lend(std::move(lending), threads, *shared)) {
        return std::nullopt;
    }
    std::vector<CarriedSchemas> carried;
    if (options.harvest) {
        carried = harvest(traces, threads, shared, origins);
        std::unordered_set<etl::Guid> providers;
        for (CarriedSchemas& each : carried) {
            providers.merge(std::move(each.providers));
        }
        catalog->load(providers, *shared);
    } else {
        catalog->load_all(*shared);
        if (origins != nullptr) {
            gather_origins(traces, threads, *origins);
        }
    }
    shared->freeze();
    tell_refusals(*catalog);
    if (files != nullptr) {
        *files = *std::move(catalog);
    }
    return by_trace(shared, carried);
}

} // namespace cli
