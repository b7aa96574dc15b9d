#include "authoring/written_strings.hpp"

#include "schema/event_name.hpp"

namespace etl::authoring {

namespace {

// The parser takes one line end or blank away from the end of a text, and an empty text is none.
std::string with_message_end(const std::string& text) {
    return text.empty() || schema::without_message_end(text).size() != text.size() ? text + ' '
                                                                                   : text;
}

} // namespace

std::string WrittenStrings::reference(std::string_view kind, std::string_view name,
                                      const std::string& text) {
    const auto [known, is_new] = by_text_.try_emplace({std::string(kind), text}, entries_.size());
    if (is_new) {
        const std::string stem = std::string(kind) + '.' + plain_name(name);
        entries_.push_back({ids_.take_like(stem), with_message_end(text)});
    }
    return "$(string." + entries_[known->second].id + ")";
}

} // namespace etl::authoring
