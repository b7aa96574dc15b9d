// The element after System. Private to sink.
#pragma once

#include "decode/message_text.hpp"
#include "sink/windows/value_text.hpp"
#include "sink/windows/xml_elements.hpp"
#include "sink/windows/xml_kind.hpp"

namespace etl::sink {

class XmlPayload {
public:
    /// `style` must outlive this object.
    XmlPayload(const Options& options, const XmlOptions& xml, const XmlStyle& style);

    /// Appends the element. Returns false if the payload contradicts its schema.
    bool append(TextAppender& to, const WindowsEvent& event, const XmlKind& kind,
                const decode::DisplayOptions& display);

    /// Appends the message of an event, escaped.
    void append_message(TextAppender& to, const decode::DecodedEvent& event);

private:
    void event_data(TextAppender& to, const WindowsEvent& event, const XmlKind& kind,
                    const decode::DisplayOptions& display);
    void user_data(TextAppender& to, const WindowsEvent& event, const XmlKind& kind,
                   const decode::DisplayOptions& display);
    void render_properties(const WindowsEvent& event, const XmlKind& kind,
                           const decode::DisplayOptions& display);
    void debug_data(TextAppender& to, const WindowsEvent& event);
    void binary(TextAppender& to, Bytes payload) const;
    void error(TextAppender& to, const ProcessingError& error) const;

    void line(TextAppender& to, std::size_t depth) const { to.text(style_.line[depth]); }

    struct Range {
        std::size_t begin = 0, end = 0;
    };

    decode::DisplayOptions display_;
    const XmlStyle& style_;
    ValueTexts values_;
    WindowsData data_;
    XmlLogElements elements_{style_, values_, data_};
    std::shared_ptr<std::atomic<std::uint64_t>> trailing_; // null: not counted
    decode::EventMessage message_;
    std::string scratch_;
    std::vector<Range> properties_; // in scratch_, by number
};

} // namespace etl::sink
