// Tracks: what each processor, thread, disk, ... of a trace did over time, in bins of equal length,
// for pictures. Values. docs/analysis.md#tracks
#pragma once

#include "analysis/table.hpp"
#include "base/interval.hpp"
#include "flow/clock.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::analysis {

/// What a track shows, and what its states are.
enum class TrackKind : std::uint8_t {
    processor,  // the thread that it runs: the number of its track
    interrupts, // of a processor; index in interrupt_kinds
    thread,     // ThreadState, and the reason of a wait
    samples,    // of a process; 0
    disk,       // 0 reads, 1 writes, 2 flushes
    files,      // of a process; type of the operation
    faults,     // of a process; 0
    gc,         // of a process; 0: it is suspended
    activity,   // starts and stops of a process; ActivityCertainty
    events,     // of a provider; level
    heap,       // of a process: the size of its .NET heap after a collection; 0
    kinds,
};

/// Returns `processor`, `interrupts`, ...
std::string_view name(TrackKind kind) noexcept;

/// All of these names.
std::span<const std::string_view> track_kind_names() noexcept;

/// Returns the kind with this name, without regard to case; nothing if there is none.
std::optional<TrackKind> find_track_kind(std::string_view name) noexcept;

/// States of a thread. From `waiting` on: that, and a KWAIT_REASON.
struct ThreadState {
    enum : std::uint32_t { running, ready, waiting };
};

/// How a start and its stop were paired. docs/analysis.md#start-stop
struct ActivityCertainty {
    enum : std::uint32_t { exact, by_fields, guessed };
};

/// A track of one trace.
struct Track {
    TrackKind kind = TrackKind::processor;
    std::optional<std::uint32_t> pid{}; // none: of no process, or unknown
    std::string process{};              // its name; empty: unknown
    std::optional<std::uint64_t> id{};  // of a processor, a thread, or a disk
    std::string name{};                 // of a provider, or of an activity

    auto operator<=>(const Track&) const = default;
};

/// What is added up in a bin.
struct TrackSum {
    std::uint64_t ticks = 0; // of intervals
    std::uint64_t count = 0; // of events, or of intervals, in the bin of their last tick
    std::uint64_t bytes = 0; // of events, of transfers, or of a heap each time it was recorded

    void add(const TrackSum& other) noexcept {
        ticks += other.ticks;
        count += other.count;
        bytes += other.bytes;
    }

    bool operator==(const TrackSum&) const = default;
};

/// One state of a track in one bin, or in several that it fills.
struct TrackPiece {
    std::uint32_t track = 0;
    std::uint32_t state = 0;
    std::int64_t bin = 0; // the first one
    std::uint64_t bins = 1;
    TrackSum each{}; // in each bin; several: whole multiples of a bin's ticks, and nothing else

    bool operator==(const TrackPiece&) const = default;
};

/// A time, or a bin, as a number whose differences do not overflow.
constexpr std::uint64_t unsigned_time(std::int64_t time) noexcept {
    return static_cast<std::uint64_t>(time);
}

/// Tracks over bins of 2^shift ticks: bin N has the raw times from N << shift on. A value.
struct TrackBins {
    unsigned shift = 0;
    std::vector<Track> tracks;          // sorted
    std::vector<TrackPiece> pieces;     // by track, state, and bin
    std::uint64_t dropped = 0;          // amounts beyond limits
    flow::Clock clock{};                // of raw times
    std::vector<std::string> missing{}; // sources that the trace does not contain
};

/// Whether the states of a track last; else they are moments.
bool has_duration(TrackKind kind) noexcept;

/// Whether bytes are counted.
bool has_size(TrackKind kind) noexcept;

/// Whether bytes are sizes of one thing at several times: their mean is of interest, not their sum.
bool has_mean_size(TrackKind kind) noexcept;

/// Returns the bytes of a bin as people mean them: their sum, or, of sizes, their mean.
std::uint64_t bytes_of(TrackKind kind, const TrackSum& sum) noexcept;

/// Returns the name of a state of a track: `running`, `WrQueue`, `read`, ...
std::string state_name(const TrackBins& bins, const TrackPiece& piece);

/// Returns the columns of the table `tracks`, in ticks.
std::vector<Column> track_columns();

/// Returns its rows, in ticks.
std::vector<Row> track_rows(const TrackBins& bins);

/// Returns what was not recorded in any of several traces, and what is beyond limits. The rest is
/// missing.
Coverage coverage_of(std::span<const TrackBins> all);

/// Returns the table of the tracks of several traces, with that coverage, in nanoseconds. Keys
/// that tell the traces apart, and the total, are missing.
Table table_of(std::vector<TrackBins> all);

/// Returns the part of an interval from a time on; nothing if it ended before.
std::optional<Interval> from_time(const Interval& interval, std::int64_t begin) noexcept;

/// Puts the tracks that have pieces in order, and numbers and orders the pieces accordingly.
void sort_tracks(TrackBins& bins);

/// Returns the shift of the longest bins of which a range has at least so many.
unsigned shift_for(const Interval& range, std::uint64_t bins) noexcept;

} // namespace etl::analysis
