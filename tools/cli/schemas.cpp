#include "cli/schemas.hpp"

#include "cli/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace cli {

void SchemaOptions::add_to(CLI::App& verb) {
    verb.add_option(
            "--schema", paths,
            "manifest, MOF classes, executable (.dll, .exe, .sys; .mui for its texts), WPP formats "
            "(.tmf, .pdb), or folder or archive of these; may be repeated. ETL_SCHEMA_PATH, "
            "TRACE_FORMAT_SEARCH_PATH and the folder etl/schemas of the user's configuration are "
            "searched as well")
        ->allow_extra_args(false)
        ->type_name("PATH");
    verb.add_option(
            "--culture", culture,
            "language of message strings, as de-AT: that one, else its parents, others of the "
            "language, en-US, en, the first there is (default: en-US)")
        ->type_name("NAME");
    verb.add_flag_callback(
        "--no-harvest", [this] { harvest = false; },
        "do not look through the traces for the schemas that they carry themselves");
}

// Each thread collects for itself.
etl::decode::Harvest harvest_all(const Traces& traces, unsigned threads) {
    etl::decode::Harvest whole;
    for (const auto& reader : traces.readers()) {
        std::vector<etl::decode::Harvest> parts(threads);
        reader->for_each_buffer(threads, [&](unsigned worker, const etl::trace::BufferEntry&,
                                             etl::flow::Run events) { parts[worker].add(events); });
        for (etl::decode::Harvest& part : parts) {
            whole.combine(std::move(part));
        }
    }
    return whole;
}

void tell_refusals(const etl::decode::HarvestReport& report) {
    constexpr std::size_t most = 10;
    for (std::size_t i = 0; i < std::min(report.notes.size(), most); ++i) {
        say(fmt::format("carried by the traces: refused: {}", printable(report.notes[i])));
    }
    if (report.notes.size() > most) {
        say(fmt::format("carried by the traces: refused: {} more", report.notes.size() - most));
    }
    if (report.left_out) {
        say("carried by the traces: note: more schemas than are kept; the last ones were left out");
    }
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
        }
    }
}

bool gather_schemas(const SchemaOptions& options, const Traces& traces, unsigned threads,
                    etl::schema::SchemaStore& store) {
    auto catalog =
        etl::catalog::Catalog::open({.paths = options.paths, .culture = options.culture});
    if (!catalog) {
        say(catalog.error().path, catalog.error().error);
        return false;
    }
    if (options.harvest) {
        etl::decode::Harvest harvest = harvest_all(traces, threads);
        tell_refusals(harvest.finish(store));
        catalog->load(harvest.providers(), store);
    } else {
        catalog->load_all(store);
    }
    store.freeze();
    tell_refusals(*catalog);
    return true;
}

} // namespace cli
