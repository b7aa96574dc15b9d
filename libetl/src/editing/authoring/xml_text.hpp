// XML written element by element. One thread. Private to authoring.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace etl::authoring {

/// Text as XML 1.0 can hold it: bytes that are no UTF-8, control characters but tab and line ends,
/// and U+FFFE and U+FFFF become U+FFFD.
std::string xml_safe(std::string_view text);

/// Beyond `max` bytes nothing more is kept: is_full() says so.
class XmlText {
public:
    XmlText(std::size_t max, std::size_t depth) : max_(max), depth_(depth) {}

    /// Begins an element inside of the one that is open; `name` must live on.
    void open(std::string_view name);
    /// Adds an attribute to the element that was opened last.
    void attribute(std::string_view name, std::string_view value);
    /// Text that is XML already, on lines of its own.
    void raw(std::string_view xml);
    /// Ends the innermost element.
    void close();

    bool is_full() const noexcept { return full_; }

    const std::string& text() const noexcept { return text_; }

private:
    void append(std::string_view piece);
    void begin_line();
    void end_start_tag();

    std::size_t max_;
    std::size_t depth_; // of indentation
    std::string text_;
    std::vector<std::string_view> open_;
    bool in_start_tag_ = false;
    bool full_ = false;
};

} // namespace etl::authoring
