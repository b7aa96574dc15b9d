#include "sink/notes_json.hpp"

#include <etl/base/json_text.hpp>

#include <algorithm>

namespace etl::sink {

void append_addresses(TextTail& to, std::span<const std::uint64_t> addresses) {
    constexpr std::size_t longest = 21; // `"0x...",`
    to.room(2 + addresses.size() * longest);
    to.put('[');
    for (const std::uint64_t address : addresses) {
        to.put(to.back() == '[' ? std::string_view("\"") : std::string_view(",\""));
        to.put_hex(address);
        to.put('"');
    }
    to.put(']');
}

void append_frames(TextTail& to, std::span<const std::string_view> frames) {
    to.lend([&](std::string& text) { append_json_strings(text, frames); });
}

bool has_field_notes(const facts::Notes& notes, const KindTexts& texts) noexcept {
    return std::ranges::any_of(notes.fields, [&](const facts::FieldNote& note) {
        return texts.fields[note.field].is_wanted;
    });
}

void append_field_notes(TextTail& to, const facts::Notes& notes, const KindTexts& texts) {
    to.lend([&](std::string& text) {
        text.push_back('{');
        for (const facts::FieldNote& note : notes.fields) {
            if (texts.fields[note.field].is_wanted) {
                const std::string_view key = texts.name_of(note.field); // with a comma
                text.append(text.back() == '{' ? key.substr(1) : key);
                append_json_string(text, note.text);
            }
        }
        text.push_back('}');
    });
}

} // namespace etl::sink
