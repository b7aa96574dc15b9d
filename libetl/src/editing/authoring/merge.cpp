#include "authoring/merge.hpp"

#include <etl/record.hpp>

#include "authoring/compare.hpp"
#include "authoring/provider_events.hpp"
#include "base/text.hpp"
#include "schema/event_name.hpp"
#include "schema/value_form.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace etl::authoring {

// What of a set of schemas is a fact.

namespace {

constexpr std::size_t max_words_of_a_name = 6;
constexpr std::size_t max_words_of_a_value = 5;

bool is_letter_or_digit(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c & '\x80') != 0;
}

// Sentences have these; names of three words and more seldom do.
bool is_word_of_sentences(std::string_view word) noexcept {
    constexpr std::string_view words[] = {"a",    "an",   "are",  "be",  "been", "cannot", "did",
                                          "does", "has",  "have", "is",  "not",  "the",    "this",
                                          "was",  "were", "will", "you", "your"};
    return std::ranges::any_of(
        words, [&](std::string_view known) { return equals_ignoring_case(known, word); });
}

bool is_sentence(std::string_view text, std::size_t max_words) {
    std::size_t words = 0;
    bool has_word_of_sentences = false;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        words += std::ranges::any_of(word, is_letter_or_digit) ? 1U : 0U;
        has_word_of_sentences = has_word_of_sentences || is_word_of_sentences(word);
    }
    return text.find_first_of("\r\n%") != text.npos || words > max_words ||
           (words > 2 && has_word_of_sentences) ||
           (words > 1 && (text.ends_with('.') || text.ends_with('!') || text.ends_with('?')));
}

std::string name_or_nothing(const std::string& name, std::string_view kind) {
    const bool is_name =
        !schema::is_made_up_name(name, kind) && !is_sentence(name, max_words_of_a_name);
    return is_name ? name : std::string();
}

class Facts {
public:
    schema::SchemaSet of(const schema::SchemaSet& set) {
        schema::SchemaSet result;
        for (const auto& provider : set.providers) {
            result.providers.push_back(names(provider));
        }
        for (const auto& event : set.events) {
            if (event->provider) {
                result.events.push_back(of(*event));
            }
        }
        return result;
    }

private:
    std::shared_ptr<const schema::ProviderNames>
    names(const std::shared_ptr<const schema::ProviderNames>& from) {
        auto& known = providers_[from.get()];
        if (known) {
            return known;
        }
        auto to = std::make_shared<schema::ProviderNames>();
        to->guid = from->guid;
        to->name = from->name;
        to->channels = from->channels;
        to->builds = from->builds;
        to->is_guess = from->is_guess;
        for (const auto& [value, text] : from->levels) {
            if (text != schema::winmeta::level_name(value) &&
                !is_sentence(text, max_words_of_a_value)) {
                to->levels.emplace_back(value, text);
            }
        }
        for (const auto& [mask, text] : from->keywords) {
            if (std::string name = name_or_nothing(text, "keyword"); !name.empty()) {
                to->keywords.emplace_back(mask, std::move(name));
            }
        }
        return known = std::move(to);
    }

    std::shared_ptr<const schema::EventSchema> of(const schema::EventSchema& event) {
        auto to = std::make_shared<schema::EventSchema>(event);
        to->provider = names(event.provider);
        to->message.clear();
        to->task_name = name_or_nothing(event.task_name, "task");
        to->opcode_name = name_or_nothing(event.opcode_name, "opcode");
        if (!to->task_name.empty()) {
            to->symbol.clear();
        }
        to->event_name = schema::composed_name(*to);
        for (auto& map : to->maps) {
            map = facts_of_map(map);
        }
        for (schema::Field& field : to->fields) {
            if (field.map < to->maps.size() && !to->maps[field.map]) {
                field.map = schema::Field::no_map;
            }
        }
        return to;
    }

    // Null: nothing is left of it.
    std::shared_ptr<const schema::ValueMap>
    facts_of_map(const std::shared_ptr<const schema::ValueMap>& from) {
        const auto [known, is_new] = maps_.try_emplace(from.get());
        if (is_new && from) {
            auto to = std::make_shared<schema::ValueMap>(*from);
            std::erase_if(to->entries, [](const auto& entry) {
                return entry.second.empty() || is_sentence(entry.second, max_words_of_a_value);
            });
            known->second = to->entries.empty() ? nullptr : std::move(to);
        }
        return known->second;
    }

    std::unordered_map<const schema::ProviderNames*, std::shared_ptr<const schema::ProviderNames>>
        providers_;
    std::unordered_map<const schema::ValueMap*, std::shared_ptr<const schema::ValueMap>> maps_;
};

} // namespace

schema::SchemaSet facts_of(const schema::SchemaSet& set) {
    return Facts().of(set);
}

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

/// An executable without its texts has maps without entries.
bool has_map(const schema::EventSchema& event, const schema::Field& field) {
    return field.map < event.maps.size() && event.maps[field.map] &&
           !event.maps[field.map]->entries.empty();
}

/// Gives fields the maps and out types that only the other source has: exports of Windows lose
/// some. Both events have the same layout.
SharedEvent restored(const SharedEvent& event, const schema::EventSchema& other) {
    std::shared_ptr<schema::EventSchema> result;
    for (std::size_t i = 0; i < event->fields.size(); ++i) {
        const schema::Field& field = event->fields[i];
        const schema::Field& full = other.fields[i];
        const bool lacks_map = !has_map(*event, field) && has_map(other, full);
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
    using Names = std::shared_ptr<const schema::ProviderNames>;

    /// `names` are those of all sources.
    EventMerge(const std::vector<SharedEvent>& events, Names names) : names_(std::move(names)) {
        for (const SharedEvent& event : events) {
            add_names(*event);
            add(event);
        }
    }

    std::vector<SharedEvent> take() const {
        std::vector<SharedEvent> events;
        for (const auto& [key, layouts] : layouts_) {
            const bool one_is_known = std::ranges::any_of(
                layouts, [](const Layout& layout) { return is_known_in_full(*layout.event); });
            for (const Layout& layout : layouts) {
                if (!one_is_known || layout.builds != 0 || is_known_in_full(*layout.event)) {
                    events.push_back(named(layout));
                }
            }
        }
        return events;
    }

private:
    struct Layout {
        std::string key;
        SharedEvent event;
        std::uint64_t builds = 0; // of names_
        bool is_of_any_build = false;
    };

    void add(const SharedEvent& event) {
        auto& layouts = layouts_[{event->id, event->version}];
        std::string layout = layout_of(*event);
        const auto known = std::ranges::find_if(layouts, [&](const Layout& other) {
            return other.key == layout && is_same(*other.event, *event);
        });
        const std::uint64_t builds = schema::build_bits(schema::builds_of(*event), names_->builds);
        if (known == layouts.end()) {
            layouts.push_back({std::move(layout), event, builds, event->is_of_any_build});
        } else {
            known->event = restored(known->event, *event);
            known->builds |= builds;
            known->is_of_any_build = known->is_of_any_build || event->is_of_any_build;
        }
    }

    // Builds of Windows differ in names of fields, and in maps, too.
    static bool is_same(const schema::EventSchema& a, const schema::EventSchema& b) {
        return (a.builds == 0 && b.builds == 0) ||
               (std::ranges::equal(a.fields, b.fields, {}, &schema::Field::name,
                                   &schema::Field::name) &&
                !have_other_maps(a, b));
    }

    // Sources that lose maps have none.
    static bool have_other_maps(const schema::EventSchema& a, const schema::EventSchema& b) {
        for (std::size_t i = 0; i < a.fields.size(); ++i) {
            const schema::Field& one = a.fields[i];
            const schema::Field& other = b.fields[i];
            if (has_map(a, one) && has_map(b, other) &&
                a.maps[one.map]->entries != b.maps[other.map]->entries) {
                return true;
            }
        }
        return false;
    }

    void add_names(const schema::EventSchema& event) {
        if (!is_no_name(event.task_name, "task") && !event.is_task_unknown) {
            tasks_.try_emplace(event.task, event.task_name);
        }
        if (!is_no_name(event.opcode_name, "opcode") && !event.is_opcode_unknown) {
            opcodes_.try_emplace({event.task, event.opcode}, event.opcode_name);
        }
    }

    SharedEvent named(const Layout& layout) const {
        const schema::EventSchema& event = *layout.event;
        auto result = std::make_shared<schema::EventSchema>(event);
        result->provider = names_;
        result->builds = layout.builds;
        result->is_of_any_build = layout.is_of_any_build;
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
            result->event_name = schema::composed_name(*result);
        }
        return result;
    }

    Names names_;
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
        const auto events = EventMerge(provider.events, names).take();
        result.events.insert(result.events.end(), events.begin(), events.end());
        result.providers.push_back(std::move(names));
    }
    return result;
}

namespace {

using schema::EventSchema;
using schema::Origin;
using SharedEvent = std::shared_ptr<const EventSchema>;

/// The events of one provider.
struct NumberedProvider {
    std::set<std::uint16_t> taken; // IDs of events that have their own
    /// Of TraceLogging events: name -> those whose fields differ, in the order of the set.
    std::map<std::string, std::vector<SharedEvent>> events;
};

bool has_same_fields(const EventSchema& a, const EventSchema& b) {
    if (a.fields.size() != b.fields.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
        if (a.fields[i].name != b.fields[i].name || a.fields[i].members != b.fields[i].members ||
            type_text(a, i) != type_text(b, i)) {
            return false;
        }
    }
    return true;
}

void add(std::vector<SharedEvent>& layouts, const SharedEvent& event) {
    const bool is_known = std::ranges::any_of(
        layouts, [&](const SharedEvent& known) { return has_same_fields(*known, *event); });
    if (!is_known) {
        layouts.push_back(event);
    }
}

/// Hands out IDs and versions.
class Numbers {
public:
    explicit Numbers(const std::set<std::uint16_t>& taken) : taken_(&taken) {}

    /// Moves on to the next free ID; false if there is none.
    bool next_id() {
        version_ = 0;
        do {
            if (id_ == std::numeric_limits<std::uint16_t>::max()) {
                return false;
            }
            ++id_;
        } while (taken_->contains(id_));
        return true;
    }

    /// Numbers an event; false if all numbers are used.
    bool number(EventSchema& event) {
        if (version_ > std::numeric_limits<std::uint8_t>::max() && !next_id()) {
            return false;
        }
        event.id = id_;
        event.version = static_cast<std::uint8_t>(version_++);
        return true;
    }

private:
    const std::set<std::uint16_t>* taken_;
    std::uint16_t id_ = 0;
    unsigned version_ = 0;
};

/// Also one that has an ID of with_tracelogging_ids().
bool is_tracelogging(const EventSchema& event) noexcept {
    return event.origin == Origin::tracelogging ||
           (event.origin == Origin::manifest && event.channel == format::tracelogging_channel);
}

void append_numbered(const NumberedProvider& provider, std::vector<SharedEvent>& to) {
    Numbers numbers(provider.taken);
    for (const auto& [name, layouts] : provider.events) {
        if (!numbers.next_id()) {
            return;
        }
        for (const SharedEvent& layout : layouts) {
            auto event = std::make_shared<EventSchema>(*layout);
            if (!numbers.number(*event)) {
                return;
            }
            to.push_back(std::move(event));
        }
    }
}

} // namespace

schema::SchemaSet with_tracelogging_ids(const schema::SchemaSet& set) {
    schema::SchemaSet result;
    result.providers = set.providers;
    result.notes = set.notes;
    std::map<Guid, NumberedProvider> providers;
    for (const SharedEvent& event : set.events) {
        NumberedProvider& provider = providers[event->provider ? event->provider->guid : Guid{}];
        if (is_tracelogging(*event)) {
            add(provider.events[event->event_name], event);
        } else {
            provider.taken.insert(event->id);
            result.events.push_back(event);
        }
    }
    for (const auto& [guid, provider] : providers) {
        append_numbered(provider, result.events);
    }
    return result;
}

} // namespace etl::authoring
