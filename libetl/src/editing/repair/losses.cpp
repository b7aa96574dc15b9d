#include "repair/losses.hpp"

#include "repair/limits.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace etl::repair {

namespace {

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
    has_losses_ = has_losses_ || loss.kind != Loss::Kind::reported_by_session;
    missing_buffers_ += loss.kind == Loss::Kind::missing_buffers ? loss.buffers : 0;
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
    report.has_losses = has_losses_;
    report.missing_buffers = missing_buffers_;
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

void set_span(Loss& loss, const trace::MissingBuffers::Gap& gap,
              std::span<const KnownBuffer> buffers) {
    set_ends(loss, gap.after ? buffers[*gap.after].newest : std::nullopt,
             gap.before ? buffers[*gap.before].oldest : std::nullopt);
}

} // namespace etl::repair
