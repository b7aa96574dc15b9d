#include "sink/windows/xml_payload.hpp"

#include "sink/windows/tracerpt_header.hpp"

#include <algorithm>

namespace etl::sink {

namespace {

constexpr std::string_view event_namespace =
    "http://schemas.microsoft.com/win/2004/08/events/event";
constexpr std::string_view trace_namespace =
    "http://schemas.microsoft.com/win/2004/08/events/trace";

bool is_tracerpt(const XmlOptions& options) noexcept {
    return options.layout == XmlOptions::Layout::tracerpt;
}

void add_user_data(XmlKind& kind, const WindowsEvent& event, char quote) {
    kind.user_data = UserDataTemplate::parse(event.user_data, quote);
    const auto& fields = event.decoded->kind->schema->fields;
    kind.properties.resize(fields.size());
    std::uint32_t number = 0;
    for (const std::uint16_t field : event.decoded->kind->schema->top_level()) {
        const std::size_t end = std::min(fields.size(), field + 1UL + fields[field].members);
        std::fill(kind.properties.begin() + field,
                  kind.properties.begin() + static_cast<std::ptrdiff_t>(end), number);
        ++number;
    }
}

/// `0x8000000000000010`; tracerpt writes no leading zeros.
std::string keywords_text(std::uint64_t keywords, bool with_zeros) {
    std::string text;
    append_hex(text, keywords);
    constexpr std::size_t widest = 18;
    if (with_zeros && text.size() < widest) {
        text.insert(2, widest - text.size(), '0');
    }
    return text;
}

/// Names in RenderingInfo end in a blank in the layout of tracerpt.
constexpr std::string_view blank = " ";

void add_keywords(XmlElements& to, std::span<const std::string_view> keywords,
                  std::string_view after) {
    if (keywords.empty()) {
        return;
    }
    to.open(2, "Keywords");
    for (const std::string_view keyword : keywords) {
        to.text(3, "Keyword", keyword, after);
    }
    to.close(2, "Keywords");
}

void add_if_any(XmlElements& to, std::string_view name, std::string_view text,
                std::string_view after = {}) {
    if (!text.empty()) {
        to.text(2, name, text, after);
    }
}

} // namespace

std::string XmlKinds::head_of(const WindowsSystem& system) const {
    std::string head;
    XmlElements to(head, style_);
    head.append("<Event");
    to.attribute("xmlns", event_namespace);
    head.push_back('>');
    to.open(1, "System");
    to.begin(2, "Provider");
    if (!system.provider.empty()) {
        to.attribute("Name", system.provider);
    }
    if (system.provider_guid) {
        to.guid_attribute("Guid", *system.provider_guid);
    }
    if (!system.event_source.empty()) {
        to.attribute("EventSourceName", system.event_source);
    }
    to.end_empty();
    to.begin(2, "EventID");
    if (system.qualifiers) {
        to.attribute("Qualifiers", std::to_string(*system.qualifiers));
    }
    head.push_back('>');
    append_decimal(head, system.id);
    head.append("</EventID>");
    to.number(2, "Version", system.version);
    to.number(2, "Level", system.level);
    to.number(2, "Task", system.task);
    to.number(2, "Opcode", system.opcode);
    to.text(2, "Keywords", keywords_text(system.keywords, !is_tracerpt(options_)));
    to.begin(2, "TimeCreated");
    return head;
}

void XmlKinds::add_fields(XmlKind& kind, const WindowsEvent& event) const {
    if (event.decoded->kind->schema == nullptr) {
        return;
    }
    const bool is_header = is_tracerpt(options_) && is_log_file_header(event);
    const auto begin_data = [&](std::string& tags, std::string_view name) {
        XmlElements to(tags, style_);
        to.begin(2, "Data");
        if (event.form != PayloadForm::string) {
            to.attribute("Name", name);
        }
        tags.push_back('>');
    };
    for (const schema::Field& field : event.decoded->kind->schema->fields) {
        const std::string_view name = is_header ? tracerpt_header_name(field.name) : field.name;
        if (!is_header || !name.empty()) {
            begin_data(kind.names, name);
        }
        if (is_header && field.name == before_file_name_pointer) {
            kind.pointer_after = static_cast<std::uint32_t>(kind.ends.size());
            begin_data(kind.pointer_tag, file_name_pointer);
        }
        kind.ends.push_back(static_cast<std::uint32_t>(kind.names.size()));
    }
}

void XmlKinds::add_windows_rendering(XmlKind& kind, const WindowsRendering& names) const {
    XmlElements before(kind.before_message, style_);
    before.begin(1, "RenderingInfo");
    before.attribute("Culture", options_.culture);
    kind.before_message.push_back('>');
    XmlElements after(kind.after_message, style_);
    add_if_any(after, "Level", names.level);
    add_if_any(after, "Task", names.task);
    add_if_any(after, "Opcode", names.opcode);
    add_if_any(after, "Channel", names.channel);
    add_if_any(after, "Provider", names.provider);
    add_keywords(after, names.keywords, {});
    after.close(1, "RenderingInfo");
}

void XmlKinds::add_tracerpt_rendering(XmlKind& kind, const WindowsRendering& names) const {
    XmlElements before(kind.before_message, style_);
    before.begin(1, "RenderingInfo");
    before.attribute("Culture", options_.culture);
    kind.before_message.push_back('>');
    add_if_any(before, "Level", names.level, blank);
    add_if_any(before, "Opcode", names.opcode, blank);
    add_keywords(before, names.keywords, blank);
    add_if_any(before, "Task", names.task, blank);
    XmlElements after(kind.after_message, style_);
    add_if_any(after, "Channel", names.channel);
    add_if_any(after, "Provider", names.provider, blank);
    if (!names.event_name.empty()) {
        after.begin(2, "EventName");
        after.attribute("xmlns", trace_namespace);
        kind.after_message.push_back('>');
        append_xml_escaped(kind.after_message, names.event_name);
        kind.after_message.append("</EventName>");
    }
    after.close(1, "RenderingInfo");
}

void XmlKinds::add_rendering(XmlKind& kind, const WindowsEvent& event) const {
    if (is_tracerpt(options_)) {
        add_tracerpt_rendering(kind, event.rendering());
    } else if (options_.rendering) {
        add_windows_rendering(kind, event.rendering());
    }
    if (event.tracing) {
        XmlElements to(kind.class_guid, style_);
        to.begin(1, "ExtendedTracingInfo");
        to.attribute("xmlns", trace_namespace);
        kind.class_guid.push_back('>');
        to.open(2, "EventGuid");
        kind.class_guid.push_back('{');
        append_guid(kind.class_guid, event.tracing->event_guid);
        kind.class_guid.append("}</EventGuid>");
    }
}

const XmlKind& XmlKinds::make(const WindowsEvent& event, std::uint32_t generation) {
    if (generation != generation_) {
        kinds_.clear();
        generation_ = generation;
    }
    const std::uint32_t number = event.decoded->kind->number;
    if (number >= kinds_.size()) {
        kinds_.resize(number + 1UL);
    }
    auto& kind = kinds_[number];
    kind = std::make_unique<XmlKind>();
    kind->head = head_of(event.system);
    XmlElements channel(kind->channel, style_);
    channel.text_or_empty(2, "Channel", event.system.channel);
    channel.text_or_empty(2, "Computer", event.system.computer);
    add_fields(*kind, event);
    kind->event_data = "<EventData";
    // RenderingInfo has the name in the layout of tracerpt.
    if (const auto name = event.self_described_name(); !name.empty() && !is_tracerpt(options_)) {
        XmlElements(kind->event_data, style_).attribute("Name", name);
    }
    kind->event_data.push_back('>');
    if (!event.user_data.empty()) {
        add_user_data(*kind, event, style_.quote);
    }
    add_rendering(*kind, event);
    return *kind;
}

namespace {

WindowsData::ShortPayloads short_payloads(const XmlOptions& xml) noexcept {
    return xml.accept_short_payloads ? WindowsData::ShortPayloads::accepted
                                     : WindowsData::ShortPayloads::errors;
}

} // namespace

XmlPayload::XmlPayload(const Options& options, const XmlOptions& xml, const XmlStyle& style)
    : display_(options.display()), style_(style),
      values_(xml.layout, options.enumerations, ValueTexts::Escapes::xml),
      data_(short_payloads(xml)), trailing_(xml.trailing), message_(display_) {
    if (xml.utc_messages) {
        display_.utc_offset_minutes = 0;
        message_ = decode::EventMessage(display_);
    }
}

bool XmlPayload::append(TextAppender& to, const WindowsEvent& event, const XmlKind& kind,
                        const decode::DisplayOptions& display) {
    const std::size_t begin = to.size();
    switch (event.form) {
    case PayloadForm::none:
        return true;
    case PayloadForm::binary_event_data:
        binary(to, event.payload);
        return true;
    case PayloadForm::processing_error:
        error(to, event.processing_error());
        return false;
    case PayloadForm::debug_data:
        debug_data(to, event);
        break;
    case PayloadForm::elements:
        elements_.append(to, event, display);
        break;
    case PayloadForm::user_data:
        if (kind.user_data) {
            user_data(to, event, kind, display);
            break;
        }
        [[fallthrough]];
    case PayloadForm::event_data:
    case PayloadForm::string:
        event_data(to, event, kind, display);
        break;
    }
    const auto problem = data_.error();
    if (problem) [[unlikely]] {
        to.drop(to.size() - begin);
        error(to, *problem);
    } else if (trailing_ && !data_.walker().trailing().empty()) [[unlikely]] {
        trailing_->fetch_add(1, std::memory_order_relaxed);
    }
    return !problem;
}

void XmlPayload::event_data(TextAppender& to, const WindowsEvent& event, const XmlKind& kind,
                            const decode::DisplayOptions& display) {
    line(to, 1);
    to.text(kind.event_data);
    WindowsDatum datum;
    for (data_.start(event); data_.next(datum);) {
        const std::string_view tag = kind.data_tag(datum.field);
        if (tag.empty()) [[unlikely]] {
            continue;
        }
        to.text(tag);
        values_.append(to, datum.value, display);
        to.text("</Data>");
        if (!kind.pointer_tag.empty() && datum.field == kind.pointer_after) [[unlikely]] {
            to.text(kind.pointer_tag);
            values_.append(to, FileNamePointer(event).value(), display);
            to.text("</Data>");
        }
    }
    line(to, 1);
    to.text("</EventData>");
}

void XmlPayload::render_properties(const WindowsEvent& event, const XmlKind& kind,
                                   const decode::DisplayOptions& display) {
    scratch_.clear();
    properties_.assign(kind.properties.empty() ? 0 : kind.properties.back() + 1UL, {});
    TextAppender to(scratch_);
    WindowsDatum datum;
    for (data_.start(event); data_.next(datum);) {
        Range& range = properties_[kind.properties[datum.field]];
        if (range.end != 0) {
            to.text(", ");
        } else {
            to.text(' '); // so that an empty text has an end
            range.begin = to.size();
        }
        values_.append(to, datum.value, display);
        range.end = to.size();
    }
}

void XmlPayload::user_data(TextAppender& to, const WindowsEvent& event, const XmlKind& kind,
                           const decode::DisplayOptions& display) {
    render_properties(event, kind, display);
    line(to, 1);
    to.text("<UserData>");
    line(to, 2);
    for (const UserDataTemplate::Piece& piece : kind.user_data->pieces()) {
        to.text(piece.text);
        if (piece.field >= properties_.size()) {
            continue;
        }
        const Range& range = properties_[piece.field];
        const auto value = std::string_view(scratch_).substr(range.begin, range.end - range.begin);
        if (piece.place == XmlPlace::attribute) {
            append_in_attribute(to, value);
        } else {
            to.text(value);
        }
    }
    line(to, 1);
    to.text("</UserData>");
}

void XmlPayload::append_message(TextAppender& to, const decode::DecodedEvent& event) {
    to.append_with([&](std::string& text) {
        const std::size_t begin = text.size();
        message_.append(text, event);
        escape_xml_from(text, begin);
    });
}

void XmlPayload::debug_data(TextAppender& to, const WindowsEvent& event) {
    const decode::DecodedEvent& decoded = *event.decoded;
    const schema::TraceSite* const site = event.site();
    const auto of_site = [site](std::string schema::TraceSite::* member) {
        return site != nullptr ? std::string_view(site->*member) : std::string_view();
    };
    to.append_with([&](std::string& text) {
        XmlElements elements(text, style_);
        const auto add = [&](std::string_view name, std::string_view value) {
            if (!value.empty()) {
                elements.text(2, name, value);
            }
        };
        elements.open(1, "DebugData");
        if (decoded.header.has_sequence) {
            elements.number(2, "SequenceNumber", decoded.header.sequence);
        }
        add("FlagsName", of_site(&schema::TraceSite::flags));
        add("LevelName", of_site(&schema::TraceSite::level));
        elements.text(2, "Component", of_site(&schema::TraceSite::component));
        add("FileLine", decoded.kind->schema->symbol);
        add("Function", of_site(&schema::TraceSite::function));
        elements.open(2, "Message");
    });
    append_message(to, decoded);
    to.text("</Message>");
    line(to, 1);
    to.text("</DebugData>");
    WindowsDatum datum;
    for (data_.start(event); data_.next(datum);) {
    }
}

void XmlPayload::binary(TextAppender& to, Bytes payload) const {
    line(to, 1);
    to.text("<BinaryEventData>");
    append_upper_hex(to, payload);
    to.text("</BinaryEventData>");
}

void XmlPayload::error(TextAppender& to, const ProcessingError& error) const {
    to.append_with([&](std::string& text) {
        XmlElements elements(text, style_);
        elements.open(1, "ProcessingErrorData");
        elements.number(2, "ErrorCode", error.code);
        elements.text(2, "DataItemName", error.item);
        elements.open(2, "EventPayload");
    });
    append_upper_hex(to, error.payload);
    to.text("</EventPayload>");
    line(to, 1);
    to.text("</ProcessingErrorData>");
}

} // namespace etl::sink
