#include "cli/encoding.hpp"

#include <etl/gather/facts.hpp>

#include "cli/needs.hpp"
#include "cli/process_filter.hpp"
#include "cli/progress.hpp"

#include <algorithm>

namespace cli {

namespace {

using etl::flow::TimeFilter;

std::unique_ptr<etl::flow::Source> join(const Traces& traces) {
    std::vector<etl::flow::Source*> list;
    for (const auto& reader : traces.readers()) {
        list.push_back(reader.get());
    }
    return std::make_unique<etl::flow::Mux>(std::move(list));
}

TraceOptions with_selection(const EncodingOptions& options) {
    TraceOptions traces = options.traces;
    traces.select = header_condition(options.filters);
    return traces;
}

} // namespace

EncodingInput::EncodingInput(const EncodingOptions& options, const OpenedFiles& opened)
    : options_(options), traces_(opened, with_selection(options_), Traces::Findings::reported) {}

std::expected<std::unique_ptr<EncodingInput>, ExitCode>
EncodingInput::open(const EncodingOptions& options) {
    const OpenedFiles opened = open_files(options.traces);
    std::unique_ptr<EncodingInput> input(new EncodingInput(options, opened));
    if (const ExitCode exit = input->prepare(); exit != ExitCode::well) {
        return std::unexpected(exit);
    }
    return input;
}

ExitCode EncodingInput::prepare() {
    if (traces_.readers().empty()) {
        return ExitCode::failed;
    }
    const unsigned threads = options_.traces.worker_threads();
    etl::match::TimeBounds bounds = etl::gather::bounds_of(traces_.readers());
    sink_ = options_.sink;
    if (options_.local) {
        sink_.utc_offset_minutes = etl::io::local_offset_minutes(
            (bounds.start.ticks - etl::Filetime::unix_epoch) / etl::Filetime::per_second);
        bounds.utc_offset_minutes = *sink_.utc_offset_minutes;
    }
    filters_ = compile(options_.filters, bounds);
    if (!filters_) {
        return ExitCode::usage;
    }
    etl::facts::OriginCollector collected;
    schemas_ = gather_schemas(options_.schemas, traces_, threads,
                              options_.filters.needs_origins() ? &collected : nullptr);
    if (!schemas_) {
        return ExitCode::failed;
    }
    sink_.schemas = schemas_->by_trace;
    if (options_.filters.needs_origins()) {
        sink_.origins = etl::gather::origins_of(traces_.readers(), collected);
    }
    if (options_.filters.needs_facts()) {
        sink_.matching_facts = etl::gather::facts_of(traces_.readers(), sink_.schemas,
                                                     {.scope = etl::facts::Scope::processes,
                                                      .pointer_size = sink_.pointer_size,
                                                      .code_page = sink_.code_page},
                                                     threads, say_remark);
        report_unknown_names(options_.filters.processes, *sink_.matching_facts);
    }
    if (!filters_->condition.is_always_true()) {
        sink_.where = filters_->condition;
    }
    sink_.tally = std::make_shared<etl::sink::Tally>(std::vector<std::string>());
    joined_ = join(traces_);
    window_.emplace(*joined_, filters_->window, order_of(traces_));
    return ExitCode::well;
}

ExitCode EncodingInput::run(const etl::flow::Encoder& encoder, etl::Output& output,
                            const std::string& name, const Written& written,
                            const std::function<bool()>& is_abandoned) {
    ProgressBar bar(options_.progress);
    const auto result =
        etl::flow::run(*window_, encoder, output,
                       {.threads = options_.traces.worker_threads(),
                        .progress =
                            [&](std::uint64_t events, const etl::flow::Event& newest) {
                                bar.show(fraction_by_place(newest), events);
                                return !is_abandoned || !is_abandoned();
                            },
                        .pause = {},
                        .encoder = {},
                        .skip = options_.filters.skip.value_or(0),
                        .limit = options_.filters.limit,
                        .written = written});
    if (const etl::Error* error = window_->error()) {
        say(options_.traces.arguments.front(), *error);
        return ExitCode::damaged;
    }
    if (!result) {
        say(name, result.error());
        return ExitCode::failed;
    }
    result_ = *result;
    return ExitCode::well;
}

ExitCode EncodingInput::write(const etl::flow::Encoder& encoder, const std::string& path,
                              const Wrap& wrap, const Written& written) {
    const auto run_into = [&](etl::Output& output, const std::string& name,
                              const std::function<bool()>& is_abandoned) {
        const auto wrapped = wrap ? wrap(output) : nullptr;
        return run(encoder, wrapped ? *wrapped : output, name, written, is_abandoned);
    };
    if (path == "-") {
        etl::io::StandardOutput output;
        return run_into(output, "standard output", [&] { return output.closed(); });
    }
    const auto file = etl::io::AtomicFile::create(path);
    if (!file) {
        say(path, file.error());
        return ExitCode::failed;
    }
    const ExitCode exit = run_into(**file, path, {});
    if (exit == ExitCode::failed) {
        return exit;
    }
    if (const auto committed = (*file)->commit(); !committed) {
        say(path, committed.error());
        return ExitCode::failed;
    }
    return exit;
}

void EncodingInput::report() {
    report_undecoded(sink_.tally->undecoded());
    if (options_.filters.limit && result_.written >= *options_.filters.limit) {
        return; // not all events were seen
    }
    if (report_unmatched(filters_->condition)) {
        report_undecoded(sink_.tally->rejected(), "so their fields cannot match");
    }
    report_unused(schemas_->files, *sink_.tally);
    if (filters_->condition.needs_facts() && result_.written == 0) {
        say("warning: no event matched --process and the other filters");
    }
    cli::report(filters_->condition.notes());
}

} // namespace cli
