// Which part of a split an event belongs to. docs/split.md#keys
#pragma once

#include "flow/context.hpp"
#include "relog/recent_stamps.hpp"
#include "relog/runtime_events.hpp"
#include "relog/split.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace etl::relog {

/// Asked for every event of a source in its order; of the same source it always says the same. One
/// thread. No allocation but for a new part.
class PartAssigner {
public:
    // The log file header, and that losses are unknown: writers have their own.
    static constexpr std::uint32_t no_part = 0xFFFFFFFF;
    static constexpr std::uint32_t every_part = 0xFFFFFFFE; // context

    explicit PartAssigner(const SplitOptions& options);

    /// Parts are numbered from 0, in the order in which they appear.
    std::uint32_t assign(const flow::Event& event);

    std::size_t parts() const noexcept { return keys_.size(); }

    /// Whether one of the events indicates unknown losses: of all parts.
    bool has_unknown_losses() const noexcept { return has_unknown_losses_; }

    const PartKey& key(std::uint32_t part) const { return keys_[part]; }

private:
    std::uint32_t own_part(const flow::Event& event, const flow::EventHeader& header);
    std::uint32_t part_of_stack(const flow::Event& event, const flow::StackTarget& stack,
                                const flow::EventHeader& header);
    std::uint32_t part_of_runtime_stack(const flow::Event& event, const flow::EventHeader& header);
    std::uint32_t joined(std::uint32_t part, const flow::Event& event);
    std::uint32_t by_process(PartKey::Process process);
    std::uint32_t by_limit(std::uint64_t cost);
    void spend(std::uint64_t cost); // in the last part
    std::uint32_t by_window(Filetime time);

    template <typename Key, typename MakeKey>
    std::uint32_t part_of(std::unordered_map<Key, std::uint32_t>& parts, const Key& key,
                          MakeKey make);

    SplitBy by_;
    std::function<PartKey::Process(const flow::Event&)> process_of_; // empty: that of the header
    std::uint64_t limit_;
    bool with_context_;
    bool has_unknown_losses_ = false;
    bool follows_events_; // stacks do; else their own time or processor tells
    std::int64_t window_length_ = 1;
    std::optional<std::int64_t> start_; // of the first window
    std::vector<PartKey> keys_;
    std::unordered_map<Guid, std::uint32_t> by_provider_;
    std::unordered_map<std::uint64_t, std::uint32_t> by_number_; // process or processor
    std::unordered_map<std::int64_t, std::uint32_t> by_window_;
    std::uint64_t spent_ = 0;                     // of the limit, in the last part
    std::uint64_t counted_ = 0;                   // events that count
    RecentStamps recent_;                         // parts of events
    RuntimeEvents<std::uint32_t> runtime_events_; // their parts
};

} // namespace etl::relog
