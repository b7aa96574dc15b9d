// Which events were kept of late, and which stack keys were named: what decides on the stacks that
// come behind them. Private to relog. One thread; memory does not grow with the trace.
#pragma once

#include "flow/context.hpp"
#include "relog/limits.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace etl::relog {

// Events of late, by time stamp and thread: what to do with the stacks that come behind them. One
// thread; memory does not grow with the trace.

/// A number for each stamp. Of each bucket the oldest makes way for the newest.
class RecentStamps {
public:
    /// Numbers are below.
    static constexpr std::uint32_t unused = 0xFFFF'FFFF;

    /// `stamps`: how many are remembered; a power of two, at least 8.
    explicit RecentStamps(std::size_t stamps);

    /// `thread` is flow::no_id where the record names none: then any will do.
    void add(std::int64_t time, std::uint32_t thread, std::uint32_t number) noexcept;

    std::optional<std::uint32_t> find(std::int64_t time, std::uint32_t thread) const noexcept;

    /// Whether one of this time may have made way.
    bool may_have_forgotten(std::int64_t time) const noexcept {
        return time <= buckets_[bucket_of(time)].forgotten;
    }

private:
    struct Entry {
        std::int64_t time = 0;
        std::uint32_t thread = 0;
        std::uint32_t number = unused;
    };

    struct Bucket {
        std::array<Entry, 4> entries;
        std::size_t oldest = 0; // the next to be replaced
        std::int64_t forgotten = std::numeric_limits<std::int64_t>::min(); // newest of these
    };

    std::size_t bucket_of(std::int64_t time) const noexcept;

    std::vector<Bucket> buckets_;
    unsigned shift_;
};

/// What the stacks behind an event tell of it.
struct StackStamp {
    std::int64_t time = 0;
    std::uint32_t thread = flow::no_id; // no_id: of whatever thread
};

/// The stamps by which an event's stacks find it, in turn. Records of the kernel have their stacks
/// behind them; EVENT records carry theirs, or tell in an item when the rest of it was taken.
class StackStamps {
public:
    StackStamps(const flow::Event& event, const flow::EventHeader& header) noexcept;

    /// False: there are no more.
    bool next(StackStamp& stamp) noexcept;

private:
    flow::StackItems items_;
    StackStamp own_;
    bool has_own_ = false;
};

// The last event of the .NET runtime on each thread: what to do with the stack that the runtime
// logs for it. One thread; memory does not grow with the trace.

template <typename Value>
class RuntimeEvents {
public:
    /// An event of a runtime: a stack that follows on its thread is its own.
    void add(const flow::Event& event, const Value& value) {
        if (last_.size() >= limits::kept_runtime_threads) {
            last_.clear();
            has_forgotten_ = true;
        }
        last_.insert_or_assign(flow::runtime_thread_of(event), value);
    }

    /// Returns the value of the event that a stack belongs to, which has no further one.
    std::optional<Value> take(const flow::Event& stack) {
        const auto node = last_.extract(flow::runtime_thread_of(stack));
        return node ? std::optional(node.mapped()) : std::nullopt;
    }

    /// Whether events were forgotten because of too many threads.
    bool has_forgotten() const noexcept { return has_forgotten_; }

private:
    std::map<flow::RuntimeThread, Value> last_;
    bool has_forgotten_ = false;
};

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
