#include "packets/capture.hpp"

#include "catalog/catalog.hpp"
#include "decode/harvest.hpp"
#include "flow/context.hpp"
#include "flow/filters.hpp"
#include "format/known_guids.hpp"
#include "packets/packet_tables.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace etl::packets {

SurveyedTrace survey_of(trace::Reader& reader, unsigned threads) {
    std::vector<SurveyedTrace> parts(threads);
    const auto is_schema = [](const flow::Event& event) {
        return kind_of(event) == EventKind::none &&
               flow::context_of(event) == flow::Context::schema;
    };
    reader.for_each_buffer(
        threads, [&](unsigned worker, const trace::BufferEntry& entry, flow::Run run) {
            parts[worker].survey.add(run);
            if (std::ranges::any_of(run, is_schema)) {
                const auto number = &entry - reader.buffers().data();
                parts[worker].with_schemas.push_back(static_cast<std::uint32_t>(number));
            }
        });
    SurveyedTrace all = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        all.survey.combine(std::move(parts[i].survey));
        all.with_schemas.insert(all.with_schemas.end(), parts[i].with_schemas.begin(),
                                parts[i].with_schemas.end());
    }
    std::ranges::sort(all.with_schemas);
    all.survey.rundown.finish();
    return all;
}

bool Capture::has_packets() const noexcept {
    return std::ranges::any_of(traces,
                               [](const SurveyedTrace& trace) { return trace.survey.packets > 0; });
}

bool Capture::has_drops() const noexcept {
    return std::ranges::any_of(traces,
                               [](const SurveyedTrace& trace) { return trace.survey.drops > 0; });
}

bool Capture::has_schemas() const noexcept {
    return std::ranges::any_of(
        traces, [](const SurveyedTrace& trace) { return !trace.with_schemas.empty(); });
}

Capture survey(dataset::Dataset& traces) {
    Capture capture;
    for (const auto& reader : traces.readers()) {
        SurveyedTrace& one =
            capture.traces.emplace_back(survey_of(*reader, traces.options().worker_threads()));
        capture.names.combine(std::move(one.survey.names));
        capture.rundowns.push_back(std::make_shared<const Rundown>(one.survey.rundown));
    }
    return capture;
}

std::shared_ptr<const schema::SchemaStore> schemas_of_drops(const std::vector<std::string>& paths) {
    auto store = std::make_shared<schema::SchemaStore>();
    if (auto catalog = catalog::Catalog::open({.paths = paths})) {
        catalog->load({format::pktmon_guid}, *store);
    }
    store->freeze();
    return store;
}

schema::SchemasByTrace schemas_of_drops(dataset::Dataset& traces, const Capture& capture) {
    const auto files = schemas_of_drops(traces.options().schemas);
    schema::SchemasByTrace all = files;
    for (std::uint32_t number = 0; number < capture.traces.size(); ++number) {
        if (capture.traces[number].with_schemas.empty()) {
            continue;
        }
        decode::Harvest harvest;
        traces.readers()[number]->show_buffers(
            capture.traces[number].with_schemas,
            [&](const trace::BufferContent& buffer) { harvest.add(buffer.events); });
        auto store = std::make_shared<schema::SchemaStore>(files);
        harvest.finish(*store);
        store->freeze();
        static_cast<void>(all.set(number, std::move(store))); // beyond the limit: names of files
    }
    return all;
}

TraceLabels labels_of(const dataset::Dataset& traces) {
    std::vector<std::string> names;
    for (const dataset::Input& input : traces.inputs()) {
        names.push_back(input.name());
    }
    return names.size() < 2 ? TraceLabels() : labels_of(names);
}

namespace {

TraceError error_about(const Error& error, std::string about) {
    return {error, std::move(about), {}};
}

/// What a pass needs besides its events.
struct Prepared {
    dataset::Dataset traces; // of the pass
    dataset::Filters filters;
    std::optional<match::Matcher> matches; // the expression of the filters
    Capture capture;
    TraceLabels labels;
    schema::SchemasByTrace schemas; // with the names of drops
};

std::expected<Prepared, TraceError> prepare(dataset::Dataset& traces) {
    auto filters = traces.filters();
    if (!filters) {
        return std::unexpected(std::move(filters.error()));
    }
    Capture capture = survey(traces);
    schema::SchemasByTrace schemas;
    std::optional<match::Matcher> matches;
    if (!filters->condition.is_always_true()) {
        const match::Condition& where = filters->condition;
        const auto context = traces.context(
            {.schemas = gather::SchemaScope::everything,
             .facts = where.needs_facts() ? std::optional(facts::Scope::processes) : std::nullopt,
             .origins = where.needs_origins()});
        if (!context) {
            return std::unexpected(context.error());
        }
        schemas = context->schemas;
        matches.emplace(
            where, match::MatcherInputs{.schemas = schemas,
                                        .decoder = {.pointer_size = traces.options().pointer_size},
                                        .facts = context->facts,
                                        .origins = context->origins});
    } else if (capture.has_drops() || capture.has_schemas()) {
        schemas = schemas_of_drops(traces, capture);
    }
    auto pass = traces.again(is_for_extractor, traces.options().findings);
    if (!pass) {
        return std::unexpected(std::move(pass.error()));
    }
    return Prepared{*std::move(pass),   *std::move(filters), std::move(matches),
                    std::move(capture), labels_of(traces),   std::move(schemas)};
}

/// Runs a pass over the events that the filters choose.
std::expected<void, TraceError> run(Prepared& from, Pass& pass, const PassEvents& to) {
    auto events = from.traces.events(
        {.time = from.filters.window, .untimed = &from.filters.condition.notes().untimed});
    if (!events) {
        return std::unexpected(std::move(events.error()));
    }
    flow::WhereFilter matching(events->source(), [&](const flow::Event& event) {
        return !from.matches || (*from.matches)(event);
    });
    if (auto read = pass.run(matching, to); !read) {
        return std::unexpected(error_about(read.error(), from.traces.inputs().front().name()));
    }
    from.traces.report_truncation();
    from.traces.report_unmatched(from.filters.condition);
    return {};
}

/// Says why there are no packets, although the traces have some.
void explain_none(const Prepared& from, const Pass& pass) {
    const dataset::RemarkSink& remarks = from.traces.options().remarks;
    if (remarks && pass.packets() == 0 && from.capture.has_packets()) {
        remarks({.severity = gather::Remark::Severity::warning,
                 .text = pass.extractor().counts().events == 0
                             ? "no packets: no packet event matched the filters"
                             : "no packets: none matched the choice of packets"});
    }
}

} // namespace

std::expected<analysis::Table, TraceError> packets_of(dataset::Dataset& traces,
                                                      const Choice& choice) {
    auto from = prepare(traces);
    if (!from) {
        return std::unexpected(std::move(from.error()));
    }
    Pass pass(from->capture.rundowns, from->labels, choice);
    PacketRows rows(pass.extractor(), from->labels, from->schemas);
    analysis::Table table;
    table.name = "packets";
    table.is_ordered = true;
    table.columns.assign(packet_columns().begin(), packet_columns().end());
    const auto add = [&](const Packet& packet) {
        PacketCells cells = rows.cells_of(packet, dissect(packet));
        std::ranges::move(cells, std::back_inserter(table.rows.emplace_back().cells));
        return true;
    };
    if (auto read = run(*from, pass, {.receive = add}); !read) {
        return std::unexpected(std::move(read.error()));
    }
    explain_none(*from, pass);
    if (!from->capture.has_packets()) {
        table.coverage.not_recorded.push_back({.source = "packets", .record = record_packets});
    }
    table.coverage.events = table.coverage.used_events = pass.packets();
    return table;
}

std::expected<analysis::Table, TraceError> flows_of(dataset::Dataset& traces,
                                                    const Choice& choice) {
    auto from = prepare(traces);
    if (!from) {
        return std::unexpected(std::move(from.error()));
    }
    Pass pass(from->capture.rundowns, from->labels, choice);
    FlowTable flows;
    const auto add = [&](const Packet& packet) {
        flows.add(packet);
        return true;
    };
    if (auto read = run(*from, pass, {.receive = add}); !read) {
        return std::unexpected(std::move(read.error()));
    }
    explain_none(*from, pass);
    return flow_table(flows, {.extractor = &pass.extractor(),
                              .not_chosen = pass.not_chosen(),
                              .traces = from->traces.infos(),
                              .has_packets = from->capture.has_packets()});
}

std::expected<std::uint64_t, TraceError> write_capture(dataset::Dataset& traces, Output& to,
                                                       const Choice& choice,
                                                       const std::string& application) {
    auto from = prepare(traces);
    if (!from) {
        return std::unexpected(std::move(from.error()));
    }
    constexpr std::size_t batch = std::size_t{1} << 18U;
    Pass pass(from->capture.rundowns, from->labels, choice);
    CaptureFile file(pass.extractor(), {.application = application,
                                        .drop_names = DropNames(from->schemas),
                                        .names = from->capture.names.names(),
                                        .labels = from->labels});
    std::string bytes;
    Result<void> written;
    const auto flush = [&] {
        written = to.write(bytes);
        bytes.clear();
        return written.has_value();
    };
    const auto add = [&](const Packet& packet) {
        if (file.packets() == 0) {
            file.begin(bytes, *from->traces.infos().front());
        }
        file.add(packet, bytes);
        return bytes.size() < batch || flush();
    };
    auto read = run(*from, pass, {.receive = add});
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    if (written && file.packets() > 0) {
        file.finish(bytes);
        flush();
    }
    if (!written) {
        return std::unexpected(error_about(written.error(), "output"));
    }
    explain_none(*from, pass);
    return file.packets();
}

} // namespace etl::packets
