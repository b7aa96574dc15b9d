// Context that several inputs hold at one time, so that it is given once. One thread.
#pragma once

#include "flow/event.hpp"

#include <cstdint>
#include <vector>

namespace etl::merge {

/// Remembers the context of one time stamp, byte for byte. Allocates only while it grows.
class Repeats {
public:
    /// Whether an earlier input gave this event at its time already, more often than this one did
    /// up to now. Events of another time begin anew, and those of another machine or boot are
    /// others. Context only.
    bool is_repeated(const flow::Event& event, std::uint32_t lane, std::uint32_t machine);

    /// Whether context of this time was asked about last.
    bool is_at(std::int64_t time) const noexcept { return !known_.empty() && time == time_; }

private:
    struct Known {
        std::uint64_t hash;
        std::size_t where; // in bytes_
        std::uint32_t size;
        std::uint32_t lane;  // that asked last
        std::uint32_t asked; // how often it did
        std::uint32_t given; // the most that one lane did
        std::uint32_t next;  // of the same chain, from 1; 0: none
        std::uint32_t machine;
        std::uint16_t processor;
    };

    void begin(std::int64_t time);
    Known* find(std::uint64_t hash, const flow::Event& event, std::uint32_t machine);
    void remember(std::uint64_t hash, const flow::Event& event, std::uint32_t lane,
                  std::uint32_t machine);

    std::int64_t time_ = 0;
    std::vector<Known> known_;
    std::vector<std::byte> bytes_;
    std::vector<std::uint32_t> chains_; // by the end of a hash: the first of known_, from 1
};

} // namespace etl::merge
