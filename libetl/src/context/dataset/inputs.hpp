// How traces are opened and what of them is read, the files that a person names, opened as traces,
// and what a person should know of them. docs/reading.md
#pragma once

#include <etl/error.hpp>

#include "base/code_page.hpp"
#include "flow/event.hpp"
#include "gather/remark.hpp"
#include "trace/inputs.hpp"
#include "trace/parts.hpp"
#include "trace/reader.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::trace {
class StreamInput;
struct TraceIndex;
} // namespace etl::trace

namespace etl::dataset {

/// As trace::ReaderOptions::select.
using Selection = std::function<bool(const flow::Event& event)>;

/// Receives damage that is found in an input. Called on the thread that reads.
using FindingSink = std::function<void(const Diagnostic& finding, const std::string& input)>;

struct Problem;

/// Receives inputs that cannot be opened, or only in part, as soon as that is known.
using ProblemSink = std::function<void(const Problem& problem)>;

/// Receives what a user should know about schemas and facts.
using RemarkSink = std::function<void(const gather::Remark& remark)>;

/// How traces are opened, what of them is read, and what is found about them.
struct Options {
    /// Schema files, directories, archives, or traces with schemas, as for `etl dump --schema`;
    /// searched after the trace itself and before ETL_SCHEMA_PATH.
    std::vector<std::string> schemas{};
    std::string culture = "en-US"; // message language
    /// Expression that events must match, as for `etl dump --where` (docs/filters.md).
    std::string where{};
    /// Time window (`to` is exclusive), in the forms of docs/filters.md#times: `+5s`, `-10s`,
    /// `2010-10-29 19:10`. A time without a zone is UTC.
    std::string from{}, to{};
    trace::Order order = trace::Order::time; // several traces require Order::time
    /// Threads that read, of all inputs together. 0: one per processor, 1: the caller only.
    unsigned threads = 0;
    bool recursive = false; // include subdirectories
    /// Resolve processes, images, files, and stacks, in a separate pass (docs/enrich.md).
    bool enrich = false;
    /// Directories and symbol stores, as for `etl dump --symbols`, for stack frames; `enrich` is
    /// required. _NT_SYMBOL_PATH is searched after them.
    std::vector<std::string> symbols{};
    /// One of the parts that the time of the traces is divided into (docs/parts.md). The events of
    /// all parts, in their order, are those of the traces. Indexes next to traces are used; a trace
    /// without one is read once first. Requires Order::time.
    trace::Part part{};
    /// Use indexes next to traces for schemas, facts, and time windows; a trace without one is read
    /// as usual.
    bool uses_indexes = false;
    /// Indexes are not looked for, even if parts need one, which is then made anew.
    bool ignores_indexes = false;
    /// Indexes that parts of large traces need are kept in the user's cache
    /// (gather/index_cache.hpp).
    bool keeps_indexes = false;

    /// As trace::InputOptions::max_unpacked, spooling, and opened.
    std::optional<std::uint64_t> max_unpacked{};
    std::function<void(std::string_view name)> spooling{};
    std::shared_ptr<trace::StreamInput> opened{};
    /// As trace::ReaderOptions::is_single_pass. Ignored if there are many inputs, each of which
    /// would have its copies.
    bool is_single_pass = false;
    Selection select{}; // may be empty
    /// As trace::ReaderOptions::stop: what is found out after it was requested is incomplete.
    const Stop* stop = nullptr;

    unsigned pointer_size = 0; // as decode::DecoderOptions::pointer_size
    /// Code page of 8-bit text; null: as in decode::DisplayOptions.
    std::shared_ptr<const CodePage> code_page{};

    ProblemSink problems{}; // may be empty
    FindingSink findings{}; // may be empty
    RemarkSink remarks{};   // may be empty

    /// `threads`, at least 1.
    unsigned worker_threads() const noexcept;
};

// The files that a person names, opened as traces: event logs are converted. docs/reading.md

/// A file that is read as a trace.
struct Input {
    std::shared_ptr<const io::InputFile> file; // never null; of an event log: the trace it became
    /// What the conversion of an event log found; null: the file is no event log.
    std::shared_ptr<const DiagnosticList> log_findings{};
    /// Its index, which is used even if Options::ignores_indexes is set; null: one is looked for.
    std::shared_ptr<const trace::TraceIndex> index{};

    const std::string& name() const noexcept { return file->name(); }

    bool is_event_log() const noexcept { return log_findings != nullptr; }
};

/// An input that cannot be read, or only in part.
struct Problem : trace::InputProblem {
    /// The findings of its conversion say what is wrong with an event log.
    bool is_in_findings = false;
};

/// Files that are open. Copies share them.
struct Inputs {
    std::vector<Input> files; // in the order given; files in a directory are sorted by name
    std::vector<Problem> problems{};

    /// Adds a problem, and passes it on to Options::problems.
    void add(Problem problem, const Options& options);

    /// The findings of the conversion of the event log with this name; null: it is none.
    const DiagnosticList* findings_in(const std::string& name) const noexcept;
};

/// Opens everything that `paths` refer to, as trace::open_inputs() does, and converts event logs.
/// Calls Options::spooling, problems, and findings.
Inputs open_inputs(const std::vector<std::string>& paths, const Options& options = {});

/// The same for a mapped or in-memory file.
Inputs open_inputs(std::shared_ptr<const io::InputFile> file, const Options& options = {});

// What a person should know about traces that were read, as lines.

/// Keeps problems, remarks, and damage as lines, of damage the first 1000. Not moved: options refer
/// to it. One thread.
class Messages {
public:
    Messages() = default;
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    ~Messages() = default;

    /// Sets the receivers of options, whose dataset this must outlive.
    void receive_from(Options& options);

    /// Damage in an input, with its place. Notes are ignored.
    void add(const Diagnostic& finding, const std::string& input);

    void add(std::string line) { lines_.push_back(std::move(line)); }

    /// Number of findings of damage, those included that are not kept.
    std::uint64_t findings() const noexcept { return findings_; }

    /// All lines, those about damage last. Call it once, at the end.
    std::vector<std::string> take();

private:
    std::vector<std::string> lines_, damage_;
    std::uint64_t findings_ = 0;
};

} // namespace etl::dataset
