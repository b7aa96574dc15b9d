#include "sink/json/json_members.hpp"

#include <etl/time.hpp>

#include "base/json_text.hpp"

#include <algorithm>

namespace etl::sink {

OriginJson::OriginJson(const Selection& selection, std::shared_ptr<const facts::Origins> origins)
    : origins_(std::move(origins)) {
    const bool is_wanted = std::ranges::any_of(decode::all_keys, [&](Key key) {
        return decode::is_origin_key(key) && selection.has(key);
    });
    if (!origins_ || !is_wanted) {
        return;
    }
    const JsonMembers members(selection);
    for (const facts::Origin& origin : origins_->all()) {
        TextAppender to(texts_.emplace_back());
        members.number(to, Key::trace, origin.trace);
        members.text(to, Key::file, origin.file);
        if (!origin.machine.empty()) {
            members.text(to, Key::machine, origin.machine);
        }
        if (origin.boot) {
            std::string boot;
            append_rfc3339(boot, *origin.boot);
            members.text(to, Key::boot, boot);
        }
    }
}

void append_addresses(TextAppender& to, std::span<const std::uint64_t> addresses) {
    constexpr std::size_t max = 21; // `"0x...",`
    to.reserve(2 + addresses.size() * max);
    to.put('[');
    for (const std::uint64_t address : addresses) {
        to.put(to.back() == '[' ? std::string_view("\"") : std::string_view(",\""));
        to.put_hex(address);
        to.put('"');
    }
    to.put(']');
}

void append_frames(TextAppender& to, std::span<const std::string_view> frames) {
    to.append_with([&](std::string& text) { append_json_strings(text, frames); });
}

bool has_field_notes(const facts::Notes& notes, const KindTexts& texts) noexcept {
    return std::ranges::any_of(notes.fields, [&](const facts::FieldNote& note) {
        return texts.fields[note.field].is_wanted;
    });
}

void append_field_notes(TextAppender& to, const facts::Notes& notes, const KindTexts& texts) {
    to.append_with([&](std::string& text) {
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
