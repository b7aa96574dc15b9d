#include "evtx/payload_template.hpp"

#include "base/text.hpp"
#include "evtx/names.hpp"
#include "evtx/value_list.hpp"

#include <algorithm>
#include <string_view>

namespace etl::evtx {

namespace {

std::uint8_t stored_type(const Value& value) noexcept {
    const unsigned flag = value.is_array ? array_bit : 0U;
    return static_cast<std::uint8_t>(byte_of(value.type) | flag);
}

std::string_view name_of(PayloadKind kind) noexcept {
    switch (kind) {
    case PayloadKind::user_data:
        return "UserData";
    case PayloadKind::debug_data:
        return "DebugData";
    case PayloadKind::binary_event_data:
        return "BinaryEventData";
    case PayloadKind::processing_error_data:
        return "ProcessingErrorData";
    case PayloadKind::none:
    case PayloadKind::event_data:
    case PayloadKind::other:
        break;
    }
    return "EventData";
}

void append_payload_key(std::string& to, const Event& event) {
    to += 'P';
    to += static_cast<char>(event.payload);
    to += event.payload_name;
    for (const Field& field : event.fields) {
        to += '\0';
        to += static_cast<char>(field.is_structure ? 0x7F : stored_type(field.value));
        to += static_cast<char>(field.depth);
        to += field.is_attribute ? 'A' : 'E';
        to += field.name;
        if (field.is_literal) {
            to.append("=").append(as_text(field.value.data));
        }
    }
}

/// A name of an element: characters that it cannot have become `_`.
std::string element_name(std::string_view name) {
    std::string text(name.empty() ? std::string_view("_") : name);
    std::ranges::replace_if(text, [](char c) { return !is_name_character(c); }, '_');
    if (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9')) {
        text.insert(0, 1, '_');
    }
    return text;
}

class PayloadDefinition {
public:
    PayloadDefinition(ChunkWriter& to, const Event& event)
        : to_(to), fields_(event.fields), in_data_(event.payload == PayloadKind::event_data ||
                                                   event.payload == PayloadKind::other) {
        to_.fragment_header();
        const bool has_element = event.payload == PayloadKind::user_data;
        const bool has_name = in_data_ && !event.payload_name.empty();
        const std::size_t root = to_.open(name_of(event.payload), has_name);
        if (has_name) {
            name_attribute(event.payload_name);
        }
        to_.token(Token::close_start);
        const std::size_t inner =
            has_element ? to_.open(element_name(event.payload_name), has_attributes(0)) : 0;
        if (has_element) {
            attributes(0);
            to_.token(Token::close_start);
        }
        fields(0);
        if (has_element) {
            to_.close(inner);
        }
        to_.close(root);
        to_.end_template();
    }

private:
    /// The fields of one depth, up to a lower one.
    void fields(unsigned depth) {
        while (at_ < fields_.size() && fields_[at_].depth >= depth) {
            const Field& field = fields_[at_++];
            if (!in_data_ && field.name.empty() && !field.is_structure) {
                substitute(field);
                continue;
            }
            const std::size_t element = open(field);
            if (field.is_structure && !in_data_) {
                attributes(depth + 1);
            }
            if (is_empty(field)) {
                to_.close(element, Token::close_empty);
                continue;
            }
            to_.token(Token::close_start);
            if (field.is_structure) {
                fields(depth + 1);
            } else {
                substitute(field);
            }
            to_.close(element);
        }
    }

    /// Whether the element, the previous field, has no content. Not every reader accepts an end tag
    /// after nothing.
    bool is_empty(const Field& field) const noexcept {
        return field.is_structure ? at_ == fields_.size() || fields_[at_].depth <= field.depth
                                  : field.is_literal && field.value.data.empty();
    }

    std::size_t open(const Field& field) {
        if (!in_data_) {
            return to_.open(element_name(field.name),
                            field.is_structure && has_attributes(field.depth + 1));
        }
        const bool has_name = !field.name.empty();
        const std::size_t element = to_.open(field.is_structure ? "ComplexData" : "Data", has_name);
        if (has_name) {
            name_attribute(field.name);
        }
        return element;
    }

    /// Whether the fields continue with attributes of the element whose members have this depth.
    bool has_attributes(unsigned depth) const noexcept {
        return at_ < fields_.size() && fields_[at_].is_attribute && fields_[at_].depth == depth;
    }

    void attributes(unsigned depth) {
        if (!has_attributes(depth)) {
            return;
        }
        const std::size_t size = to_.begin_attributes();
        while (has_attributes(depth)) {
            const Field& field = fields_[at_++];
            to_.attribute(element_name(field.name), has_attributes(depth));
            substitute(field);
        }
        to_.end_attributes(size);
    }

    void name_attribute(std::string_view name) {
        const std::size_t size = to_.begin_attributes();
        to_.attribute("Name", false);
        to_.text(name);
        to_.end_attributes(size);
    }

    void substitute(const Field& field) {
        if (field.is_literal) {
            to_.text(field.value.data);
            return;
        }
        // Not every reader accepts a null that is not optional.
        const Token token =
            field.value.is_null() ? Token::optional_substitution : Token::substitution;
        to_.substitution(token, index_++, stored_type(field.value));
    }

    ChunkWriter& to_;
    std::span<const Field> fields_;
    bool in_data_;
    std::size_t at_ = 0;
    std::uint16_t index_ = 0;
};

} // namespace

void write_payload(ChunkWriter& chunk, const Event& event, KnownTemplates& known,
                   std::string& key) {
    chunk.fragment_header();
    if (known.generation == chunk.generation()) {
        chunk.known_instance(known.payload);
    } else {
        key.clear();
        append_payload_key(key, event);
        const ChunkWriter::Instance instance = chunk.begin_instance(key);
        known.payload = instance.definition;
        if (instance.is_new) {
            const PayloadDefinition definition(chunk, event);
        }
    }
    const auto is_value = [](const Field& field) {
        return !field.is_structure && !field.is_literal;
    };
    ValueList values(chunk.bytes(),
                     static_cast<std::size_t>(std::ranges::count_if(event.fields, is_value)));
    for (const Field& field : event.fields) {
        if (is_value(field)) {
            values.add(stored_type(field.value), field.value.data);
        }
    }
}

} // namespace etl::evtx
