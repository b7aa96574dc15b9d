#include "sink/text/line_names.hpp"

#include "base/readable_text.hpp"
#include "schema/winmeta.hpp"

namespace etl::sink {

namespace {

constexpr std::uint8_t level_warning = 3;

// `file:line function level` of a WPP message, as far as its format says them.
void append_site(std::string& to, const schema::EventSchema& message) {
    const schema::TraceSite& site = *message.site;
    if (site.line.empty()) {
        append_readable(to, message.event_name);
    } else {
        append_readable(to, site.file);
        to.push_back(':');
        append_readable(to, site.line);
    }
    for (const std::string* word : {&site.function, &site.level}) {
        if (!word->empty() && *word != message.event_name) {
            to.push_back(' ');
            append_readable(to, *word);
        }
    }
}

void append_names(std::string& to, const decode::DecodedEvent& decoded) {
    const bool is_message = format::is_message(decoded.event->kind);
    if (decoded.kind->provider) {
        append_readable(to, *decoded.kind->provider);
    } else if (decoded.header.has_component_id) {
        to.append("Component(");
        append_decimal(to, decoded.header.component_id);
        to.push_back(')');
    } else {
        to.push_back('{');
        append_guid(to, decoded.header.provider);
        to.push_back('}');
    }
    to.push_back(' ');
    if (decoded.kind->schema != nullptr && decoded.kind->schema->site) {
        append_site(to, *decoded.kind->schema);
    } else if (decoded.kind->event) {
        append_readable(to, *decoded.kind->event);
    } else if (is_message) {
        to.append("Message(");
        append_decimal(to, decoded.header.id);
        to.push_back(')');
    } else {
        to.append("EventID(");
        append_decimal(to, decoded.header.id);
        to.push_back(')');
    }
}

void append_names_and_level(std::string& to, const decode::DecodedEvent& decoded) {
    const flow::EventHeader& header = decoded.header;
    append_names(to, decoded);
    if (header.level != 0 && header.level <= level_warning) {
        to.push_back(' ');
        append_readable(to, decoded.kind->level_name.empty()
                                ? schema::winmeta::level_name(header.level)
                                : decoded.kind->level_name);
    }
}

} // namespace

void LineNames::append(TextAppender& to, const decode::DecodedEvent& event,
                       std::uint32_t generation) {
    if (event.header.has_component_id) { // not part of a kind
        to.append_with([&](std::string& text) { append_names_and_level(text, event); });
    } else {
        to.text(of_kind(event, generation));
    }
}

const std::string& LineNames::of_kind(const decode::DecodedEvent& event, std::uint32_t generation) {
    if (generation != generation_) {
        texts_.clear();
        generation_ = generation;
    }
    const std::size_t number = event.kind->number;
    if (number >= texts_.size()) {
        texts_.resize(number + 1);
    }
    std::string& text = texts_[number];
    if (text.empty()) {
        append_names_and_level(text, event);
    }
    return text;
}

} // namespace etl::sink
