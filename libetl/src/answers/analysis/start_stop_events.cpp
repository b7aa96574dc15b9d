#include "analysis/start_stop_events.hpp"

#include "analysis/dispatch.hpp"
#include "analysis/groups.hpp"
#include "analysis/names.hpp"
#include "base/text.hpp"
#include "format/records.hpp"

#include <algorithm>
#include <bit>

namespace etl::analysis {

namespace {

constexpr std::uint8_t start_opcode = 1, stop_opcode = 2; // win:Start, win:Stop (winmeta.xml)

/// Calls `take(word)` for the words of a list.
template <typename Take>
void for_each_word(std::string_view list, Take&& take) {
    while (!list.empty()) {
        const std::size_t size = std::min(list.find(' '), list.size());
        take(list.substr(0, size));
        list.remove_prefix(std::min(size + 1, list.size()));
    }
}

bool has_id(std::string_view list, std::uint16_t id) {
    bool found = false;
    for_each_word(list,
                  [&](std::string_view word) { found = found || word == std::to_string(id); });
    return found;
}

/// What the table has about an event.
struct RuleOfEvent {
    std::uint16_t number = 0; // in the table + 1
    bool is_start = false;
    std::vector<std::string_view> fields{};
};

std::optional<RuleOfEvent> rule_of(const Guid& provider, std::uint16_t id) {
    std::uint16_t number = 0;
    for (const StartStopRule& rule : start_stop_rules()) {
        ++number;
        const bool is_start = rule.provider == provider && has_id(rule.starts, id);
        if (is_start || (rule.provider == provider && has_id(rule.stops, id))) {
            RuleOfEvent found{.number = number, .is_start = is_start};
            for_each_word(is_start ? rule.start_fields : rule.stop_fields,
                          [&](std::string_view field) { found.fields.push_back(field); });
            return found;
        }
    }
    return {};
}

/// `Boil` of `Boil/Start`, `BoilStart`, `Boil_begin`, and of `Boil`.
std::string_view without_ending(std::string_view name) noexcept {
    constexpr std::string_view separators = "/_-.: ";
    for (const std::string_view ending :
         {"Start", "Stop", "Begin", "End", "start", "stop", "begin", "end"}) {
        if (name.size() <= ending.size() || !name.ends_with(ending)) {
            continue;
        }
        std::string_view stem = name.substr(0, name.size() - ending.size());
        const bool is_separated = separators.find(stem.back()) != separators.npos;
        const bool is_word = ending.front() < 'a'; // not the end of `Restart` or `Send`
        if (is_separated && stem.size() > 1) {
            stem.remove_suffix(1);
        }
        return is_separated || is_word ? stem : name;
    }
    return name;
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, to_lower_ascii(name)) != names.end();
}

/// Whether a field says where something happened, not what: activities at the same time share it.
bool is_place(std::string_view name) {
    return is_any_of(name, {"processid", "hprocessid", "pid", "threadid", "tid", "sessionid",
                            "clrinstanceid", "appdomainid", "eventid", "clsid", "iid", "fmtid"});
}

bool is_whole_number(schema::InType type) noexcept {
    using enum schema::InType;
    return type == int16 || type == uint16 || type == int32 || type == uint32 || type == int64 ||
           type == uint64 || type == hex_int32 || type == hex_int64;
}

bool is_handle(schema::InType type) noexcept {
    using enum schema::InType;
    return type == pointer || type == pointer_sized || type == guid;
}

/// Whether a field identifies something, by its type, or else its name.
bool is_identifier(const schema::Field& field) {
    const std::string_view name = field.name;
    return is_handle(field.in_type) ||
           (is_whole_number(field.in_type) &&
            (is_any_of(name, {"id", "key", "handle", "cookie", "token"}) ||
             std::ranges::any_of(
                 std::initializer_list<std::string_view>{
                     "Id", "ID", "_id", "Key", "Handle", "Cookie", "Token", "Sequence",
                     "SequenceNumber", "Context", "Irp", "IRP", "Object", "Ptr"},
                 [&](std::string_view ending) { return name.ends_with(ending); })));
}

bool is_single_value(const schema::Field& field) noexcept {
    return field.count.kind == schema::Extent::Kind::natural &&
           field.length.kind == schema::Extent::Kind::natural && field.members == 0;
}

std::uint64_t number_at(Bytes body, const FieldPlace& place, std::size_t from) noexcept {
    std::uint64_t value = 0;
    const std::size_t size = std::min<std::size_t>(place.size - from, sizeof value);
    for (std::size_t i = 0; i < size; ++i) {
        value |= std::uint64_t{std::to_integer<std::uint8_t>(body[place.offset + from + i])}
                 << 8U * i;
    }
    return value;
}

/// Of a field of variable size, only the first byte has a place; that identifies nothing.
bool is_value(const FieldPlace& place) noexcept {
    return place.mask != 0 || place.size == sizeof(Guid);
}

/// The values of edges that lie there; nothing if they are incomplete or more than `most`.
std::vector<FieldPlace> values_of(std::vector<FieldPlace> places, std::size_t most) {
    std::size_t count = 0;
    for (const FieldPlace& place : places) {
        count += place.size == sizeof(Guid) ? 2 : 1;
    }
    if (count > most || !std::ranges::all_of(places, is_value)) {
        places.clear();
    }
    return places;
}

/// Addresses of the kernel differ in all processes.
bool is_kernel_pointer(std::uint64_t value) noexcept {
    return value >> 47U == 0x1FFFF;
}

} // namespace

void StartStopEvents::start(const Context& context) {
    context_ = &context;
    decoder_ = std::make_unique<decode::Decoder>(*context.schemas);
}

std::optional<StartStopEdge> StartStopEvents::read(const Record& record) {
    namespace stored = format::event_record;
    const flow::Event& event = *record.event;
    if (!format::is_event(event.kind)) {
        return {};
    }
    const auto opcode = flow::stored<stored::opcode>(event);
    if (opcode != start_opcode && opcode != stop_opcode) {
        return {};
    }
    const decode::DecodedEvent& decoded = decoder_->decode(event);
    const Plan& plan = plan_of(decoded, event);
    StartStopEdge edge{.kind = plan.kind,
                       .group = plan.group,
                       .is_start = plan.is_start,
                       .in_range = record.in_range,
                       .activity = flow::stored<stored::activity_id>(event),
                       .time = record.time,
                       .process = flow::stored<stored::process_id>(event),
                       .thread = flow::stored<stored::thread_id>(event),
                       .place = place_of(event)};
    edge.owner = context_->owners->process_now(edge.process, record.time);
    set_values(edge, plan, decoded.body);
    return edge;
}

/// The values by which the edge is paired.
void StartStopEvents::set_values(StartStopEdge& edge, const Plan& plan, Bytes body) const {
    std::size_t count = 0;
    const bool has_fields =
        !plan.places.empty() && std::ranges::all_of(plan.places, [&](const FieldPlace& place) {
            return std::size_t{place.offset} + place.size <= body.size();
        });
    if (plan.group == 0 || (plan.has_rule && !has_fields)) {
        return; // the rule exists because nothing else pairs them
    }
    if (has_fields) {
        for (const FieldPlace& place : plan.places) {
            for (std::size_t at = 0; at < place.size; at += sizeof(std::uint64_t)) {
                edge.values[count] = number_at(body, place, at);
                edge.is_of_kernel = edge.is_of_kernel || is_kernel_pointer(edge.values[count]);
                ++count;
            }
        }
    }
    const bool is_null = std::ranges::all_of(edge.values, [](auto value) { return value == 0; });
    if (plan.has_rule) {
        edge.by = PairedBy::rule;
    } else if (!is_null) {
        edge.by = PairedBy::fields;
        edge.values.back() = edge.is_of_kernel ? 0 : edge.process;
    } else if (!edge.activity.is_zero()) {
        edge.by = PairedBy::activity;
        edge.group = plan.activity_group;
        const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(edge.activity);
        std::ranges::copy(halves, edge.values.begin());
    } else if (plan.has_name && edge.thread != flow::no_id) {
        edge.by = PairedBy::thread;
        edge.values = {edge.thread, edge.process};
    }
}

const StartStopEvents::Plan& StartStopEvents::plan_of(const decode::DecodedEvent& decoded,
                                                      const flow::Event& event) {
    if (generation_ != decoder_->generation()) {
        generation_ = decoder_->generation();
        plans_.clear();
    }
    const std::uint32_t number = decoded.kind->number;
    if (number >= plans_.size()) {
        plans_.resize(std::max<std::size_t>(number + std::size_t{1}, plans_.size() * 2));
    }
    Plan& plan = plans_[number];
    if (!plan.is_known) {
        plan = make_plan(decoded, event);
    }
    return plan;
}

StartStopEvents::Plan StartStopEvents::make_plan(const decode::DecodedEvent& decoded,
                                                 const flow::Event& event) {
    const decode::EventKind& kind = *decoded.kind;
    const Guid& provider = decoded.header.provider;
    Plan plan{.is_known = true, .is_start = decoded.header.opcode == start_opcode};
    Group group{.provider = provider};
    std::vector<std::string_view> fields;
    if (const auto rule = rule_of(provider, decoded.header.id)) {
        plan.has_rule = true;
        plan.is_start = rule->is_start;
        group.rule = rule->number;
        fields = rule->fields;
    } else {
        group.task = decoded.header.task;
        const std::string stem(group.task == 0 ? without_ending(kind.event.value_or("")) : "");
        group.stem = stem.empty() ? 0 : texts_.number_of(stem);
        for (const Identifier& one : identifiers_of(event, provider, {group.task, stem})) {
            fields.push_back(one.name);
        }
    }
    plan.has_name = plan.has_rule || group.task != 0 || group.stem != 0;
    if (!fields.empty()) {
        // The last value of fields without a rule is the process.
        plan.places = values_of(places_of(kind, fields),
                                StartStopEdge::most_values - (plan.has_rule ? 0 : 1));
    }
    add_names(plan, decoded, group);
    return plan;
}

void StartStopEvents::add_names(Plan& plan, const decode::DecodedEvent& decoded,
                                const Group& group) {
    const decode::EventKind& kind = *decoded.kind;
    std::string name(kind.task_name);
    if (name.empty()) {
        name = kind.event ? std::string(without_ending(*kind.event))
                          : "event " + std::to_string(decoded.header.id);
    }
    const std::string provider = provider_of(decoded);
    const std::string event =
        provider + '/' + kind.event.value_or(std::to_string(decoded.header.id));
    plan.group = number_of(group);
    plan.activity_group = activity_group_of(plan.group);
    plan.kind = number_of(Kind{.group = plan.group,
                               .provider = texts_.number_of(provider),
                               .event = texts_.number_of(event),
                               .activity = texts_.number_of(name)});
    dropped_ += plan.group == 0 || plan.kind == 0 ? 1 : 0;
}

std::uint32_t StartStopEvents::number_of(const Group& group) {
    if (const auto known = group_numbers_.find(group); known != group_numbers_.end()) {
        return known->second;
    }
    if (groups_.size() >= limits::analysis_operations) {
        return 0;
    }
    const auto added = static_cast<std::uint32_t>(groups_.size());
    group_numbers_.emplace(group, added);
    groups_.push_back(group);
    return added;
}

/// Within an activity, names need not be equal.
std::uint32_t StartStopEvents::activity_group_of(std::uint32_t group) {
    Group without_name = groups_[group];
    without_name.stem = 0;
    return number_of(without_name);
}

std::uint32_t StartStopEvents::number_of(const Kind& kind) {
    if (const auto known = kind_numbers_.find(kind); known != kind_numbers_.end()) {
        return known->second;
    }
    if (kinds_.size() >= limits::analysis_operations) {
        return 0;
    }
    const auto added = static_cast<std::uint32_t>(kinds_.size());
    kind_numbers_.emplace(kind, added);
    kinds_.push_back(kind);
    return added;
}

const StartStopEvents::Identifiers& StartStopEvents::identifiers_of(const flow::Event& event,
                                                                    const Guid& provider,
                                                                    const TaskName& task) {
    static const Identifiers none;
    const auto* store =
        context_->schemas->store_for(context_->trace->file, event.buffer->merged_input).get();
    auto known = identifiers_.find({store, provider});
    if (known == identifiers_.end()) {
        if (identifiers_.size() >= limits::analysis_operations) {
            return none;
        }
        known =
            identifiers_
                .emplace(StoreAndProvider{store, provider}, identifiers_of_tasks(store, provider))
                .first;
    }
    const auto found = known->second.find(task);
    return found != known->second.end() ? found->second : none;
}

const StartStopEvents::SchemasByProvider&
StartStopEvents::edges_in(const schema::SchemaStore& store) {
    const auto [known, is_new] = edges_.try_emplace(&store);
    if (is_new) {
        for (const auto& schema : store.schemas()) {
            if ((schema->opcode == start_opcode || schema->opcode == stop_opcode) &&
                schema->provider != nullptr) {
                known->second[schema->provider->guid].push_back(schema.get());
            }
        }
    }
    return known->second;
}

/// The leading identifiers that all starts and stops of a task have in common.
std::map<StartStopEvents::TaskName, StartStopEvents::Identifiers>
StartStopEvents::identifiers_of_tasks(const schema::SchemaStore* store, const Guid& provider) {
    struct Found {
        bool has_start = false, has_stop = false;
        std::optional<Identifiers> common;
    };

    const auto leading = [](const schema::EventSchema& schema) {
        Identifiers all;
        std::size_t values = 1; // the last one can be the process
        for (const schema::Field& field : schema.fields) {
            if (is_place(field.name) && is_single_value(field)) {
                continue;
            }
            values += field.in_type == schema::InType::guid ? 2 : 1;
            if (!is_single_value(field) || !is_identifier(field) ||
                values > StartStopEdge::most_values) {
                break;
            }
            all.push_back({field.name, field.in_type});
        }
        return all;
    };

    std::map<TaskName, Found> tasks;
    for (; store != nullptr; store = store->base().get()) {
        const SchemasByProvider& edges = edges_in(*store);
        const auto of_provider = edges.find(provider);
        if (of_provider == edges.end()) {
            continue;
        }
        for (const schema::EventSchema* schema : of_provider->second) {
            if (rule_of(provider, schema->id)) {
                continue;
            }
            Found& found = tasks[{schema->task,
                                  std::string(schema->task == 0 ? without_ending(schema->event_name)
                                                                : std::string_view())}];
            (schema->opcode == start_opcode ? found.has_start : found.has_stop) = true;
            Identifiers mine = leading(*schema);
            if (found.common) {
                const auto end = std::ranges::mismatch(mine, *found.common).in1;
                mine.erase(end, mine.end());
            }
            found.common = std::move(mine);
        }
    }
    std::map<TaskName, Identifiers> all;
    for (auto& [task, found] : tasks) {
        if (found.has_start && found.has_stop && !found.common->empty()) {
            all.emplace(task, *std::move(found.common));
        }
    }
    return all;
}

void StartStopEvents::visit_kinds(Archive& archive, std::vector<Kind>& kinds) {
    archive.list(kinds, [&](Kind& kind) {
        Group group = archive.is_reading() ? Group{} : groups_[kind.group];
        std::array<std::uint64_t, 2> halves =
            std::bit_cast<std::array<std::uint64_t, 2>>(group.provider);
        archive.number(halves[0]);
        archive.number(halves[1]);
        group.provider = std::bit_cast<Guid>(halves);
        archive.number(group.rule);
        archive.number(group.task);
        for (std::uint64_t* text : {&group.stem, &kind.provider, &kind.event, &kind.activity}) {
            visit_text(archive, texts_, *text);
        }
        if (archive.is_reading()) {
            kind.group = number_of(group);
        }
    });
}

void StartStopEvents::visit_edge(Archive& archive, StartStopEdge& edge) {
    auto by = static_cast<std::uint8_t>(edge.by);
    archive.number(edge.kind);
    archive.number(by);
    archive.number(edge.is_start);
    archive.number(edge.in_range);
    archive.number(edge.is_of_kernel);
    archive.number(edge.is_shared);
    for (std::uint64_t& value : edge.values) {
        archive.number(value);
    }
    auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(edge.activity);
    archive.number(halves[0]);
    archive.number(halves[1]);
    edge.activity = std::bit_cast<Guid>(halves);
    archive.number(edge.time);
    archive.number(edge.owner);
    archive.number(edge.process);
    archive.number(edge.thread);
    analysis::visit(archive, edge.place);
    if (by >= static_cast<std::uint8_t>(PairedBy::kinds)) {
        archive.fail();
        by = 0;
    }
    edge.by = static_cast<PairedBy>(by);
}

/// Kinds and processes are written once.
void StartStopEvents::visit(Archive& archive, std::vector<StartStopEdge>& edges) {
    std::vector<Kind> kinds;
    std::vector<OwnerRef> owners;
    std::map<OwnerRef, OwnerRef> places; // in `owners`
    if (!archive.is_reading()) {
        kinds = kinds_;
        for (StartStopEdge& edge : edges) {
            const auto [place, is_new] =
                places.try_emplace(edge.owner, static_cast<OwnerRef>(owners.size()));
            if (is_new) {
                owners.push_back(edge.owner);
            }
            edge.owner = place->second;
        }
    }
    visit_kinds(archive, kinds);
    archive.list(owners, [&](OwnerRef& owner) { visit_owner(archive, *context_->owners, owner); });
    archive.list(edges, [&](StartStopEdge& edge) { visit_edge(archive, edge); });
    for (StartStopEdge& edge : edges) {
        if (edge.owner >= owners.size() || edge.kind >= kinds.size()) {
            archive.fail();
            edges.clear();
            return;
        }
        edge.owner = owners[edge.owner];
        if (archive.is_reading()) {
            const std::uint32_t group = kinds[edge.kind].group;
            edge.group = edge.by == PairedBy::activity ? activity_group_of(group) : group;
            edge.kind = number_of(kinds[edge.kind]);
        }
    }
}

} // namespace etl::analysis
