#include "analysis/times/gc_pauses.hpp"

#include "analysis/owners.hpp"

namespace etl::analysis {

GcPauses::Suspension& GcPauses::of(const GroupKey& key) {
    if (open_.size() >= limits::analysis_operations) {
        ++dropped_;
        open_.clear();
    }
    return open_.try_emplace(key, Suspension{.is_known = !context_->continues()}).first->second;
}

GcPause::End GcPauses::end_of(const Record& record) const {
    Owners& owners = *context_->owners;
    const OwnerRef owner = owners.process_now(record.process, record.time);
    return {.time = record.time,
            .owner = owner,
            .thread = record.thread,
            .counts = record.in_range && owners[owner].is_selected,
            .place = place_of(*record.event)};
}

// SuspendEEBegin v0: Reason u16; v1: Reason u32, Count u32, ClrInstanceID u16. The others v1:
// ClrInstanceID u16.
std::optional<GcPause> GcPauses::add(const Record& record) {
    has_events_ = true;
    const ClrPayload payload(record.payload);
    const bool is_begin = record.id == suspend_begin;
    const auto instance =
        record.version == 0 ? std::nullopt : payload.at<std::uint16_t>(is_begin ? 8 : 0);
    Suspension& one = of({record.process, instance.value_or(no_part), record.thread});
    if (is_begin) {
        const auto reason =
            record.version == 0 ? payload.at<std::uint16_t>(0) : payload.at<std::uint32_t>(0);
        one.begin = record.time;
        one.suspended.reset();
        one.is_open = reason == 1 || reason == 6;
        one.counts = end_of(record).counts;
        one.is_known = true;
        return {};
    }
    auto& suspended = one.is_known ? one.suspended : one.end_suspended;
    if (record.id == suspend_end) {
        if ((one.is_open || !one.is_known) && !suspended) {
            suspended = record.time;
        }
        return {};
    }
    if (!one.is_known) {
        one.end = end_of(record);
        one.is_known = true;
        return {};
    }
    if (!std::exchange(one.is_open, false)) {
        return {};
    }
    return GcPause{one.begin, one.suspended, instance.value_or(no_part), end_of(record)};
}

void GcPauses::visit(Archive& archive, std::pair<GroupKey, Suspension>& one) {
    for (std::uint64_t& part : one.first) {
        archive.number(part);
    }
    Suspension& suspension = one.second;
    archive.number(suspension.begin);
    archive.optional(suspension.suspended);
    archive.number(suspension.is_open);
    archive.number(suspension.counts);
    archive.number(suspension.is_known);
    archive.optional(suspension.end_suspended);
    archive.optional(suspension.end, [&](GcPause::End& end) {
        archive.number(end.time);
        visit_owner(archive, *context_->owners, end.owner);
        archive.number(end.thread);
        archive.number(end.counts);
        analysis::visit(archive, end.place);
    });
}

void GcPauses::save(Archive& to) {
    std::vector<std::pair<GroupKey, Suspension>> all(open_.begin(), open_.end());
    to.list(all, [&](auto& one) { visit(to, one); });
}

void GcPauses::stitch(Archive& from, FunctionRef<void(const GcPause&)> show) {
    std::vector<std::pair<GroupKey, Suspension>> all;
    from.list(all, [&](auto& one) { visit(from, one); });
    for (const auto& [key, part] : all) {
        Suspension& one = of(key);
        if (one.is_open && !one.suspended) {
            one.suspended = part.end_suspended;
        }
        if (part.end && one.is_open) {
            show({one.begin, one.suspended, key[1], *part.end});
        }
        if (part.is_known) {
            one = {part.begin, part.suspended, part.is_open, part.counts};
        }
    }
}

void subscribe_to_heaps(Subscriptions& subscriptions, std::uint32_t tag) {
    constexpr std::uint16_t heap_stats = 4;
    subscriptions.provider(format::dotnet_runtime_guid, tag, {heap_stats});
}

// GCHeapStats: for each of four generations, the last of which is the large objects, GenerationSize
// and TotalPromotedSize, u64; from v2 on, the same for the pinned objects, behind 30 other bytes.
std::optional<std::uint64_t> heap_size_of(const Record& record) {
    constexpr std::size_t generation = 16, generations = 4;
    constexpr std::size_t pinned_at = generations * generation + 30;
    constexpr std::uint64_t max_bytes = std::uint64_t{1} << 48U; // of an address space
    const ClrPayload payload(record.payload);
    std::uint64_t sum = 0;
    const auto add = [&](std::size_t offset) {
        const auto size = payload.at<std::uint64_t>(offset);
        sum += size.value_or(0);
        return size && *size <= max_bytes;
    };
    for (std::size_t i = 0; i < generations; ++i) {
        if (!add(i * generation)) {
            return std::nullopt;
        }
    }
    return record.version < 2 || add(pinned_at) ? std::optional(sum) : std::nullopt;
}

} // namespace etl::analysis
