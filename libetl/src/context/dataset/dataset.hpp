// Dataset: traces that are open, and what is known about them.
//
//     auto traces = etl::dataset::Dataset::open({"*.etl"});
//     auto context = traces.context({.schemas = gather::SchemaScope::everything});
//     auto events = traces.events();
//     for (flow::Run run = events->source().next_run(); !run.empty(); ...) { ... }
//
// docs/decisions/0035-dataset.md
#pragma once

#include "dataset/inputs.hpp"
#include "flow/filters.hpp"
#include "gather/facts.hpp"
#include "gather/schemas.hpp"
#include "gather/store_symbols.hpp"
#include "gather/trace_index.hpp"
#include "match/matcher.hpp"
#include "trace/parts.hpp"

#include <atomic>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etl::dataset {

/// What must be known about the traces before their events are processed.
struct Needs {
    std::optional<gather::SchemaScope> schemas{}; // none: only if facts or origins need them
    std::optional<facts::Scope> facts{};          // none: not needed
    bool origins = false;                         // machines, boots, and inputs of merges
    /// Of events outside of this window, stacks are not needed. Where a trace has an index, it is
    /// not read for them.
    flow::TimeFilter::Window stacks{};
};

/// Whether a time window contains another one.
bool covers(const flow::TimeFilter::Window& outer, const flow::TimeFilter::Window& inner) noexcept;

/// What is known about all events of the traces. Shared by copies.
struct Context {
    schema::SchemasByTrace schemas{};
    std::shared_ptr<const catalog::Catalog> schema_files{}; // null: schemas were not needed
    std::shared_ptr<const facts::FactsByTrace> facts{};     // null: not needed
    /// Not null. If they were not needed, as far as the headers of the traces state them.
    std::shared_ptr<const facts::Origins> origins{};
};

/// What a dataset has found about its traces: for others of the same inputs, schemas, and code
/// page.
struct Known {
    Context context{};
    Needs needs{}; // what it contains
};

/// The events that Options::where, from, and to choose.
struct Filters {
    match::Condition condition{};
    flow::TimeFilter::Window window{};
};

/// Compiles Options::where. Before traces are open, the bounds are `{.start = {}, .end =
/// Filetime{}}`, so that only the expression itself can be wrong. Errors: invalid_option.
std::expected<match::Condition, TraceError> compile_where(const std::string& where,
                                                          const match::TimeBounds& bounds);

/// Resolves Options::from and to. Errors: invalid_option.
std::expected<flow::TimeFilter::Window, TraceError>
compile_window(const std::string& from, const std::string& to, const match::TimeBounds& bounds);

/// Events to read.
struct Window {
    flow::TimeFilter::Window time{};
    trace::Part part{};
    /// The first part begins with the traces, not with `time`.
    bool has_all_before = false;
    std::optional<Selection> select{}; // instead of Options::select
    /// Counts events that `time` leaves out because they have no usable time; may be null, must
    /// outlive the events.
    std::atomic<std::uint64_t>* untimed = nullptr;
};

/// Readers of one window, by number of the input. The dataset must outlive them.
struct WindowSources {
    std::vector<std::unique_ptr<trace::WindowReader>> readers;
    std::optional<Filetime> begin{}; // none: with the traces
};

/// Events of a dataset as one source, which is read once. The dataset must outlive it.
class Events {
public:
    flow::Source& source() const noexcept { return *source_; }

private:
    friend class Dataset;

    WindowSources window_;
    std::unique_ptr<flow::Source> joined_, timed_;
    flow::Source* source_ = nullptr; // the last of the chain
};

/// Open traces. Each input has a number, flow::TraceInfo::file. Not thread-safe.
class Dataset {
public:
    /// Opens everything that `paths` refer to. What cannot be opened is a problem; if nothing can,
    /// is_empty() is true. Threads are divided among the inputs.
    static Dataset open(const std::vector<std::string>& paths, Options options = {});

    /// Opens a reader for each input. Inputs that are no traces are removed and become problems.
    explicit Dataset(Inputs inputs, Options options = {});

    Dataset(Dataset&&) noexcept;
    Dataset& operator=(Dataset&&) noexcept;
    Dataset(const Dataset&) = delete;
    Dataset& operator=(const Dataset&) = delete;
    ~Dataset();

    /// The same inputs from their beginnings, with what is known about them. `findings` may be
    /// empty. Errors: those of trace::Reader, about the input that can no longer be read.
    std::expected<Dataset, TraceError> again(Selection select, FindingSink findings) const;

    /// The same with other options about which events are read and who is told what; those about
    /// files, schemas, facts, and symbols are the same as in options(). Without
    /// Options::findings, buffers are not looked for again. Thread-safe if nothing else changes
    /// this dataset.
    std::expected<Dataset, TraceError> again(Options options) const;

    bool is_empty() const noexcept { return readers_.empty(); }

    /// By number.
    const std::vector<Input>& inputs() const noexcept { return inputs_.files; }

    /// Inputs that could not be opened, or only in part.
    const std::vector<Problem>& problems() const noexcept { return inputs_.problems; }

    /// What has not been opened or found yet follows changes.
    Options& options() noexcept { return options_; }

    const Options& options() const noexcept { return options_; }

    /// Readers by number. None is null until it is released.
    const std::vector<std::unique_ptr<trace::Reader>>& readers() const noexcept { return readers_; }

    /// Gives a reader away. A null pointer takes its place. Its findings are still reported by this
    /// dataset, which must outlive it.
    std::unique_ptr<trace::Reader> release(std::size_t number) {
        return std::move(readers_[number]);
    }

    /// Log file headers, by number. Valid as long as the readers.
    std::vector<const flow::TraceInfo*> infos() const;

    /// When the first trace starts and the last ends, for relative times.
    const match::TimeBounds& bounds() const noexcept { return bounds_; }

    /// Whether the first event after a time window ends it: not with other orders than that of
    /// time, or if a file contains several runs.
    flow::TimeFilter::Upstream upstream() const noexcept { return upstream_; }

    /// Whether events may come from several machines or boots: there are several traces, or one
    /// that was merged.
    bool may_have_several_origins() const noexcept;

    /// Options::where, from, and to, for these traces. Errors: invalid_option.
    std::expected<Filters, TraceError> filters() const;

    /// Finds what is needed and not yet known, in as few passes as possible. Reports remarks.
    /// Errors: a schema file of the options that cannot be used. Call it before readers are
    /// released.
    std::expected<Context, TraceError> context(const Needs& needs);

    /// Returns what context() has found so far.
    Known known() const { return {context_, known_}; }

    /// Takes over what another dataset has found, instead of what this one has.
    void recall(const Known& known) {
        context_ = known.context;
        known_ = known.needs;
    }

    /// The symbols of Options::symbols, opened on first need; null: no places are named.
    std::shared_ptr<gather::StoreSymbols> symbols();

    /// The index next to each input, read on first need; null: none. A remark says why one is not
    /// used.
    gather::Indexes indexes();

    /// Whether all inputs have indexes, and Options::uses_indexes is set.
    bool is_indexed();

    /// Reads the inputs that have no index, once. All have one afterwards.
    void complete_indexes();

    /// Reads an input once to make its index, which takes the place of the one that it had. Returns
    /// gather::MadeIndex::damage.
    std::uint64_t make_index(std::size_t number);

    /// One reader for each input, of the buffers that the window needs. Completes the indexes.
    /// Errors: those of trace::WindowReader.
    std::expected<WindowSources, TraceError> window_sources(const Window& window);

    /// How open_window() reads.
    struct WindowOptions {
        std::optional<Selection> select{}; // instead of Options::select
        bool is_silent = false;            // another reader reports findings
    };

    /// The reader of one input and of a window of it alone. Completes its index. Errors: as
    /// window_sources().
    std::expected<std::unique_ptr<trace::WindowReader>, TraceError>
    open_window(std::size_t number, const flow::TimeFilter::Window& window,
                const WindowOptions& options);

    /// Returns which buffers of an input contain events of kinds of which `is_wanted`, which is
    /// called with one event of each, is true. Nothing: they are not known, because there is no
    /// index, or Options::uses_indexes is not set, or they are not worth it
    /// (gather::buffers_of_kinds).
    std::optional<std::vector<bool>>
    buffers_of_kinds(std::size_t number, FunctionRef<bool(const flow::Event& event)> is_wanted);

    /// Leaves out, from the events of readers(), the buffers that contain only events of kinds that
    /// the condition cannot match, as far as indexes know them and Options::uses_indexes is set.
    /// Call it before the events are read, by whoever leaves out what does not match.
    void skip_kinds(const match::Condition& where, const match::MatcherInputs& inputs);

    /// Whether events() reads the buffers of this window alone, and leaves the readers as they are.
    bool reads_window(const Window& window);

    /// The events in a window, in the order of the options, by the selection of the dataset. A
    /// window costs its share if reads_window(); any other uses up the readers. Errors: as
    /// window_sources().
    std::expected<Events, TraceError> events(const Window& window = {});

    /// One source of these; the sources by number, which outlive it. Several are merged by time, or
    /// follow each other in another order.
    std::unique_ptr<flow::Source> join(std::vector<flow::Source*> sources) const;

    /// Reports names in the expression that no event has had, as remarks. Call it once, after the
    /// events.
    void report_unmatched(const match::Condition& where) const;

    /// Reports inputs that have become shorter while they were read. Call it at the end.
    void report_truncation();

    /// Tells nobody of problems, findings, and remarks from now on: those whom the options name may
    /// go away. Not while readers are read by other threads.
    void silence() noexcept;

private:
    class Findings;

    Dataset(Inputs inputs, Options options, const Dataset* again);

    Result<std::unique_ptr<trace::Reader>> open_reader(const Input& input, trace::ReaderOptions how,
                                                       const Dataset* again);
    trace::ReaderOptions reader_options(std::size_t inputs) const;
    std::expected<void, TraceError> find_schemas(gather::SchemaScope scope,
                                                 facts::OriginCollector* origins);
    void remark(const gather::Remark& remark) const;
    gather::Indexes useful_indexes();
    void keep_index(std::size_t number) const;

    Inputs inputs_;
    Options options_;
    std::unique_ptr<Findings> findings_;
    std::vector<std::unique_ptr<trace::Reader>> readers_; // report to findings_
    match::TimeBounds bounds_;
    flow::TimeFilter::Upstream upstream_ = flow::TimeFilter::Upstream::ordered;

    std::vector<std::shared_ptr<const trace::TraceIndex>> opened_by_; // null: not by an index
    std::vector<std::shared_ptr<const trace::TraceIndex>> indexes_;   // empty: not looked for yet
    Context context_;
    Needs known_; // what context_ contains
    std::shared_ptr<gather::StoreSymbols> symbols_;
};

} // namespace etl::dataset
