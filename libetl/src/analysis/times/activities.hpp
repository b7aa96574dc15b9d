// Pairs of start and stop events. Private to analysis. docs/analysis.md#slowest
#pragma once

#include <etl/analysis/limits.hpp>
#include <etl/base/guid.hpp>
#include <etl/flow/event.hpp>
#include <etl/format/records.hpp>

#include <optional>
#include <unordered_map>

namespace etl::analysis {

/// Events with the standard opcodes win:Start and win:Stop (winmeta.xml) of the same provider,
/// task, process, and activity ID; without an activity ID, of the same thread.
class Activities {
public:
    /// Takes an event of the kind EVENT. Returns the time of the start that it ends.
    std::optional<std::int64_t> add(const flow::Event& event) {
        namespace record = format::event_record;
        constexpr std::uint8_t start = 1, stop = 2;
        const auto opcode = flow::stored<record::opcode>(event);
        if (opcode != start && opcode != stop) {
            return {};
        }
        Key key{.provider = flow::stored<record::provider_id>(event),
                .activity = flow::stored<record::activity_id>(event),
                .process = flow::stored<record::process_id>(event),
                .task = flow::stored<record::task>(event)};
        key.thread = key.activity.is_zero() ? flow::stored<record::thread_id>(event) : 0;
        if (opcode == start) {
            begin(key, event.raw_time);
            return {};
        }
        const auto found = open_.find(key);
        if (found == open_.end()) {
            return {};
        }
        const std::int64_t begun = found->second;
        open_.erase(found);
        return begun;
    }

    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    struct Key {
        Guid provider, activity;
        std::uint32_t process = 0, thread = 0;
        std::uint16_t task = 0;

        bool operator==(const Key&) const = default;
    };

    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            constexpr std::size_t factor = 0x9E3779B97F4A7C15U;
            std::size_t hash = std::hash<Guid>()(key.provider);
            hash = hash * factor ^ std::hash<Guid>()(key.activity);
            const auto rest =
                std::uint64_t{key.process} << 32U ^ key.thread ^ std::uint64_t{key.task} << 16U;
            return (hash ^ rest) * factor;
        }
    };

    /// A start without a stop is replaced by the next one.
    void begin(const Key& key, std::int64_t time) {
        if (open_.size() >= limits::analysis_operations && !open_.contains(key)) {
            ++dropped_;
            return;
        }
        open_[key] = time;
    }

    std::unordered_map<Key, std::int64_t, KeyHash> open_;
    std::uint64_t dropped_ = 0;
};

} // namespace etl::analysis
