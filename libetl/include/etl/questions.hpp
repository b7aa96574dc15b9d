// Questions about opened traces: what a viewer, an assistant, or a script asks of a moment. Values.
// docs/explore.md
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etl::explore {

/// Which events a question is about, by the options of the verbs.
struct Selection {
    /// Time window (`to` is exclusive), in the forms of docs/filters.md#times; empty: no bound.
    std::string from{}, to{};
    std::string where{}; // expression (docs/filters.md); empty: all
    /// Names, globs, and IDs, as for --process; empty: all.
    std::vector<std::string> processes{};
};

/// Which rows of an answer are returned.
struct Rows {
    std::uint64_t first = 0;
    std::uint64_t count = 100; // at most max_rows
};

/// Rows of one answer at most. More is an error.
inline constexpr std::uint64_t max_rows = 100'000;

/// A table: that of `etl cpu`, `etl waits`, or another verb.
struct TableQuestion {
    std::string name{}; // of the table: `cpu`
    std::string by{};   // what rows are: `process`; empty: the default
    Selection selection{};
    std::uint32_t slices = 60;        // of tables by slices; at most 10000
    std::uint32_t per_kind = 20;      // of `slowest`
    std::string source{};             // of tables of hardware counters; empty: all
    bool excludes_interrupts = false; // from running time
    /// A column that the rows are sorted by: numbers descending, texts ascending. Empty: the order
    /// of the verb.
    std::string sort{};
    bool is_reversed = false; // of `sort`
    Rows rows{};
};

/// The stacks of samples, waits, or other events, as a tree of frames.
struct FlameQuestion {
    std::string kind = "cpu"; // as for `etl flame --kind`
    Selection selection{};
    std::string source{}; // of kind `counter`; empty: all
    /// Frames with less than this part of the whole weight, 0 to 1, are `(smaller ones)`.
    double smallest_share = 0.0;
    std::uint32_t largest_depth = 0; // of frames below it, too; 0: no limit
    std::uint32_t nodes = 100'000;   // of the tree, at most
    /// Patterns of frames (docs/flame.md#patterns); empty: none. `grouping` is also the name of a
    /// usual one, such as `module-entries`.
    std::string grouping{}, folding{}, include{}, exclude{};
    /// Frames with less than this part of the whole weight, 0 to 100, become part of their callers.
    double fold_percent = 0.0;
    /// Processes are told apart by their IDs, too; for comparisons of traces, they are not.
    bool has_process_ids = true;
    /// Functions come first, by their own weight, and below them who called them.
    bool is_inverted = false;
    /// A frame, as `module!function` or the name of a group: the tree is what it called, or, with
    /// `is_inverted`, who called it. Its weight is that of all stacks with the frame. Empty: all.
    std::string focus{};
};

/// What tracks did over time, for a picture: the table of `etl tracks`.
struct LodQuestion {
    Selection selection{};
    std::uint32_t columns = 1000;     // of the picture, at most 10000: at least so many bins
    std::vector<std::string> kinds{}; // of tracks: `thread`, `disk`, ...; empty: all
};

/// Captured packets, as `etl packets` prints them, or the conversations that they are part of, as
/// `etl flows` does.
struct PacketsQuestion {
    Selection selection{};
    bool are_flows = false;
    std::string sort{}; // a column; empty: as the verb does
    bool is_reversed = false;
    Rows rows{};
};

/// Packets that an answer knows of.
inline constexpr std::uint64_t max_packets = 20'000;

/// Events in the order of `etl dump`.
struct EventsQuestion {
    Selection selection{};
    Rows rows{};
    /// Paths of fields, at most max_fields and each once, that have columns of their own after the
    /// others: `data.PATH`, with the values as Windows displays them, those of one event separated
    /// by `, `, and an ellipsis instead of what is beyond 4096 bytes; null: the event has no such
    /// value. With n fields, a page has at most max_rows / (n + 1) events.
    std::vector<std::string> fields{};
};

/// Fields with columns of their own.
inline constexpr std::size_t max_fields = 32;

/// Events that contain a text in the names of provider, event, or task, in a value, or in the
/// message. Case is ignored.
struct SearchQuestion {
    std::string text{};
    Selection selection{};
    /// The first row that is searched, of those of an EventsQuestion with the same selection.
    std::uint64_t from_row = 0;
    std::uint64_t count = 100; // events, at most max_rows
};

/// Where an event is. Columns of pages of events.
struct EventPlace {
    std::uint32_t input = 1;  // number of the trace, from 1
    std::uint64_t buffer = 0; // number of its buffer
    std::uint32_t offset = 0; // of its record in the decompressed buffer
};

/// Why a thread waited at a time: the wait that contains the time, or ends next after it. Or, with
/// a window instead, what the thread did in it and what it waited for: the critical path.
struct FollowQuestion {
    std::uint32_t tid = 0;
    std::string at{}; // time, in the same forms
    std::uint32_t input = 1;
    std::string from{}, to{}; // window (`to` is exclusive)
};

} // namespace etl::explore
