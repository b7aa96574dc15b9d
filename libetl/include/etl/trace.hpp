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

#include <etl/error.hpp>
#include <etl/event.hpp>
#include <etl/log_file.hpp>
#include <etl/owned.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::session {
class Session; // etl/session.hpp
}

namespace etl::relog {
class Output; // etl/relog.hpp
}

namespace etl::inline view {

/// The order of events. Several traces require EventOrder::time.
enum class EventOrder : std::uint8_t {
    time,     // by time, then processor, then position
    recorded, // like `time`, but events recorded before the clock was set back come first
    file,     // by the buffers of the file
};

/// One of the parts that the time of the traces is divided into (docs/parts.md).
struct TracePart {
    std::uint32_t number = 1; // 1 to count
    std::uint32_t count = 1;  // at least 1
};

/// How traces are opened, and which of their events a loop visits.
struct TraceOptions {
    /// Schema files, directories, archives, or traces with schemas, as for `etl dump --schema`;
    /// searched after the trace itself and before ETL_SCHEMA_PATH.
    std::vector<std::string> schemas{};
    std::string culture = "en-US"; // message language
    /// Expression that events must match, as for `etl dump --where` (docs/filters.md).
    std::string where{};
    /// Time window (`to` is exclusive), in the forms of docs/filters.md#times: `+5s`, `-10s`,
    /// `2010-10-29 19:10`. A time without a zone is UTC. Indexes next to traces are used.
    std::string from{}, to{};
    EventOrder order = EventOrder::time;
    /// Threads that read, of all inputs together. 0: one per processor, 1: the caller only.
    unsigned threads = 0;
    bool recursive = false; // include subdirectories
    /// Resolve processes, images, files, and stacks, in a separate pass (docs/enrich.md).
    bool enrich = false;
    /// Directories and symbol stores, as for `etl dump --symbols`, for stack frames; `enrich` is
    /// required. _NT_SYMBOL_PATH is searched after them.
    std::vector<std::string> symbols{};
    /// The events of all parts, in their order, are those of the traces. Indexes next to traces are
    /// used; a trace without one is read once first. Requires EventOrder::time.
    TracePart part{};
    /// Use indexes next to traces for schemas and facts, too; a trace without one is read as usual.
    bool uses_indexes = false;
    /// Limit for what is unpacked of archives, in bytes; none: that of docs/limits.md.
    std::optional<std::uint64_t> max_unpacked{};
    /// Size of pointers in the payloads of records that do not state it, in bytes; 0: that of the
    /// trace.
    unsigned pointer_size = 0;
};

/// What is known about one of the traces that were opened together.
struct TraceInfo {
    std::string_view name; // the path, or `archive.zip:member.etl`
    /// The log file header; its values are 0 if the trace has none. Not null.
    const format::LogfileHeader* header = nullptr;
    std::uint64_t size = 0; // of the decompressed trace, in bytes
    std::uint64_t buffers = 0;
    bool has_header = false;
    bool is_finalized = false; // the session ended properly
};

/// The events of one or several traces, or of a live session, as a range of Event. Each begin()
/// restarts at the first event; for a session it continues. Not thread-safe, except stop().
class Trace {
public:
    class Iterator;

    /// Opens a file, compressed or not, an archive, a directory, a pattern, or `-`, as `etl dump`
    /// does. Several traces are merged. Reads the trace once to collect embedded schemas. Errors:
    /// invalid_option (about "where", "from", "to", or "part"), not_found (no trace at the path),
    /// those of reading the files.
    static std::expected<Trace, TraceError> open(const std::string& path,
                                                 const TraceOptions& options = {});

    /// Opens several paths together. Fails only if no trace can be opened; problems() lists the
    /// paths that could not be opened.
    static std::expected<Trace, TraceError> open_all(const std::vector<std::string>& paths,
                                                     const TraceOptions& options = {});

    /// Opens the bytes of a file. `name` is used in messages. A container is read in place; other
    /// compressed files and archives are rejected. Errors: as open().
    static std::expected<Trace, TraceError> open_memory(std::vector<std::byte> bytes,
                                                        const std::string& name,
                                                        const TraceOptions& options = {});

    /// Consumes a session in real time: the loop waits for events and ends when the session stops.
    /// Events are decoded using their own metadata, schemas that arrived before them, and
    /// `options.schemas`. `order` and `threads` do not apply. Errors: not_found (about "session":
    /// it has ended, or is not a real-time session), invalid_option (about "where", or an option
    /// that requires a complete trace: "from", "to", "enrich", "part", and "where" with `process`
    /// or origins), those of reading the schemas.
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
    /// needed to decode them and their stacks. The file appears when complete; a new one is not
    /// readable by more users than the trace. Returns the number of events written. begin()
    /// restarts afterwards. Errors: unsupported (several traces, a part, or a session),
    /// invalid_option (`path` exists and must be kept, or is the trace itself under any name),
    /// those of writing and of reading.
    Result<std::uint64_t> save(const std::string& path, Existing existing = Existing::keep);

    /// Edits an event: passes it, emits drafts, or does neither, which drops it (etl/relog.hpp).
    using Edit = Callback<void(const Event& event, relog::Output& to)>;

    /// As save(), but `edit` decides about each event of the walk. Context events and stacks that
    /// are not part of the walk are written as they are. An empty `edit` passes all events.
    Result<std::uint64_t> relog(const std::string& path, const Edit& edit,
                                Existing existing = Existing::keep);

    /// Returns why the walk ended early, or null.
    const Error* error() const noexcept;

    /// Returns the inputs that could not be opened, or only in part.
    std::span<const TraceError> problems() const noexcept;

    /// Returns the damage found so far in this walk: the first 1000.
    std::span<const Diagnostic> findings() const noexcept;

    /// Returns the number of all findings, including those not kept.
    std::uint64_t finding_count() const noexcept;

    /// Returns one line for each rejected schema and, after the walk, for each name in `where` that
    /// no event has; not for a part, because another one can have them.
    std::vector<std::string> remarks() const;

    /// Returns what is known about the traces, by their numbers. At least one. Valid until begin().
    std::vector<TraceInfo> infos() const;

    TraceInfo info() const { return infos().front(); }

    /// Ends the loop: over a session after the queued events, over files soon, also while no event
    /// matches. begin() starts again. Thread-safe.
    void stop() noexcept;

private:
    struct State;

    explicit Trace(Owned<State> state) noexcept;

    /// Returns the next event that matches, or null.
    static const Event* next(State& state);

    Owned<State> state_;
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
