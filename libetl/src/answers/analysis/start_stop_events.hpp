// Events that start and stop activities, and what a start and its stop have in common. Private to
// analysis. docs/analysis.md#start-stop
#pragma once

#include <etl/guid.hpp>

#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/parts/archive.hpp"
#include "decode/decoder.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// What relates a start to its stop; the first that both of them have.
enum class PairedBy : std::uint8_t {
    nothing,
    rule,     // fields in the table of facts: start_stop_rules()
    fields,   // leading handles and identifiers of both layouts
    activity, // activity ID
    thread,   // thread alone: a guess
    kinds,
};

/// A start or a stop.
struct StartStopEdge {
    static constexpr std::size_t most_values = 5;

    std::uint32_t kind = 0;  // of StartStopEvents
    std::uint32_t group = 0; // likewise: starts and stops that can belong together
    PairedBy by = PairedBy::nothing;
    bool is_start = false, in_range = false;
    bool is_of_kernel = false; // `values` are unique on the machine, not only in the process
    bool is_shared = false;    // a start: another one with its key was open at the same time
    std::array<std::uint64_t, most_values> values{};
    Guid activity;
    std::int64_t time = 0; // raw
    OwnerRef owner = Owners::unknown;
    std::uint32_t process = flow::no_id, thread = flow::no_id; // of the header
    EventPlace place;
    std::uint64_t serial = 0; // of a start that StartStopPairs has taken
};

/// Reads starts and stops. Kinds of events, and groups of starts and stops, have numbers.
class StartStopEvents {
public:
    /// What a kind of event is called; numbers of texts().
    struct Kind {
        std::uint32_t group = 0;
        std::uint64_t provider = 0; // name or GUID
        std::uint64_t event = 0;    // `provider/event`
        std::uint64_t activity = 0; // task, or event without its ending

        auto operator<=>(const Kind&) const = default;
    };

    void start(const Context& context);

    /// Returns nothing if the event neither starts nor stops an activity.
    std::optional<StartStopEdge> read(const Record& record);

    const Kind& kind(std::uint32_t number) const noexcept { return kinds_[number]; }

    std::string_view text(std::uint64_t number) const noexcept { return texts_.text(number); }

    /// Events of kinds beyond limits::analysis_operations.
    std::uint64_t dropped() const noexcept { return dropped_; }

    /// Writes edges, or reads them with numbers of this object.
    void visit(Archive& archive, std::vector<StartStopEdge>& edges);

private:
    /// What a start and its stop must share besides values.
    struct Group {
        Guid provider;
        std::uint16_t rule = 0; // number in the table + 1; 0: none
        std::uint16_t task = 0;
        std::uint64_t stem = 0; // of texts_: the name of the event without its ending; if no task

        auto operator<=>(const Group&) const = default;
    };

    /// How to read the events of one kind.
    struct Plan {
        bool is_known = false, is_start = false;
        bool has_rule = false, has_name = false;
        std::uint32_t kind = 0, group = 0;
        std::uint32_t activity_group = 0; // of edges that their activity pairs
        std::vector<FieldPlace> places;   // of the values; empty: none
    };

    /// A leading field that identifies something.
    struct Identifier {
        std::string name;
        schema::InType type{};

        bool operator==(const Identifier&) const = default;
    };

    using Identifiers = std::vector<Identifier>;
    using SchemasByProvider = std::unordered_map<Guid, std::vector<const schema::EventSchema*>>;
    using StoreAndProvider = std::pair<const schema::SchemaStore*, Guid>;
    using TaskName = std::pair<std::uint16_t, std::string>; // the stem, if there is no task

    const Plan& plan_of(const decode::DecodedEvent& decoded, const flow::Event& event);
    Plan make_plan(const decode::DecodedEvent& decoded, const flow::Event& event);
    void add_names(Plan& plan, const decode::DecodedEvent& decoded, const Group& group);
    const Identifiers& identifiers_of(const flow::Event& event, const Guid& provider,
                                      const TaskName& task);
    std::map<TaskName, Identifiers> identifiers_of_tasks(const schema::SchemaStore* store,
                                                         const Guid& provider);
    const SchemasByProvider& edges_in(const schema::SchemaStore& store);
    std::uint32_t number_of(const Group& group);
    std::uint32_t activity_group_of(std::uint32_t group);
    std::uint32_t number_of(const Kind& kind);
    void set_values(StartStopEdge& edge, const Plan& plan, Bytes body) const;
    void visit_kinds(Archive& archive, std::vector<Kind>& kinds);
    void visit_edge(Archive& archive, StartStopEdge& edge);

    const Context* context_ = nullptr;
    std::unique_ptr<decode::Decoder> decoder_;
    Texts texts_;
    std::vector<Plan> plans_; // by number of the kind in the decoder
    std::uint32_t generation_ = 0;
    std::vector<Kind> kinds_{Kind{}};
    std::vector<Group> groups_{Group{}};
    std::map<Kind, std::uint32_t> kind_numbers_{{Kind{}, 0}};
    std::map<Group, std::uint32_t> group_numbers_{{Group{}, 0}};
    // Of starts and stops, without what the base of the store has.
    std::unordered_map<const schema::SchemaStore*, SchemasByProvider> edges_;
    std::map<StoreAndProvider, std::map<TaskName, Identifiers>> identifiers_;
    std::uint64_t dropped_ = 0;
};

// Facts about which fields the start and the stop of a provider's activity have in common.
// schemas/start-stop-keys.csv, docs/analysis.md#start-stop

/// A row of the table. Lists are separated by blanks.
struct StartStopRule {
    Guid provider;
    std::string_view starts, stops;             // event IDs
    std::string_view start_fields, stop_fields; // of equal values, in the same order
};

std::span<const StartStopRule> start_stop_rules() noexcept;

} // namespace etl::analysis
