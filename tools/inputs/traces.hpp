// Traces named on a command line: options that all verbs share, and opening.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "flow/filters.hpp"
#include "trace/inputs.hpp"
#include "trace/reader.hpp"
#include "trace/stream.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct TraceOptions {
    std::vector<std::string> arguments;
    bool recursive = false;
    /// As in trace::ReaderOptions, unless there are many traces. Nearly all verbs read a trace once
    /// or twice.
    bool is_single_pass = true;
    std::optional<std::uint64_t> max_unpacked; // none: half of the free space there
    unsigned threads = 0;                      // 0: one per logical processor
    etl::trace::Order order = etl::trace::Order::time;
    /// As in trace::ReaderOptions.
    std::function<bool(const etl::flow::Event&)> select = {};
    /// A stream among the arguments that is open already.
    std::shared_ptr<etl::trace::StreamInput> opened = {};
    /// Why a stream is copied to a temporary file, for a note; empty: no note.
    std::string why_spooled = "it is read more than once";

    void add_to(Verb& verb);
    unsigned worker_threads() const;
    etl::trace::InputOptions input_options() const;
};

/// Prints `etl: NAME: ...`; for --max-unpacked also where it applies.
void say_open_failure(std::string_view name, const etl::Error& error);

/// Changes the help of a verb that takes a single trace. Call after TraceOptions::add_to.
void describe_as_only(Verb& verb);

/// The files that the arguments name, and the problems of opening them.
struct OpenedFiles {
    std::vector<std::shared_ptr<const etl::io::InputFile>> files;
    std::vector<etl::trace::InputProblem> problems;
    /// Names of the files that are traces of event logs (.evtx).
    std::vector<std::string> event_logs{};
    /// What was found in each of them.
    std::vector<etl::DiagnosticList> log_findings{};

    /// Null: not an event log.
    const etl::DiagnosticList* findings_in(const std::string& name) const noexcept {
        const auto found = std::ranges::find(event_logs, name);
        return found == event_logs.end()
                   ? nullptr
                   : &log_findings[static_cast<std::size_t>(found - event_logs.begin())];
    }

    bool is_event_log(const std::string& name) const noexcept {
        return std::ranges::find(event_logs, name) != event_logs.end();
    }

    /// Prints that what follows about event logs is about the traces they are read as.
    void explain_event_logs() const;

    /// Failed if none could be opened; damaged if some could not, or only in part.
    ExitCode exit_code() const noexcept;
};

/// Whether findings in event logs are printed when they are opened.
enum class LogFindings : bool { kept, printed };

/// Opens them; prints what could not be opened.
OpenedFiles open_files(const TraceOptions& options, LogFindings findings = LogFindings::printed);

/// The readers of all traces that could be opened. Members refer to each other: not moved.
class Traces {
public:
    /// Whether findings of the readers are printed.
    enum class Findings : bool { silent, reported };

    explicit Traces(const TraceOptions& options)
        : Traces(open_files(options), options, Findings::reported) {}

    Traces(const OpenedFiles& opened, const TraceOptions& options, Findings findings);
    Traces(const Traces&) = delete;
    Traces& operator=(const Traces&) = delete;
    ~Traces() = default;

    const std::vector<std::unique_ptr<etl::trace::Reader>>& readers() const noexcept {
        return readers_;
    }

    /// The file of each reader.
    const std::vector<std::shared_ptr<const etl::io::InputFile>>& files() const noexcept {
        return files_;
    }

    /// Releases a reader, for a caller that frees it at its end. A null pointer takes its place;
    /// its findings are still reported here, so this object must outlive it.
    std::unique_ptr<etl::trace::Reader> release(std::size_t number) {
        return std::move(readers_[number]);
    }

    /// Inputs that could not be opened, or only in part; they have been printed.
    const std::vector<etl::trace::InputProblem>& problems() const noexcept { return problems_; }

    /// Returns whether every input could be opened, be it in part. If not, prints that nothing is
    /// written: for verbs whose output would silently lack one of its inputs.
    bool all_opened() const;

    /// Failed if no input could be opened; damaged if some could not, or was damaged so far.
    ExitCode exit_code() const noexcept;

    /// The same after passes over buffers (Reader::for_each_buffer), which report no findings of
    /// their own: prints how many there were.
    ExitCode exit_code_of_buffers() const;

    FindingPrinter& findings() noexcept { return findings_; }

private:
    std::vector<std::string> names_; // by file number
    FindingPrinter findings_{names_};
    std::vector<std::shared_ptr<const etl::io::InputFile>> files_; // by reader
    std::vector<std::unique_ptr<etl::trace::Reader>> readers_;
    std::vector<etl::trace::InputProblem> problems_;
};

/// Whether the first event after a time window ends it: not if a file contains several runs.
etl::flow::TimeFilter::Upstream order_of(const Traces& traces,
                                         etl::trace::Order order = etl::trace::Order::time);

} // namespace cli
