// Which events were kept of late, and which stack keys were named: what decides on the stacks that
// come behind them. Private to relog. One thread; memory does not grow with the trace.
#pragma once

#include <etl/flow/event.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_set>
#include <vector>

namespace etl::relog {

/// Times of kept events, by hash. Of the oldest it is only known that they may have been there:
/// a stack that comes very late stays rather than being lost.
class KeptStamps {
public:
    KeptStamps();

    /// `thread` is flow::no_id where the record names none: then any will do.
    void add(std::int64_t time, std::uint32_t thread) noexcept;

    bool may_have(std::int64_t time, std::uint32_t thread) const noexcept;

private:
    struct Stamp {
        std::int64_t time = 0;
        std::uint32_t thread = 0;
        bool used = false;
    };

    struct Bucket {
        std::array<Stamp, 4> stamps;
        std::size_t oldest = 0; // the next to be replaced
        std::int64_t forgotten = std::numeric_limits<std::int64_t>::min(); // newest of these
    };

    std::vector<Bucket> buckets_;
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
