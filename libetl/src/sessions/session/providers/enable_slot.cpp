#include "session/providers/enable_slot.hpp"

#include "session/buffers/waiting.hpp"

namespace etl::session {

void EnableSlot::write(const EnableView& view) noexcept {
    const std::uint32_t next = version_.load(std::memory_order_relaxed) + 1;
    Values& to = values_[next % values_.size()];
    to.core.store(view.session.core, std::memory_order_release);
    to.ticket_and_level.store(static_cast<std::uint32_t>(view.session.ticket) << 8U | view.level,
                              std::memory_order_release);
    to.match_any.store(view.match_any, std::memory_order_release);
    to.match_all.store(view.match_all, std::memory_order_release);
    to.property.store(view.property, std::memory_order_release);
    to.filters.store(view.filters, std::memory_order_release);
    version_.store(next, std::memory_order_release);
}

void FilterReaders::drain() noexcept {
    for (std::uint32_t i = 0; i < counts_.size(); ++i) {
        turn_.store(1 - i, std::memory_order_relaxed);
        // An addition of nothing rather than a load: all additions to one count have an order. Who
        // enters behind this one sees what was stored before it, the new slot; who entered before
        // it is counted.
        BackOff back_off;
        while (counts_[i].fetch_add(0, std::memory_order_acq_rel) != 0) {
            back_off.pause();
        }
    }
}

void FilterReaders::forget() noexcept {
    for (auto& count : counts_) {
        count.store(0, std::memory_order_relaxed);
    }
}

} // namespace etl::session
