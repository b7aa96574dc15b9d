#include "sink/kind_texts.hpp"

#include <etl/guid.hpp>

#include "base/json_object.hpp"
#include "base/readable_text.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace etl::sink {

namespace {

void append_key(std::string& to, std::string_view key) {
    to.append(",\"").append(key).append("\":");
}

/// Writes the keys that are wanted.
class IdentityWriter {
public:
    IdentityWriter(const Selection& selection, std::string& to) : selection_(selection), to_(to) {}

    void number(Key key, std::uint64_t value) {
        if (begin(key)) {
            append_decimal(to_, value);
        }
    }

    void text(Key key, std::string_view value) {
        if (begin(key)) {
            append_json_string(to_, value);
        }
    }

    void text_or_null(Key key, const std::optional<std::string>& value) {
        if (value) {
            text(key, *value);
        } else if (begin(key)) {
            to_.append("null");
        }
    }

    void text_if_any(Key key, std::string_view value) {
        if (!value.empty()) {
            text(key, value);
        }
    }

    void texts_if_any(Key key, const std::vector<std::string_view>& values) {
        if (values.empty() || !begin(key)) {
            return;
        }
        append_json_strings(to_, values);
    }

private:
    bool begin(Key key) {
        if (!selection_.has(key)) {
            return false;
        }
        append_key(to_, name(key));
        return true;
    }

    const Selection& selection_;
    std::string& to_;
};

std::string hex(std::uint64_t value) {
    std::string text;
    append_hex(text, value);
    return text;
}

std::string identity_of(const decode::DecodedEvent& event, const Selection& selection) {
    const flow::EventHeader& header = event.header;
    const decode::EventKind& kind = *event.kind;
    std::string text;
    IdentityWriter to(selection, text);
    to.text_or_null(Key::provider, kind.provider);
    to.text(Key::provider_guid, to_string(header.provider));
    to.number(Key::id, header.id);
    to.number(Key::version, header.version);
    to.number(Key::channel, header.channel);
    to.number(Key::level, header.level);
    to.number(Key::opcode, header.opcode);
    to.number(Key::task, header.task);
    to.text(Key::keyword, hex(header.keyword));
    to.text_or_null(Key::event, kind.event);
    to.text_if_any(Key::task_name, kind.task_name);
    to.text_if_any(Key::opcode_name, kind.opcode_name);
    to.text_if_any(Key::level_name, kind.level_name);
    to.text_if_any(Key::channel_name, kind.channel_name);
    if (kind.log) {
        if (kind.log->qualifiers) {
            to.number(Key::qualifiers, *kind.log->qualifiers);
        }
        to.text_if_any(Key::computer, kind.log->computer);
    }
    to.texts_if_any(Key::keywords, kind.keywords);
    return text;
}

// Where a message stands in its program's source; what is not known is left out.
std::string site_of(const schema::TraceSite& site) {
    JsonObject json;
    const auto add = [&](std::string_view key, std::string_view value) {
        if (!value.empty()) {
            json.text(key, value);
        }
    };
    add("component", site.component);
    add("file", site.file);
    const bool is_number = !site.line.empty() && site.line.size() < 10 &&
                           site.line.front() != '0' &&
                           site.line.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) {
        json.raw("line", site.line);
    } else {
        add("line", site.line);
    }
    add("function", site.function);
    add("level", site.level);
    add("flags", site.flags);
    return json.take();
}

// What describes the type of a custom field; empty: nothing.
Bytes custom_type_of(const schema::EventSchema& schema, std::size_t field) {
    const auto found = std::ranges::lower_bound(schema.custom_types, field, {},
                                                &decltype(schema.custom_types)::value_type::first);
    return found != schema.custom_types.end() && found->first == field ? Bytes(found->second)
                                                                       : Bytes{};
}

// How TraceLogging metadata spells a field: [name, in type, out type, count], then the tags and the
// description of a custom type if there are any. The out type of a structure is the number of its
// members.
std::string raw_fields_of(const schema::EventSchema& schema) {
    std::string text;
    append_key(text, name(Key::fields));
    text.push_back('[');
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        const schema::Field& field = schema.fields[i];
        text.append(text.back() == '[' ? "[" : ",[");
        append_json_string(text, field.name);
        text.push_back(',');
        append_decimal(text, field.raw_in & 0x1FU);
        text.push_back(',');
        append_decimal(text, field.raw_out & 0x7FU);
        switch (field.raw_in & 0x60U) {
        case 0x20:
            text.push_back(',');
            append_decimal(text, field.count.value);
            break;
        case 0x40:
            text.append(",\"variable\"");
            break;
        case 0x60:
            text.append(",\"custom\"");
            break;
        default:
            text.append(",\"one\"");
            break;
        }
        const Bytes custom_type = custom_type_of(schema, i);
        if (field.tags != 0 || !custom_type.empty()) {
            text.push_back(',');
            append_decimal(text, field.tags);
        }
        if (!custom_type.empty()) {
            text.append(",\"");
            append_hex_bytes(text, custom_type);
            text.push_back('"');
        }
        text.push_back(']');
    }
    text.push_back(']');
    return text;
}

} // namespace

const KindTexts& KindTextCache::make(const decode::DecodedEvent& event, std::uint32_t generation) {
    if (generation != generation_) {
        texts_.clear();
        generation_ = generation;
    }
    const decode::EventKind& kind = *event.kind;
    if (kind.number >= texts_.size()) {
        texts_.resize(kind.number + 1UL);
    }
    auto& texts = texts_[kind.number];
    texts = std::make_unique<KindTexts>();
    texts->identity = identity_of(event, selection_);
    if (selection_.has(Key::source)) {
        append_key(texts->source, name(Key::source));
        append_json_string(texts->source, name(kind.decoded_by));
    }
    if (!kind.schema_from().empty() && selection_.has(Key::schema_from)) {
        append_key(texts->source, name(Key::schema_from));
        append_json_string(texts->source, kind.schema_from());
    }
    if (kind.schema != nullptr && kind.schema->site) {
        texts->wpp = site_of(*kind.schema->site);
        if (selection_.has(Key::wpp)) {
            append_key(texts->source, name(Key::wpp));
            texts->source.append(texts->wpp);
        }
    }
    if (!kind.problem.empty() && selection_.has(Key::decode_error)) {
        append_key(texts->error, name(Key::decode_error));
        append_json_string(texts->error, kind.problem);
    }
    if (kind.schema == nullptr) {
        return *texts;
    }
    const std::vector<std::string> names = schema::unique_names(*kind.schema);
    const std::vector<std::string> paths = schema::field_paths(*kind.schema);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t begin = texts->names.size();
        texts->names.push_back(',');
        append_json_string(texts->names, names[i]);
        texts->names.push_back(':');
        texts->fields.push_back({static_cast<std::uint32_t>(begin),
                                 static_cast<std::uint32_t>(texts->names.size() - begin),
                                 selection_.has_field(paths[i])});
    }
    if (extras_.plain_names) {
        for (const std::string& field : names) {
            std::string& plain = texts->plain_names.emplace_back(" ");
            append_escaped(plain, field);
            plain.push_back('=');
        }
    }
    if (extras_.raw_fields && kind.is_self_describing() && selection_.has(Key::fields)) {
        texts->raw_fields = raw_fields_of(*kind.schema);
    }
    return *texts;
}

} // namespace etl::sink
