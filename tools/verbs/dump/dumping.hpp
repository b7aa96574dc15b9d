// The part of `etl dump` from events to output, shared by files and streams.
#pragma once

#include "base/output.hpp"
#include "cli/exit_code.hpp"
#include "decode/decoder.hpp"
#include "flow/filters.hpp"
#include "flow/sink.hpp"
#include "gather/stream_schemas.hpp"
#include "sink/event_kinds.hpp"
#include "verbs/dump/options.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

// --strict: which events are rejected, and why.

/// Inspects events one by one. One thread.
class StrictJudge {
public:
    void add(const etl::decode::DecodedEvent& event);

    /// Prints to standard error how many were rejected, where the first ones are, and what to do.
    ExitCode judge() const;

private:
    struct Rejected {
        std::uint64_t count = 0;
        std::string first; // the event, its place, and the reason

        void add(const etl::decode::DecodedEvent& event, const std::string& why);
    };

    std::string problem_of(const etl::decode::DecodedEvent& event);

    Rejected mismatched_, guessed_;
    etl::decode::FieldWalker walker_;
};

/// The input of a dump.
struct DumpInput {
    etl::flow::Source& events;
    const etl::flow::TraceInfo& first_trace;
    etl::flow::TimeFilter::Upstream order;
    etl::schema::SchemasByTrace schemas;
    std::shared_ptr<const etl::facts::FactsByTrace> facts; // null: not needed
    CompiledFilters filters;
    etl::gather::StreamSchemas* stream_schemas = nullptr; // of a stream, whose schemas change
    std::vector<etl::sink::EventKind> kinds{};            // for --split-by event: a table each
};

/// The options for encoders of this input.
etl::sink::Options sink_options(const DumpOptions& options, const DumpInput& input);

/// Inspects written events with its own decoder: encoders also see other events, in no order.
class WrittenEvents {
public:
    /// `tally` null: the encoders fill it. `judge` null: not requested; else it must outlive this.
    WrittenEvents(const etl::sink::Options& options, std::shared_ptr<etl::sink::Tally> tally,
                  StrictJudge* judge)
        : decoder_(options.schemas, options.decoder()), judge_(judge) {
        if (tally) {
            part_.emplace(std::move(tally));
        }
    }

    void add(const etl::flow::Event& event) {
        const etl::decode::DecodedEvent& decoded = decoder_.decode(event);
        if (part_) {
            part_->add(decoded, decoder_.generation());
        }
        if (judge_ != nullptr) {
            judge_->add(decoded);
        }
    }

private:
    etl::decode::Decoder decoder_;
    std::optional<etl::sink::Tally::Part> part_;
    StrictJudge* judge_;
};

/// Everything between the events and the output. Members refer to each other: not moved.
class Dump {
public:
    Dump(const DumpOptions& options, const DumpInput& input);
    Dump(const Dump&) = delete;
    Dump& operator=(const Dump&) = delete;
    ~Dump() = default;

    /// Switches to the newest schemas of the stream.
    void renew_schemas();

    /// Writes to the output of the options.
    ExitCode write();

    /// Number of events written so far.
    std::uint64_t written() const noexcept { return written_; }

    /// Prints to standard error what was not decoded, and which filters, fields, and schema files
    /// matched nothing. Call after write().
    void report(const CompiledFilters& filters, const etl::catalog::Catalog& files);

private:
    void tally_events();
    ExitCode run(etl::Output& output, const std::function<bool()>& is_abandoned);
    ExitCode write_to_file();
    ExitCode write_tables();
    ExitCode write_to_standard_output();
    std::shared_ptr<const etl::flow::Encoder> make_encoder() const;

    const std::string& events_name() const { return options_.traces.arguments.front(); }

    DumpOptions options_; // with the schemas, and with the zone of the trace
    std::vector<etl::sink::EventKind> kinds_;
    etl::gather::StreamSchemas* schemas_;
    std::uint64_t written_ = 0;
    std::shared_ptr<etl::sink::Tally> encoded_; // by the encoders
    std::shared_ptr<etl::sink::Tally>
        tally_; // what is written: encoded_, unless inspected_ fills it
    StrictJudge judge_;
    std::optional<WrittenEvents> inspected_; // --strict, --skip, or --limit
    etl::flow::TimeFilter window_;
    std::optional<etl::gather::PrintedEvents> printed_;
    std::shared_ptr<std::atomic<bool>> has_cut_ = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<const etl::flow::Encoder> encoder_;
};

/// The start time of a trace.
etl::Filetime start_of(const etl::flow::TraceInfo& trace);

/// --local: minutes to add to UTC at that time; else 0.
int offset_of(const DumpOptions& options, etl::Filetime start);

/// `etl dump` with these options.
ExitCode run_dump(DumpOptions options);

/// Declares those of them that do not depend on the kind of input.
void add_event_options(Verb& verb, DumpOptions& options);

/// Files, or a stream that is spooled.
ExitCode dump_files(DumpOptions options);

/// A pipe or device that is the only input: streamed if possible.
ExitCode dump_pipe(DumpOptions options, const std::string& path);

/// --follow.
ExitCode dump_growing(const DumpOptions& options, const std::string& path);

/// An option that requires two passes over the trace; empty: none.
std::string_view option_with_two_passes(const DumpOptions& options);

// Columns that depend on all events: `etl dump --columns auto` and `--split-by event`.

/// The kinds of events that match the filters, found in a separate pass. Findings are reported by
/// the pass that writes.
std::vector<etl::sink::EventKind> find_kinds(const DumpOptions& options, const DumpInput& input);

/// The columns of the options, with `data` replaced by columns for `fields`.
std::vector<std::string> columns_with(const etl::sink::Options& options,
                                      const std::vector<std::string>& fields);

} // namespace cli
