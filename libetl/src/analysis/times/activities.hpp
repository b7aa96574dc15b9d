// Pairs of start and stop events. Private to analysis. docs/analysis.md#slowest
#pragma once

#include <etl/analysis/limits.hpp>
#include <etl/base/guid.hpp>
#include <etl/flow/event.hpp>
#include <etl/format/records.hpp>

#include "analysis/parts/event_place.hpp"
#include "analysis/parts/owners_archive.hpp"
#include "analysis/parts/pairs.hpp"

#include <array>
#include <bit>
#include <optional>
#include <string>

namespace etl::analysis {

/// What events with the standard opcodes win:Start and win:Stop (winmeta.xml) have in common that
/// belong together: provider, task, process, and activity ID; without an activity ID, the thread.
struct ActivityKey {
    Guid provider, activity;
    std::uint32_t process = 0, thread = 0;
    std::uint16_t task = 0;

    bool operator==(const ActivityKey&) const = default;
};

struct ActivityKeyHash {
    std::size_t operator()(const ActivityKey& key) const noexcept {
        constexpr std::size_t factor = 0x9E3779B97F4A7C15U;
        std::size_t hash = std::hash<Guid>()(key.provider);
        hash = hash * factor ^ std::hash<Guid>()(key.activity);
        const auto rest =
            std::uint64_t{key.process} << 32U ^ key.thread ^ std::uint64_t{key.task} << 16U;
        return (hash ^ rest) * factor;
    }
};

/// The start or the stop of an activity.
struct ActivityEdge {
    ActivityKey key;
    bool is_start = false;
};

/// Of an event of the kind EVENT; nothing: it has another opcode.
inline std::optional<ActivityEdge> activity_edge_of(const flow::Event& event) {
    namespace record = format::event_record;
    constexpr std::uint8_t start = 1, stop = 2;
    const auto opcode = flow::stored<record::opcode>(event);
    if (opcode != start && opcode != stop) {
        return {};
    }
    ActivityEdge edge{.key = {.provider = flow::stored<record::provider_id>(event),
                              .activity = flow::stored<record::activity_id>(event),
                              .process = flow::stored<record::process_id>(event),
                              .task = flow::stored<record::task>(event)},
                      .is_start = opcode == start};
    edge.key.thread = edge.key.activity.is_zero() ? flow::stored<record::thread_id>(event) : 0;
    return edge;
}

inline void visit(Archive& archive, Guid& guid) {
    std::array<std::uint64_t, 2> halves = std::bit_cast<std::array<std::uint64_t, 2>>(guid);
    archive.number(halves[0]);
    archive.number(halves[1]);
    guid = std::bit_cast<Guid>(halves);
}

inline void visit(Archive& archive, ActivityKey& key) {
    visit(archive, key.provider);
    visit(archive, key.activity);
    archive.number(key.process);
    archive.number(key.thread);
    archive.number(key.task);
}

/// The stop of an activity.
struct ActivityStop {
    IntervalEnd end;
    OwnerRef owner = Owners::unknown;
    std::uint32_t thread = flow::no_id;
    std::string name{}; // that a part keeps
};

/// Times of starts by key.
using Activities = Pairs<ActivityKey, std::int64_t, ActivityStop, ActivityKeyHash>;

inline Activities::Visitors activity_visitors(Owners& owners) {
    return {.key = [](Archive& archive, ActivityKey& key) { visit(archive, key); },
            .begin = [](Archive& archive, std::int64_t& time) { archive.number(time); },
            .end =
                [&owners](Archive& archive, ActivityStop& stop) {
                    visit(archive, stop.end);
                    visit_owner(archive, owners, stop.owner);
                    archive.number(stop.thread);
                    archive.text(stop.name);
                }};
}

} // namespace etl::analysis
