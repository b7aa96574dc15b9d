#include "authoring/xml_text.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace etl::authoring {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

constexpr bool is_forbidden(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

// U+FFFE and U+FFFF.
bool is_no_character(std::string_view rest) noexcept {
    return rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF");
}

} // namespace

std::string xml_safe(std::string_view text) {
    std::string valid;
    append_utf8(valid, std::as_bytes(std::span(text)));
    if (std::ranges::none_of(valid, is_forbidden) && valid.find("\xEF\xBF") == valid.npos) {
        return valid;
    }
    std::string safe;
    for (std::size_t at = 0; at < valid.size();) {
        const std::string_view rest = std::string_view(valid).substr(at);
        if (is_no_character(rest)) {
            safe += replacement;
            at += 3;
        } else {
            is_forbidden(rest.front()) ? safe += replacement : safe += rest.front();
            ++at;
        }
    }
    return safe;
}

void XmlText::append(std::string_view piece) {
    if (full_ || piece.size() > max_ - text_.size()) {
        full_ = true;
    } else {
        text_ += piece;
    }
}

void XmlText::begin_line() {
    constexpr std::string_view indentation = "                                ";
    append(indentation.substr(0, 2 * (depth_ + open_.size())));
}

void XmlText::end_start_tag() {
    if (in_start_tag_) {
        append(">\n");
        in_start_tag_ = false;
    }
}

void XmlText::open(std::string_view name) {
    end_start_tag();
    begin_line();
    append("<");
    append(name);
    open_.push_back(name);
    in_start_tag_ = true;
}

void XmlText::attribute(std::string_view name, std::string_view value) {
    append(" ");
    append(name);
    append("=\"");
    while (!value.empty()) {
        const std::size_t plain = std::min(value.find_first_of("&<>\"\t\n\r"), value.size());
        append(value.substr(0, plain));
        value.remove_prefix(plain);
        if (value.empty()) {
            break;
        }
        switch (value.front()) {
        case '&':
            append("&amp;");
            break;
        case '<':
            append("&lt;");
            break;
        case '>':
            append("&gt;");
            break;
        case '"':
            append("&quot;");
            break;
        case '\t':
            append("&#9;");
            break;
        case '\n':
            append("&#10;");
            break;
        default:
            append("&#13;");
            break;
        }
        value.remove_prefix(1);
    }
    append("\"");
}

void XmlText::raw(std::string_view xml) {
    end_start_tag();
    append(xml);
}

void XmlText::close() {
    const std::string_view name = open_.back();
    open_.pop_back();
    if (in_start_tag_) {
        append("/>\n");
        in_start_tag_ = false;
        return;
    }
    begin_line();
    append("</");
    append(name);
    append(">\n");
}

} // namespace etl::authoring
