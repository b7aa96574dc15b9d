#include "sink/readable.hpp"

#include <etl/base/text.hpp>

#include <span>

namespace etl::sink {

namespace {

bool is_control(std::string_view text, std::size_t at) noexcept {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 || c == 0x7F) {
        return true;
    }
    // U+0080 to U+009F: some terminals obey them.
    return c == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

bool wants_quotes(std::string_view text) noexcept {
    return text.empty() || text.find_first_of(" \t\r\n\",[]{}") != std::string_view::npos;
}

} // namespace

void append_escaped(std::string& to, std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_control(text, at)) {
            to.push_back(text[at]);
            continue;
        }
        switch (text[at]) {
        case '\n':
            to.append("\\n");
            break;
        case '\r':
            to.append("\\r");
            break;
        case '\t':
            to.append("\\t");
            break;
        default:
            at += static_cast<unsigned char>(text[at]) == 0xC2 ? 1U : 0U;
            to.append("\\x");
            append_hex_bytes(to, std::as_bytes(std::span(text.substr(at, 1))));
        }
    }
}

void append_readable(std::string& to, std::string_view text) {
    if (!wants_quotes(text)) {
        append_escaped(to, text);
        return;
    }
    to.push_back('"');
    append_escaped(to, text);
    to.push_back('"');
}

} // namespace etl::sink
