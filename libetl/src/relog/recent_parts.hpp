// Which parts events of late went to: that of a stack is that of its event. Private to relog.
#pragma once

#include <etl/flow/event.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace etl::relog {

/// By time stamp and thread. Of the oldest nothing is known any more. One thread; memory does not
/// grow with the trace.
class RecentParts {
public:
    RecentParts() : buckets_(bucket_count) {}

    /// An event with a time stamp, and the stack that it says it has, if its record says so.
    void add(const flow::Event& event, const flow::EventHeader& header, std::uint32_t part);

    std::optional<std::uint32_t> find(std::int64_t time, std::uint32_t thread) const noexcept;

private:
    static constexpr std::size_t bucket_count = 1U << 14U;

    struct Entry {
        std::int64_t time = 0;
        std::uint32_t thread = 0;
        std::uint32_t part = none;
    };

    struct Bucket {
        std::array<Entry, 4> entries;
        std::size_t oldest = 0; // the next to be replaced
    };

    static constexpr std::uint32_t none = 0xFFFFFFFF;

    static std::size_t bucket_of(std::int64_t time) noexcept;
    void put(std::int64_t time, std::uint32_t thread, std::uint32_t part) noexcept;

    std::vector<Bucket> buckets_;
};

} // namespace etl::relog
