
#include "authoring/compact_writer.hpp"

#include "authoring/compare.hpp"
#include "authoring/provider_events.hpp"
#include "authoring/written_notes.hpp"
#include "base/function_ref.hpp"
#include "base/text.hpp"
#include "schema/event_schema.hpp"
#include "schema/field_scopes.hpp"
#include "schema/limits.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::authoring {

namespace {

/// Fields in words, with a choice of how names are spelled.
struct FieldWords {
    /// How a map or an earlier field is named.
    FunctionRef<std::string(const schema::ValueMap& map)> map;
    FunctionRef<std::string(std::size_t field)> reference;
};

/// As type_text().
std::string type_in_words(const schema::EventSchema& event, std::size_t field,
                          const FieldWords& words);

// Fields in words.

std::string extent_text(const schema::Extent& extent, const FieldWords& words) {
    switch (extent.kind) {
    case schema::Extent::Kind::natural:
        return {};
    case schema::Extent::Kind::fixed:
        return std::to_string(extent.value);
    case schema::Extent::Kind::field:
        return words.reference(extent.value);
    case schema::Extent::Kind::prefixed:
        return "u16 before it";
    case schema::Extent::Kind::rest:
        return "*";
    case schema::Extent::Kind::unknown:
        break;
    }
    return "?";
}

std::string in_type_word(schema::InType type) {
    const std::string_view known = name(type);
    return known.empty() ? fmt::format("type {}", static_cast<unsigned>(type)) : std::string(known);
}

std::string out_type_word(schema::OutType type) {
    const std::string_view known = name(type);
    return known.empty() ? fmt::format("out type {}", static_cast<unsigned>(type))
                         : std::string(known);
}

std::string type_in_words(const schema::EventSchema& event, std::size_t field,
                          const FieldWords& words) {
    const schema::Field& of = event.fields[field];
    std::string text = in_type_word(of.in_type);
    if (of.length.kind != schema::Extent::Kind::natural) {
        text += fmt::format("({})", extent_text(of.length, words));
    }
    if (of.count.kind != schema::Extent::Kind::natural) {
        text += fmt::format("[{}]", extent_text(of.count, words));
    }
    if (of.out_type != schema::OutType::none) {
        text += fmt::format(" as {}", out_type_word(of.out_type));
    }
    if (of.map < event.maps.size() && event.maps[of.map]) {
        text += fmt::format(" by map {}", words.map(*event.maps[of.map]));
    }
    if (of.tags != 0) {
        text += fmt::format(" tags 0x{:x}", of.tags);
    }
    return text;
}

// Names as the compact form spells them. Pure; any thread. schemas/README.md

/// The name, in quotes if necessary. What is not UTF-8 becomes U+FFFD.
std::string compact_name(std::string_view name);

/// The name of a field as a length or count: in quotes also where it could be something else.
std::string compact_reference(std::string_view name);

bool is_control(char c) noexcept {
    return (c >= '\0' && c < ' ') || c == '\x7F';
}

bool needs_quotes(std::string_view name) noexcept {
    constexpr std::string_view not_in_words = " ()[]=\"#";
    return name.empty() || name.find_first_of(not_in_words) != name.npos ||
           std::ranges::any_of(name, is_control);
}

std::string in_quotes(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        if (is_control(c)) {
            text += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
        } else {
            text += c == '"' || c == '\\' ? "\\" : "";
            text += c;
        }
    }
    return text + '"';
}

std::string valid_utf8(std::string_view name) {
    std::string text;
    append_utf8(text, std::as_bytes(std::span(name)));
    return text;
}

std::string compact_name(std::string_view name) {
    const std::string text = valid_utf8(name);
    return needs_quotes(text) ? in_quotes(text) : text;
}

std::string compact_reference(std::string_view name) {
    const std::string text = valid_utf8(name);
    const bool has_meaning = text == "*" || text == "?" || text == "u16" || text.starts_with('@') ||
                             (!text.empty() && text[0] >= '0' && text[0] <= '9');
    return has_meaning || needs_quotes(text) ? in_quotes(text) : text;
}

/// Tasks and opcodes of one provider in the compact form: the names that lines of their own give to
/// them, and what an event has to add. One thread. schemas/README.md
class CompactNames {
public:
    /// The first name of each task and opcode counts. `events` must outlive this.
    explicit CompactNames(const std::vector<std::shared_ptr<const schema::EventSchema>>& events);

    /// The lines of tasks and opcodes.
    std::string lines() const;

    /// ` task 10 opcode 11`; empty for an event that has neither.
    std::string of(const schema::EventSchema& event) const;

private:
    using Opcodes = std::map<std::uint8_t, std::string>;

    struct Task {
        std::string name;
        Guid guid;
        Opcodes opcodes;
    };

    std::string opcode_name(const schema::EventSchema& event) const;

    std::map<std::uint16_t, Task> tasks_;
    Opcodes opcodes_; // of events without a task
};

bool is_in_a_task(const schema::EventSchema& event) noexcept {
    return event.task != 0 || !event.task_name.empty() || event.task_guid != Guid();
}

std::string opcode_lines(const std::map<std::uint8_t, std::string>& opcodes) {
    std::string text;
    for (const auto& [value, name] : opcodes) {
        if (name != schema::winmeta::opcode_name(value)) {
            text += fmt::format("opcode {} {}\n", value, compact_name(name));
        }
    }
    return text;
}

CompactNames::CompactNames(const std::vector<std::shared_ptr<const schema::EventSchema>>& events) {
    for (const auto& event : events) {
        if (event->is_task_unknown) {
            continue;
        }
        Opcodes* opcodes = &opcodes_;
        if (is_in_a_task(*event)) {
            const auto [known, is_new] = tasks_.try_emplace(event->task);
            if (is_new || known->second.name.empty()) {
                known->second.name = event->task_name;
                known->second.guid = event->task_guid;
            }
            opcodes = &known->second.opcodes;
        }
        if (!event->opcode_name.empty() && !event->is_opcode_unknown) {
            opcodes->try_emplace(event->opcode, event->opcode_name);
        }
    }
}

std::string CompactNames::lines() const {
    std::string text = opcode_lines(opcodes_);
    for (const auto& [value, task] : tasks_) {
        const std::string opcodes = opcode_lines(task.opcodes);
        if (task.name.empty() && task.guid == Guid() && opcodes.empty()) {
            continue;
        }
        text += fmt::format("task {} {}", value, compact_name(task.name));
        text += task.guid == Guid() ? "\n" : fmt::format(" {}\n", to_string(task.guid));
        text += opcodes;
    }
    return text;
}

// As the reader looks it up.
std::string CompactNames::opcode_name(const schema::EventSchema& event) const {
    if (const auto task = tasks_.find(event.task); task != tasks_.end()) {
        const auto own = task->second.opcodes.find(event.opcode);
        if (own != task->second.opcodes.end()) {
            return own->second;
        }
    }
    const auto own = opcodes_.find(event.opcode);
    return own != opcodes_.end() ? own->second
                                 : std::string(schema::winmeta::opcode_name(event.opcode));
}

std::string CompactNames::of(const schema::EventSchema& event) const {
    std::string text;
    if (event.is_task_unknown) {
        text += " task ?=" + compact_name(event.task_name);
    } else if (is_in_a_task(event)) {
        const Task& task = tasks_.at(event.task);
        text += fmt::format(" task {}", event.task);
        if (task.name != event.task_name) {
            text += "=" + compact_name(event.task_name);
        }
        if (task.guid != event.task_guid) {
            text += " guid " + to_string(event.task_guid);
        }
    }
    if (event.is_opcode_unknown) {
        text += " opcode ?=" + compact_name(event.opcode_name);
    } else if (event.opcode != 0 || !event.opcode_name.empty()) {
        text += fmt::format(" opcode {}", event.opcode);
        if (opcode_name(event) != event.opcode_name) {
            text += "=" + compact_name(event.opcode_name);
        }
    }
    return text;
}

/// The templates and maps of one provider in the compact form. One thread. schemas/README.md
class CompactTemplates {
public:
    /// The number of the template that specifies the payload of an event, 0 if it has none. Appends
    /// the lines of the template, and those of its maps, to `text` unless they are in it.
    std::size_t number(const schema::EventSchema& event, std::string& text);

private:
    void write_maps(const std::map<std::string, std::string>& maps, std::string& text);

    std::map<std::string, std::size_t> numbers_; // by lines, those of the maps included
    std::map<std::string, std::string> maps_;    // lines by name, as the reader has them now
};

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
        return type_in_words(*event_, field, {map, reference});
    }

    const schema::EventSchema* event_;
    const std::map<const schema::ValueMap*, std::string>* maps_;
    std::deque<std::string> names_; // the scopes view them
    schema::FieldScopes scopes_;
    std::vector<std::size_t> ends_; // of the structures around a field
};

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

/// Places in a list of dumped builds, the last one included.
struct BuildRange {
    std::size_t first = 0, last = 0;
};

std::vector<BuildRange> build_ranges(std::uint64_t builds, std::size_t dumped) {
    std::vector<BuildRange> ranges;
    const auto has = [&](std::size_t i) { return i < dumped && (builds >> i & 1U) != 0; };
    for (std::size_t i = 0; i < dumped; ++i) {
        if (!has(i)) {
            continue;
        }
        ranges.push_back({i, i});
        while (has(i + 1)) {
            ranges.back().last = ++i;
        }
    }
    return ranges;
}

// Without an end where the range reaches that of the list.
std::string range_word(BuildRange range, const std::vector<std::uint32_t>& dumped) {
    const bool is_last = range.last + 1 == dumped.size();
    if (range.first == range.last && !is_last) {
        return std::to_string(dumped[range.first]);
    }
    return fmt::format("{}-{}", range.first == 0 ? "" : std::to_string(dumped[range.first]),
                       is_last ? "" : std::to_string(dumped[range.last]));
}

/// ` builds 10240-19043`; empty: all dumped builds have the layout.
std::string builds_words(const schema::EventSchema& event,
                         const std::vector<std::uint32_t>& dumped) {
    if (dumped.empty()) {
        return {};
    }
    const std::uint64_t builds = schema::build_bits(schema::builds_of(event), dumped);
    const bool are_all = builds == schema::build_bits(dumped, dumped);
    if (are_all && !event.is_of_any_build) {
        return {};
    }
    std::string text = event.is_of_any_build ? " builds *" : " builds";
    for (const BuildRange range : build_ranges(builds, dumped.size())) {
        text += ' ' + range_word(range, dumped);
    }
    return text;
}

class CompactText {
public:
    Result<WrittenCompact> write(const schema::SchemaSet& set) {
        for (const ProviderEvents& provider : group_by_provider(set)) {
            write_provider(provider);
            if (is_full()) {
                return fail(ErrorCode::limit, "size of a file in the compact form", {},
                            schema::limits::manifest_file_bytes);
            }
        }
        note_events_without_provider(set);
        return WrittenCompact{std::move(text_), notes_.take()};
    }

private:
    bool is_full() const noexcept { return text_.size() > schema::limits::manifest_file_bytes; }

    void write_provider(const ProviderEvents& provider) {
        const schema::ProviderNames& names = provider.names;
        text_ += fmt::format("provider {} {}{}\n", compact_name(names.name), to_string(names.guid),
                             names.is_guess ? " guess" : "");
        text_ +=
            names.builds.empty() ? "" : fmt::format("builds {}\n", fmt::join(names.builds, " "));
        for (const auto& [value, name] : names.channels) {
            text_ += fmt::format("channel {} {}\n", value, compact_name(name));
        }
        for (const auto& [value, name] : names.levels) {
            text_ += fmt::format("level {} {}\n", value, compact_name(name));
        }
        for (const auto& [mask, name] : names.keywords) {
            text_ += fmt::format("keyword {:#x} {}\n", mask, compact_name(name));
        }
        auto events = provider.events;
        std::ranges::stable_sort(
            events, {}, [](const auto& event) { return std::pair(event->id, event->version); });
        const CompactNames words(events);
        text_ += words.lines();
        CompactTemplates templates;
        for (const auto& event : events) {
            if (!is_full()) {
                write_event(*event, names, words, templates);
            }
        }
    }

    void write_event(const schema::EventSchema& event, const schema::ProviderNames& provider,
                     const CompactNames& words, CompactTemplates& templates) {
        if (event.any_version || event.site) {
            notes_.add(fmt::format("event {} version {} of {}: a schema of the kind {}; left out",
                                   event.id, event.version, event.provider->name,
                                   name(event.origin)));
            return;
        }
        const bool has_builds = provider.builds.empty() || event.is_of_any_build ||
                                schema::build_bits(schema::builds_of(event), provider.builds) != 0;
        if (!has_builds) {
            notes_.add(
                fmt::format("event {} version {} of {}: none of the newest {} builds has the "
                            "layout; left out",
                            event.id, event.version, event.provider->name,
                            schema::limits::builds_of_a_provider));
            return;
        }
        const std::size_t fields = templates.number(event, text_);
        text_ += fmt::format("event {} {}", event.id, event.version);
        add("level", event.level);
        add("channel", event.channel);
        text_ += words.of(event);
        if (event.keyword != 0) {
            text_ += fmt::format(" keywords {:#x}", event.keyword);
        }
        if (!event.symbol.empty()) {
            text_ += " symbol " + compact_name(event.symbol);
        }
        if (event.event_name != schema::composed_name(event)) {
            text_ += " name " + compact_name(event.event_name);
        }
        add("tags", event.tags);
        add("fields", fields);
        text_ += builds_words(event, provider.builds);
        text_ += '\n';
    }

    void add(std::string_view key, std::uint64_t value) {
        if (value != 0) {
            text_ += fmt::format(" {} {}", key, value);
        }
    }

    void note_events_without_provider(const schema::SchemaSet& set) {
        for (const auto& event : set.events) {
            if (!event->provider) {
                notes_.add(fmt::format("event {} version {} has no provider; left out", event->id,
                                       event->version));
            }
        }
    }

    std::string text_;
    WrittenNotes notes_;
};

} // namespace

std::string builds_text(const schema::EventSchema& event) {
    if (!event.provider || event.provider->builds.empty()) {
        return {};
    }
    const std::vector<std::uint32_t>& dumped = event.provider->builds;
    std::string text = event.is_of_any_build ? "any" : "";
    for (const auto [first, last] : build_ranges(event.builds, dumped.size())) {
        text += text.empty() ? "" : " ";
        text += first == last ? std::to_string(dumped[first])
                              : fmt::format("{}-{}", dumped[first], dumped[last]);
    }
    return text;
}

std::string type_text(const schema::EventSchema& event, std::size_t field) {
    const auto map = [](const schema::ValueMap& of) { return of.name; };
    const auto reference = [&](std::size_t to) {
        return to < event.fields.size() ? event.fields[to].name : std::string("?");
    };
    return type_in_words(event, field, {map, reference});
}

Result<WrittenCompact> write_compact(const schema::SchemaSet& set) {
    return CompactText().write(set);
}

} // namespace etl::authoring
