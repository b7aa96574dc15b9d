#include "relog/recent_parts.hpp"

namespace etl::relog {

namespace {

using format::ItemType;
using format::RecordKind;

bool is_event(RecordKind kind) noexcept {
    return kind == RecordKind::event32 || kind == RecordKind::event64;
}

/// A disk answers to whatever thread runs then; samples tell of none.
bool has_thread_of_stack(const flow::Event& event, const flow::EventHeader& header) noexcept {
    constexpr unsigned disk_group = 0x01;
    const bool is_sample =
        event.kind == RecordKind::perfinfo32 || event.kind == RecordKind::perfinfo64;
    return !is_sample && (!header.is_kernel || header.hook_id >> 8U != disk_group);
}

} // namespace

std::size_t RecentParts::bucket_of(std::int64_t time) noexcept {
    constexpr std::uint64_t golden = 0x9E37'79B9'7F4A'7C15;
    constexpr unsigned bits = 14;
    static_assert(bucket_count == std::size_t{1} << bits);
    return static_cast<std::size_t>((static_cast<std::uint64_t>(time) * golden) >> (64 - bits));
}

void RecentParts::put(std::int64_t time, std::uint32_t thread, std::uint32_t part) noexcept {
    Bucket& bucket = buckets_[bucket_of(time)];
    bucket.entries[bucket.oldest] = {time, thread, part};
    bucket.oldest = (bucket.oldest + 1) % bucket.entries.size();
}

void RecentParts::add(const flow::Event& event, const flow::EventHeader& header,
                      std::uint32_t part) {
    const std::uint32_t thread =
        has_thread_of_stack(event, header) ? header.thread_id : flow::no_id;
    if (!is_event(event.kind)) {
        put(event.raw_time, thread, part);
        return;
    }
    format::ExtendedItems items(header.items);
    format::ExtendedItem item;
    while (items.next(item)) {
        const bool is_stack =
            item.type == ItemType::stack_trace32 || item.type == ItemType::stack_trace64 ||
            item.type == ItemType::stack_key32 || item.type == ItemType::stack_key64;
        if (is_stack && item.data.size() >= sizeof(std::int64_t)) {
            put(load_le<std::int64_t>(item.data.data()), thread, part);
        }
    }
}

std::optional<std::uint32_t> RecentParts::find(std::int64_t time,
                                               std::uint32_t thread) const noexcept {
    for (const Entry& entry : buckets_[bucket_of(time)].entries) {
        const bool same_thread = entry.thread == thread || entry.thread == flow::no_id;
        if (entry.part != none && entry.time == time && same_thread) {
            return entry.part;
        }
    }
    return std::nullopt;
}

} // namespace etl::relog
