#include "inputs/joined_traces.hpp"

#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace cli {

namespace {

using etl::flow::TraceInfo;
using etl::merge::Input;
using etl::merge::Timestamps;

using TracePointers = std::vector<const TraceInfo*>;

/// Up to this number, traces are opened at once; beyond it, each is opened when its time range
/// starts.
constexpr std::size_t open_at_once = 8;

std::string_view name_of(const TraceInfo* trace) {
    return trace->name;
}

/// Prints how the traces differ, once per trace, up to a limit.
void report_mismatches(const TracePointers& traces) {
    constexpr std::size_t shown = 10;
    const auto mismatches = etl::merge::correlate(traces);
    for (const auto& found : std::span(mismatches).first(std::min(mismatches.size(), shown))) {
        say(fmt::format("{}: {} {} differs from {} of {}{}",
                        printable(name_of(traces[found.input])), found.field, found.other,
                        found.first, printable(name_of(traces.front())),
                        found.is_other_machine ? " (different machine)" : ""));
    }
    if (mismatches.size() > shown) {
        say(plural(mismatches.size() - shown, "more difference"));
    }
    say("raw timestamps of different boots, machines, or clocks are not comparable; use "
        "`etl merge --restamp` to convert them to system time");
}

/// Returns when the events of a file start; if they cannot be read, the start according to the
/// header. Findings are reported later, when the file is read.
etl::merge::Beginning find_beginning(const etl::dataset::Input& input, const TraceInfo& trace) {
    const etl::merge::Beginning stated{.first = trace.reference_time, .first_event = std::nullopt};
    const etl::dataset::Dataset file({.files = {input}}, {.threads = 1});
    return file.is_empty() ? stated
                           : etl::merge::beginning_of(*file.readers().front()).value_or(stated);
}

std::vector<Input> make_inputs(Traces& traces, const etl::merge::Options& options) {
    const std::size_t count = traces.readers().size();
    const bool all_at_once = count <= open_at_once;
    std::vector<Input> inputs;
    for (std::size_t i = 0; i < count; ++i) {
        Input input{.trace = std::make_shared<const TraceInfo>(traces.readers()[i]->info()),
                    .open = [&traces, i]() -> etl::Result<std::unique_ptr<etl::flow::Source>> {
                        return traces.release(i);
                    }};
        if (!all_at_once || options.align == etl::merge::Align::first_event) {
            input.beginning = find_beginning(traces.files()[i], *input.trace);
        }
        if (all_at_once) {
            input.beginning = input.beginning.value_or(etl::merge::Beginning{});
            input.beginning->first = std::numeric_limits<std::int64_t>::min();
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

etl::Filetime start_of(const etl::trace::Recording& recording) {
    return {recording.header.start_time};
}

} // namespace

std::expected<JoinedTraces, ExitCode> JoinedTraces::join(Traces& traces,
                                                         const etl::merge::Options& options) {
    TracePointers infos;
    JoinedTraces joined;
    for (const auto& reader : traces.readers()) {
        infos.push_back(&reader->info());
        joined.buffer_size_ =
            std::max(joined.buffer_size_, etl::trace::buffer_size_for(reader->info()));
    }
    const bool is_plain = infos.size() == 1 && options.timestamps == Timestamps::keep &&
                          !options.tag_sources &&
                          options.relation == etl::merge::Relation::sessions;
    if (is_plain) {
        joined.info_ = std::make_shared<const TraceInfo>(*infos.front());
        joined.writer_options_.recording = etl::trace::relogged(*infos.front());
        joined.writer_options_.keep_logger_ids = !infos.front()->merged_inputs.empty();
        auto reader = traces.release(0);
        joined.reader_ = reader.get();
        joined.source_ = std::move(reader);
        joined.start_ = start_of(joined.recording());
        return joined;
    }
    if (options.timestamps == Timestamps::keep && !etl::merge::correlate(infos).empty()) {
        report_mismatches(infos);
        return std::unexpected(ExitCode::failed);
    }
    auto merged = etl::merge::MergedSource::create(make_inputs(traces, options), options);
    if (!merged) {
        say(etl::describe(merged.error()));
        return std::unexpected(merged.error().code == etl::ErrorCode::invalid_option
                                   ? ExitCode::usage
                                   : ExitCode::failed);
    }
    joined.writer_options_ = (*merged)->writer_options();
    joined.info_ = std::make_shared<const TraceInfo>((*merged)->info());
    joined.merged_ = merged->get();
    joined.source_ = *std::move(merged);
    joined.start_ = start_of(joined.recording());
    return joined;
}

double JoinedTraces::fraction_done(const etl::flow::Event& newest) const noexcept {
    return fraction_by_time(start_, end(), newest);
}

void JoinedTraces::report_truncation() {
    if (reader_ != nullptr) {
        reader_->report_truncation();
    }
}

std::uint64_t JoinedTraces::repeated_context() const noexcept {
    return merged_ != nullptr ? merged_->repeated_context() : 0;
}

} // namespace cli
