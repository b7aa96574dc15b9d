// The spelling of the two layouts of event XML. Private to sink.
#pragma once

#include <etl/guid.hpp>

#include "base/text.hpp"
#include "base/xml_text.hpp"
#include "sink/event_xml.hpp"

#include <array>

namespace etl::sink {

/// Quotes, line breaks, and blanks of a layout.
struct XmlStyle {
    char quote = '\'';
    std::array<std::string_view, 4> line{}; // before a tag, by depth
    std::string_view empty_end = "/>";      // of an element without content

    static XmlStyle of(XmlOptions::Layout layout) noexcept {
        return layout == XmlOptions::Layout::windows
                   ? XmlStyle{}
                   : XmlStyle{'"', {"\n", "\n  ", "\n    ", "\n      "}, " />"};
    }
};

/// Appends elements whose content is short, for texts that are kept. Everything is escaped.
class XmlElements {
public:
    XmlElements(std::string& to, const XmlStyle& style) : to_(&to), style_(style) {}

    void open(std::size_t depth, std::string_view name) {
        begin(depth, name);
        to_->push_back('>');
    }

    void close(std::size_t depth, std::string_view name) {
        to_->append(style_.line[depth]).append("</").append(name).push_back('>');
    }

    /// Without `>`, for attributes.
    void begin(std::size_t depth, std::string_view name) {
        to_->append(style_.line[depth]).append("<").append(name);
    }

    void end_empty() { to_->append(style_.empty_end); }

    void attribute(std::string_view name, std::string_view value) {
        begin_attribute(name);
        append_xml_escaped(*to_, value, XmlPlace::attribute);
        to_->push_back(style_.quote);
    }

    void guid_attribute(std::string_view name, const Guid& value) {
        begin_attribute(name);
        to_->push_back('{');
        append_guid(*to_, value);
        to_->push_back('}');
        to_->push_back(style_.quote);
    }

    void begin_attribute(std::string_view name) {
        to_->append(" ").append(name).append("=").push_back(style_.quote);
    }

    /// `after`: follows the text.
    void text(std::size_t depth, std::string_view name, std::string_view text,
              std::string_view after = {}) {
        open(depth, name);
        append_xml_escaped(*to_, text);
        to_->append(after).append("</").append(name).push_back('>');
    }

    void number(std::size_t depth, std::string_view name, std::uint64_t value) {
        open(depth, name);
        append_decimal(*to_, value);
        to_->append("</").append(name).push_back('>');
    }

    /// `<Name></Name>`, in the layout of tracerpt `<Name />`.
    void text_or_empty(std::size_t depth, std::string_view name, std::string_view text) {
        if (text.empty()) {
            begin(depth, name);
            end_empty();
        } else {
            this->text(depth, name, text);
        }
    }

private:
    std::string* to_;
    XmlStyle style_;
};

} // namespace etl::sink
