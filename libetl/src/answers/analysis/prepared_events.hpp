// What several passes ask about each event, found once for all of them. Private to analysis.
#pragma once

#include "analysis/event_sums.hpp"
#include "analysis/key_numbers.hpp"
#include "analysis/names.hpp"
#include "facts/attributor.hpp"
#include "flow/event.hpp"
#include "flow/source.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace etl::analysis {

/// The time of an event without one.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();

/// What one thread looks up about the events that it prepares: numbers of what sums are by.
class EventLookups {
public:
    explicit EventLookups(const schema::SchemasByTrace& schemas)
        : schemas_(schemas), kinds_(schemas) {}

    /// `facts` may be null, unless processes are asked for. All calls have the same.
    void ask_for(SumsBy by, const std::shared_ptr<const facts::FactsByTrace>& facts);

    bool has(SumsBy by) const noexcept { return asked_[static_cast<std::size_t>(by)]; }

    /// Returns the process that an event is about.
    std::uint32_t process_of(const flow::Event& event) {
        return attributor_->attribute(event).process;
    }

    /// Returns the number of the life of a process at the time of an event. `scope`: that of the
    /// facts of the event.
    std::uint32_t life_of(std::uint32_t process, const flow::Event& event, std::uint32_t scope);

    std::uint32_t kind_of(const flow::Event& event) {
        return static_cast<std::uint32_t>(kinds_.find(event, [this](const decode::DecodedEvent&) {
            return GroupKey{next_kind_++, 0, 0};
        })[0]);
    }

private:
    struct Life {
        std::uint32_t process = flow::no_id, scope = 0;
        std::int64_t begin = 0, end = 0; // the time in which it is the same
        std::uint32_t number = 0;
    };

    std::array<bool, 4> asked_{}; // by SumsBy
    schema::SchemasByTrace schemas_;
    std::optional<facts::Attributor> attributor_;
    std::array<Life, 256> recent_{};           // by process ID
    KeyNumbers<GroupKey, GroupKeyHash> lives_; // by scope, process, and begin
    KeysByKind kinds_;
    std::uint64_t next_kind_ = 0;
};

/// Sums by number, in the order of their first events.
class NumberedSums {
public:
    void clear() noexcept;

    EventSums& of(std::uint32_t number) {
        if (number >= places_.size()) [[unlikely]] {
            places_.resize(number + std::size_t{1});
        }
        std::uint32_t& place = places_[number];
        if (place == 0) {
            sums_.emplace_back();
            numbers_.push_back(number);
            place = static_cast<std::uint32_t>(sums_.size());
        }
        return sums_[place - 1];
    }

    std::span<const EventSums> all() const noexcept { return sums_; }

private:
    std::vector<EventSums> sums_;
    std::vector<std::uint32_t> numbers_; // of sums_
    std::vector<std::uint32_t> places_;  // by number: place in sums_ + 1; 0: none
};

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
    void prepare(const facts::FactsByTrace* facts, EventLookups* lookups);

    /// The runs that were added.
    std::span<const flow::Run> runs() const noexcept { return runs_; }

    // The rest is known after prepare().

    /// The events of all runs in a row: where several processors alternate, runs are short.
    flow::Run events() const noexcept { return events_; }

    /// Whether all events have a usable time, and none is about the trace itself.
    bool is_plain() const noexcept { return is_plain_; }

    /// Whether no event is earlier than the one before it.
    bool is_ascending() const noexcept { return is_ascending_; }

    /// Events with a descriptor.
    std::size_t described() const noexcept { return described_; }

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

    /// Sums of events that are ascending; empty: not known.
    std::span<const EventSums> sums(SumsBy by) const noexcept {
        return sums_[static_cast<std::size_t>(by)].all();
    }

    /// By event: the process that it is about; empty: not known.
    std::span<const std::uint32_t> processes() const noexcept { return processes_; }

private:
    std::vector<flow::Run> runs_;
    std::size_t size_ = 0;
    std::vector<flow::Event> events_;
    bool is_plain_ = false, is_ascending_ = false;
    bool has_all_kinds_ = true; // in sums_
    std::size_t described_ = 0;
    std::array<NumberedSums, 4> sums_; // by SumsBy
    std::optional<std::uint32_t> scope_;
    std::int64_t earliest_ = 0, latest_ = 0;
    std::vector<Kind> kinds_; // the first `kind_count_`; their memory is used again
    std::size_t kind_count_ = 0;
    std::vector<std::uint32_t> kind_by_code_; // number + 1; 0: none
    std::vector<std::uint32_t> processes_;

    std::vector<std::uint32_t>& events_with(Code code);
    void add_to_sums(const flow::Event& event, EventLookups& lookups);
};

/// Whether an event says something about its trace. Such events can have the time at which the
/// machine started, or a partition; or they say what a merge was made of, or that losses are
/// unknown.
bool is_about_the_trace(const flow::Event& event) noexcept;

} // namespace etl::analysis
