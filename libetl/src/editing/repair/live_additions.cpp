#include "repair/live_additions.hpp"

#include "base/limits.hpp"
#include "trace/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::repair {

using trace::BufferEntry;

void LiveAdditions::find(const flow::TraceInfo& info, std::vector<std::string>& mended) {
    if (live_ == nullptr) {
        return;
    }
    const std::optional<bool> belongs = live_->belongs_to(info);
    is_own_ = belongs.value_or(true);
    is_identified_ = belongs.value_or(false);
    if (!is_own_) {
        mended.emplace_back("live buffers: of another session; ignored");
        return;
    }
    if (const std::uint64_t damaged = live_->damaged(); damaged > 0) {
        mended.push_back(fmt::format("live buffers: {} damaged entr{}; {} records are lost",
                                     damaged, damaged == 1 ? "y" : "ies",
                                     damaged == 1 ? "its" : "their"));
        account_.lose({.bytes = damaged * live_->facts().buffer_size});
    }
    missing_ = live_->missing_in(buffers_);
    // At most one has a number: the logger was writing it.
    if (std::ranges::any_of(missing_, [](const auto& one) { return one.sequence != 0; })) {
        account_.forget_torn_end();
    }
}

std::optional<format::LiveLosses> LiveAdditions::losses() const {
    return is_own_ ? live_->losses() : std::nullopt;
}

std::uint16_t LiveAdditions::last_processor() const noexcept {
    std::uint16_t last = 0;
    for (const LiveBuffer& one : missing_) {
        last = std::max(last, one.processor);
    }
    return last;
}

std::uint32_t LiveAdditions::size_for(std::uint32_t size) const noexcept {
    if (missing_.empty()) {
        return size;
    }
    const std::uint32_t above = live_->facts().buffer_size + trace::limits::buffer_granule - 1;
    const std::uint32_t needed =
        above / trace::limits::buffer_granule * trace::limits::buffer_granule;
    return std::min(std::max(size, needed), etl::limits::buffer_bytes);
}

bool LiveAdditions::replaces(const BufferEntry& entry) const noexcept {
    return entry.is_truncated && std::ranges::any_of(missing_, [&](const LiveBuffer& one) {
               return one.sequence == entry.sequence && one.processor == entry.processor &&
                      one.sequence != 0;
           });
}

/// Behind those of the file and of the live buffers that have one.
std::int64_t LiveAdditions::next_sequence() const noexcept {
    std::int64_t next = 1;
    const auto raise = [&next](std::int64_t sequence) {
        constexpr std::int64_t last_number = std::int64_t{1} << 62U;
        next = sequence < last_number ? std::max(next, sequence + 1) : next;
    };
    std::ranges::for_each(buffers_, raise, &BufferEntry::sequence);
    std::ranges::for_each(missing_, raise, &LiveBuffer::sequence);
    return next;
}

void LiveAdditions::write(trace::LogFile& file, std::uint32_t buffer_size,
                          std::int64_t reference_time) {
    std::int64_t next = next_sequence();
    for (const LiveBuffer& one : missing_) {
        trace::BufferMemory memory = file.memory();
        const LiveContent content = live_->copy(one, {memory.get(), buffer_size});
        account_.note_live(one.processor, content);
        if (content.records == 0) {
            continue;
        }
        const std::int64_t newest = content.newest.value_or(reference_time);
        file.write({.memory = std::move(memory),
                    .used = content.used,
                    .processor = one.processor,
                    .sequence = one.sequence != 0 ? one.sequence : next++,
                    .time_stamp = one.closed_at != 0 ? one.closed_at : newest,
                    .newest_time = newest});
    }
}

} // namespace etl::repair
