// Which events were kept of late, and which stack keys were named: what decides on the stacks that
// come behind them. Private to relog. One thread; memory does not grow with the trace.
#pragma once

#include "relog/limits.hpp"
#include "relog/recent_stamps.hpp"

#include <unordered_map>
#include <unordered_set>

namespace etl::relog {

/// Stamps of kept events. Of the oldest it is only known that they may have been there: a stack
/// that comes very late stays rather than being lost.
class KeptStamps {
public:
    void add(std::int64_t time, std::uint32_t thread) noexcept { stamps_.add(time, thread, 0); }

    /// Those by which the stacks of a kept event will find it.
    void add(const flow::Event& event, const flow::EventHeader& header) noexcept {
        StackStamps of(event, header);
        StackStamp stamp;
        while (of.next(stamp)) {
            add(stamp.time, stamp.thread);
        }
    }

    bool may_have(std::int64_t time, std::uint32_t thread) const noexcept {
        return stamps_.may_have_forgotten(time) || stamps_.find(time, thread).has_value();
    }

private:
    RecentStamps stamps_{limits::kept_timestamps};
};

/// User-mode parts of stacks that kept kernel-mode parts share: the next one of their thread, which
/// can be recorded for an event that is not kept.
class AwaitedUserParts {
public:
    /// A kernel-mode part of an event at `time` was kept.
    void add(std::uint32_t thread, std::int64_t time);

    /// Returns whether the user-mode part of an event at `time` is awaited, and ends waiting.
    bool take(std::uint32_t thread, std::int64_t time);

private:
    std::unordered_map<std::uint32_t, std::int64_t> times_; // by thread
    bool full_ = false;
};

/// Keys of stacks that kept records name. Of very many all count as named.
class NamedKeys {
public:
    void add(std::uint64_t key);

    bool may_have(std::uint64_t key) const { return full_ || keys_.contains(key); }

private:
    std::unordered_set<std::uint64_t> keys_;
    bool full_ = false;
};

} // namespace etl::relog
