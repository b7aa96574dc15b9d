// Slices from start and stop events. Private to analysis. docs/profilers.md#slices
#pragma once

#include "analysis/activity.hpp"
#include "analysis/start_stop_pairs.hpp"

#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// Shows what StartStopPairs finds as slices, and as marks.
class StartStop final : private StartStopSink {
public:
    StartStop(ActivitySink& sink, ActivityThreads& threads) : sink_(&sink), threads_(&threads) {}

    void start(const Context& context);

    /// An event; others than starts and stops of providers with a descriptor are ignored.
    void add(const Record& record);

    /// Shows the slices of which it is known only now whether they are guessed, and the starts that
    /// were not stopped as marks.
    void finish();

    std::uint64_t slices() const noexcept { return slices_; }

    std::uint64_t marks() const noexcept { return marks_; }

    /// Slices whose names end with `(guessed)`.
    std::uint64_t guesses() const noexcept { return guesses_; }

    std::uint64_t unpaired_starts() const noexcept { return unpaired_starts_; }

    std::uint64_t unpaired_stops() const noexcept { return unpaired_stops_; }

    /// Starts beyond limits::analysis_operations.
    std::uint64_t dropped() const noexcept { return events_.dropped() + pairs_.dropped(); }

private:
    /// The starts of a thread that have not stopped. Takes constant time per start, whatever their
    /// order.
    class Nesting {
    public:
        void push(std::uint64_t serial) { starts_.push_back({serial, true}); }

        /// Returns whether it was the innermost one.
        bool remove(std::uint64_t serial);

    private:
        struct Start {
            std::uint64_t serial = 0; // ascending
            bool is_open = false;
        };

        std::vector<Start> starts_; // the last one is open
        std::size_t closed_ = 0;
    };

    /// A slice of PairCertainty::by_group.
    struct Undecided {
        std::int64_t from = 0, to = 0; // raw
        ThreadRow thread = 0;
        std::uint32_t kind = 0, group = 0;
        bool is_nested = false;
    };

    void started(const StartStopEdge& start) override;
    void stopped(const StartStopEdge& start, const StartStopEdge& stop,
                 PairCertainty certainty) override;
    void show(const Undecided& slice, bool is_guess);
    void unpaired(const StartStopEdge& edge) override;
    bool is_shown(const StartStopEdge& edge) const;

    ThreadRow row_of(const StartStopEdge& edge) {
        return threads_->row_of(edge.owner, edge.thread);
    }

    ActivitySink* sink_;
    ActivityThreads* threads_;
    const Context* context_ = nullptr;
    StartStopEvents events_;
    StartStopPairs pairs_{events_, *this};
    std::unordered_map<ThreadRow, Nesting> nesting_;
    std::vector<Undecided> undecided_; // in the order of their ends
    std::uint64_t slices_ = 0, marks_ = 0, guesses_ = 0;
    std::uint64_t unpaired_starts_ = 0, unpaired_stops_ = 0;
};

} // namespace etl::analysis
