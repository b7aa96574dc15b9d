#include "relog/kept_stacks.hpp"

#include <etl/base/limits.hpp>

#include <algorithm>
#include <bit>

namespace etl::relog {

namespace {

constexpr std::size_t buckets = limits::kept_stamps / 4;
static_assert(std::has_single_bit(buckets));

std::size_t bucket_of(std::int64_t time) noexcept {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
    constexpr unsigned shift = 64U - static_cast<unsigned>(std::countr_zero(buckets));
    return static_cast<std::size_t>((static_cast<std::uint64_t>(time) * golden) >> shift);
}

} // namespace

KeptStamps::KeptStamps() : buckets_(buckets) {}

void KeptStamps::add(std::int64_t time, std::uint32_t thread) noexcept {
    Bucket& bucket = buckets_[bucket_of(time)];
    Stamp& stamp = bucket.stamps[bucket.oldest];
    if (stamp.used) {
        bucket.forgotten = std::max(bucket.forgotten, stamp.time);
    }
    stamp = {time, thread, true};
    bucket.oldest = (bucket.oldest + 1) % bucket.stamps.size();
}

bool KeptStamps::may_have(std::int64_t time, std::uint32_t thread) const noexcept {
    const Bucket& bucket = buckets_[bucket_of(time)];
    return time <= bucket.forgotten || std::ranges::any_of(bucket.stamps, [&](const Stamp& stamp) {
               return stamp.used && stamp.time == time &&
                      (stamp.thread == flow::no_id || stamp.thread == thread);
           });
}

void NamedKeys::add(std::uint64_t key) {
    if (full_) {
        return;
    }
    if (keys_.size() >= limits::kept_stack_keys) {
        full_ = true;
        keys_ = {};
        return;
    }
    keys_.insert(key);
}

} // namespace etl::relog
