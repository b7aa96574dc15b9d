#include "verbs/dump/dumping.hpp"

#include <etl/flow/pipeline.hpp>
#include <etl/io/byte_stream.hpp>
#include <etl/io/find_files.hpp>
#include <etl/io/output_file.hpp>
#include <etl/sink/csv.hpp>
#include <etl/sink/json.hpp>
#include <etl/sink/text.hpp>
#include <etl/sink/wpp.hpp>

#include "cli/needs.hpp"
#include "cli/progress.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

std::string prefix_of(const DumpOptions& options) {
    if (options.wpp_prefix) {
        return *options.wpp_prefix;
    }
    std::string prefix = etl::io::environment("TRACE_FORMAT_PREFIX");
    return prefix.empty() ? std::string(etl::decode::default_wpp_prefix) : prefix;
}

std::shared_ptr<const etl::flow::Encoder> make_encoder(const DumpOptions& options) {
    using etl::sink::CsvOptions;
    const bool to_terminal = options.output == "-" && etl::io::standard_output_is_terminal();
    const bool colour = options.color == ColorWhen::always ||
                        (options.color == ColorWhen::automatic && to_terminal);
    switch (options.format) {
    case DumpFormat::text:
        return std::make_shared<etl::sink::Text>(options.sink,
                                                 etl::sink::TextOptions{.colour = colour});
    case DumpFormat::jsonl:
        return std::make_shared<etl::sink::JsonLines>(options.sink);
    case DumpFormat::json:
        return std::make_shared<etl::sink::JsonArray>(options.sink);
    case DumpFormat::csv:
        return std::make_shared<etl::sink::Csv>(options.sink,
                                                CsvOptions{CsvOptions::Style::csv, options.wide});
    case DumpFormat::wpp:
        return std::make_shared<etl::sink::WppLines>(options.sink, prefix_of(options));
    case DumpFormat::tsv:
        break;
    }
    return std::make_shared<etl::sink::Csv>(options.sink,
                                            CsvOptions{CsvOptions::Style::tsv, options.wide});
}

} // namespace

etl::Filetime start_of(const etl::flow::TraceInfo& trace) {
    return {trace.has_header ? trace.header.start_time : trace.clock.to_filetime(0).ticks};
}

int offset_of(const DumpOptions& options, etl::Filetime start) {
    return options.local ? etl::io::local_offset_minutes(start.ticks / etl::Filetime::per_second -
                                                         etl::Filetime::unix_epoch /
                                                             etl::Filetime::per_second)
                         : 0;
}

Dump::Dump(const DumpOptions& options, const DumpInput& input)
    : options_(options), schemas_(input.stream_schemas),
      window_(input.events, input.filters.window, input.order) {
    options_.sink.schemas = input.schemas;
    if (!input.filters.condition.is_always_true()) {
        options_.sink.where = input.filters.condition;
        options_.sink.matching_facts = input.facts;
    }
    if (options.local) {
        options_.sink.utc_offset_minutes = offset_of(options, start_of(input.first_trace));
    }
    encoded_ = std::make_shared<etl::sink::Tally>(options_.sink.fields);
    tally_ = options_.filters.counts() ? std::make_shared<etl::sink::Tally>(options_.sink.fields)
                                       : encoded_;
    tally_events();
    encoder_ = make_encoder(options_);
    if (schemas_ != nullptr && options_.sink.decode) {
        printed_.emplace(window_, *schemas_);
    }
}

void Dump::tally_events() {
    const bool counts = options_.filters.counts();
    options_.sink.tally = encoded_;
    if (counts || options_.strict) {
        looked_at_.emplace(options_.sink, counts ? tally_ : nullptr,
                           options_.strict ? &judge_ : nullptr);
    }
}

void Dump::renew_schemas() {
    options_.sink.schemas = schemas_->newest();
    tally_events();
    encoder_ = make_encoder(options_);
}

ExitCode Dump::run(etl::Output& output, const std::function<bool()>& gave_up) {
    ProgressBar bar(options_.progress);
    etl::flow::PipelineOptions how{.threads = options_.traces.worker_threads(),
                                   .progress = {},
                                   .pause = [&] { return !gave_up(); },
                                   .encoder = {},
                                   .skip = options_.filters.skip.value_or(0),
                                   .limit = options_.filters.limit,
                                   .written = {}};
    if (looked_at_) {
        how.written = [this](const etl::flow::Event& event) { looked_at_->add(event); };
    }
    how.progress = [&](std::uint64_t events, const etl::flow::Event& newest) {
        if (schemas_ == nullptr) { // nobody knows how long a stream is
            bar.show(fraction_by_place(newest), events);
        }
        return !gave_up();
    };
    if (schemas_ != nullptr) {
        how.encoder = [this] {
            schemas_->end_batch();
            return encoder_;
        };
    }
    etl::flow::Source& events = printed_ ? static_cast<etl::flow::Source&>(*printed_) : window_;
    const std::shared_ptr<const etl::flow::Encoder> first = encoder_;
    const auto result = etl::flow::run(events, *first, output, how);
    if (const etl::Error* error = events.error()) {
        say(events_name(), *error);
        return ExitCode::damaged;
    }
    if (!result) {
        say(options_.output == "-" ? "standard output" : options_.output, result.error());
        return ExitCode::failed;
    }
    written_ = result->written;
    looked_at_.reset(); // which completes the tally
    return options_.strict ? judge_.judge() : ExitCode::well;
}

ExitCode Dump::write_to_file() {
    const std::string& path = options_.output;
    auto file = etl::io::AtomicFile::create(path);
    if (!file) {
        say(path, file.error());
        return ExitCode::failed;
    }
    const ExitCode exit = run(**file, [] { return false; });
    if (exit == ExitCode::failed) {
        return exit;
    }
    if (const auto committed = (*file)->commit(); !committed) {
        say(path, committed.error());
        return ExitCode::failed;
    }
    return exit;
}

ExitCode Dump::write() {
    if (options_.output != "-") {
        return write_to_file();
    }
    etl::io::StandardOutput output;
    return run(output, [&] { return output.closed(); });
}

void Dump::report(const CompiledFilters& filters, const etl::catalog::Catalog& files) {
    if (options_.sink.decode) {
        report_undecoded(tally_->undecoded());
    }
    if (filters.limit && written_ >= *filters.limit) {
        return; // not all events were asked about
    }
    if (report_unmatched(filters.condition) && options_.sink.decode) {
        report_undecoded(encoded_->refused(), "no field of them can match");
    }
    report_unmatched_fields(tally_->unmatched_fields());
    if (options_.sink.decode) {
        report_unused(files, *tally_);
    }
    if (filters.condition.needs_facts() && written_ == 0) {
        say("no event matches --process and the other filters");
    }
    cli::report(filters.condition.notes());
}

} // namespace cli
