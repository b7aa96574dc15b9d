// Which stop ends which start. Private to analysis. docs/analysis.md#start-stop
#pragma once

#include "analysis/start_stop_events.hpp"

#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// Whether a stop ended the start that it is paired with.
enum class PairCertainty : std::uint8_t {
    sure,
    guessed,
    /// Guessed if StartStopPairs::is_ambiguous() holds for the group of the stop when all events
    /// were added: only then is it known whether its fields identify an activity.
    by_group,
};

/// Receives what a StartStopPairs finds.
class StartStopSink {
public:
    StartStopSink() = default;
    StartStopSink(const StartStopSink&) = delete;
    StartStopSink& operator=(const StartStopSink&) = delete;
    virtual ~StartStopSink() = default;

    /// A start was taken; its number is `start.serial`.
    virtual void started(const StartStopEdge& /*start*/) {}

    /// A stop ended a start.
    virtual void stopped(const StartStopEdge& start, const StartStopEdge& stop,
                         PairCertainty certainty) = 0;

    /// A start or a stop has no counterpart.
    virtual void unpaired(const StartStopEdge& edge) = 0;
};

/// Pairs by equal values, activities, or threads. Starts that did not stop yet are kept, also
/// nested ones: at most limits::analysis_operations; when there are more, the older half is
/// forgotten.
class StartStopPairs {
public:
    StartStopPairs(StartStopEvents& events, StartStopSink& sink) : events_(&events), sink_(&sink) {}

    void start(const Context& context) noexcept { context_ = &context; }

    /// In time order.
    void add(const StartStopEdge& edge);

    /// What has not stopped is unpaired; not in a part.
    void finish();

    /// Whether starts of a group with equal fields were open at the same time so far.
    bool is_ambiguous(std::uint32_t group) const { return ambiguous_.contains(group); }

    /// Starts that were forgotten, and edges of a part beyond limits::analysis_part_keys.
    std::uint64_t dropped() const noexcept { return dropped_; }

    /// As those of Analyzer. Only starts and stops paired by thread are paired in a part: whether
    /// another one is a guess depends on all that are open.
    void save(Archive& to);
    void stitch(Archive& from);

    /// As those of Analyzer.
    void save_state(Archive& to);
    void load_state(Archive& from);

private:
    /// Starts and stops with equal keys belong together.
    struct Key {
        std::uint32_t group = 0;
        PairedBy by = PairedBy::nothing;
        std::array<std::uint64_t, StartStopEdge::most_values> values{};

        bool operator==(const Key&) const = default;
    };

    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept;
    };

    using Starts = std::vector<StartStopEdge>; // in time order

    /// Starts that have not stopped.
    struct Open {
        std::unordered_map<Key, Starts, KeyHash> starts;
        std::size_t count = 0, peak = 0;
    };

    static Key key_of(const StartStopEdge& edge) noexcept {
        return {edge.group, edge.by, edge.values};
    }

    Open& open_of(const StartStopEdge& edge) noexcept {
        return edge.by == PairedBy::thread ? nested_ : keyed_;
    }

    void pair(const StartStopEdge& edge);
    void begin(StartStopEdge start);
    void end(const StartStopEdge& stop);
    void keep(const StartStopEdge& edge);
    void forget_older_half(Open& open);
    int likeness(const StartStopEdge& start, const StartStopEdge& stop) const noexcept;
    PairCertainty certainty_of(const Starts& starts, const StartStopEdge& start,
                               const StartStopEdge& stop) const;
    static std::vector<StartStopEdge> all_of(const Open& open);

    StartStopEvents* events_;
    StartStopSink* sink_;
    const Context* context_ = nullptr;
    Open keyed_, nested_; // by thread: nested
    /// Groups whose fields did not identify a start, and a kind of each.
    std::unordered_map<std::uint32_t, std::uint32_t> ambiguous_;
    std::vector<StartStopEdge> kept_;        // of a part: to be paired in stitch()
    std::vector<StartStopEdge> first_stops_; // of a part, by thread, without a start
    std::uint64_t serial_ = 0, dropped_ = 0;
};

} // namespace etl::analysis
