#include "sink/windows/xml_elements.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace etl::sink {

namespace {

// Real events have one or two; each is looked at for each element.
constexpr std::size_t max_namespaces = 256;

/// Prefixes are ASCII, those of XML itself cannot be declared.
bool is_declarable(std::string_view prefix) noexcept {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !prefix.empty() && is_letter(prefix.front()) && !prefix.starts_with("xml") &&
           std::ranges::all_of(prefix, [&](char c) {
               return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
           });
}

bool is_well_formed(const LogNamespace& one) noexcept {
    const bool has_prefix = one.name.starts_with("xmlns:");
    return (has_prefix ? is_declarable(one.prefix()) && !one.uri.empty() : one.name == "xmlns") &&
           one.uri != "http://www.w3.org/XML/1998/namespace" &&
           one.uri != "http://www.w3.org/2000/xmlns/";
}

/// Takes the text up to a separator, and the separator.
std::string_view take_up_to(std::string_view& text, char separator) noexcept {
    const std::string_view taken = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
}

} // namespace

// Lines `ELEMENT NAME URI`.
void LogNamespaces::parse(std::string_view lines) {
    text_ = lines;
    all_.clear();
    while (!lines.empty() && all_.size() < max_namespaces) {
        std::string_view line = take_up_to(lines, '\n');
        const auto element = parse_number(take_up_to(line, ' '));
        LogNamespace one;
        one.name = take_up_to(line, ' ');
        one.uri = line;
        if (!element || *element > 0xFFFF) {
            continue;
        }
        one.element = static_cast<std::uint32_t>(*element);
        const bool is_new = std::ranges::none_of(all_, [&](const LogNamespace& other) {
            return other.element == one.element && other.name == one.name;
        });
        if (is_new && is_well_formed(one)) {
            all_.push_back(std::move(one));
        }
    }
}

namespace {

using decode::Step;
using format::LogPayload;

std::string_view name_of(LogPayload payload) noexcept {
    switch (payload) {
    case LogPayload::user_data:
        return "UserData";
    case LogPayload::debug_data:
        return "DebugData";
    case LogPayload::binary_event_data:
        return "BinaryEventData";
    case LogPayload::processing_error_data:
        return "ProcessingErrorData";
    case LogPayload::none:
    case LogPayload::event_data:
    case LogPayload::other:
        break;
    }
    return "EventData";
}

/// A name without a prefix that every parser accepts; a damaged log can contain any.
std::string plain_name(std::string_view name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    std::string text(name.empty() ? std::string_view("_") : name);
    std::ranges::replace_if(
        text,
        [&](char c) { return !is_letter(c) && !(c >= '0' && c <= '9') && c != '-' && c != '.'; },
        '_');
    if (!is_letter(text[0])) {
        text.insert(0, 1, '_');
    }
    return text;
}

} // namespace

void append_in_attribute(TextAppender& to, std::string_view escaped) {
    to.append_with([&](std::string& text) {
        for (const char c : escaped) {
            c == '\t' ? text.append("&#9;") : c == '\n' ? text.append("&#10;") : text.append(1, c);
        }
    });
}

void XmlLogElements::complete_start_tag() {
    if (std::exchange(is_start_tag_, false)) {
        to_->text('>');
    }
}

void XmlLogElements::break_line() {
    to_->text(style_.line[std::min(open_.size() + 1, style_.line.size() - 1)]);
}

void XmlLogElements::open(std::string_view name, std::string_view name_attribute) {
    complete_start_tag();
    if (!open_.empty()) {
        open_.back().has_elements = true;
    }
    break_line();
    to_->append_with([&](std::string& text) {
        text.append("<").append(name);
        if (!name_attribute.empty()) {
            XmlElements(text, style_).attribute("Name", name_attribute);
        }
    });
    is_start_tag_ = true;
    open_.push_back({.name = std::string(name)});
}

void XmlLogElements::close() {
    complete_start_tag();
    const Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.has_elements) {
        break_line();
    }
    to_->text("</");
    to_->text(closed.name);
    to_->text('>');
}

bool XmlLogElements::is_declared(std::string_view prefix) const noexcept {
    return std::ranges::any_of(open_, [prefix](const Open& one) {
        return std::ranges::find(one.prefixes, prefix) != one.prefixes.end();
    });
}

/// Prefixes that are not declared become part of the name.
std::string XmlLogElements::xml_name(std::string_view name) const {
    const std::size_t colon = name.find(':');
    return colon != name.npos && is_declared(name.substr(0, colon))
               ? std::string(name.substr(0, colon)) + ':' + plain_name(name.substr(colon + 1))
               : plain_name(name);
}

void XmlLogElements::open_element(std::string_view name, std::uint32_t element) {
    open_.push_back({}); // so that its own prefixes are declared
    namespaces_.for_each(element, [this](const LogNamespace& one) {
        open_.back().prefixes.push_back(one.prefix());
    });
    const std::string shown = xml_name(name);
    auto prefixes = std::move(open_.back().prefixes);
    open_.pop_back();
    open(shown);
    open_.back().prefixes = std::move(prefixes);
    namespaces_.for_each(element, [this](const LogNamespace& one) {
        to_->append_with(
            [&](std::string& text) { XmlElements(text, style_).attribute(one.name, one.uri); });
    });
}

/// Opens the element of a field.
void XmlLogElements::begin_field(const schema::Field& field, std::uint32_t number,
                                 std::string_view kind) {
    const bool is_unnamed = (field.tags & format::unnamed_field_tag) != 0;
    if (in_data_) {
        open(kind, is_unnamed ? std::string_view() : std::string_view(field.name));
    } else {
        open_element(field.name, number + 1);
    }
}

void XmlLogElements::attribute(std::string_view name, const decode::Value& value,
                               const decode::DisplayOptions& display) {
    std::vector<std::string>& before = open_.back().attributes;
    std::string shown = xml_name(name);
    if (shown == "xmlns" || std::ranges::find(before, shown) != before.end()) {
        return; // not well-formed
    }
    scratch_.clear();
    {
        TextAppender scratch(scratch_);
        values_.append(scratch, value, display);
    }
    to_->append_with([&](std::string& text) { XmlElements(text, style_).begin_attribute(shown); });
    append_in_attribute(*to_, scratch_);
    to_->text(style_.quote);
    before.push_back(std::move(shown));
}

void XmlLogElements::value(const schema::Field& field, std::uint32_t number,
                           const decode::Value& value, const decode::DisplayOptions& display) {
    if (is_start_tag_ && !in_data_ && (field.tags & format::attribute_field_tag) != 0) {
        return attribute(field.name, value, display);
    }
    const bool is_text = !in_data_ && (field.tags & format::unnamed_field_tag) != 0;
    if (!is_text) {
        begin_field(field, number, "Data");
    }
    complete_start_tag();
    values_.append(*to_, value, display);
    if (!is_text) {
        close();
    }
}

void XmlLogElements::append(TextAppender& to, const WindowsEvent& event,
                            const decode::DisplayOptions& display) {
    to_ = &to;
    const decode::LogOrigin& log = *event.decoded->kind->log;
    namespaces_.use(log);
    const auto& fields = event.decoded->kind->schema->fields;
    const std::string_view element = name_of(log.payload);
    in_data_ = element == "EventData";
    open(element, in_data_ ? event.decoded->kind->schema->event_name : std::string_view());
    const bool has_root = log.payload == LogPayload::user_data;
    if (has_root) {
        open_element(event.decoded->kind->schema->event_name, 0);
    }
    WindowsDatum datum;
    data_.start(event);
    for (Step step = data_.step(datum); step != Step::end; step = data_.step(datum)) {
        if (step == Step::struct_begin) {
            begin_field(fields[datum.field], datum.field, "ComplexData");
        } else if (step == Step::struct_end) {
            close();
        } else {
            value(fields[datum.field], datum.field, datum.value, display);
        }
    }
    if (has_root) {
        close();
    }
    close();
}

} // namespace etl::sink
