#include "authoring/compare.hpp"

#include "authoring/provider_events.hpp"
#include "schema/file_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace etl::authoring {

namespace {

using Kind = Difference::Kind;
using Thing = Difference::Thing;

template <typename List>
std::string list_text(const List& list) {
    std::string text;
    for (const auto& [value, name] : list) {
        text += fmt::format("{}0x{:x} {}", text.empty() ? "" : ", ", value, name);
    }
    return text;
}

const schema::ValueMap* map_of(const schema::EventSchema& event,
                               const schema::Field& field) noexcept {
    return field.map < event.maps.size() ? event.maps[field.map].get() : nullptr;
}

// Of larger maps only differences are shown, and of these as many.
constexpr std::size_t shown_entries = 16;
constexpr std::size_t shown_name_bytes = 256;

std::string_view kind_of(const schema::ValueMap& map) noexcept {
    return map.kind == schema::ValueMap::Kind::bits ? "bits" : "values";
}

bool is_large(const schema::ValueMap* map) noexcept {
    return map != nullptr && map->entries.size() > shown_entries;
}

std::string map_text(const schema::ValueMap* map) {
    return map == nullptr ? std::string()
                          : fmt::format("{}: {}", kind_of(*map), list_text(map->entries));
}

/// Of a large map the first entries that the other one lacks, and how many there are.
std::string map_summary(const schema::ValueMap* map, const schema::ValueMap* other) {
    if (map == nullptr) {
        return {};
    }
    std::set<std::pair<std::uint32_t, std::string_view>> shared;
    if (other != nullptr && other->kind == map->kind) {
        shared.insert(other->entries.begin(), other->entries.end());
    }
    std::string text = fmt::format("{}: {} entries", kind_of(*map), map->entries.size());
    std::size_t different = 0;
    for (const auto& [value, name] : map->entries) {
        if (!shared.contains({value, name}) && different++ < shown_entries) {
            text += fmt::format("{} 0x{:x} {}", different == 1 ? ", only here:" : ",", value,
                                schema::clipped(name, shown_name_bytes));
        }
    }
    if (different > shown_entries) {
        text += fmt::format(", and {} more", different - shown_entries);
    }
    return text;
}

class Comparison {
public:
    void providers(const ProviderEvents* before, const ProviderEvents* after) {
        const schema::ProviderNames& names = after != nullptr ? after->names : before->names;
        place_ = {.provider = names.guid, .provider_name = names.name};
        if (before == nullptr || after == nullptr) {
            whole(Thing::provider, before != nullptr);
            return;
        }
        const schema::ProviderNames& old = before->names;
        property(Thing::provider, "name", old.name, names.name);
        property(Thing::provider, "levels", list_text(old.levels), list_text(names.levels));
        property(Thing::provider, "keywords", list_text(old.keywords), list_text(names.keywords));
        property(Thing::provider, "channels", list_text(old.channels), list_text(names.channels));
        property(Thing::provider, "resource file", old.resource_file, names.resource_file);
        property(Thing::provider, "message file", old.message_file, names.message_file);
        property(Thing::provider, "parameter file", old.parameter_file, names.parameter_file);
        events(before->events, after->events);
    }

    std::vector<Difference> take() { return std::move(found_); }

private:
    using Events = std::vector<std::shared_ptr<const schema::EventSchema>>;
    using Key = std::tuple<std::uint16_t, std::uint8_t, std::size_t>; // id, version, which of them

    static std::map<Key, const schema::EventSchema*> by_key(const Events& events) {
        std::map<Key, const schema::EventSchema*> keyed;
        std::map<std::pair<std::uint16_t, std::uint8_t>, std::size_t> seen;
        for (const auto& event : events) {
            const std::size_t which = seen[{event->id, event->version}]++;
            keyed.emplace(Key{event->id, event->version, which}, event.get());
        }
        return keyed;
    }

    void events(const Events& before, const Events& after) {
        const auto old = by_key(before);
        const auto now = by_key(after);
        std::map<Key, std::pair<const schema::EventSchema*, const schema::EventSchema*>> both;
        for (const auto& [key, event] : old) {
            both[key].first = event;
        }
        for (const auto& [key, event] : now) {
            both[key].second = event;
        }
        for (const auto& [key, pair] : both) {
            const schema::EventSchema& shown = pair.second != nullptr ? *pair.second : *pair.first;
            place_.id = shown.id;
            place_.version = shown.version;
            place_.event_name = shown.event_name;
            if (pair.first == nullptr || pair.second == nullptr) {
                whole(Thing::event, pair.first != nullptr);
            } else {
                event(*pair.first, *pair.second);
            }
        }
    }

    void event(const schema::EventSchema& before, const schema::EventSchema& after) {
        const auto number = [](std::uint64_t value) { return std::to_string(value); };
        property(Thing::event, "name", before.event_name, after.event_name);
        property(Thing::event, "symbol", before.symbol, after.symbol);
        property(Thing::event, "channel", number(before.channel), number(after.channel));
        property(Thing::event, "level", number(before.level), number(after.level));
        property(Thing::event, "task", fmt::format("{} {}", before.task, before.task_name),
                 fmt::format("{} {}", after.task, after.task_name));
        property(Thing::event, "opcode", fmt::format("{} {}", before.opcode, before.opcode_name),
                 fmt::format("{} {}", after.opcode, after.opcode_name));
        property(Thing::event, "keywords", fmt::format("0x{:x}", before.keyword),
                 fmt::format("0x{:x}", after.keyword));
        property(Thing::event, "message", before.message, after.message);
        property(Thing::event, "user data", before.user_data, after.user_data);
        property(Thing::event, "tags", number(before.tags), number(after.tags));
        fields(before, after);
    }

    void fields(const schema::EventSchema& before, const schema::EventSchema& after) {
        const std::vector<std::string> old_paths = schema::field_paths(before);
        const std::vector<std::string> paths = schema::field_paths(after);
        std::unordered_map<std::string_view, std::size_t> old_places;
        for (std::size_t i = 0; i < old_paths.size(); ++i) {
            old_places.try_emplace(old_paths[i], i);
        }
        std::vector<bool> kept(old_paths.size(), false);
        std::vector<std::size_t> order; // of the kept ones
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const auto old = old_places.find(paths[i]);
            if (old == old_places.end()) {
                field(Kind::added, paths[i], {}, type_text(after, i));
                continue;
            }
            kept[old->second] = true;
            order.push_back(old->second);
            compare_field(paths[i], before, old->second, after, i);
        }
        for (std::size_t i = 0; i < old_paths.size(); ++i) {
            if (!kept[i]) {
                field(Kind::removed, old_paths[i], type_text(before, i), {});
            }
        }
        if (!std::ranges::is_sorted(order)) {
            property(Thing::event, "field order", fmt::format("{}", fmt::join(old_paths, ", ")),
                     fmt::format("{}", fmt::join(paths, ", ")));
        }
    }

    void compare_field(const std::string& path, const schema::EventSchema& before, std::size_t old,
                       const schema::EventSchema& after, std::size_t now) {
        place_.field = path;
        property(Thing::field, "type", type_text(before, old), type_text(after, now));
        compare_maps(map_of(before, before.fields[old]), map_of(after, after.fields[now]));
        // What the texts of two types do not tell: which of the fields of one name is meant.
        const auto target = [](const schema::Extent& extent, std::size_t from) {
            return extent.kind == schema::Extent::Kind::field ? std::to_string(from - extent.value)
                                                              : std::string();
        };
        const schema::Field& a = before.fields[old];
        const schema::Field& b = after.fields[now];
        if (a.members != b.members) {
            property(Thing::field, "members", std::to_string(a.members), std::to_string(b.members));
        } else if (old == now) {
            property(Thing::field, "count field", target(a.count, old), target(b.count, now));
            property(Thing::field, "length field", target(a.length, old), target(b.length, now));
        }
        place_.field.clear();
    }

    // Many fields may share a pair of large maps: it is compared and described once.
    void compare_maps(const schema::ValueMap* before, const schema::ValueMap* after) {
        if (before == after) {
            return;
        }
        const auto [known, is_new] = map_pairs_.try_emplace({before, after});
        MapPair& pair = known->second;
        if (is_new) {
            pair.is_equal = before != nullptr && after != nullptr && before->kind == after->kind &&
                            before->entries == after->entries;
        }
        if (pair.is_equal) {
            return;
        }
        if (!is_large(before) && !is_large(after)) {
            property(Thing::field, "map", map_text(before), map_text(after));
        } else if (is_new) {
            pair.place = fmt::format("{}/{} {}", place_.id, place_.version, place_.field);
            changed(Thing::field, "map", map_summary(before, after), map_summary(after, before));
        } else {
            const auto as_there = [&](const schema::ValueMap* map) {
                return map == nullptr ? std::string()
                                      : fmt::format("{}: {} entries, same as for {}", kind_of(*map),
                                                    map->entries.size(), pair.place);
            };
            changed(Thing::field, "map", as_there(before), as_there(after));
        }
    }

    struct MapPair {
        bool is_equal = false;
        std::string place; // where the difference of a large one is described
    };

    void whole(Thing thing, bool was_there) {
        Difference difference = place_;
        difference.kind = was_there ? Kind::removed : Kind::added;
        difference.thing = thing;
        found_.push_back(std::move(difference));
    }

    void field(Kind kind, const std::string& path, std::string before, std::string after) {
        Difference difference = place_;
        difference.kind = kind;
        difference.thing = Thing::field;
        difference.field = path;
        difference.before = std::move(before);
        difference.after = std::move(after);
        found_.push_back(std::move(difference));
    }

    void property(Thing thing, const char* which, std::string before, std::string after) {
        if (before != after) {
            changed(thing, which, std::move(before), std::move(after));
        }
    }

    void changed(Thing thing, const char* which, std::string before, std::string after) {
        Difference difference = place_;
        difference.thing = thing;
        difference.property = which;
        difference.before = std::move(before);
        difference.after = std::move(after);
        found_.push_back(std::move(difference));
    }

    Difference place_;
    std::vector<Difference> found_;
    std::map<std::pair<const schema::ValueMap*, const schema::ValueMap*>, MapPair> map_pairs_;
};

} // namespace

std::string_view name(Kind kind) noexcept {
    switch (kind) {
    case Kind::added:
        return "added";
    case Kind::removed:
        return "removed";
    case Kind::changed:
        break;
    }
    return "changed";
}

std::string_view name(Thing thing) noexcept {
    switch (thing) {
    case Thing::provider:
        return "provider";
    case Thing::event:
        return "event";
    case Thing::field:
        break;
    }
    return "field";
}

std::vector<Difference> compare(const schema::SchemaSet& before, const schema::SchemaSet& after) {
    const std::vector<ProviderEvents> old = group_by_provider(before);
    const std::vector<ProviderEvents> now = group_by_provider(after);

    struct Pair {
        const ProviderEvents* before = nullptr;
        const ProviderEvents* after = nullptr;
    };

    std::unordered_map<Guid, Pair> by_guid;
    for (const ProviderEvents& provider : old) {
        by_guid[provider.names.guid].before = &provider;
    }
    for (const ProviderEvents& provider : now) {
        by_guid[provider.names.guid].after = &provider;
    }
    std::map<std::pair<std::string, Guid>, Pair> sorted;
    for (const auto& [guid, pair] : by_guid) {
        const ProviderEvents& shown = pair.after != nullptr ? *pair.after : *pair.before;
        sorted.emplace(std::pair(shown.names.name, guid), pair);
    }
    Comparison comparison;
    for (const auto& [key, pair] : sorted) {
        comparison.providers(pair.before, pair.after);
    }
    return comparison.take();
}

} // namespace etl::authoring
