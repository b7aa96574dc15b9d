#include "verbs/relog/relogging.hpp"

#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "flow/context.hpp"
#include "inputs/traces.hpp"
#include "io/byte_stream.hpp"
#include "io/container.hpp"
#include "io/output_file.hpp"
#include "outputs/merging.hpp"
#include "outputs/trace_output.hpp"
#include "trace/writer.hpp"
#include "verbs/relog/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

// The compression of the output of `etl relog` without --compress. docs/relog.md#packing

/// Returns the codec of the first compressed input, or none if the output is a container by name.
/// Prints a note if the compression of the output differs from that of an input.
etl::codec::Format kept_compression(const Traces& traces, const TraceOutputOptions& output);

namespace {

using etl::codec::Format;

std::string_view codec_name(Format codec) noexcept {
    switch (codec) {
    case Format::lznt1:
        return "lznt1";
    case Format::xpress:
        return "xpress";
    case Format::xpress_huffman:
        return "xpress-huffman";
    case Format::none:
        break;
    }
    return "none";
}

Format codec_of(const etl::trace::Reader& reader) noexcept {
    return static_cast<Format>(reader.info().codec);
}

/// The output is larger than its input, perhaps not on purpose.
void note_container(const etl::flow::TraceInfo& input, const TraceOutputOptions& output) {
    const std::string name = printable(output.path);
    const std::string_view ending = input.container.name == "lz4" ? ".lz4" : ".zst";
    const std::string remedy =
        output.path == "-" ? "use `etl compress`" : fmt::format("name it {}{}", name, ending);
    say(fmt::format("note: {} is compressed, but {} is not; {}", printable(input.name),
                    output.path == "-" ? "the output" : name, remedy));
}

} // namespace

Format kept_compression(const Traces& traces, const TraceOutputOptions& output) {
    if (etl::io::container_by_name(output.path) != etl::io::Container::none) {
        return Format::none;
    }
    const auto& readers = traces.readers();
    const auto first = std::ranges::find_if(
        readers, [](const auto& reader) { return codec_of(*reader) != Format::none; });
    const Format kept = first == readers.end() ? Format::none : codec_of(**first);
    const auto other = std::ranges::find_if(readers, [&](const auto& reader) {
        return codec_of(*reader) != Format::none && codec_of(*reader) != kept;
    });
    if (other != readers.end()) {
        say(fmt::format("note: {} is compressed with {}, {} with {}; the output uses {} (change "
                        "with --compress)",
                        printable((*first)->info().name), codec_name(kept),
                        printable((*other)->info().name), codec_name(codec_of(**other)),
                        codec_name(kept)));
    }
    const auto container = std::ranges::find_if(
        readers, [](const auto& reader) { return !reader->info().container.name.empty(); });
    if (container != readers.end() && kept == Format::none) {
        note_container((*container)->info(), output);
    }
    return kept;
}

namespace {

bool needs_schemas(const RelogOptions& options) {
    return options.filters.needs_schemas() || options.drop_undecodable ||
           options.embedding.is_wanted() || options.anonymizing.is_wanted() ||
           !options.inject.empty();
}

// Edits that do not count, merge, or wait for stacks process buffer by buffer. A time window ends
// the pass early if events are in order.
bool needs_order(const RelogOptions& options) {
    return !options.inject.empty() || options.anonymizing.is_wanted() ||
           options.embedding.is_wanted() || options.downsample > 1 || options.filters.counts() ||
           options.filters.has_window() || (options.drops() && options.with_context);
}

/// Drops events that cannot match while buffers are read, on all threads.
class Selection {
public:
    /// The filters outlive it.
    explicit Selection(const RelogOptions& options)
        : may_match_(header_condition(options.filters)), with_context_(options.with_context) {}

    bool is_needed(const RelogOptions& options) const {
        return may_match_ || (options.filters.has_window() && with_context_);
    }

    /// Known once the trace is open. Call before its events are read.
    void set_window(const etl::flow::TimeFilter::Window& window, const etl::flow::Clock& clock) {
        window_ = window.raw(clock);
    }

    bool selects(const etl::flow::Event& event) const {
        if (!with_context_) {
            return may_match_(event);
        }
        const bool is_inside =
            window_.contains(event) || !event.has_time; // the window counts it, and leaves it out
        if (is_inside && !may_match_) {
            return true;
        }
        // Last: it counts rejected events, and kept events are tested again.
        return etl::flow::context_of(event) != etl::flow::Context::none ||
               etl::flow::stack_target(event) ||
               etl::flow::runtime_record_of(event) != etl::flow::RuntimeRecord::none ||
               (is_inside && may_match_(event));
    }

private:
    std::function<bool(const etl::flow::Event&)> may_match_; // empty: always
    bool with_context_;
    etl::flow::RawWindow window_;
};

/// Null: everything is selected.
std::shared_ptr<Selection> needed_selection(const RelogOptions& options) {
    auto selection = std::make_shared<Selection>(options);
    return selection->is_needed(options) ? selection : nullptr;
}

/// Several traces are always merged by time; their number is known when they are open. Standard
/// input can be opened only once.
void open_traces(RelogOptions& options, const std::shared_ptr<Selection>& selection,
                 std::optional<Traces>& traces) {
    const bool is_ordered = needs_order(options) || options.traces.arguments.size() > 1 ||
                            options.traces.arguments.front() == "-" ||
                            etl::io::is_stream(options.traces.arguments.front());
    if (selection) {
        options.traces.select = [selection](const etl::flow::Event& event) {
            return selection->selects(event);
        };
    }
    options.traces.uses_indexes = true;
    options.traces.pointer_size = options.pointer_size;
    options.traces.order = is_ordered ? options.order : etl::trace::Order::buffers;
    traces.emplace(options.traces);
    if (!is_ordered && traces->readers().size() > 1) {
        options.traces.order = options.order;
        traces.emplace(options.traces);
    }
}

/// With an index, a window needs its own buffers, and those with context.
void skip_outside(const Traces& traces, const RelogOptions& options,
                  const etl::flow::TimeFilter::Window& window) {
    using etl::trace::IndexedBuffer;
    if (traces.readers().size() > 1 || !options.filters.has_window()) {
        return;
    }
    etl::trace::Reader& reader = *traces.readers().front();
    if (const auto& index = traces.dataset().indexes().front()) {
        reader.skip_outside(*index, window.raw(reader.info().clock),
                            options.with_context ? &IndexedBuffer::has_context : nullptr);
    }
}

/// What the steps need. If a schema file cannot be used, prints that and returns nothing.
std::optional<etl::dataset::Context> needed_context(const RelogOptions& options,
                                                    const Traces& traces) {
    if (needs_schemas(options)) {
        return context_of(traces, options.schemas, needs_of(options.filters));
    }
    return *traces.dataset().context({.origins = options.filters.needs_origins()});
}

/// Passes the merged traces through the steps to the output.
class Relogging {
public:
    Relogging(RelogOptions& options, etl::rewrite::Joined& joined, Steps& steps)
        : options_(&options), joined_(&joined), steps_(&steps) {}

    ExitCode run() {
        if (!options_->output.buffer_size) {
            options_->output.buffer_size = options_->embedding.buffer_size(joined_->buffer_size());
        }
        auto output = TraceOutput::open(
            options_->output, options_->traces.worker_threads(),
            etl::trace::WriterOptions{.recording = steps_->recording(),
                                      .keep_logger_ids = joined_->writer_options().keep_logger_ids,
                                      .may_keep_views = copies_one_trace()});
        if (!output) {
            return output.error();
        }
        const auto copied = copy(*output);
        if (!copied) {
            say(etl::describe(copied.error()));
            return ExitCode::failed;
        }
        if (!options_->anonymizing.accepts(options_->output.path)) {
            return ExitCode::failed;
        }
        const ExitCode finished = output->finish();
        joined_->report_truncation(); // records may have been views until now
        const ExitCode lines = steps_->finish();
        options_->embedding.report_counts();
        report(*options_->filters.notes);
        warn_if_nothing_matched(*copied);
        if (finished != ExitCode::failed && etl::io::standard_error_terminal().interactive) {
            report_counts(*copied);
        }
        return worst(worst(finished, lines), options_->anonymizing.finish(finished));
    }

private:
    /// Its reader gives the records, and outlives the writer.
    bool copies_one_trace() const {
        return options_->traces.order == etl::trace::Order::buffers &&
               &steps_->end() == &joined_->source();
    }

    etl::Result<etl::trace::CopyResult> copy(TraceOutput& output) {
        ProgressBar bar(options_->progress);
        const auto show = [&](std::uint64_t events, const etl::flow::Event& newest) {
            bar.show(fraction_done(newest), events);
            return !output.writer().status().failure;
        };
        return etl::trace::copy(steps_->end(), output.writer(), {.progress = show});
    }

    double fraction_done(const etl::flow::Event& newest) const {
        if (options_->traces.order != etl::trace::Order::buffers) {
            return joined_->fraction_done(newest);
        }
        return fraction_by_place(newest);
    }

    void warn_if_nothing_matched(const etl::trace::CopyResult& copied) const {
        const std::uint64_t matching =
            options_->with_context ? steps_->matching() : copied.events - steps_->injected();
        if (options_->drops() && options_->filters.limit != 0 && matching == 0) {
            say(options_->with_context
                    ? "warning: no events matched; the output contains only context events"
                    : "warning: no events matched");
        }
    }

    void report_counts(const etl::trace::CopyResult& copied) const {
        const std::uint64_t added = steps_->injected();
        const std::uint64_t kept = copied.events - std::min(copied.events, added);
        std::string line = fmt::format("kept {}", plural(kept, "event"));
        if (added > 0) {
            line += fmt::format(", added {}", added);
        }
        if (const auto lost = joined_->recording().header.events_lost; lost > 0) {
            line +=
                fmt::format("; {} lost during recording", plural(lost, "event was", "events were"));
        }
        say(line);
    }

    RelogOptions* options_;
    etl::rewrite::Joined* joined_;
    Steps* steps_;
};

} // namespace

ExitCode relog(RelogOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.inject);
    guard.reads(options.schemas);
    options.anonymizing.add_key_to(guard);
    if (!is_clear(options.output, guard)) {
        return ExitCode::failed;
    }
    guard.writes(options.output.path);
    if (!options.anonymizing.may_report(guard, existing_files(options.output.replaces))) {
        return ExitCode::failed;
    }
    std::optional<Traces> traces;
    const auto selection = needed_selection(options);
    open_traces(options, selection, traces);
    if (!traces->all_opened()) {
        return ExitCode::failed;
    }
    if (options.order == etl::trace::Order::recorded && traces->readers().size() > 1) {
        say("--order recorded requires a single trace; several traces are merged by time");
        return ExitCode::usage;
    }
    if (options.filters.needs_origins() && traces->readers().size() > 1) {
        say("--where with trace, file, machine, or boot requires a single trace; filters apply to "
            "the merged trace");
        return ExitCode::usage;
    }
    if (options.keeps_compression) {
        options.output.file.compression = kept_compression(*traces, options.output);
    }
    const auto context = needed_context(options, *traces);
    if (!context) {
        return ExitCode::failed;
    }
    if (!options.anonymizing.prepare(
            *traces, context->schemas, options.traces.worker_threads(),
            {.drop_undecodable = options.drop_undecodable, .pointer_size = options.pointer_size})) {
        return ExitCode::failed;
    }
    if (options.filters.needs_facts()) {
        report_unknown_names(options.filters.processes, *context->facts);
    }
    const auto order = traces->dataset().upstream();
    const etl::match::TimeBounds bounds = traces->dataset().bounds();
    const bool is_single = traces->readers().size() == 1;
    const etl::flow::Clock clock = traces->readers().front()->info().clock;
    auto filters = compile(options.filters, bounds);
    if (!filters) {
        return ExitCode::usage;
    }
    skip_outside(*traces, options, filters->window);
    auto joined = etl::rewrite::Joined::join(traces->dataset());
    if (!joined) {
        return report(joined.error(), *traces, options.output);
    }
    if (selection && is_single) { // several traces have several clocks
        selection->set_window(filters->window, clock);
    }
    filters->inputs.origins = context->origins;
    const etl::match::Condition condition = filters->condition;
    Steps steps(
        options, *joined,
        {.schemas = context->schemas, .facts = context->facts, .filters = *std::move(filters)},
        order);
    if (!steps.open()) {
        return ExitCode::failed;
    }
    const ExitCode exit = Relogging(options, *joined, steps).run();
    if (!options.filters.limit) {
        report_unmatched(condition);
    }
    return exit == ExitCode::failed ? exit : worst(exit, traces->exit_code());
}

} // namespace cli
