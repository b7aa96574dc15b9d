// Slices of time of a trace, each merged by itself: by the threads that load, ahead of need.
#pragma once

#include "base/prefetch.hpp"
#include "trace/ordering/merge.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <span>
#include <vector>

namespace etl::trace {

/// The events of several chains up to some time, in the order of Merge.
class TimeSlice {
public:
    /// Shelf: lets go of the buffers.
    bool put_away() noexcept;

    /// Adds events of a chain, which follow those added before if that was of the same chain.
    void add(const OpenBuffer& part);

    /// Once, after all parts were added. Any thread.
    void merge();

    /// What merge() made of it; valid as long as this object.
    std::span<const flow::Run> runs() const noexcept { return runs_; }

    /// What its buffers take, the file included.
    std::uint64_t bytes() const noexcept { return bytes_; }

    std::size_t events() const noexcept { return events_; }

private:
    std::vector<OpenBuffer> parts_;
    std::vector<flow::Run> runs_;
    std::uint64_t bytes_ = 0;
    std::size_t events_ = 0;
};

/// Cuts slices where chains are in order: each buffer of a chain begins at or after the end of the
/// one before. There, the order of the merge is that of (time, rank), wherever it is cut. One
/// thread.
class TimeSlices {
public:
    /// All outlive this object; `loading` has a pool.
    TimeSlices(std::vector<Chain>& chains, ChainLoading& loading, TraceFindings& findings)
        : chains_(&chains), loading_(&loading), findings_(&findings) {}

    /// Slices are cut from now on. `open`: at most one buffer of each chain; what else a chain has
    /// is in order with it.
    void begin(std::vector<OpenBuffer> open);

    /// From begin() on, up to end().
    bool is_active() const noexcept { return is_active_; }

    /// Empty: nothing more can be cut here.
    flow::Run next_run() {
        if (next_ == runs_.size()) [[unlikely]] {
            take_slice();
        }
        if (next_ == runs_.size()) {
            return {};
        }
        // What another thread found is in its cache.
        constexpr std::size_t ahead = 8;
        prefetch(runs_[std::min(next_ + ahead, runs_.size() - 1)].data(), 0);
        return runs_[next_++];
    }

    /// Keeps the events of the last run.
    flow::Pin pin() const { return current_; }

    /// After next_run() was empty: what is open, for a merge event by event.
    std::vector<OpenBuffer> end();

private:
    using SlicePointer = std::shared_ptr<TimeSlice>;

    struct Cut {
        std::int64_t time = 0; // of the first event that is left out
        bool is_end = true;    // none is left out
    };

    struct Merging {
        SlicePointer slice;
        std::future<void> done; // invalid: it is merged
    };

    static void cut_at(const flow::Event& event, Cut& cut) noexcept;
    void take_slice();
    void refill();
    bool cut_slice();
    Cut next_cut();
    void extend(const OpenBuffer& open, Cut& cut);
    void take_up_to(const Cut& cut, OpenBuffer& open, TimeSlice& into);
    void advance(OpenBuffer& open);

    std::vector<Chain>* chains_;
    ChainLoading* loading_;
    TraceFindings* findings_;
    bool is_active_ = false;
    std::vector<OpenBuffer> open_; // of each chain, where the next slice begins
    std::deque<Merging> merging_;  // the slices before that
    std::uint64_t merging_bytes_ = 0;
    SlicePointer current_; // whose runs are returned,
    std::span<const flow::Run> runs_;
    std::size_t next_ = 0; // from here on
    std::shared_ptr<Shelf<TimeSlice>> shelf_ = std::make_shared<Shelf<TimeSlice>>();
};

} // namespace etl::trace
