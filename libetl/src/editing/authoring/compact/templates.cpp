#include "authoring/compact/templates.hpp"

#include "authoring/compact/spelling.hpp"
#include "authoring/field_text.hpp"
#include "schema/field_scopes.hpp"

#include <fmt/format.h>

#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace etl::authoring {

namespace {

constexpr std::size_t widest_line = 110;

// Wrapped: entries go on in indented lines.
std::string map_lines(const schema::ValueMap& map, const std::string& name) {
    const bool is_bits = map.kind == schema::ValueMap::Kind::bits;
    std::string text;
    std::string line = fmt::format("{} {}", is_bits ? "bits" : "map", compact_name(name));
    for (const auto& [value, shown] : map.entries) {
        const std::string entry = is_bits ? fmt::format(" {:#x}={}", value, compact_name(shown))
                                          : fmt::format(" {}={}", value, compact_name(shown));
        if (line.size() + entry.size() > widest_line) {
            text += line + '\n';
            line = " ";
        }
        line += entry;
    }
    return text + line + '\n';
}

/// The maps of an event's fields, each with a name of its own.
std::map<const schema::ValueMap*, std::string> names_of_maps(const schema::EventSchema& event) {
    std::map<const schema::ValueMap*, std::string> names;
    std::set<std::string> taken;
    for (const schema::Field& field : event.fields) {
        const schema::ValueMap* map =
            field.map < event.maps.size() ? event.maps[field.map].get() : nullptr;
        if (map == nullptr || names.contains(map)) {
            continue;
        }
        std::string name = map->name;
        for (std::size_t count = 2; !taken.insert(name).second; ++count) {
            name = fmt::format("{}#{}", map->name, count);
        }
        names.emplace(map, std::move(name));
    }
    return names;
}

/// The lines of the fields of an event.
class CompactFieldLines {
public:
    CompactFieldLines(const schema::EventSchema& event,
                      const std::map<const schema::ValueMap*, std::string>& maps)
        : event_(&event), maps_(&maps) {}

    std::string write() {
        std::string text;
        for (std::size_t i = 0; i < event_->fields.size(); ++i) {
            close(i);
            const schema::Field& field = event_->fields[i];
            names_.push_back(field.name);
            const std::size_t indent = 2 * (ends_.size() + 1);
            text += fmt::format("{:{}}{} {}\n", "", indent, compact_name(field.name), type(i));
            scopes_.add(names_.back(), field, i);
            if (field.members != 0) {
                ends_.push_back(i + 1 + field.members);
                scopes_.enter();
            }
        }
        return text;
    }

private:
    void close(std::size_t at) {
        while (!ends_.empty() && ends_.back() <= at) {
            ends_.pop_back();
            scopes_.leave();
        }
    }

    std::string type(std::size_t field) const {
        const auto map = [&](const schema::ValueMap& of) { return compact_name(maps_->at(&of)); };
        const auto reference = [&](std::size_t to) {
            if (to >= field) {
                return std::string("?");
            }
            const std::string& name = event_->fields[to].name;
            return scopes_.find(name) == to ? compact_reference(name) : fmt::format("@{}", to);
        };
        return type_text(*event_, field, {map, reference});
    }

    const schema::EventSchema* event_;
    const std::map<const schema::ValueMap*, std::string>* maps_;
    std::deque<std::string> names_; // the scopes view them
    schema::FieldScopes scopes_;
    std::vector<std::size_t> ends_; // of the structures around a field
};

} // namespace

std::size_t CompactTemplates::number(const schema::EventSchema& event, std::string& text) {
    if (event.fields.empty() && event.user_data.empty()) {
        return 0;
    }
    // In the order of their names: the addresses of maps differ from run to run.
    std::map<std::string, std::string> maps;
    const auto names = names_of_maps(event);
    for (const auto& [map, name] : names) {
        maps.emplace(name, map_lines(*map, name));
    }
    std::string lines;
    if (!event.user_data.empty()) {
        lines += " userdata " + compact_name(event.user_data);
    }
    lines += '\n' + CompactFieldLines(event, names).write();
    std::string key = lines;
    for (const auto& [name, map] : maps) {
        key += map;
    }
    const auto [known, is_new] = numbers_.try_emplace(std::move(key), numbers_.size() + 1);
    if (is_new) {
        write_maps(maps, text);
        text += fmt::format("fields {}{}", known->second, lines);
    }
    return known->second;
}

// A map that has the name of another one replaces it for the templates that follow.
void CompactTemplates::write_maps(const std::map<std::string, std::string>& maps,
                                  std::string& text) {
    for (const auto& [name, lines] : maps) {
        std::string& now = maps_[name];
        if (now != lines) {
            text += lines;
            now = lines;
        }
    }
}

} // namespace etl::authoring
