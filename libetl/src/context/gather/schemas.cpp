#include "gather/schemas.hpp"

#include "base/file_name.hpp"
#include "decode/harvest.hpp"
#include "decode/layout_trial.hpp"
#include "facts/relevance.hpp"
#include "gather/facts.hpp"
#include "gather/limits.hpp"
#include "gather/pass.hpp"
#include "gather/scopes.hpp"
#include "gather/trace_index.hpp"
#include "merge/correlate.hpp"
#include "trace/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace etl::gather {

bool has_schema_files(const std::vector<std::string>& paths) {
    return !paths.empty() || !catalog::schema_files({.paths = {}}).empty();
}

namespace {

using Severity = Remark::Severity;
using Store = schema::SchemaStore;

/// Only files of sessions with one name are compared: readers can be many.
std::vector<CarriedSchemas> find_series(Readers readers) {
    std::vector<CarriedSchemas> all;
    std::unordered_map<std::u16string_view, std::vector<std::size_t>> by_session;
    for (const auto& reader : readers) {
        const flow::TraceInfo& info = reader->info();
        if ((info.header.log_file_mode & format::log_mode::new_file) == 0) {
            all.emplace_back().readers.push_back(reader.get());
            continue;
        }
        std::vector<std::size_t>& known = by_session[info.header.session_name];
        const auto series = std::ranges::find_if(known, [&](std::size_t i) {
            return merge::is_same_series(all[i].readers.front()->info(), info);
        });
        if (series == known.end()) {
            known.push_back(all.size());
            all.emplace_back().readers.push_back(reader.get());
        } else {
            all[*series].readers.push_back(reader.get());
        }
    }
    return all;
}

/// Reports the first rejections of all traces together, and counts the rest.
class Rejections {
public:
    explicit Rejections(RemarkSink remarks) : remarks_(remarks) {}

    void add(const std::string& trace, const decode::HarvestReport& report) {
        for (const std::string& note : report.notes) {
            if (++count_ <= limits::reported_rejections) {
                remarks_({.severity = Severity::rejection,
                          .file = trace,
                          .text = "embedded schema rejected: " + note});
            }
        }
        if (report.omitted) {
            remarks_({.severity = Severity::warning,
                      .file = trace,
                      .text = "too many embedded schemas; the last ones are ignored"});
        }
    }

    void finish() const {
        if (count_ > limits::reported_rejections) {
            remarks_({.severity = Severity::rejection,
                      .text = fmt::format("{} more embedded schemas rejected",
                                          count_ - limits::reported_rejections)});
        }
    }

private:
    RemarkSink remarks_;
    std::size_t count_ = 0;
};

/// Counts the findings of a trace that lends its schemas.
class FindingCount final : public DiagnosticSink {
public:
    void report(const Diagnostic& /*finding*/) override { ++count; }

    std::uint64_t count = 0;
};

/// Adds the schemas that one trace carries.
Result<void> lend(const std::shared_ptr<const io::InputFile>& file, unsigned threads, Store& to,
                  RemarkSink remarks) {
    FindingCount findings;
    std::vector<std::unique_ptr<trace::Reader>> readers;
    auto reader = trace::Reader::open(file, {.threads = threads, .diagnostics = &findings});
    if (!reader) {
        return std::unexpected(reader.error());
    }
    readers.push_back(*std::move(reader));
    const std::vector<CarriedSchemas> carried = gather::harvest(readers, threads, nullptr, remarks);
    const Store& store = *carried.back().store; // of the trace as a whole
    if (findings.count > 0) {
        remarks({.severity = Severity::warning,
                 .file = file->name(),
                 .text = "damaged; schemas in its damaged parts are ignored"});
    }
    if (store.size() == 0) {
        remarks({.file = file->name(), .text = "carries no schemas"});
    }
    to.add_all(store,
               std::make_shared<schema::SchemaFile>(std::string(file_name_of(file->name()))));
    return {};
}

/// Adds the schemas that the traces at one path carry.
std::expected<void, catalog::PathError> lend_all(const std::string& path, unsigned threads,
                                                 Store& to, RemarkSink remarks) {
    const trace::Inputs inputs = trace::open_inputs({path});
    for (const trace::InputProblem& problem : inputs.problems) {
        if (problem.extent == trace::InputProblem::Extent::all) {
            return std::unexpected(catalog::PathError{problem.name, problem.error});
        }
        remarks(
            {.severity = Severity::warning, .file = problem.name, .text = describe(problem.error)});
    }
    for (const auto& file : inputs.files) {
        if (const auto lent = lend(file, threads, to, remarks); !lent) {
            return std::unexpected(catalog::PathError{file->name(), lent.error()});
        }
    }
    return {};
}

/// Adds all that a trace contains for the collectors, by its index if it has one.
template <typename... Collectors>
void collect_from(trace::Reader& reader, Readers readers, Indexes indexes, unsigned threads,
                  Collectors&... all) {
    const auto place = std::ranges::find(readers, &reader, &std::unique_ptr<trace::Reader>::get);
    const auto number = static_cast<std::size_t>(place - readers.begin());
    if (number < indexes.size() && indexes[number]) {
        collect_indexed(reader, *indexes[number], all...);
    } else {
        collect(reader, threads, all...);
    }
}

/// As SchemasByTrace::set, for what has the store.
bool set(schema::SchemasByTrace& schemas, std::uint32_t trace, const CarriedSchemas& carried,
         const std::shared_ptr<const Store>& store) {
    if (carried.merged_inputs.empty()) {
        return schemas.set(trace, store);
    }
    return std::ranges::all_of(carried.merged_inputs, [&](std::uint16_t input) {
        return schemas.set(trace, input, store);
    });
}

/// The builds that a machine and boot states, each once. A source that states none is of the one
/// that another one states.
std::vector<std::uint32_t> builds_of(const CarriedSchemas& carried, const facts::Origins& origins) {
    std::vector<std::uint32_t> builds;
    const auto add = [&](const facts::Origin& origin) {
        if (origin.build != 0 && std::ranges::find(builds, origin.build) == builds.end()) {
            builds.push_back(origin.build);
        }
    };
    for (const trace::Reader* const reader : carried.readers) {
        const auto all = origins.of_file(reader->info().file);
        const bool is_whole = carried.merged_inputs.empty() || carried.merged_inputs.front() == 0;
        if (is_whole) {
            std::ranges::for_each(all, add);
        }
        for (const std::uint16_t input : carried.merged_inputs) {
            if (input != 0 && input <= all.size()) {
                add(all[input - 1U]);
            }
        }
    }
    return builds;
}

/// The stores of traces, and of inputs of merges, over those of schema files. Traces of one build
/// without schemas of their own share a store, and with it what is cached per kind of event.
class StoresByTrace {
public:
    StoresByTrace(const std::shared_ptr<const Store>& shared, const facts::Origins& origins)
        : shared_(shared), origins_(&origins), schemas_(shared) {}

    /// False: there are too many stores.
    [[nodiscard]] bool add(const CarriedSchemas& carried) {
        const std::vector<std::uint32_t> builds = builds_of(carried, *origins_);
        const std::uint32_t build = builds.size() == 1 ? builds.front() : 0;
        std::shared_ptr<const Store> store;
        if (carried.store->size() > 0 || !carried.store->providers().empty()) {
            carried.store->set_build(build);
            carried.store->freeze();
            store = carried.store;
        } else {
            store = of_build(shared_, build);
        }
        return std::ranges::all_of(carried.readers, [&](const trace::Reader* reader) {
            const bool is_set = set(schemas_, reader->info().file, carried, store);
            return is_set && (builds.size() < 2 || add_inputs(reader->info(), carried, store));
        });
    }

    /// For a trace that was not read, and its inputs.
    [[nodiscard]] bool add(const flow::TraceInfo& trace) {
        const auto inputs = origins_->of_file(trace.file);
        const bool is_one = std::ranges::all_of(inputs, [&](const facts::Origin& input) {
            return input.build == inputs.front().build;
        });
        const std::uint32_t build = is_one && !inputs.empty() ? inputs.front().build : 0;
        return schemas_.set(trace.file, of_build(shared_, build)) &&
               (is_one || add_inputs(trace, {}, shared_));
    }

    schema::SchemasByTrace take() { return std::move(schemas_); }

private:
    /// Inputs of several builds, although of one machine and boot: each by its own.
    bool add_inputs(const flow::TraceInfo& trace, const CarriedSchemas& carried,
                    const std::shared_ptr<const Store>& store) {
        const auto inputs = origins_->of_file(trace.file);
        bool is_well = true;
        for (std::size_t i = 1; i <= trace.merged_inputs.size() && i <= inputs.size(); ++i) {
            const auto input = static_cast<std::uint16_t>(i);
            const bool is_meant =
                carried.merged_inputs.empty() ||
                std::ranges::find(carried.merged_inputs, input) != carried.merged_inputs.end();
            is_well = is_well && (!is_meant || schemas_.set(trace.file, input,
                                                            of_build(store, inputs[i - 1].build)));
        }
        return is_well;
    }

    /// A store for a build, over a frozen one of an unknown build.
    const std::shared_ptr<const Store>& of_build(const std::shared_ptr<const Store>& base,
                                                 std::uint32_t build) {
        std::shared_ptr<const Store>& known = by_build_[{base, build}];
        if (!known) {
            known = build == 0 ? base : schema::for_build(base, build);
        }
        return known;
    }

    std::shared_ptr<const Store> shared_;
    const facts::Origins* origins_;
    schema::SchemasByTrace schemas_;
    std::map<std::pair<std::shared_ptr<const Store>, std::uint32_t>, std::shared_ptr<const Store>>
        by_build_;
};

schema::SchemasByTrace by_trace(const std::shared_ptr<Store>& shared, Readers readers,
                                const std::vector<CarriedSchemas>& all,
                                const facts::Origins& origins, RemarkSink remarks) {
    StoresByTrace stores(shared, origins);
    const auto complain = [&](const flow::TraceInfo& trace) {
        remarks({.severity = Severity::warning,
                 .file = trace.name,
                 .text = fmt::format("schemas embedded in the trace are ignored: at most {} traces "
                                     "can have their own",
                                     schema::SchemasByTrace::max_stores)});
    };
    for (const CarriedSchemas& carried : all) {
        if (!stores.add(carried)) {
            complain(carried.readers.front()->info());
        }
    }
    for (const auto& reader : readers) {
        if (all.empty() && !stores.add(reader->info())) {
            complain(reader->info());
        }
    }
    return stores.take();
}

/// Chooses layouts for the traces, and inputs of merges, whose builds are unknown.
void choose_layouts(schema::SchemasByTrace& schemas, Readers readers, unsigned threads) {
    for (const auto& reader : readers) {
        const flow::TraceInfo& trace = reader->info();
        std::map<std::uint16_t, decode::LayoutTrial> trials; // by input
        for (const trace::BufferEntry& buffer : reader->buffers()) {
            const std::uint16_t input = buffer.merged_input;
            const auto& store = schemas.store_for(trace.file, input);
            if (store && store->build() == 0 && store->depends_on_build()) {
                trials.try_emplace(input, store);
            }
        }
        if (trials.empty()) {
            continue;
        }
        std::vector parts(threads, trials);
        reader->for_each_buffer(
            threads, [&](unsigned worker, const trace::BufferEntry&, flow::Run events) {
                if (events.empty()) {
                    return;
                }
                auto& part = parts[worker];
                if (const auto trial = part.find(events.front().buffer->merged_input);
                    trial != part.end()) {
                    trial->second.add(events);
                }
            });
        for (auto& [input, trial] : trials) {
            for (const auto& part : parts) {
                trial.combine(part.at(input));
            }
            const auto chosen = trial.chosen();
            if (chosen.empty()) {
                continue;
            }
            auto store = std::make_shared<Store>(schemas.store_for(trace.file, input));
            for (const schema::EventSchema* const layout : chosen) {
                store->choose({layout->provider->guid, layout->id, layout->version}, *layout);
            }
            store->freeze();
            // Beyond the limit each payload decides.
            static_cast<void>(schemas.set(trace.file, input, std::move(store)));
        }
    }
}

/// Whether only events can state a build.
bool has_unknown_build(Readers readers) {
    return std::ranges::any_of(readers, [](const auto& reader) {
        const flow::TraceInfo& trace = reader->info();
        const auto is_unknown = [](const flow::MergedInput& input) { return input.build == 0; };
        return trace.merged_inputs.empty() ? trace.header.provider_version == 0
                                           : std::ranges::any_of(trace.merged_inputs, is_unknown);
    });
}

/// What the inputs of each machine and boot carry. For what asks about the trace as a whole, also
/// what all of them carry: as that of input 0.
std::vector<std::pair<std::vector<std::uint16_t>, decode::Harvest>>
of_machines(HarvestByInput& found, const flow::TraceInfo& trace, const Scopes& scopes) {
    std::vector<std::pair<std::vector<std::uint16_t>, decode::Harvest>> all;
    decode::Harvest whole;
    std::map<std::uint32_t, std::size_t> known; // scope: index in all
    const bool is_mixed = std::ranges::any_of(found.all(), [&](const auto& each) {
        return scopes.of(trace, each.first) != scopes.of(trace, found.all().begin()->first);
    });
    for (auto& [input, harvest] : found.all()) {
        if (is_mixed && input != 0) {
            const auto [at, is_new] = known.try_emplace(scopes.of(trace, input), all.size());
            if (is_new) {
                all.emplace_back();
            }
            all[at->second].first.push_back(input);
            if (scopes.of(trace, input) != facts::FactsByTrace::none) {
                all[at->second].second.combine(decode::Harvest(harvest));
            }
        }
        whole.combine(std::move(harvest));
    }
    all.emplace_back(is_mixed ? std::vector<std::uint16_t>{0} : std::vector<std::uint16_t>{},
                     std::move(whole));
    return all;
}

std::vector<CarriedSchemas> harvest_from(Readers readers, Indexes indexes, unsigned threads,
                                         const std::shared_ptr<const Store>& base,
                                         RemarkSink remarks, facts::OriginCollector* origins) {
    const Scopes scopes(readers);
    Rejections rejections(remarks);
    std::vector<CarriedSchemas> all;
    const auto add = [&](CarriedSchemas carried, decode::Harvest found) {
        carried.store = std::make_shared<Store>(base);
        carried.providers = found.providers();
        const decode::HarvestReport report = found.finish(*carried.store);
        if (carried.merged_inputs.empty() || carried.merged_inputs.front() == 0) {
            rejections.add(carried.readers.front()->info().name, report);
        }
        all.push_back(std::move(carried));
    };
    for (CarriedSchemas& series : find_series(readers)) {
        HarvestByInput found;
        for (trace::Reader* const reader : series.readers) {
            if (origins != nullptr) {
                collect_from(*reader, readers, indexes, threads, found, *origins);
            } else {
                collect_from(*reader, readers, indexes, threads, found);
            }
        }
        for (auto& [inputs, harvest] : of_machines(found, series.readers.front()->info(), scopes)) {
            series.merged_inputs = inputs;
            add(series, std::move(harvest));
        }
    }
    rejections.finish();
    return all;
}

/// Without knowing which providers occur.
void load_files(SchemaScope scope, SchemaFiles& files) {
    if (scope == SchemaScope::files) {
        files.catalog.load_all(*files.store);
    } else {
        const std::vector<Guid> providers = facts::providers_of_facts();
        files.catalog.load({providers.begin(), providers.end()}, *files.store);
    }
}

} // namespace

std::vector<CarriedSchemas> harvest(Readers readers, unsigned threads,
                                    const std::shared_ptr<const Store>& base, RemarkSink remarks,
                                    facts::OriginCollector* origins) {
    return harvest_from(readers, {}, threads, base, remarks, origins);
}

std::uint32_t build_of(const CarriedSchemas& carried, const facts::Origins& origins) {
    const std::vector<std::uint32_t> builds = builds_of(carried, origins);
    return builds.size() == 1 ? builds.front() : 0;
}

schema::SchemaSet tracelogging_of(std::span<trace::Reader* const> readers, unsigned threads,
                                  RemarkSink remarks) {
    decode::TraceLoggingHarvest found;
    for (trace::Reader* const reader : readers) {
        collect(*reader, threads, found);
    }
    if (found.omitted()) {
        remarks({.severity = Severity::warning,
                 .file = readers.front()->info().name,
                 .text = "too many schemas of TraceLogging events; some are ignored"});
    }
    return found.take();
}

void report_rejections(const std::string& trace, const decode::HarvestReport& report,
                       RemarkSink remarks) {
    Rejections rejections(remarks);
    rejections.add(trace, report);
    rejections.finish();
}

// Other remarks (an undefined map, a missing message) concern the maintainer of the file:
// `etl schema validate` reports them.
void report_rejections(const catalog::Catalog& catalog, RemarkSink remarks, std::size_t reported) {
    for (const catalog::Remark& remark : std::span(catalog.remarks()).subspan(reported)) {
        if (remark.rejected) {
            remarks({Severity::rejection, remark.file, remark.line, remark.column,
                     "rejected: " + remark.text});
        } else if (remark.damaged) {
            remarks({Severity::warning, remark.file, remark.line, remark.column,
                     remark.text + "; only what precedes the cut is used"});
        }
    }
}

std::expected<SchemaFiles, catalog::PathError> open_schema_files(const SchemaOptions& options,
                                                                 RemarkSink remarks) {
    std::vector<std::string> paths = options.paths;
    const auto traces = std::ranges::stable_partition(paths, std::not_fn(trace::is_trace_file));
    const std::vector<std::string> lenders(traces.begin(), traces.end());
    paths.erase(traces.begin(), traces.end());
    auto catalog = catalog::Catalog::open({.paths = paths, .culture = options.culture});
    if (!catalog) {
        return std::unexpected(std::move(catalog.error()));
    }
    SchemaFiles files{*std::move(catalog), std::make_shared<Store>()};
    for (const std::string& path : lenders) {
        if (auto lent = lend_all(path, options.threads, *files.store, remarks); !lent) {
            return std::unexpected(std::move(lent.error()));
        }
    }
    return files;
}

std::expected<Schemas, catalog::PathError> schemas_of(Readers readers, const SchemaOptions& options,
                                                      RemarkSink remarks,
                                                      facts::OriginCollector* origins) {
    return schemas_of(readers, {}, options, remarks, origins);
}

std::expected<Schemas, catalog::PathError> schemas_of(Readers readers, Indexes indexes,
                                                      const SchemaOptions& options,
                                                      RemarkSink remarks,
                                                      facts::OriginCollector* origins) {
    auto files = open_schema_files(options, remarks);
    if (!files) {
        return std::unexpected(std::move(files.error()));
    }
    std::vector<CarriedSchemas> carried;
    facts::OriginCollector collected;
    if (options.scope == SchemaScope::everything) {
        if (origins == nullptr && has_unknown_build(readers)) {
            origins = &collected;
        }
        carried = harvest_from(readers, indexes, options.threads, files->store, remarks, origins);
        std::unordered_set<Guid> providers;
        for (CarriedSchemas& each : carried) {
            providers.merge(std::move(each.providers));
        }
        files->catalog.load(providers, *files->store);
    } else {
        load_files(options.scope, *files);
        for (const auto& reader : readers) {
            if (origins != nullptr) {
                collect_from(*reader, readers, indexes, options.threads, *origins);
            }
        }
    }
    files->store->freeze();
    report_rejections(files->catalog, remarks);
    const auto of_traces = origins_of(readers, origins != nullptr ? *origins : collected);
    schema::SchemasByTrace schemas = by_trace(files->store, readers, carried, *of_traces, remarks);
    if (options.scope == SchemaScope::everything) {
        choose_layouts(schemas, readers, options.threads);
    }
    return Schemas{std::move(schemas), std::move(files->catalog)};
}

} // namespace etl::gather
