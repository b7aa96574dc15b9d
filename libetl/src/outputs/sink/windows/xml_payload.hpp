// The element after System. Private to sink.
#pragma once

#include "decode/message_text.hpp"
#include "sink/windows/user_data.hpp"
#include "sink/windows/value_text.hpp"
#include "sink/windows/xml_elements.hpp"
#include "sink/windows/xml_style.hpp"
#include "sink/windows_event.hpp"

#include <memory>
#include <vector>

namespace etl::sink {

// The XML that all events of a kind share, made once.

struct XmlKind {
    std::string head;                          // from the tag of the event to the time
    std::string channel;                       // Channel and Computer
    std::string event_data;                    // start tag of EventData
    std::string names;                         // start tags of the fields
    std::vector<std::uint32_t> ends;           // of each of them in `names`
    std::optional<UserDataTemplate> user_data; // none: EventData
    std::vector<std::uint32_t> properties; // with it: by field, its number among the top-level ones
    /// Layout of tracerpt, log file header: the element of the file name's pointer, and the field
    /// that it follows.
    std::string pointer_tag;
    std::uint32_t pointer_after = 0;
    std::string before_message, after_message; // RenderingInfo; both empty: none
    std::string class_guid;                    // of ExtendedTracingInfo; empty: none

    /// Empty: the field is not shown.
    std::string_view data_tag(std::uint32_t field) const noexcept {
        const std::uint32_t begin = field == 0 ? 0 : ends[field - 1];
        return std::string_view(names).substr(begin, ends[field] - begin);
    }
};

/// The kinds of one decoder.
class XmlKinds {
public:
    /// Both must outlive this object.
    XmlKinds(const XmlOptions& options, const XmlStyle& style) : options_(options), style_(style) {}

    const XmlKind& of(const WindowsEvent& event, std::uint32_t generation) {
        const std::uint32_t number = event.decoded->kind->number;
        if (generation == generation_ && number < kinds_.size() && kinds_[number]) [[likely]] {
            return *kinds_[number];
        }
        return make(event, generation);
    }

private:
    const XmlKind& make(const WindowsEvent& event, std::uint32_t generation);
    std::string head_of(const WindowsSystem& system) const;
    void add_fields(XmlKind& kind, const WindowsEvent& event) const;
    void add_rendering(XmlKind& kind, const WindowsEvent& event) const;
    void add_windows_rendering(XmlKind& kind, const WindowsRendering& names) const;
    void add_tracerpt_rendering(XmlKind& kind, const WindowsRendering& names) const;

    const XmlOptions& options_;
    const XmlStyle& style_;
    std::uint32_t generation_ = 0;
    std::vector<std::unique_ptr<XmlKind>> kinds_; // by number of the kind
};

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
