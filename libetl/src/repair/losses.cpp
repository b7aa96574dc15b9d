#include "repair/losses.hpp"

#include <etl/repair/limits.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace etl::repair {

namespace {

// A number that so many others are missing before is itself what is damaged.
constexpr std::int64_t widest_gap = 1'000'000;

/// Both ends the right way round: buffers of several processors overlap in time.
void set_ends(Loss& loss, std::optional<std::int64_t> after, std::optional<std::int64_t> before) {
    if (after && before && *after > *before) {
        std::swap(after, before);
    }
    loss.after = after;
    loss.before = before;
}

} // namespace

void LossList::add(const Loss& loss) {
    if (losses_.size() < limits::repair_losses) {
        losses_.push_back(loss);
    } else {
        ++more_;
    }
}

void LossList::add_inside(const Loss& loss) {
    if (!loss.before && loss.processor && losses_.size() < limits::repair_losses) {
        open_ended_[*loss.processor].push_back(losses_.size());
    }
    add(loss);
}

void LossList::begin_buffer(std::uint16_t processor, std::int64_t oldest) {
    const auto open_ended = open_ended_.find(processor);
    if (open_ended == open_ended_.end()) {
        return;
    }
    for (const std::size_t i : open_ended->second) {
        set_ends(losses_[i], losses_[i].after, oldest);
    }
    open_ended_.erase(open_ended);
}

void LossList::give(Report& report) {
    static constexpr auto earliest = std::numeric_limits<std::int64_t>::min();
    const auto time_of = [](const Loss& loss) {
        return std::tuple(loss.after.value_or(loss.before.value_or(earliest)),
                          loss.kind == Loss::Kind::missing_buffers, loss.where, loss.before,
                          loss.bytes, loss.buffers);
    };
    std::ranges::sort(losses_, {}, time_of);
    report.losses = std::move(losses_);
    report.more_losses = more_;
}

void set_span(Loss& loss, std::span<const KnownBuffer> buffers) {
    const auto behind = std::ranges::upper_bound(buffers, loss.where, {}, &KnownBuffer::where);
    std::optional<std::int64_t> after;
    for (auto it = behind; !after && it != buffers.begin();) {
        after = (--it)->newest;
    }
    const auto known = std::find_if(behind, buffers.end(),
                                    [](const KnownBuffer& one) { return one.oldest.has_value(); });
    set_ends(loss, after, known != buffers.end() ? known->oldest : std::nullopt);
}

void find_missing(std::vector<KnownBuffer> buffers, const MissingOptions& options, LossList& to) {
    // A number that no session gets to is damaged, and none can be added to it.
    constexpr std::int64_t last_number = std::int64_t{1} << 62U;
    const std::size_t found = buffers.size();
    std::erase_if(buffers, [](const KnownBuffer& one) {
        return one.sequence < 0 || one.sequence > last_number;
    });
    std::ranges::sort(buffers, {}, [](const KnownBuffer& one) {
        return std::tuple(one.run, one.sequence, one.where);
    });
    const auto miss = [&](std::uint64_t count, const KnownBuffer* from, const KnownBuffer* until) {
        Loss loss{
            .kind = Loss::Kind::missing_buffers, .processor = options.processor, .buffers = count};
        set_ends(loss, from != nullptr ? from->newest : std::nullopt,
                 until != nullptr ? until->oldest : std::nullopt);
        to.add(loss);
    };
    std::uint64_t missing = 0;
    const KnownBuffer* last = nullptr;
    for (const KnownBuffer& buffer : buffers) {
        const bool begins = last == nullptr || last->run != buffer.run;
        if (!begins || options.from_first) {
            const std::int64_t expected = begins ? 1 : last->sequence + 1;
            const std::int64_t gap = buffer.sequence > expected ? buffer.sequence - expected : 0;
            if (gap > 0 && gap <= widest_gap) {
                miss(static_cast<std::uint64_t>(gap), last, &buffer);
                missing += static_cast<std::uint64_t>(gap);
            }
        }
        last = &buffer;
    }
    const std::uint64_t known = found + missing;
    if (options.expected > known &&
        options.expected - known <= static_cast<std::uint64_t>(widest_gap)) {
        miss(options.expected - known, last, nullptr);
    }
}

} // namespace etl::repair
