#include "verbs/dump/dumping.hpp"

#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/needs.hpp"
#include "cli/progress.hpp"
#include "decode/decode_note.hpp"
#include "decode/event_keys.hpp"
#include "flow/pipeline.hpp"
#include "io/byte_stream.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "sink/csv.hpp"
#include "verbs/dump/formats.hpp"
#include "verbs/dump/pager.hpp"
#include "verbs/dump/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

using etl::decode::Certainty;

void StrictJudge::Rejected::add(const etl::decode::DecodedEvent& event, const std::string& why) {
    if (count++ == 0) {
        const etl::flow::BufferContext& buffer = *event.event->buffer;
        first =
            fmt::format("{}:0x{:x}: buffer {}: record at 0x{:x}: {} of {}: {}", buffer.trace->name,
                        buffer.where.value, buffer.number, event.event->offset(),
                        event.kind->event.value_or(fmt::format("event {}", event.header.id)),
                        event.kind->provider.value_or(etl::to_string(event.header.provider)), why);
    }
}

std::string StrictJudge::problem_of(const etl::decode::DecodedEvent& event) {
    if (!event.kind->problem.empty()) {
        return event.kind->problem;
    }
    if (event.problem != nullptr) {
        return event.problem;
    }
    if (event.kind->schema == nullptr) {
        return {};
    }
    const auto at = [&](std::uint32_t field, const char* why) {
        return fmt::format("{}: {}", event.kind->schema->fields[field].name, why);
    };
    if (walker_.failed()) {
        return at(walker_.failed_field(), walker_.problem());
    }
    return walker_.doubt() == etl::decode::Doubt::invalid_value
               ? at(walker_.doubtful_field(), walker_.doubt_text())
               : std::string();
}

void StrictJudge::add(const etl::decode::DecodedEvent& event) {
    const bool has_schema = event.kind->schema != nullptr;
    if (has_schema) {
        walker_.start(event.kind->plan, event.body);
        while (walker_.next() != etl::decode::Step::end) {
        }
    }
    if (const std::string problem = problem_of(event); !problem.empty()) {
        mismatched_.add(event, problem);
    } else if (has_schema &&
               (certainty_of(event, walker_) == Certainty::guessed || is_misfit(event, walker_))) {
        std::string note;
        append_decode_note(note, event, &walker_);
        guessed_.add(event, note);
    }
}

ExitCode StrictJudge::judge() const {
    if (mismatched_.count > 0) {
        say(fmt::format("{} not match {} (--strict); use --schema to add the right version; the "
                        "first:",
                        plural(mismatched_.count, "event does", "events do"),
                        mismatched_.count == 1 ? "its schema" : "their schemas"));
        say_plainly(printable(mismatched_.first));
    }
    if (guessed_.count > 0) {
        say(fmt::format("{} decoded by guessing (--strict); use --schema to add the right version, "
                        "or --pointer-size; the first:",
                        plural(guessed_.count, "event was", "events were")));
        say_plainly(printable(guessed_.first));
    }
    return mismatched_.count + guessed_.count > 0 ? ExitCode::damaged : ExitCode::well;
}

namespace {

/// A table for each kind of event, with columns for its fields.
std::vector<etl::sink::CsvTable> tables_of(const DumpOptions& options,
                                           const std::vector<etl::sink::EventKind>& kinds) {
    std::vector<etl::sink::CsvTable> tables;
    for (const etl::sink::EventKind& kind : kinds) {
        tables.push_back({kind.key, columns_with(options.sink, kind.fields)});
    }
    return tables;
}

/// An encoder whose output continues that of another one.
class WithoutHead final : public etl::flow::Encoder {
public:
    explicit WithoutHead(std::unique_ptr<etl::flow::Encoder> encoder)
        : encoder_(std::move(encoder)) {}

    std::unique_ptr<etl::flow::Encoder> clone() const override {
        return std::make_unique<WithoutHead>(encoder_->clone());
    }

    std::string_view separator() const override { return encoder_->separator(); }

    std::string_view tail() const override { return encoder_->tail(); }

    bool encode(const etl::flow::Event& event, std::string& to) override {
        return encoder_->encode(event, to);
    }

    etl::flow::DecodeCounts decode_counts() const override { return encoder_->decode_counts(); }

private:
    std::unique_ptr<etl::flow::Encoder> encoder_;
};

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

etl::sink::Options sink_options(const DumpOptions& options, const DumpInput& input) {
    etl::sink::Options sink = options.sink;
    sink.schemas = input.schemas;
    sink.largest_integer = largest_of(options.big_numbers);
    if (!input.filters.condition.is_always_true()) {
        sink.where = input.filters.condition;
        sink.matching_facts = input.facts;
    }
    if (options.local) {
        sink.utc_offset_minutes = offset_of(options, start_of(input.first_trace));
    }
    return sink;
}

Dump::Dump(const DumpOptions& options, const DumpInput& input)
    : options_(options), kinds_(input.kinds), schemas_(input.stream_schemas),
      window_(input.events, input.filters.window, input.order,
              &input.filters.condition.notes().untimed) {
    options_.sink = sink_options(options, input);
    encoded_ = std::make_shared<etl::sink::Tally>(options_.sink.fields);
    tally_ = options_.filters.counts() ? std::make_shared<etl::sink::Tally>(options_.sink.fields)
                                       : encoded_;
    tally_events();
    encoder_ = make_encoder();
    if (schemas_ != nullptr && options_.sink.decode) {
        printed_.emplace(window_, *schemas_);
    }
}

std::shared_ptr<const etl::flow::Encoder> Dump::make_encoder() const {
    if (options_.split_by_event) {
        return std::make_shared<etl::sink::CsvTables>(options_.sink, csv_options(options_),
                                                      tables_of(options_, kinds_));
    }
    auto encoder = options_.format->make(options_, has_cut_);
    if (options_.format->table && options_.part && options_.part->number > 1) {
        return std::make_shared<WithoutHead>(std::move(encoder));
    }
    return encoder;
}

void Dump::tally_events() {
    const bool counts = options_.filters.counts();
    options_.sink.tally = encoded_;
    if (counts || options_.strict) {
        inspected_.emplace(options_.sink, counts ? tally_ : nullptr,
                           options_.strict ? &judge_ : nullptr);
    }
}

void Dump::renew_schemas() {
    options_.sink.schemas = schemas_->newest();
    tally_events();
    encoder_ = make_encoder();
}

ExitCode Dump::run(etl::Output& output, const std::function<bool()>& is_abandoned) {
    ProgressBar bar(options_.progress);
    etl::flow::PipelineOptions how{.threads = options_.traces.worker_threads(),
                                   .progress = {},
                                   .pause = [&] { return !is_abandoned(); },
                                   .encoder = {},
                                   .skip = options_.filters.skip.value_or(0),
                                   .limit = options_.filters.limit,
                                   .written = {}};
    if (inspected_) {
        how.written = [this](const etl::flow::Event& event) { inspected_->add(event); };
    }
    how.progress = [&](std::uint64_t events, const etl::flow::Event& newest) {
        if (schemas_ == nullptr) { // the length of a stream is unknown
            bar.show(fraction_by_place(newest), events);
        }
        return !is_abandoned();
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
    inspected_.reset(); // completes the tally
    return options_.strict ? judge_.judge() : ExitCode::well;
}

ExitCode Dump::write_to_file() {
    Destination file(options_.output);
    return file.open() ? file.finish(run(file.output(), [] { return false; })) : ExitCode::failed;
}

ExitCode Dump::write_tables() {
    const auto& encoder = static_cast<const etl::sink::CsvTables&>(*encoder_);
    const std::vector<std::string> names = table_files(options_, kinds_);
    std::vector<TableFiles::Table> tables;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        tables.push_back({names[i], std::string(encoder.head_of(i))});
    }
    tables.push_back({names.back(), index_of_tables(kinds_, names, csv_options(options_))});
    auto files = TableFiles::create(options_.output, std::move(tables));
    if (!files) {
        say(options_.output, files.error());
        return ExitCode::failed;
    }
    const ExitCode exit = run(**files, [] { return false; });
    if (exit == ExitCode::failed) {
        return exit;
    }
    if (const auto committed = (*files)->commit(); !committed) {
        say(options_.output, committed.error());
        return ExitCode::failed;
    }
    return exit;
}

ExitCode Dump::write() {
    if (options_.split_by_event) {
        return write_tables();
    }
    return options_.output != "-" ? write_to_file() : write_to_standard_output();
}

ExitCode Dump::write_to_standard_output() {
    ExitCode exit = ExitCode::well;
    // Live events are not paged.
    const bool may_page = options_.with_pager && schemas_ == nullptr &&
                          options_.progress != ProgressBar::Mode::always;
    if (auto pager = may_page ? Pager::start() : nullptr) {
        exit = run(*pager, [&] { return pager->closed(); });
    } else {
        using enum etl::io::StandardOutput::Content;
        etl::io::StandardOutput output(options_.format->is_for_terminals ? for_terminals : any);
        exit = run(output, [&] { return output.closed(); });
    }
    if (has_cut_->load()) {
        say("note: long values were shortened for the terminal; use --full, a file, or a pipe to "
            "see them in full");
    }
    return exit;
}

void Dump::report(const CompiledFilters& filters, const etl::catalog::Catalog& files) {
    if (options_.sink.decode) {
        report_undecoded(tally_->undecoded());
        report_misfits(tally_->misfits());
    }
    if (options_.part || (filters.limit && written_ >= *filters.limit)) {
        return; // not all events were seen
    }
    if (report_unmatched(filters.condition) && options_.sink.decode) {
        report_undecoded(encoded_->rejected(), "so their fields cannot match");
    }
    if (written_ > 0) {
        report_unmatched_fields(tally_->unmatched_fields());
    }
    if (options_.sink.decode) {
        report_unused(files, *tally_);
    }
    if (filters.condition.needs_facts() && written_ == 0) {
        say("warning: no event matched --process and the other filters");
    }
    cli::report(filters.condition.notes());
}

std::vector<etl::sink::EventKind> find_kinds(const DumpOptions& options, const DumpInput& input) {
    etl::sink::EventKinds kinds(sink_options(options, input));
    etl::flow::TimeFilter window(input.events, input.filters.window, input.order);
    static_cast<void>(etl::flow::run(window, kinds.encoder(), kinds.output(),
                                     {.threads = options.traces.worker_threads(),
                                      .progress = {},
                                      .pause = {},
                                      .encoder = {},
                                      .skip = input.filters.skip,
                                      .limit = input.filters.limit}));
    return kinds.list();
}

std::vector<std::string> columns_with(const etl::sink::Options& options,
                                      const std::vector<std::string>& fields) {
    const auto add = [](std::vector<std::string>& to, const std::string& column) {
        if (std::ranges::find(to, column) == to.end()) {
            to.push_back(column);
        }
    };
    std::vector<std::string> columns;
    const std::vector<std::string> asked = etl::sink::columns_of(options);
    for (const std::string& column : asked) {
        if (column != name(etl::decode::Key::data)) {
            add(columns, column);
            continue;
        }
        for (const std::string& field : fields) {
            if (std::ranges::find(asked, field) == asked.end()) {
                columns.push_back(field);
            }
        }
    }
    return columns;
}

} // namespace cli
