// Events of late, by time stamp and thread: what to do with the stacks that come behind them.
// Private to relog. One thread; memory does not grow with the trace.
#pragma once

#include "flow/context.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace etl::relog {

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

} // namespace etl::relog
