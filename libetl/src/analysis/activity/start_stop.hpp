// Slices from start and stop events. Private to analysis. docs/profilers.md#slices
#pragma once

#include <etl/analysis/activity.hpp>
#include <etl/decode/decoder.hpp>

#include "analysis/groups.hpp"

#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// Pairs events with the opcodes Start (1) and Stop (2).
class StartStop {
public:
    StartStop(ActivitySink& sink, ActivityThreads& threads) : sink_(&sink), threads_(&threads) {}

    void start(const Context& context);

    /// An event of a provider with a descriptor; others are ignored.
    void add(const Record& record);

    /// Shows the starts that were not stopped as marks.
    void finish();

    std::uint64_t slices() const noexcept { return slices_; }

    std::uint64_t marks() const noexcept { return marks_; }

    /// Starts beyond limits::analysis_operations.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    /// What a start and its stop have in common: the activity, or without one the thread.
    struct Key {
        Guid provider, activity;
        std::uint32_t thread = 0;
        std::uint16_t task = 0;

        bool operator==(const Key&) const = default;
    };

    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept;
    };

    struct Open {
        std::int64_t from = 0;
        std::uint64_t category = 0, name = 0; // texts
        ThreadRow thread = 0;
        std::uint64_t serial = 0;
    };

    void begin(const Key& key, const Open& open);
    bool end(const Key& key, const Open& stop);
    void show_mark(const Open& open, std::string_view suffix);
    Open opened(const Record& record, std::uint32_t thread, std::uint32_t process);

    ActivitySink* sink_;
    ActivityThreads* threads_;
    const Context* context_ = nullptr;
    std::unique_ptr<decode::Decoder> decoder_;
    Texts texts_;
    std::unordered_map<Key, std::vector<Open>, KeyHash> open_;
    std::unordered_map<ThreadRow, std::vector<std::uint64_t>> nesting_; // serials by thread
    std::uint64_t serial_ = 0, count_ = 0, slices_ = 0, marks_ = 0, dropped_ = 0;
};

} // namespace etl::analysis
