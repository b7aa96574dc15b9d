#include "sink/windows/xml_payload.hpp"

#include "sink/windows/tracerpt_header.hpp"

#include <algorithm>

namespace etl::sink {

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
