
#include <etl/rewrite.hpp>

#include "base/text.hpp"
#include "dataset/inputs.hpp"
#include "io/find_files.hpp"
#include "io/inherit_rights.hpp"
#include "io/input_file.hpp"
#include "relog/context_filter.hpp"
#include "repair/text.hpp"
#include "rewrite/anonymizing.hpp"
#include "rewrite/repairing.hpp"
#include "rewrite/splitting.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace etl::rewrite {

namespace {

using dataset::Dataset;
using dataset::Messages;
using Inputs = std::vector<std::string>;

std::unexpected<TraceError> reject(ErrorCode code, const char* what, std::string about,
                                   std::string detail = {}) {
    return std::unexpected(
        TraceError{{.code = code, .what = what}, std::move(about), std::move(detail)});
}

OutputOptions output_of(const Files& files, const std::string& path) {
    OutputOptions output{.path = path, .replaces = files.existing == Existing::replace};
    output.file.compression = codec_of(files.compression);
    if (files.buffer_size != 0) {
        output.buffer_size = files.buffer_size;
    }
    return output;
}

dataset::Options options_of(const Files& files, Messages& messages) {
    dataset::Options options{.schemas = files.schemas,
                             .threads = files.threads,
                             .recursive = files.recursive,
                             .is_single_pass = true};
    messages.receive_from(options);
    return options;
}

/// The output is neither one of these, nor a schema file, nor exists against the options.
std::expected<void, TraceError> check(const std::string& output, Inputs inputs,
                                      const Files& files) {
    inputs.insert(inputs.end(), files.schemas.begin(), files.schemas.end());
    return check_output(output, inputs, files.recursive, files.existing);
}

/// All inputs must be readable, be it in part: an output would silently lack one of them.
std::expected<Dataset, TraceError> open_all(const Inputs& inputs, const dataset::Options& options) {
    Dataset traces = Dataset::open(inputs, options);
    for (const dataset::Problem& problem : traces.problems()) {
        if (traces.is_empty() || problem.extent == trace::InputProblem::Extent::all) {
            return std::unexpected(TraceError{problem.error, problem.name});
        }
    }
    if (traces.is_empty()) {
        return reject(ErrorCode::not_found, "a trace",
                      inputs.empty() ? std::string("inputs") : inputs.front());
    }
    return traces;
}

/// Counts what was written. Errors: it is not complete, and did not appear.
std::expected<void, TraceError> add(const Written& written, const std::string& output,
                                    Report& report, Messages& messages) {
    if (written.failure) {
        return std::unexpected(*written.failure);
    }
    if (written.commit_failure) {
        return std::unexpected(TraceError{*written.commit_failure, output});
    }
    report.events = written.events;
    report.bytes = written.bytes;
    report.events_lost = written.events_lost;
    if (written.events_lost > 0) {
        messages.add(fmt::format("{}: lost {} too large for a buffer", output,
                                 plural(written.events_lost, "event")));
    }
    if (written.events_corrected > 0) {
        messages.add(fmt::format("{} had invalid extended data items or counters; those bytes are "
                                 "now payload",
                                 plural(written.events_corrected, "event")));
    }
    return {};
}

/// At the end: what was said about the inputs.
void finish(Report& report, Messages& messages) {
    report.findings = messages.findings();
    report.remarks = messages.take();
}

merge::Options merge_options(const MergeOptions& options) {
    const bool restamps =
        options.restamps || options.align != Align::none || !options.offsets.empty();
    return {.timestamps = restamps ? merge::Timestamps::system_time : merge::Timestamps::keep,
            .align = options.align == Align::start         ? merge::Align::start
                     : options.align == Align::first_event ? merge::Align::first_event
                                                           : merge::Align::none,
            .tag_sources = options.tags_sources};
}

/// The events of a trace that match, with the context and the stacks that they need.
class ChosenEvents final : public flow::Source {
public:
    ChosenEvents(std::unique_ptr<trace::Reader> reader, const dataset::Filters& filters,
                 const match::MatcherInputs& inputs, SplitContext context)
        : reader_(std::move(reader)), window_(filters.window.raw(reader_->info().clock)),
          is_windowed_(filters.window.from || filters.window.to) {
        if (!filters.condition.is_always_true()) {
            matches_.emplace(filters.condition, inputs);
        }
        const auto is_chosen = [this](const flow::Event& event) {
            return (!is_windowed_ || window_.contains(event)) && (!matches_ || (*matches_)(event));
        };
        if (context == SplitContext::none) {
            chosen_ = std::make_unique<flow::WhereFilter>(*reader_, is_chosen);
        } else {
            chosen_ = std::make_unique<relog::ContextFilter>(*reader_, is_chosen);
        }
    }

    flow::Run next_run() override { return chosen_->next_run(); }

    flow::Pin pin() const override { return chosen_->pin(); }

    const Error* error() const noexcept override { return chosen_->error(); }

private:
    std::unique_ptr<trace::Reader> reader_;
    flow::RawWindow window_;
    bool is_windowed_;
    std::optional<match::Matcher> matches_;
    std::unique_ptr<flow::Source> chosen_;
};

/// Sets Splitting::chosen, if events are to be chosen.
std::expected<void, TraceError> choose(Dataset& trace, const dataset::Filters& filters,
                                       SplitContext context_of_parts, Splitting& what) {
    const match::Condition& where = filters.condition;
    if (where.is_always_true() && !filters.window.from && !filters.window.to) {
        return {};
    }
    dataset::Needs needs{.origins = where.needs_origins()};
    if (where.needs_schemas()) {
        needs.schemas = gather::SchemaScope::everything;
    }
    if (where.needs_facts()) {
        needs.facts = facts::Scope::processes;
    }
    auto context = trace.context(needs);
    if (!context) {
        return std::unexpected(std::move(context.error()));
    }
    const match::MatcherInputs inputs{
        .schemas = context->schemas, .facts = context->facts, .origins = context->origins};
    what.chosen = [filters, inputs, context_of_parts](auto reader) {
        return std::make_unique<ChosenEvents>(std::move(reader), filters, inputs, context_of_parts);
    };
    return {};
}

Splitting splitting_of(const SplitOptions& options, const std::string& input,
                       const std::string& pattern, Messages& messages) {
    Splitting what{.by = options.by,
                   .limit = options.limit,
                   .context = options.context,
                   .output = output_of(options.files, pattern)};
    what.findings = [&messages](const Diagnostic& finding, const std::string& name) {
        messages.add(finding, name);
    };
    what.permits = [&options, &input](const std::string& path) {
        return check(path, {input}, options.files);
    };
    return what;
}

SplitPart part_of(const relog::Part& part, const SplitParts& split) {
    const bool is_context = std::holds_alternative<std::monostate>(part.key.value);
    return {.path = part.path,
            .key = is_context ? std::string() : text_of(part.key, split.processes),
            .events = part.events,
            .context = part.context,
            .bytes = part.bytes};
}

/// The header of another trace, for the repair of a file.
std::expected<trace::Recording, TraceError> header_for(const dataset::Input& input,
                                                       const RepairOptions& options) {
    const std::string& path = options.header_from;
    auto other = open_all({path}, {.threads = 1});
    if (!other) {
        return std::unexpected(std::move(other.error()));
    }
    const flow::TraceInfo& info = *other->infos().front();
    if (!info.has_header) {
        return reject(ErrorCode::invalid_option, "header", path, "missing log file header");
    }
    const auto mismatches = mismatches_of(input.file, info);
    if (!mismatches.empty() && !options.accepts_any_header) {
        const merge::Mismatch& found = mismatches.front();
        return reject(ErrorCode::invalid_option, "header", input.name(),
                      fmt::format("{} {} differs from {} of {}", found.field, found.other,
                                  found.first, path));
    }
    return trace::recording_of(info);
}

RepairReport report_of(const repair::Report& repaired, const std::string& output,
                       Messages& messages) {
    RepairReport report;
    report.events = repaired.records;
    if (const auto written = io::InputFile::map(output)) {
        report.bytes = (*written)->bytes().size();
    }
    report.losses = repaired.losses.size() + repaired.more_losses;
    report.missing_buffers = repaired.missing_buffers;
    report.session_events_lost = repaired.events_lost;
    report.session_buffers_lost = repaired.buffers_lost;
    report.are_losses_known = repaired.are_losses_known;
    report.is_complete = repaired.is_complete;
    report.corrections = repaired.corrections;
    for (const repair::Loss& loss : repaired.losses) {
        messages.add(text_of(repaired, loss));
    }
    if (repaired.more_losses > 0) {
        messages.add(plural(repaired.more_losses, "more loss", "more losses"));
    }
    return report;
}

std::expected<Anonymizing, TraceError> anonymizing_of(const AnonymizeOptions& options,
                                                      const std::string& output) {
    Anonymizing what{.undecodable = options.undecodable,
                     .output = output_of(options.files, output)};
    what.how.scope =
        options.redacts_only ? anonymize::Scope::redactions_only : anonymize::Scope::everything;
    const auto key = options.key.empty() ? random_key() : key_of(options.key);
    if (!key) {
        return std::unexpected(key.error());
    }
    what.how.key = *key;
    for (const std::string& text : options.redactions) {
        auto redaction = parse_redaction(text);
        if (!redaction) {
            return reject(ErrorCode::invalid_option, "redaction", "redactions",
                          fmt::format("'{}' is not PROVIDER/EVENT/FIELD", text));
        }
        what.how.redact.push_back(*std::move(redaction));
    }
    return what;
}

/// What a person must look at: what was not checked, and redactions of nothing.
void add_remarks(const anonymize::Report& report, const AnonymizeOptions& options,
                 Messages& messages) {
    if (report.undecodable > 0) {
        messages.add(fmt::format("{} could not be decoded and {}: {}",
                                 plural(report.undecodable, "event"),
                                 report.dropped > 0   ? "were dropped"
                                 : report.cleared > 0 ? "were cleared"
                                                      : "may contain personal data",
                                 undecodable_providers(report)));
    }
    for (const auto& [field, values] : report.unredacted) {
        messages.add(field + " was not redacted: other fields derive their size from it");
    }
    for (std::size_t i = 0; i < options.redactions.size(); ++i) {
        if (i >= report.redactions.size() || report.redactions[i] == 0) {
            messages.add(options.redactions[i] + " matches no field");
        }
    }
}

} // namespace

std::expected<MergeReport, TraceError> merge(const Inputs& inputs, const std::string& output,
                                             const MergeOptions& options) {
    if (auto checked = check(output, inputs, options.files); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    Messages messages;
    auto traces = open_all(inputs, options_of(options.files, messages));
    if (!traces) {
        return std::unexpected(std::move(traces.error()));
    }
    Merging what{.how = merge_options(options), .output = output_of(options.files, output)};
    if (auto placed = place_offsets(options.offsets, *traces, what.how); !placed) {
        return std::unexpected(std::move(placed.error()));
    }
    if (options.embeds_schemas) {
        what.embedded = gather::SchemaScope::everything;
    }
    const io::InheritedRights rights(files_of(inputs, options.files.recursive));
    const auto merged = merge(*traces, what);
    if (!merged) {
        return std::unexpected(static_cast<const TraceError&>(merged.error()));
    }
    MergeReport report;
    report.repeated_context = merged->repeated_context;
    report.embedded_schemas = merged->embedded ? merged->embedded->events : 0;
    if (auto added = add(merged->written, output, report, messages); !added) {
        return std::unexpected(std::move(added.error()));
    }
    traces->report_truncation();
    finish(report, messages);
    return report;
}

std::expected<SplitReport, TraceError> split(const std::string& input, const std::string& pattern,
                                             const SplitOptions& options) {
    Messages messages;
    dataset::Options how = options_of(options.files, messages);
    how.where = options.where;
    how.from = options.from;
    how.to = options.to;
    how.findings = {}; // those of the first pass
    auto trace = open_all({input}, how);
    if (!trace) {
        return std::unexpected(std::move(trace.error()));
    }
    if (trace->readers().size() > 1) {
        return reject(ErrorCode::unsupported, "splitting several traces", input);
    }
    const auto filters = trace->filters();
    if (!filters) {
        return std::unexpected(filters.error());
    }
    Splitting what = splitting_of(options, input, pattern, messages);
    if (auto chosen = choose(*trace, *filters, options.context, what); !chosen) {
        return std::unexpected(std::move(chosen.error()));
    }
    const io::InheritedRights rights(files_of({input}, options.files.recursive));
    const auto split = rewrite::split(*trace, what);
    if (!split) {
        return std::unexpected(split.error());
    }
    SplitReport report;
    for (const relog::Part& part : split->parts) {
        report.parts.push_back(part_of(part, *split));
        report.events += part.events + part.context;
        report.bytes += part.bytes;
        report.events_lost += part.lost;
    }
    trace->report_unmatched(filters->condition);
    if (report.events_lost > 0) {
        messages.add(
            fmt::format("lost {} too large for a buffer", plural(report.events_lost, "event")));
    }
    finish(report, messages);
    return report;
}

std::expected<RepairReport, TraceError> repair(const std::string& input, const std::string& output,
                                               const RepairOptions& options) {
    Inputs read{input, live_buffers_path(input, options.live_buffers)};
    if (!options.header_from.empty()) {
        read.push_back(options.header_from);
    }
    if (auto checked = check(output, read, options.files); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    Messages messages;
    const dataset::Options opening = options_of(options.files, messages);
    const dataset::Inputs opened = dataset::open_inputs({input}, opening);
    if (opened.files.empty()) {
        return opened.problems.empty() ? reject(ErrorCode::not_found, "a trace", input)
                                       : std::unexpected(TraceError{opened.problems.front().error,
                                                                    opened.problems.front().name});
    }
    if (opened.files.size() > 1) {
        return reject(ErrorCode::unsupported, "repairing several traces", input);
    }
    Repairing how{.output = output_of(options.files, output), .threads = opening.worker_threads()};
    if (!options.header_from.empty()) {
        auto header = header_for(opened.files.front(), options);
        if (!header) {
            return std::unexpected(std::move(header.error()));
        }
        how.header = *std::move(header);
    }
    auto buffers = find_live_buffers(input, options.live_buffers);
    if (!buffers) {
        return std::unexpected(std::move(buffers.error()));
    }
    how.live_buffers = *std::move(buffers);
    const io::InheritedRights rights(files_of(read, options.files.recursive));
    const auto repaired = repair(opened.files.front(), how);
    if (!repaired) {
        return std::unexpected(repaired.error());
    }
    RepairReport report = report_of(*repaired, output, messages);
    finish(report, messages);
    return report;
}

std::expected<AnonymizeReport, TraceError>
anonymize(const Inputs& inputs, const std::string& output, const AnonymizeOptions& options) {
    Inputs read = inputs;
    if (io::is_regular_file(options.key)) {
        read.push_back(options.key);
    }
    if (auto checked = check(output, std::move(read), options.files); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    auto what = anonymizing_of(options, output);
    if (!what) {
        return std::unexpected(std::move(what.error()));
    }
    Messages messages;
    auto traces = open_all(inputs, options_of(options.files, messages));
    if (!traces) {
        return std::unexpected(std::move(traces.error()));
    }
    const io::InheritedRights rights(files_of(inputs, options.files.recursive));
    const auto anonymized = anonymize(*traces, *what);
    if (!anonymized) {
        return std::unexpected(static_cast<const TraceError&>(anonymized.error()));
    }
    AnonymizeReport report;
    report.changed_events = anonymized->report.changed;
    report.changed_values = std::accumulate(anonymized->report.values.begin(),
                                            anonymized->report.values.end(), std::uint64_t{0});
    report.undecodable_events = anonymized->report.undecodable;
    if (auto added = add(anonymized->written, output, report, messages); !added) {
        return std::unexpected(std::move(added.error()));
    }
    add_remarks(anonymized->report, options, messages);
    traces->report_truncation();
    finish(report, messages);
    return report;
}

} // namespace etl::rewrite
