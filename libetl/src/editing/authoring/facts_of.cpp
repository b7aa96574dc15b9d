// What of a set of schemas is a fact.
#include "authoring/merge.hpp"
#include "base/text.hpp"
#include "schema/event_name.hpp"
#include "schema/winmeta.hpp"

#include <algorithm>
#include <unordered_map>

namespace etl::authoring {

namespace {

constexpr std::size_t most_words_of_a_name = 6;
constexpr std::size_t most_words_of_a_value = 5;

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

bool is_sentence(std::string_view text, std::size_t most_words) {
    std::size_t words = 0;
    bool has_word_of_sentences = false;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        words += std::ranges::any_of(word, is_letter_or_digit) ? 1U : 0U;
        has_word_of_sentences = has_word_of_sentences || is_word_of_sentences(word);
    }
    return text.find_first_of("\r\n%") != text.npos || words > most_words ||
           (words > 2 && has_word_of_sentences) ||
           (words > 1 && (text.ends_with('.') || text.ends_with('!') || text.ends_with('?')));
}

std::string name_or_nothing(const std::string& name, std::string_view kind) {
    const bool is_name =
        !schema::is_made_up_name(name, kind) && !is_sentence(name, most_words_of_a_name);
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
        for (const auto& [value, text] : from->levels) {
            if (text != schema::winmeta::level_name(value) &&
                !is_sentence(text, most_words_of_a_value)) {
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
        to->event_name =
            schema::compose_event_name(to->task_name, to->opcode, to->opcode_name, to->symbol);
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
                return entry.second.empty() || is_sentence(entry.second, most_words_of_a_value);
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

} // namespace etl::authoring
