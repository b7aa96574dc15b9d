#include "cli/joined_traces.hpp"

#include "cli/console.hpp"
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

/// So many traces are read from the beginning on; of more each is opened when its time has come.
constexpr std::size_t open_at_once = 8;

std::string_view name_of(const TraceInfo* trace) {
    return trace->name;
}

/// Says what the traces have against each other. Every trace once, but not hundreds.
void say_mismatches(const TracePointers& traces) {
    constexpr std::size_t shown = 10;
    const auto mismatches = etl::merge::correlate(traces);
    for (const auto& found : std::span(mismatches).first(std::min(mismatches.size(), shown))) {
        say_plainly(fmt::format("etl: {}: {} {}, but {} of {}{}",
                                printable(name_of(traces[found.input])), found.field, found.other,
                                found.first, printable(name_of(traces.front())),
                                found.is_other_machine ? " (another machine)" : ""));
    }
    if (mismatches.size() > shown) {
        say(fmt::format("and {} more", mismatches.size() - shown));
    }
    say("raw time stamps of different boots, machines or clocks mean different times; "
        "`etl merge --restamp` converts all to system time");
}

/// When the events of a file begin; where that cannot be read, the header says it. Its findings are
/// told when it is read for good.
etl::merge::Beginning find_beginning(const std::shared_ptr<const etl::io::InputFile>& file,
                                     const TraceInfo& trace) {
    const auto reader = etl::trace::Reader::open(file, {});
    const auto begins = reader
                            ? etl::merge::beginning_of(**reader)
                            : etl::Result<etl::merge::Beginning>(std::unexpected(reader.error()));
    return begins.value_or(
        etl::merge::Beginning{.first = trace.reference_time, .first_event = std::nullopt});
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
        joined.source_ = traces.release(0);
        joined.start_ = start_of(joined.recording());
        return joined;
    }
    if (options.timestamps == Timestamps::keep && !etl::merge::correlate(infos).empty()) {
        say_mismatches(infos);
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

std::uint64_t JoinedTraces::repeated_context() const noexcept {
    return merged_ != nullptr ? merged_->repeated_context() : 0;
}

} // namespace cli
