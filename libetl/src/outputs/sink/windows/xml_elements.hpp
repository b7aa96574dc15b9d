// The payload of an event of an event log as XML: elements and attributes as they were. Private to
// sink. docs/output.md#windows-events
#pragma once

#include "base/text_appender.hpp"
#include "decode/decoder.hpp"
#include "sink/windows/value_text.hpp"
#include "sink/windows/xml_style.hpp"
#include "sink/windows_event.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

// Namespaces that elements of an event of an event log declare.
// docs/format/evtx.md#as-a-trace

struct LogNamespace {
    std::uint32_t element = 0; // 0: the element in UserData; otherwise 1 + the number of its field
    std::string name;          // `xmlns` or `xmlns:PREFIX`
    std::string uri;

    std::string_view prefix() const noexcept {
        constexpr std::size_t size = std::string_view("xmlns:").size();
        return name.size() < size ? std::string_view() : std::string_view(name).substr(size);
    }
};

/// The declarations of the event at hand, which an XML parser accepts.
class LogNamespaces {
public:
    /// Kept while the next events have the same ones.
    void use(const decode::LogOrigin& log) {
        if (log.xml_namespace != text_) {
            parse(log.xml_namespace);
        }
    }

    bool has(std::uint32_t element) const noexcept {
        for (const LogNamespace& one : all_) {
            if (one.element == element) {
                return true;
            }
        }
        return false;
    }

    /// Calls `use` with the declarations of an element, in document order.
    template <typename Use>
    void for_each(std::uint32_t element, Use&& use) const {
        for (const LogNamespace& one : all_) {
            if (one.element == element) {
                use(one);
            }
        }
    }

private:
    void parse(std::string_view lines);

    std::string text_;
    std::vector<LogNamespace> all_;
};

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
