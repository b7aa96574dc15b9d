#include "authoring/merge.hpp"

#include "authoring/provider_events.hpp"
#include "schema/event_name.hpp"
#include "schema/wire_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace etl::authoring {

namespace {

using SharedEvent = std::shared_ptr<const schema::EventSchema>;

// The first name of each value.
template <typename Value>
void keep_first(std::vector<std::pair<Value, std::string>>& names) {
    std::set<Value> seen;
    std::erase_if(names, [&](const auto& entry) { return !seen.insert(entry.first).second; });
}

void append_extent(std::string& to, char mark, const schema::Extent& extent) {
    const bool has_value =
        extent.kind == schema::Extent::Kind::fixed || extent.kind == schema::Extent::Kind::field;
    to += fmt::format("{}{}.{}", mark, static_cast<unsigned>(extent.kind),
                      has_value ? extent.value : 0);
}

/// Equal for events whose payloads have the same bytes.
std::string layout_of(const schema::EventSchema& event) {
    std::string layout;
    for (const schema::Field& field : event.fields) {
        const schema::WireShape shape = schema::shape_of(field);
        layout += fmt::format(" {}", static_cast<unsigned>(shape));
        if (shape == schema::WireShape::fixed) {
            layout += fmt::format(".{}.{}", schema::wire_size(field.in_type, 4),
                                  schema::wire_size(field.in_type, 8));
        } else if (shape == schema::WireShape::terminated) {
            layout += fmt::format(".{}", static_cast<unsigned>(field.in_type));
        }
        append_extent(layout, 'c', field.count);
        append_extent(layout, 'l', field.length);
        layout += fmt::format("m{}", field.members);
    }
    return layout;
}

bool is_known_in_full(const schema::EventSchema& event) {
    return std::ranges::none_of(event.fields, [](const schema::Field& field) {
        return field.count.kind == schema::Extent::Kind::unknown ||
               field.length.kind == schema::Extent::Kind::unknown ||
               schema::shape_of(field) == schema::WireShape::unknown;
    });
}

bool is_no_name(std::string_view name, std::string_view kind) {
    return name.empty() || schema::is_made_up_name(name, kind);
}

/// Gives fields the maps and out types that only the other source has: exports of Windows lose
/// some. Both events have the same layout.
SharedEvent restored(const SharedEvent& event, const schema::EventSchema& other) {
    std::shared_ptr<schema::EventSchema> result;
    for (std::size_t i = 0; i < event->fields.size(); ++i) {
        const schema::Field& field = event->fields[i];
        const schema::Field& full = other.fields[i];
        const bool lacks_map =
            field.map == schema::Field::no_map && full.map != schema::Field::no_map;
        const bool lacks_out_type = field.out_type == schema::OutType::none &&
                                    full.out_type != schema::OutType::none &&
                                    field.in_type == full.in_type;
        if (field.name != full.name || (!lacks_map && !lacks_out_type)) {
            continue;
        }
        if (!result) {
            result = std::make_shared<schema::EventSchema>(*event);
        }
        if (lacks_map) {
            result->fields[i].map = static_cast<std::uint16_t>(result->maps.size());
            result->maps.push_back(other.maps[full.map]);
        }
        if (lacks_out_type) {
            result->fields[i].out_type = full.out_type;
        }
    }
    return result ? result : event;
}

/// The events of one provider.
class EventMerge {
public:
    explicit EventMerge(const std::vector<SharedEvent>& events) {
        for (const SharedEvent& event : events) {
            add_names(*event);
            add(event);
        }
    }

    std::vector<SharedEvent> take(const std::shared_ptr<const schema::ProviderNames>& names) const {
        std::vector<SharedEvent> events;
        for (const auto& [key, layouts] : layouts_) {
            const bool one_is_known = std::ranges::any_of(
                layouts, [](const auto& layout) { return is_known_in_full(*layout.second); });
            for (const auto& [layout, event] : layouts) {
                if (!one_is_known || is_known_in_full(*event)) {
                    events.push_back(named(*event, names));
                }
            }
        }
        return events;
    }

private:
    void add(const SharedEvent& event) {
        auto& layouts = layouts_[{event->id, event->version}];
        std::string layout = layout_of(*event);
        const auto known = std::ranges::find(layouts, layout, &Layout::first);
        if (known == layouts.end()) {
            layouts.emplace_back(std::move(layout), event);
        } else {
            known->second = restored(known->second, *event);
        }
    }

    void add_names(const schema::EventSchema& event) {
        if (!is_no_name(event.task_name, "task")) {
            tasks_.try_emplace(event.task, event.task_name);
        }
        if (!is_no_name(event.opcode_name, "opcode")) {
            opcodes_.try_emplace({event.task, event.opcode}, event.opcode_name);
        }
    }

    SharedEvent named(const schema::EventSchema& event,
                      const std::shared_ptr<const schema::ProviderNames>& names) const {
        auto result = std::make_shared<schema::EventSchema>(event);
        result->provider = names;
        const auto task = tasks_.find(event.task);
        if (is_no_name(event.task_name, "task") && event.task != 0 && task != tasks_.end()) {
            result->task_name = task->second;
        }
        const auto opcode = opcodes_.find({event.task, event.opcode});
        if (is_no_name(event.opcode_name, "opcode") && event.opcode != 0 &&
            opcode != opcodes_.end()) {
            result->opcode_name = opcode->second;
        }
        if (result->task_name != event.task_name || result->opcode_name != event.opcode_name) {
            result->event_name = schema::compose_event_name(result->task_name, result->opcode,
                                                            result->opcode_name, result->symbol);
        }
        return result;
    }

    using Layout = std::pair<std::string, SharedEvent>;

    std::map<std::pair<std::uint16_t, std::uint8_t>, std::vector<Layout>> layouts_;
    std::map<std::uint16_t, std::string> tasks_;
    std::map<std::pair<std::uint16_t, std::uint8_t>, std::string> opcodes_; // by task and opcode
};

} // namespace

schema::SchemaSet merge(std::span<const schema::SchemaSet> sources) {
    schema::SchemaSet all;
    for (const schema::SchemaSet& source : sources) {
        all.providers.insert(all.providers.end(), source.providers.begin(), source.providers.end());
        all.events.insert(all.events.end(), source.events.begin(), source.events.end());
    }
    schema::SchemaSet result;
    for (ProviderEvents& provider : group_by_provider(all)) {
        auto names = std::make_shared<schema::ProviderNames>(std::move(provider.names));
        keep_first(names->levels);
        keep_first(names->keywords);
        keep_first(names->channels);
        const auto events = EventMerge(provider.events).take(names);
        result.events.insert(result.events.end(), events.begin(), events.end());
        result.providers.push_back(std::move(names));
    }
    return result;
}

} // namespace etl::authoring
