// Trace: opens trace files or a live session and returns their events, with names and fields.
//
//     auto trace = etl::Trace::open("trace.etl");
//     if (!trace) {
//         return std::puts(etl::describe(trace.error()).c_str());
//     }
//     for (const etl::Event& event : *trace) {
//         for (const etl::Field& field : event.fields()) { ... field.name(), field.text() ... }
//     }
//     if (const etl::Error* error = trace->error()) { ... } // after the loop
//
// docs/reading.md
#pragma once

#include "base/diagnostic.hpp"
#include "dataset/options.hpp"
#include "relog/edit.hpp"
#include "session/live_source.hpp"
#include "session/session.hpp"
#include "view/event.hpp"

#include <cstddef>
#include <expected>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace etl::dataset {
struct Inputs;
}

namespace etl::inline view {

/// An error and its subject: a path or an invalid option. describe() returns
/// "trace.etl: not found: ...".
using TraceError = dataset::OpenError;
using dataset::describe;

/// How a trace is opened, and which of its events a loop visits. Indexes next to traces are used
/// for `from` and `to`.
using TraceOptions = dataset::Options;

/// What Trace::save does with an existing file.
enum class Existing : bool { keep, replace };

/// The events of one or several traces, or of a live session, as a range of Event. Each begin()
/// restarts at the first event; for a session it continues. Not thread-safe, except stop().
class Trace {
public:
    class Iterator;

    /// Opens a file, compressed or not, an archive, a directory, a pattern, or `-`, as `etl dump`
    /// does. Several traces are merged. Reads the trace once to collect embedded schemas. Errors:
    /// invalid_option (about "where", "from", "to", or "part"), not_found (no trace at the path),
    /// those of trace::Reader and catalog::Catalog.
    static std::expected<Trace, TraceError> open(const std::string& path,
                                                 const TraceOptions& options = {});

    /// Opens several paths together. Fails only if no trace can be opened; problems() lists the
    /// paths that could not be opened.
    static std::expected<Trace, TraceError> open_all(const std::vector<std::string>& paths,
                                                     const TraceOptions& options = {});

    /// Opens a mapped or in-memory file (io::InputFile). A container is read in place; other
    /// compressed files and archives are rejected. Errors: as open().
    static std::expected<Trace, TraceError> open_file(std::shared_ptr<const io::InputFile> file,
                                                      const TraceOptions& options = {});

    /// Consumes a session in real time: the loop waits for events and ends when the session stops.
    /// Events are decoded using their own metadata, schemas that arrived before them, and
    /// `options.schemas`. `order` and `threads` do
    /// not apply. Errors: those of Session::listen (about "session"), invalid_option (about
    /// "where", or an option that requires a complete trace: "from", "to", "enrich", "part", and
    /// "where" with `process` or origins), those of catalog::Catalog.
    static std::expected<Trace, TraceError> listen(const session::Session& session,
                                                   const TraceOptions& options = {});

    Trace(Trace&& other) noexcept;
    Trace& operator=(Trace&& other) noexcept;
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;
    ~Trace();

    /// Moves to the first event and returns an iterator to it.
    Iterator begin();

    std::default_sentinel_t end() const noexcept { return {}; }

    /// Writes the events of a walk to a trace file, byte for byte, together with the context events
    /// needed to decode them and their stacks. The file appears when complete. Returns the number
    /// of events written. begin() restarts afterwards. Errors: unsupported (several traces, a part,
    /// or a session), invalid_option (`path` exists and must be kept, or is the trace itself under
    /// any name), those of trace::Writer and of reading.
    Result<std::uint64_t> save(const std::string& path, Existing existing = Existing::keep);

    /// Edits an event: passes it, emits drafts, or does neither, which drops it (relog/edit.hpp).
    using Edit = std::function<void(const Event& event, relog::Output& to)>;

    /// As save(), but `edit` decides about each event of the walk. Context events and stacks that
    /// are not part of the walk are written as they are.
    Result<std::uint64_t> relog(const std::string& path, const Edit& edit,
                                Existing existing = Existing::keep);

    /// Returns why the walk ended early, or null.
    const Error* error() const noexcept;

    /// Returns the inputs that could not be opened, or only in part.
    std::span<const TraceError> problems() const noexcept;

    /// Returns the damage found so far in this walk: the first limits::kept_findings.
    std::span<const Diagnostic> findings() const noexcept;

    /// Returns the number of all findings, including those not kept.
    std::uint64_t finding_count() const noexcept;

    /// Returns one line for each rejected schema and, after the walk, for each name in `where` that
    /// no event has; not for a part, because another one can have them.
    std::vector<std::string> remarks() const;

    /// Returns the log file headers, by trace number (flow::TraceInfo::file). At least one. Valid
    /// until begin().
    std::span<const flow::TraceInfo* const> infos() const noexcept;

    const flow::TraceInfo& info() const noexcept { return *infos().front(); }

    /// Ends the loop: over a session after the queued events, over files soon, also while no event
    /// matches. begin() starts again. Thread-safe.
    void stop() noexcept;

private:
    struct State;

    explicit Trace(std::unique_ptr<State> state) noexcept;

    /// `about` names the inputs in errors.
    static std::expected<Trace, TraceError> open_inputs(dataset::Inputs inputs, std::string about,
                                                        const TraceOptions& options);

    /// Returns the next event that matches, or null.
    static const Event* next(State& state);

    /// Writes what `edit` makes of the events; null: all of them as they are.
    static Result<std::uint64_t> write(State& state, const std::string& path, const Edit* edit,
                                       Existing existing);

    std::unique_ptr<State> state_;
};

/// An input iterator. All iterators of a trace refer to the same event.
class Trace::Iterator {
public:
    using value_type = Event;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    const Event& operator*() const noexcept { return *event_; }

    const Event* operator->() const noexcept { return event_; }

    Iterator& operator++() {
        event_ = next(*state_);
        return *this;
    }

    void operator++(int) { ++*this; }

    friend bool operator==(const Iterator& iterator, std::default_sentinel_t) noexcept {
        return iterator.event_ == nullptr;
    }

private:
    friend class Trace;

    Iterator(State& state, const Event* event) noexcept : state_(&state), event_(event) {}

    State* state_;
    const Event* event_;
};

} // namespace etl::inline view
