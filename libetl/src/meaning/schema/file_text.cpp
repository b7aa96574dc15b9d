#include "schema/file_text.hpp"

#include "base/text.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace etl::schema {

namespace {

constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Good enough to tell `name=` from prose: no markup, no blank, no quote.
constexpr bool is_name(char c) noexcept {
    return !is_blank(c) && c != '=' && c != '>' && c != '<' && c != '/' && c != '"' && c != '\'' &&
           c != '?';
}

bool begins_with(Bytes bytes, std::initializer_list<unsigned> head) noexcept {
    return bytes.size() >= head.size() &&
           std::ranges::equal(head, bytes.first(head.size()), {}, {},
                              [](std::byte b) { return std::to_integer<unsigned>(b); });
}

constexpr bool is_ascii(std::byte c) noexcept {
    return c != std::byte{0} && c < std::byte{0x80};
}

// Walks over markup once. Inside a value it looks ahead to tell a quote that ends it from one that
// does not; the look ahead never passes the next quote, so all of it is linear.
class AttributeRepair {
public:
    explicit AttributeRepair(std::string_view text) : text_(text) {}

    RepairedText run() {
        while ((at_ = text_.find('<', at_)) != text_.npos) {
            ++result_.nodes; // the text that may stand before it
            skip_markup();
        }
        if (!result_.repaired.empty()) {
            result_.text.append(text_.substr(copied_));
        }
        return std::move(result_);
    }

private:
    void skip_markup() {
        const std::string_view rest = text_.substr(at_);
        if (rest.starts_with("<!--")) {
            skip_past("-->");
        } else if (rest.starts_with("<![CDATA[")) {
            skip_past("]]>");
        } else if (rest.starts_with("<?")) {
            skip_past("?>");
        } else if (rest.starts_with("<!") || rest.starts_with("</")) {
            skip_past(">");
        } else {
            skip_tag();
        }
    }

    void skip_past(std::string_view end) {
        const std::size_t found = text_.find(end, at_ + 1);
        at_ = found == text_.npos ? text_.size() : found + end.size();
    }

    void skip_tag() {
        ++at_;
        ++result_.nodes;
        while (at_ < text_.size() && text_[at_] != '>' && text_[at_] != '<') {
            const char c = text_[at_++];
            if (c == '"' || c == '\'') {
                ++result_.nodes;
                repair_value(c);
            }
        }
    }

    // at_ is behind the opening quote; leaves it behind the closing one.
    void repair_value(char quote) {
        const std::size_t begin = at_;
        const std::size_t end = end_of_value(begin, quote);
        if (end == text_.npos) {
            at_ = text_.size(); // unfinished: the parser will say so
            return;
        }
        const std::string_view value = text_.substr(begin, end - begin);
        if (value.find_first_of(quote == '"' ? "<\"" : "<'") != value.npos) {
            result_.text.append(text_.substr(copied_, begin - copied_));
            result_.repaired.push_back(result_.text.size());
            append_escaped(value, quote);
            copied_ = end;
        }
        at_ = end + 1;
    }

    void append_escaped(std::string_view value, char quote) {
        for (const char c : value) {
            if (c == '<') {
                result_.text += "&lt;";
            } else if (c == quote) {
                result_.text += quote == '"' ? "&quot;" : "&apos;";
            } else {
                result_.text += c;
            }
        }
    }

    std::size_t end_of_value(std::size_t from, char quote) const noexcept {
        std::size_t end = text_.find(quote, from);
        while (end != text_.npos && !ends_value(end + 1)) {
            end = text_.find(quote, end + 1);
        }
        return end;
    }

    // What follows a closing quote: the end of the tag, or blanks and then that or another
    // attribute.
    bool ends_value(std::size_t at) const noexcept {
        const std::size_t begin = at;
        at = skip_blanks(at);
        const std::string_view rest = text_.substr(at);
        if (rest.empty() || rest.starts_with(">") || rest.starts_with("/>") ||
            rest.starts_with("?>")) {
            return true;
        }
        if (at == begin) {
            return false;
        }
        const std::size_t name = at;
        while (at < text_.size() && is_name(text_[at])) {
            ++at;
        }
        if (at == name) {
            return false;
        }
        at = skip_blanks(at);
        return at < text_.size() && text_[at] == '=';
    }

    std::size_t skip_blanks(std::size_t at) const noexcept {
        while (at < text_.size() && is_blank(text_[at])) {
            ++at;
        }
        return at;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t copied_ = 0; // the text before it is in the result
    RepairedText result_;
};

constexpr std::size_t line_block = 64U << 10U;

std::size_t newlines_in(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string decode_utf16(Bytes units, bool big_endian) {
    std::string text;
    if (!big_endian) {
        append_utf16le(text, units);
        return text;
    }
    std::vector<std::byte> swapped(units.begin(), units.end());
    for (std::size_t i = 1; i < swapped.size(); i += 2) {
        std::swap(swapped[i - 1], swapped[i]);
    }
    append_utf16le(text, swapped);
    return text;
}

} // namespace

LineIndex::LineIndex(std::string_view text) : text_(text) {
    std::size_t lines = 0;
    for (std::size_t at = 0; at < text.size(); at += line_block) {
        newlines_before_.push_back(lines);
        lines += newlines_in(text.substr(at, line_block));
    }
}

std::size_t LineIndex::line_of(std::size_t offset) const noexcept {
    const std::size_t block = std::min(offset, text_.size()) / line_block;
    if (block >= newlines_before_.size()) {
        return newlines_before_.empty() ? 1 : newlines_before_.back() + 1;
    }
    const std::size_t begin = block * line_block;
    return newlines_before_[block] + newlines_in(text_.substr(begin, offset - begin)) + 1;
}

std::size_t LineIndex::column_of(std::size_t offset) const noexcept {
    // Looking for the beginning of a line must not cost much.
    constexpr std::size_t max_line = 64U << 10U;
    const std::size_t end = std::min(offset, text_.size());
    const std::size_t begin = end - std::min(end, max_line);
    const std::string_view line = text_.substr(begin, end - begin);
    const std::size_t newline = line.rfind('\n');
    if (newline == line.npos) {
        return begin == 0 ? line.size() + 1 : 0;
    }
    return line.size() - newline;
}

bool looks_like_utf16(Bytes file) noexcept {
    return begins_with(file, {0xFF, 0xFE}) || begins_with(file, {0xFE, 0xFF}) ||
           (file.size() >= 2 && ((is_ascii(file[0]) && file[1] == std::byte{0}) ||
                                 (file[0] == std::byte{0} && is_ascii(file[1]))));
}

DecodedText decode_text(Bytes file) {
    if (begins_with(file, {0xFF, 0xFE})) {
        return {decode_utf16(file.subspan(2), false)};
    }
    if (begins_with(file, {0xFE, 0xFF})) {
        return {decode_utf16(file.subspan(2), true)};
    }
    if (file.size() >= 2 && is_ascii(file[0]) && file[1] == std::byte{0}) {
        return {decode_utf16(file, false)};
    }
    if (file.size() >= 2 && file[0] == std::byte{0} && is_ascii(file[1])) {
        return {decode_utf16(file, true)};
    }
    const Bytes rest = begins_with(file, {0xEF, 0xBB, 0xBF}) ? file.subspan(3) : file;
    DecodedText result;
    if (is_valid_utf8(as_text(rest))) {
        result.utf8 = as_text(rest);
    } else {
        append_ansi(result.utf8, rest);
        result.assumed_ansi = true;
    }
    return result;
}

RepairedText repair_attributes(std::string_view text) {
    return AttributeRepair(text).run();
}

std::expected<ManifestText, FileError> manifest_text(Bytes file) {
    if (file.size() > limits::manifest_file_bytes) {
        return std::unexpected(
            FileError{0, fmt::format("larger than {} MB", limits::manifest_file_bytes >> 20U)});
    }
    DecodedText decoded = decode_text(file);
    RepairedText repaired = repair_attributes(decoded.utf8);
    if (repaired.nodes > limits::manifest_nodes) {
        return std::unexpected(FileError{
            0, fmt::format("more than {} elements and attributes", limits::manifest_nodes)});
    }
    return ManifestText{std::move(repaired.repaired.empty() ? decoded.utf8 : repaired.text),
                        decoded.assumed_ansi, std::move(repaired.repaired)};
}

} // namespace etl::schema
