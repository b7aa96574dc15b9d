#include "inputs/merged_events.hpp"

#include <etl/base/time.hpp>
#include <etl/flow/mux.hpp>
#include <etl/flow/pipeline.hpp>
#include <etl/gather/facts.hpp>
#include <etl/io/output_file.hpp>

#include "cli/progress.hpp"

#include <utility>
#include <vector>

namespace cli {

namespace {

ExitCode encode(MergedEvents& events, const etl::flow::Encoder& encoder, etl::Output& output,
                const EncodedOutput& to) {
    ProgressBar bar(to.progress);
    etl::flow::PipelineOptions how;
    how.threads = to.threads;
    how.progress = [&](std::uint64_t count, const etl::flow::Event& newest) {
        bar.show(fraction_by_place(newest), count);
        return true;
    };
    const auto result = etl::flow::run(events.source(), encoder, output, how);
    if (const etl::Error* error = events.source().error()) {
        say(events.traces().files().front()->name(), *error);
        return ExitCode::damaged;
    }
    if (!result) {
        say(to.path == "-" ? "standard output" : to.path, result.error());
        return ExitCode::failed;
    }
    return ExitCode::well;
}

ExitCode encode_to_file(MergedEvents& events, const etl::flow::Encoder& encoder,
                        const EncodedOutput& to) {
    auto file = etl::io::AtomicFile::create(to.path);
    if (!file) {
        say(to.path, file.error());
        return ExitCode::failed;
    }
    const ExitCode exit = encode(events, encoder, **file, to);
    if (exit == ExitCode::failed) {
        return exit;
    }
    if (const auto committed = (*file)->commit(); !committed) {
        say(to.path, committed.error());
        return ExitCode::failed;
    }
    return exit;
}

} // namespace

std::expected<std::unique_ptr<MergedEvents>, ExitCode>
MergedEvents::open(const TraceOptions& traces, const SchemaOptions& schemas) {
    std::unique_ptr<MergedEvents> events(new MergedEvents(traces));
    if (events->traces_.readers().empty()) {
        return std::unexpected(ExitCode::failed);
    }
    auto gathered = gather_schemas(schemas, events->traces_, events->threads());
    if (!gathered) {
        return std::unexpected(ExitCode::failed);
    }
    events->schemas_ = *std::move(gathered);
    events->merge();
    return events;
}

void MergedEvents::merge() {
    std::vector<etl::flow::Source*> readers;
    for (const auto& reader : traces_.readers()) {
        readers.push_back(reader.get());
    }
    if (readers.size() == 1) {
        source_ = std::make_unique<etl::flow::Concatenation>(std::move(readers));
    } else {
        source_ = std::make_unique<etl::flow::Mux>(std::move(readers));
    }
}

int MergedEvents::local_offset_minutes() const {
    const etl::Filetime start = etl::gather::bounds_of(traces_.readers()).start;
    return etl::io::local_offset_minutes((start.ticks - etl::Filetime::unix_epoch) /
                                         etl::Filetime::per_second);
}

ExitCode write_encoded(MergedEvents& events, const etl::flow::Encoder& encoder,
                       const EncodedOutput& to) {
    ExitCode exit;
    if (to.path == "-") {
        etl::io::StandardOutput output;
        exit = encode(events, encoder, output, to);
    } else {
        exit = encode_to_file(events, encoder, to);
    }
    return worst(exit, events.traces().exit_code());
}

} // namespace cli
