// Explorer: answers questions about opened traces, and keeps what it has found out about them, so
// that with an index (docs/parts.md#index) a question about a moment of a large trace costs its
// share. Answers are those of the verbs with the same options. docs/explore.md
//
//     auto explorer = explore::Explorer::open({"trace.etl"});
//     auto cpu = explorer->table({.name = "cpu", .by = "thread",
//                                 .selection = {.from = "+10s", .to = "+10.1s"}});
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/questions.hpp>

#include "analysis/stacks.hpp"
#include "analysis/table.hpp"
#include "analysis/tracks.hpp"
#include "dataset/inputs.hpp"
#include "flow/filters.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::explore {

/// Rows, and remarks about them.
struct Answer {
    /// The rows that were asked for; total and coverage are those of all.
    analysis::Table table;
    std::uint64_t first_row = 0;
    std::optional<std::uint64_t> rows{}; // of all pages; none: not known yet
    /// The row that the next question about events begins with; none: no event follows.
    std::optional<std::uint64_t> next_row{};
    /// What was not recorded, damage, names in filters that no event has.
    std::vector<std::string> remarks{};
};

/// What the headers of the traces and of their buffers say.
struct Overview {
    Filetime begin{}, end{}; // of the traces; equal: unknown
    std::uint32_t processors = 0;
    std::optional<std::uint64_t> events{}; // none: without an index, nobody has counted them
    std::uint64_t bytes = 0;               // of the traces, decompressed

    /// Bytes of buffers in columns of equal length from `begin` to `end`. A buffer counts from the
    /// time at which the one before it was written to its own.
    struct Series {
        std::uint32_t processor = 0;
        std::vector<std::uint64_t> bytes;
    };

    std::vector<Series> series{}; // by processor
};

/// Tracks as numbers, for those who draw them.
struct TracksAnswer {
    /// Of each machine and boot.
    std::vector<analysis::TrackBins> traces;
    std::vector<std::string> remarks{}; // as those of Answer
};

/// One event, with all that is known of it.
struct EventAnswer {
    /// The object that `etl dump --format jsonl --enrich` prints of it. docs/output.md
    std::string json;
    /// A row for each value: `field` (its path), `value` (as Windows displays it), `offset` and
    /// `size` (its bytes in the payload; null: they are elsewhere).
    analysis::Table fields;
    /// A row for each address, innermost first: `address`, `frame` (`module!function+0x10`; null:
    /// it has no name). Without rows: no stack was recorded.
    analysis::Table stack;
    std::vector<std::byte> header{}, payload{}; // as stored, decompressed
    std::uint64_t file_offset = 0;              // of the record, in the decompressed trace
};

/// Opened traces. A question can be asked by several threads at a time, each of which gets an
/// answer of its own. `stop` ends a question soon after it is requested, with the error `stopped`;
/// it outlives the call, and may be null.
class Explorer {
public:
    /// Opens everything that `paths` refer to; Options::where, from, to, and part are ignored.
    /// Indexes are used. What cannot be opened is one of problems(). Errors: nothing can be opened.
    static std::expected<Explorer, TraceError> open(const std::vector<std::string>& paths,
                                                    dataset::Options options = {});

    /// The same for files that are open.
    static std::expected<Explorer, TraceError> open_inputs(dataset::Inputs inputs,
                                                           dataset::Options options = {});

    Explorer(Explorer&&) noexcept;
    Explorer& operator=(Explorer&&) noexcept;
    Explorer(const Explorer&) = delete;
    Explorer& operator=(const Explorer&) = delete;
    ~Explorer();

    /// Names of the traces, by number - 1.
    std::vector<std::string> inputs() const;

    /// What could not be opened, and what was found while opening, as lines.
    const std::vector<std::string>& problems() const noexcept;

    /// Whether all traces have indexes.
    bool is_indexed() const;

    /// The times of a selection; nothing: those of the traces. Errors: invalid_option.
    std::expected<flow::TimeFilter::Window, TraceError> window_of(const Selection& selection) const;

    /// Costs about the same with any index, or without. `columns` is at most 10000.
    Overview overview(std::uint32_t columns) const;

    // The errors of all questions: invalid_option, with the name of a member, and those of
    // expressions; those of schema files and of reading; stopped.

    /// The table that analysis::table_of() returns. Errors: not_found (no such table, or column).
    std::expected<Answer, TraceError> table(const TableQuestion& question,
                                            const Stop* stop = nullptr) const;

    /// The table whose Table::stacks is the tree of `etl flame`, without the smallest nodes.
    std::expected<Answer, TraceError> flame(const FlameQuestion& question,
                                            const Stop* stop = nullptr) const;

    /// The rows of the table `tracks`, and Table::bins. With levels of detail in the index, any
    /// window costs about the same. Its total, and the rest of the coverage, are missing.
    std::expected<Answer, TraceError> lod(const LodQuestion& question,
                                          const Stop* stop = nullptr) const;

    /// The same without rows, of the tracks that `wants` accepts; empty: all.
    std::expected<TracksAnswer, TraceError>
    tracks(const LodQuestion& question, const Stop* stop = nullptr,
           const std::function<bool(const analysis::Track&)>& wants = {}) const;

    /// The first max_packets packets in the order of `etl packets`, or all conversations.
    std::expected<Answer, TraceError> packets(const PacketsQuestion& question,
                                              const Stop* stop = nullptr) const;

    /// Events in the order of `etl dump`. Columns: row, time, cpu, pid, tid, process, provider,
    /// event, level, text (fields and message), input, buffer, offset. Without a filter and with
    /// an index, any row costs the same.
    std::expected<Answer, TraceError> events(const EventsQuestion& question,
                                             const Stop* stop = nullptr) const;

    /// Events as above, with their rows among those of events().
    std::expected<Answer, TraceError> search(const SearchQuestion& question,
                                             const Stop* stop = nullptr) const;

    /// Errors: not_found (there is no event at this place).
    std::expected<EventAnswer, TraceError> event(const EventPlace& place,
                                                 const Stop* stop = nullptr) const;

    /// Why a thread waited: the wait that contains a time, or ends next after it, then what the
    /// thread that ended it did meanwhile, back to the begin of the wait, or to a wait of its own,
    /// and so on. No rows: no wait of the thread ends later. With a window: what the thread did in
    /// it, and instead of each wait what the thread that ended it did, in the order of time and
    /// without gaps. Columns: process, pid, tid, state (running, ready, waiting, unknown, cycle),
    /// begin, end, duration_ns, reason, waker (as analysis::WakerKind), waker_pid, waker_tid, what
    /// (the routine or file of the waker). Errors: as analysis::thread_history().
    std::expected<Answer, TraceError> follow(const FollowQuestion& question,
                                             const Stop* stop = nullptr) const;

private:
    struct State;

    explicit Explorer(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

/// Returns the expression (docs/filters.md) that Explorer::search() looks for.
std::string search_expression(const std::string& text);

/// Returns an answer that has all rows with those of a page: sorted by a column, unless `sort` is
/// empty. Errors: not_found (no such column).
std::expected<Answer, TraceError> sorted_page(Answer answer, const std::string& sort,
                                              bool is_reversed, const Rows& rows);

/// Returns the nodes of a tree as rows, callers before what they called: depth (from 0), module,
/// function, kind, weight (with what it called), own (without), count, merged, folded.
analysis::Table nodes_of(const analysis::StackTree& tree);

} // namespace etl::explore
