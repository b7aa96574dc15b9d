// What the first pass of a split knows of its parts, and which of them are written at one time.
#pragma once

#include "base/limits.hpp"
#include "relog/part_assigner.hpp"

#include <bitset>
#include <limits>

namespace etl::relog {

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
    std::bitset<limits::processors> processors;

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
