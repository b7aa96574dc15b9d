#include "relog/kept_stacks.hpp"

#include "relog/limits.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace etl::relog {

namespace {

constexpr std::size_t bucket_size = 4;

/// Whether stacks can be behind a record of this kind.
bool has_stacks_behind(format::RecordKind kind) noexcept {
    return format::has_hook(kind) || format::is_full(kind);
}

/// A disk answers to whatever thread runs then; the stack is that of the one who asked.
bool is_of_disk(const flow::Event& event) noexcept {
    constexpr unsigned disk_group = 0x01;
    const auto hook = flow::kernel_hook_of(event);
    return hook && *hook >> 8U == disk_group;
}

} // namespace

RecentStamps::RecentStamps(std::size_t stamps)
    : buckets_(stamps / bucket_size),
      shift_(64U - static_cast<unsigned>(std::countr_zero(stamps / bucket_size))) {
    assert(std::has_single_bit(stamps) && stamps > bucket_size);
}

std::size_t RecentStamps::bucket_of(std::int64_t time) const noexcept {
    constexpr std::uint64_t golden = 0x9E37'79B9'7F4A'7C15;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(time) * golden) >> shift_);
}

void RecentStamps::add(std::int64_t time, std::uint32_t thread, std::uint32_t number) noexcept {
    Bucket& bucket = buckets_[bucket_of(time)];
    Entry& entry = bucket.entries[bucket.oldest];
    if (entry.number != unused) {
        bucket.forgotten = std::max(bucket.forgotten, entry.time);
    }
    entry = {time, thread, number};
    bucket.oldest = (bucket.oldest + 1) % bucket.entries.size();
}

std::optional<std::uint32_t> RecentStamps::find(std::int64_t time,
                                                std::uint32_t thread) const noexcept {
    for (const Entry& entry : buckets_[bucket_of(time)].entries) {
        const bool same_thread = entry.thread == thread || entry.thread == flow::no_id;
        if (entry.number != unused && entry.time == time && same_thread) {
            return entry.number;
        }
    }
    return std::nullopt;
}

StackStamps::StackStamps(const flow::Event& event, const flow::EventHeader& header) noexcept
    : items_(header), own_{event.raw_time, header.thread_id} {
    if (event.has_time && has_stacks_behind(event.kind)) {
        has_own_ = true;
        if (is_of_disk(event)) {
            own_.thread = flow::no_id;
        }
    }
}

bool StackStamps::next(StackStamp& stamp) noexcept {
    if (has_own_) {
        has_own_ = false;
        stamp = own_;
        return true;
    }
    flow::StackItem item;
    while (items_.next(item)) {
        if (item.match != 0) {
            stamp = {item.match, own_.thread};
            return true;
        }
    }
    return false;
}

void AwaitedUserParts::add(std::uint32_t thread, std::int64_t time) {
    full_ = full_ || times_.size() >= limits::kept_stack_keys;
    if (!full_) {
        times_.try_emplace(thread, time);
    }
}

bool AwaitedUserParts::take(std::uint32_t thread, std::int64_t time) {
    const auto awaited = times_.find(thread);
    if (awaited == times_.end()) {
        return full_;
    }
    const bool is_it = time >= awaited->second;
    if (is_it) {
        times_.erase(awaited);
    }
    return is_it;
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
