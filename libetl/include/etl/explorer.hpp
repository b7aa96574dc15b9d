// Explorer: opened traces that answer questions about moments, of several threads at a time.
//
//     auto explorer = etl::Explorer::open({"trace.etl"});
//     if (!explorer) {
//         return std::puts(etl::describe(explorer.error()).c_str());
//     }
//     auto cpu = explorer->table({.name = "cpu", .by = "thread",
//                                 .selection = {.from = "+10s", .to = "+10.1s"}});
//
// docs/explore.md
#pragma once

#include <etl/error.hpp>
#include <etl/owned.hpp>
#include <etl/questions.hpp>
#include <etl/table.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace etl::inline view {

/// How traces are opened. Members as in TraceOptions.
struct ExplorerOptions {
    std::vector<std::string> schemas{}, symbols{};
    std::string culture = "en-US";
    unsigned threads = 0; // of each question; 0: one per processor
    bool recursive = false;
    unsigned pointer_size = 0;
};

/// Rows of an answer.
struct Page {
    Table table; // these rows; its total is that of all
    std::uint64_t first_row = 0;
    std::optional<std::uint64_t> rows{};     // of all pages; none: not known yet
    std::optional<std::uint64_t> next_row{}; // of events: the one that follows; none: there is none
};

/// One event, with all that is known of it.
struct EventDetail {
    std::string json; // what `etl dump --format jsonl --enrich` prints of it
    Table fields;     // field, value, and the offset and size of its bytes in the payload
    Table stack;      // address, frame; innermost first
    std::vector<std::byte> header{}, payload{}; // as stored, decompressed
    std::uint64_t file_offset = 0;              // of the record, in the decompressed trace
};

/// Keeps what it has found out about the traces; indexes (`etl index`) make questions about moments
/// cheap. Thread-safe. A question ends early if its `stop`, which outlives the call and may be
/// null, is requested. Errors of all questions: invalid_option, about a member; those of reading;
/// stopped.
class Explorer {
public:
    /// Errors: those of opening, if nothing can be opened.
    static std::expected<Explorer, TraceError> open(const std::vector<std::string>& paths,
                                                    const ExplorerOptions& options = {});

    Explorer(Explorer&& other) noexcept;
    Explorer& operator=(Explorer&& other) noexcept;
    Explorer(const Explorer&) = delete;
    Explorer& operator=(const Explorer&) = delete;
    ~Explorer();

    /// Names of the traces, by number - 1.
    std::vector<std::string> inputs() const;

    /// What could not be opened, and what is wrong with the files, as lines.
    std::vector<std::string> problems() const;

    bool is_indexed() const;

    /// Errors: not_found (no such table, or column).
    std::expected<Page, TraceError> table(const explore::TableQuestion& question,
                                          const Stop* stop = nullptr) const;

    /// The nodes of the tree of `etl flame`, callers before what they called: depth (from 0),
    /// module, function, kind, weight (with what it called), own (without), count, merged, folded.
    std::expected<Page, TraceError> flame(const explore::FlameQuestion& question,
                                          const Stop* stop = nullptr) const;

    /// What tracks did over time, in bins; all rows of `etl tracks`, without a total: track,
    /// process, pid, id, name, state, begin, end, duration_ns, count, bytes.
    std::expected<Page, TraceError> lod(const explore::LodQuestion& question,
                                        const Stop* stop = nullptr) const;

    /// Captured packets, of which the first explore::max_packets are known, or their flows: the
    /// columns of `etl packets`, or of `etl flows`.
    std::expected<Page, TraceError> packets(const explore::PacketsQuestion& question,
                                            const Stop* stop = nullptr) const;

    /// Events in the order of `etl dump`. Columns: row, time, cpu, pid, tid, process, provider,
    /// event, level, text, input, buffer, offset, and those of explore::EventsQuestion::fields.
    std::expected<Page, TraceError> events(const explore::EventsQuestion& question,
                                           const Stop* stop = nullptr) const;
    std::expected<Page, TraceError> search(const explore::SearchQuestion& question,
                                           const Stop* stop = nullptr) const;

    /// Errors: not_found (there is no event at this place).
    std::expected<EventDetail, TraceError> event(const explore::EventPlace& place,
                                                 const Stop* stop = nullptr) const;

    /// The wait of a thread, who ended it, what that thread did meanwhile, and so on; with a
    /// window, what the thread did in it and what it waited for, without gaps. Columns: process,
    /// pid, tid, state, begin, end, duration_ns, reason, waker, waker_pid, waker_tid, what. No
    /// rows: no wait ends at this time or later. Errors: unsupported (a trace of several machines
    /// or boots).
    std::expected<Page, TraceError> follow(const explore::FollowQuestion& question,
                                           const Stop* stop = nullptr) const;

private:
    friend struct Access;

    struct State;

    explicit Explorer(Owned<State> state) noexcept;

    Owned<State> state_;
};

} // namespace etl::inline view
