// What the first pass of a split knows of its parts, and which of them are written at one time.
#pragma once

#include "base/limits.hpp"
#include "flow/context.hpp"
#include "relog/kept_stacks.hpp"
#include "relog/split.hpp"

#include <bitset>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace etl::relog {

// Which part of a split an event belongs to. docs/split.md#keys

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

/// Asks now and then whether to go on.
class Progress {
public:
    Progress(const SplitOptions& options, unsigned pass, unsigned passes)
        : options_(options), pass_(pass), passes_(passes) {}

    /// After each run, which is not empty. Errors: io_failure.
    Result<void> add(flow::Run run) {
        constexpr std::uint64_t every = 1U << 14U;
        events_ += run.size();
        if (!options_.progress || events_ < every) {
            return {};
        }
        events_ = 0;
        return options_.progress(pass_, passes_, run.back())
                   ? Result<void>{}
                   : fail(ErrorCode::io_failure, "stopped on request");
    }

private:
    const SplitOptions& options_;
    unsigned pass_, passes_;
    std::uint64_t events_ = 0; // since it last asked
};

/// Of the events of a part, or of those that are in every part.
struct PartCount {
    std::uint64_t events = 0;
    std::uint64_t bytes = 0; // of records, padded
    std::bitset<etl::limits::processors> processors;

    void add(const flow::Event& event);
};

/// One part that will be made.
struct PlannedPart {
    std::uint32_t assigned = 0; // the number that the assigner gives
    std::size_t number = 0;     // among all parts, from 0
    PartKey key;
    std::uint64_t events = 0;
    std::uint64_t own_bytes = 0, context_bytes = 0;                            // of records, padded
    std::uint64_t first = 0, last = std::numeric_limits<std::uint64_t>::max(); // its file is open
    std::uint32_t buffer_size = 0;
    std::uint64_t memory = 0; // that its open buffers may take
};

class SplitPlan {
public:
    explicit SplitPlan(const SplitOptions& options) : options_(options) {}

    /// Counts. Errors: limit (limits::split_parts), those of the source.
    Result<void> count(flow::Source& source);

    /// The parts in the order of their numbers, with what is known of the context.
    std::vector<PlannedPart> parts() const;

    /// Parts that have events of their own.
    std::size_t counted() const noexcept { return counted_.size(); }

    /// Whether an event of the source indicates unknown losses.
    bool has_unknown_losses() const noexcept {
        return assigner_ && assigner_->has_unknown_losses();
    }

    SplitForecast forecast() const noexcept {
        return {counted_.size(), context_.events, context_.bytes};
    }

private:
    struct Counted : PartCount {
        std::uint64_t first = 0, last = 0; // places of its events in the source
    };

    void add(const flow::Event& event, std::uint32_t part);
    std::uint32_t buffer_size(const PartCount& part) const;
    PlannedPart planned(std::uint32_t assigned, const PartKey& key, const Counted& counted) const;

    const SplitOptions& options_;
    std::optional<PartAssigner> assigner_;
    std::vector<Counted> counted_;
    PartCount context_;
    std::uint32_t largest_record_ = 0;
    std::uint64_t place_ = 0;
};

/// Takes out of `waiting` as many parts as can be written in one pass: so many that those open at
/// one time stay within the limits, at least one.
std::vector<PlannedPart> take_group(std::vector<PlannedPart>& waiting);

} // namespace etl::relog
