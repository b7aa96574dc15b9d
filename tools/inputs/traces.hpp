// Traces named on a command line: options that all verbs share, and opening a dataset of them.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "dataset/dataset.hpp"
#include "trace/inputs.hpp"
#include "trace/parts.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// `findings` and `remarks` are printed, unless a verb sets other receivers.
struct TraceOptions : etl::dataset::Options {
    std::vector<std::string> arguments;
    /// Why a stream is copied to a temporary file, for a note; empty: no note.
    std::string why_spooled = "it is read more than once";

    /// Nearly all verbs read a trace once or twice.
    TraceOptions() {
        is_single_pass = true;
        keeps_indexes = true;
    }

    explicit TraceOptions(std::vector<std::string> names) : TraceOptions() {
        arguments = std::move(names);
    }

    void add_to(Verb& verb);
};

/// Prints `etl: NAME: ...`; for --max-unpacked also where it applies.
void say_open_failure(std::string_view name, const etl::Error& error);

/// Changes the help of a verb that takes a single trace. Call after TraceOptions::add_to.
void describe_as_only(Verb& verb);

/// The files that the arguments name, and the problems of opening them.
struct OpenedFiles : etl::dataset::Inputs {
    /// Prints that what follows about event logs is about the traces they are read as.
    void explain_event_logs() const;

    /// Failed if none could be opened; damaged if some could not, or only in part.
    ExitCode exit_code() const noexcept;
};

/// Whether findings in event logs are printed when they are opened.
enum class LogFindings : bool { kept, printed };

/// Opens them; prints what could not be opened.
OpenedFiles open_files(const TraceOptions& options, LogFindings findings = LogFindings::printed);

/// A dataset of all traces that could be opened, whose findings and remarks are printed. Members
/// refer to each other: not moved.
class Traces {
public:
    /// Whether findings of the readers are printed.
    enum class Findings : bool { silent, reported };

    explicit Traces(const TraceOptions& options)
        : Traces(open_files(options), options, Findings::reported) {}

    Traces(const OpenedFiles& opened, const TraceOptions& options, Findings findings);
    /// The same inputs from the start, with what is known about them; findings are not printed.
    /// Null, after printing why, if one can no longer be read.
    std::unique_ptr<Traces> again(etl::dataset::Selection select) const;

    Traces(const Traces&) = delete;
    Traces& operator=(const Traces&) = delete;
    ~Traces() = default;

    etl::dataset::Dataset& dataset() const noexcept { return *dataset_; }

    const std::vector<std::unique_ptr<etl::trace::Reader>>& readers() const noexcept {
        return dataset_->readers();
    }

    /// The file of each reader.
    const std::vector<etl::dataset::Input>& files() const noexcept { return dataset_->inputs(); }

    /// Releases a reader, for a caller that frees it at its end. A null pointer takes its place;
    /// its findings are still reported here, so this object must outlive it.
    std::unique_ptr<etl::trace::Reader> release(std::size_t number) {
        return dataset_->release(number);
    }

    /// Inputs that could not be opened, or only in part; they have been printed.
    const std::vector<etl::dataset::Problem>& problems() const noexcept {
        return dataset_->problems();
    }

    /// Returns whether every input could be opened, be it in part. If not, prints that nothing is
    /// written: for verbs whose output would silently lack one of its inputs.
    bool all_opened() const;

    /// Failed if no input could be opened; damaged if some could not, or was damaged so far.
    ExitCode exit_code() const noexcept;

    /// The same after passes over buffers (Reader::for_each_buffer), which report no findings of
    /// their own: prints how many there were.
    ExitCode exit_code_of_buffers() const;

private:
    explicit Traces(etl::dataset::Dataset dataset)
        : dataset_(std::make_unique<etl::dataset::Dataset>(std::move(dataset))) {}

    FindingPrinter findings_;
    std::unique_ptr<etl::dataset::Dataset> dataset_; // reports to findings_
};

// The part of traces that --part selects. docs/parts.md

/// `--part K/N`. `use`: what the parts of this verb add up to, for the help.
void add_part(Verb& verb, std::optional<etl::trace::Part>& part, const std::string& use);

// The files that arguments name, without opening them: for verbs that handle each by itself, so
// that few are open at a time.

/// Lists directories and globs. An argument without files is kept: opening it reports why.
inline std::vector<std::string> list_inputs(const TraceOptions& options) {
    const auto descend = options.recursive ? etl::io::Recursion::yes : etl::io::Recursion::no;
    std::vector<std::string> files;
    for (const std::string& argument : options.arguments) {
        auto found = etl::trace::find_inputs(argument, descend);
        if (found && !found->empty()) {
            std::ranges::move(*found, std::back_inserter(files));
        } else {
            files.push_back(argument);
        }
    }
    return files;
}

/// The options with other arguments, of which `jobs` are read at the same time.
inline TraceOptions with_inputs(TraceOptions options, std::vector<std::string> files,
                                unsigned jobs) {
    options.arguments = std::move(files);
    options.threads = std::max(1U, options.worker_threads() / jobs);
    return options;
}

} // namespace cli
