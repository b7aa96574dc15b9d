// The payload of an event of an event log as XML: elements and attributes as they were. Private to
// sink. docs/output.md#windows-events
#pragma once

#include "base/text_appender.hpp"
#include "sink/windows/log_namespaces.hpp"
#include "sink/windows/value_text.hpp"
#include "sink/windows/xml_style.hpp"
#include "sink/windows_event.hpp"

#include <string>
#include <vector>

namespace etl::sink {

/// Appends escaped content of an element as that of an attribute.
void append_in_attribute(TextAppender& to, std::string_view escaped);

class XmlLogElements {
public:
    /// All must outlive this object.
    XmlLogElements(const XmlStyle& style, ValueTexts& values, WindowsData& data)
        : style_(style), values_(values), data_(data) {}

    /// Appends the element after System. Afterwards, WindowsData::error() is valid.
    void append(TextAppender& to, const WindowsEvent& event, const decode::DisplayOptions& display);

private:
    /// An element whose end tag is missing.
    struct Open {
        std::string name;
        bool has_elements = false;
        std::vector<std::string> attributes{};    // while the start tag is not complete
        std::vector<std::string_view> prefixes{}; // declared here
    };

    /// `name` is as in XML.
    void open(std::string_view name, std::string_view name_attribute = {});

    /// Opens an element of UserData; `element` is that of LogNamespace.
    void open_element(std::string_view name, std::uint32_t element);
    std::string xml_name(std::string_view name) const;
    bool is_declared(std::string_view prefix) const noexcept;
    void close();
    void complete_start_tag();
    void break_line();
    void begin_field(const schema::Field& field, std::uint32_t number, std::string_view kind);
    void value(const schema::Field& field, std::uint32_t number, const decode::Value& value,
               const decode::DisplayOptions& display);
    void attribute(std::string_view name, const decode::Value& value,
                   const decode::DisplayOptions& display);

    const XmlStyle& style_;
    ValueTexts& values_;
    WindowsData& data_;
    TextAppender* to_ = nullptr;
    LogNamespaces namespaces_;
    bool in_data_ = false; // EventData: fields are Data with a name
    bool is_start_tag_ = false;
    std::vector<Open> open_;
    std::string scratch_;
};

} // namespace etl::sink
