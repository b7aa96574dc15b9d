#include "dumper/clean_text.hpp"

#include "base/readable_text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace etl::dumper {

namespace {

void append_clean(std::string& to, std::string_view text, std::string_view special,
                  std::string_view instead) {
    while (!text.empty()) {
        if (special.contains(text.front())) {
            to.append(instead);
            text.remove_prefix(1);
        } else {
            text.remove_prefix(append_visible_front(to, text));
        }
    }
}

} // namespace

void append_line_text(std::string& to, std::string_view text) {
    append_clean(to, text, {}, {});
}

void append_cell_text(std::string& to, std::string_view text) {
    append_clean(to, text, ",", ";");
}

void append_quoted(std::string& to, std::string_view text) {
    to.push_back('"');
    append_clean(to, text, "\"", "\"\"");
    to.push_back('"');
}

void append_padded(std::string& to, std::string_view text, std::size_t width) {
    to.append(width - std::min(width, text.size()), ' ').append(text);
}

void append_hex_digits(std::string& to, std::uint64_t value, unsigned digits) {
    char text[16];
    const auto end = std::to_chars(std::begin(text), std::end(text), value, 16).ptr;
    const auto size = static_cast<std::size_t>(end - text);
    to.append("0x").append(digits - std::min<std::size_t>(digits, size), '0').append(text, size);
}

void append_braced(std::string& to, const Guid& guid) {
    to.push_back('{');
    append_guid(to, guid);
    to.push_back('}');
}

} // namespace etl::dumper
