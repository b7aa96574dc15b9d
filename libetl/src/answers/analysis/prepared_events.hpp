// What several passes ask about each event, found once for all of them. Private to analysis.
#pragma once

#include "facts/attributor.hpp"
#include "flow/event.hpp"
#include "flow/source.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace etl::analysis {

/// The time of an event without one.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();

/// Events in order, and what their records say of them. A pass that asks for few kinds of events
/// reads only the records of these.
class PreparedEvents {
public:
    /// What decides who takes an event: the hook of a kernel event, or one of the others.
    using Code = std::uint32_t;

    static constexpr Code event_code = 0x10000,    // with a descriptor
        kernel_process_code = 0x10001,             // of that provider, with a descriptor
        full_code = 0x10002, other_code = 0x10003; // with a class; another

    /// The same field in all records that have one.
    static constexpr LayoutField<std::uint16_t> hook{6};

    /// Of an event with a descriptor.
    static bool is_kernel_process(const flow::Event& event) noexcept {
        return flow::stored<format::event_record::provider_id>(event) ==
               format::kernel_process_guid;
    }

    /// Forgets the events before.
    void clear() noexcept;

    /// Adds a run, which is not empty, and outlives what is done with it.
    void add(flow::Run run) {
        runs_.push_back(run);
        size_ += run.size();
    }

    std::size_t size() const noexcept { return size_; }

    /// Reads the records of what was added. Both may be null.
    void prepare(const facts::FactsByTrace* facts, facts::Attributor* attributor);

    /// The runs that were added.
    std::span<const flow::Run> runs() const noexcept { return runs_; }

    // The rest is known after prepare().

    /// The events of all runs in a row: where several processors alternate, runs are short.
    flow::Run events() const noexcept { return events_; }

    /// Whether all events have a usable time, and none is about the trace itself.
    bool is_plain() const noexcept { return is_plain_; }

    /// The number of the facts of all events; none: it is not known, or they differ.
    std::optional<std::uint32_t> scope() const noexcept { return scope_; }

    /// The earliest and the latest time of its events.
    std::int64_t earliest() const noexcept { return earliest_; }

    std::int64_t latest() const noexcept { return latest_; }

    /// The events with one code, by their numbers, ascending.
    struct Kind {
        Code code = 0;
        std::vector<std::uint32_t> events;
    };

    /// In any order.
    std::span<const Kind> kinds() const noexcept { return std::span(kinds_).first(kind_count_); }

    /// By event: the process that it is about; empty: not known.
    std::span<const std::uint32_t> processes() const noexcept { return processes_; }

private:
    std::vector<flow::Run> runs_;
    std::size_t size_ = 0;
    std::vector<flow::Event> events_;
    bool is_plain_ = false;
    std::optional<std::uint32_t> scope_;
    std::int64_t earliest_ = 0, latest_ = 0;
    std::vector<Kind> kinds_; // the first `kind_count_`; their memory is used again
    std::size_t kind_count_ = 0;
    std::vector<std::uint32_t> kind_by_code_; // number + 1; 0: none
    std::vector<std::uint32_t> processes_;

    std::vector<std::uint32_t>& events_with(Code code);
};

/// Whether an event says something about its trace. Such events can have the time at which the
/// machine started, or a partition; or they say what a merge was made of, or that losses are
/// unknown.
bool is_about_the_trace(const flow::Event& event) noexcept;

} // namespace etl::analysis
