// Which events may contain facts besides the process of their thread, by little of their header:
// nearly all contain none. Private to facts.
#pragma once

#include "facts/collector.hpp"
#include "facts/subject.hpp"
#include "format/records.hpp"

#include <vector>

namespace etl::facts {

class Interest {
public:
    /// What an event may have, as bits.
    static constexpr unsigned subject = 1, stack = 2, source = 4, sampling = 8, runtime = 16;

    explicit Interest(Scope scope);

    /// 0: Collector::add() needs no more of the event than header_statement_of().
    unsigned parts_of(const flow::Event& event) const noexcept {
        if (format::has_hook(event.kind)) {
            const auto hook = flow::stored<format::system_record::hook_id>(event);
            return hook < hooks_.size() ? hooks_[hook] : 0U;
        }
        return format::is_event(event.kind)  ? parts_of_event(event)
               : format::is_full(event.kind) ? subject | stack | source | sampling
                                             : 0U;
    }

private:
    unsigned parts_of_event(const flow::Event& event) const noexcept;

    std::vector<std::uint8_t> hooks_; // parts by hook
    Scope scope_;
};

/// Whether records with a hook may contain the interval between two samples.
bool is_sampling_interval(std::uint16_t hook) noexcept;

/// What a record of the kernel with a hook says about what its classes record.
ClassSources class_sources_of_hook(std::uint16_t hook) noexcept;

} // namespace etl::facts
