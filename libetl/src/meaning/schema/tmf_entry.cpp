#include "schema/tmf_entry.hpp"

#include "base/text.hpp"
#include "schema/limits.hpp"
#include "schema/wpp_format.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace etl::schema {

namespace {

// Takes what stands before the next blank.
std::string_view take_word(std::string_view& text) noexcept {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

template <typename T>
bool parse_whole(std::string_view text, T& value) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// Behind `key=` in words separated by blanks; keys come in any case.
std::string_view value_of(std::string_view words, std::initializer_list<std::string_view> keys) {
    while (!words.empty()) {
        const std::string_view word = take_word(words);
        const std::size_t equals = word.find('=');
        const auto is_meant = [&](std::string_view key) {
            return equals_ignoring_case(key, word.substr(0, equals));
        };
        if (equals != word.npos && std::ranges::any_of(keys, is_meant)) {
            return word.substr(equals + 1);
        }
    }
    return {};
}

std::optional<TmfGuidLine> parse_guid_line(std::string_view line) noexcept {
    constexpr std::size_t digits = 36;
    const std::size_t size = line.starts_with('{') ? digits + 2 : digits;
    const auto guid = parse_guid(line.substr(0, size));
    if (!guid || (line.size() > size && blanks.find(line[size]) == blanks.npos)) {
        return std::nullopt;
    }
    TmfGuidLine result{.guid = *guid, .component = {}, .source = {}};
    line.remove_prefix(std::min(size, line.size())); // the closing brace may be missing
    const std::size_t comment = line.find("//");
    result.component = cut_name(trimmed(line.substr(0, comment)));
    if (comment != line.npos) {
        result.source = cut_name(value_of(line.substr(comment + 2), {"SRC"}));
    }
    return result;
}

constexpr std::string_view end_of_format = "\" //";

// Whether a format string may end in this line.
bool may_end_format(std::string_view line) noexcept {
    return line.find(end_of_format) != line.npos || trimmed(line).ends_with('"');
}

// Where the list of a type begins whose text ends in `)`; that of its end when nothing matches.
std::size_t begin_of_list(std::string_view text) noexcept {
    int depth = 0;
    for (std::size_t i = text.size(); i > 0; --i) {
        depth += text[i - 1] == ')' ? 1 : text[i - 1] == '(' ? -1 : 0;
        if (depth == 0) {
            return i - 1;
        }
    }
    return text.size();
}

// `Queue.c` is `Queue_c` in a tag.
bool is_mangled(std::string_view tag, std::string_view source) noexcept {
    return std::ranges::equal(tag, source, [](char in_tag, char in_source) {
        return in_tag == in_source || in_tag == '_';
    });
}

bool begins_entry(std::string_view line) noexcept {
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    return word == "#typev" || word == "#type";
}

// ` -- 12` at the end.
std::optional<unsigned> index_at_end(std::string_view line) noexcept {
    const std::size_t dashes = line.rfind("-- ");
    unsigned index = 0;
    return dashes != line.npos && parse_whole(trimmed(line.substr(dashes + 3)), index)
               ? std::optional(index)
               : std::nullopt;
}

// The digits of a tag behind the name of the file.
std::string_view line_of(std::string_view tag, std::string_view source) noexcept {
    if (tag.starts_with("Unknown_")) {
        return {};
    }
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (!source.empty() && tag.size() > source.size() &&
        is_mangled(tag.substr(0, source.size()), source)) {
        const std::string_view rest = tag.substr(source.size());
        return std::ranges::all_of(rest, is_digit) ? rest : std::string_view{};
    }
    std::size_t begin = tag.size();
    while (begin > 0 && is_digit(tag[begin - 1])) {
        --begin;
    }
    return tag.substr(begin);
}

} // namespace

std::string_view cut_name(std::string_view name) noexcept {
    if (name.size() <= limits::wpp_name_bytes) {
        return name;
    }
    std::size_t size = limits::wpp_name_bytes;
    const auto is_continued = [&] {
        return (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80;
    };
    for (int i = 0; i < 3 && is_continued(); ++i) {
        --size;
    }
    return name.substr(0, size);
}

bool TmfReader::take_line(std::string_view& line) noexcept {
    if (at_ == text_.size()) {
        return false;
    }
    line = text_.substr(at_, text_.find('\n', at_) - at_);
    at_ += std::min(line.size() + 1, text_.size() - at_);
    return true;
}

TmfReader::Found TmfReader::broken(const char* why) noexcept {
    problem_ = why;
    return Found::broken;
}

TmfReader::Found TmfReader::next() {
    std::string_view line;
    while (take_line(line)) {
        line = trimmed(line);
        if (begins_entry(line)) {
            return read_entry(line);
        }
        if (const auto guid_line = parse_guid_line(line)) {
            guid_line_ = *guid_line;
            return Found::guid_line;
        }
    }
    return Found::end;
}

// A format string may have lines of its own: the head lasts up to the brace on its own line that
// follows an end of the string.
TmfReader::Found TmfReader::read_entry(std::string_view first) {
    entry_ = {};
    entry_.where = first.data();
    const auto begin = static_cast<std::size_t>(first.data() - text_.data());
    bool may_end = may_end_format(first);
    for (std::string_view line; true;) {
        const std::size_t end = at_;
        if (!take_line(line)) {
            return broken("unterminated message");
        }
        const std::string_view content = trimmed(line);
        if (content == "{" && may_end) {
            if (!read_head(text_.substr(begin, end - begin))) {
                return broken(problem_);
            }
            return read_arguments() ? Found::entry : broken(problem_);
        }
        if (begins_entry(content) || parse_guid_line(content)) {
            at_ = end; // the next one begins before this one has ended
            return broken("message without an argument list");
        }
        may_end |= may_end_format(line);
    }
}

bool TmfReader::read_head(std::string_view head) {
    take_word(head); // #typev
    entry_.tag = take_word(head);
    const std::string_view number = take_word(head);
    const std::size_t open = head.find('"');
    std::size_t close = head.rfind(end_of_format);
    if (close == head.npos) {
        close = head.rfind('"');
    }
    if (!parse_whole(number, entry_.number) || open == head.npos || close <= open) {
        problem_ = "message is not `#typev tag number \"format\"`";
        return false;
    }
    entry_.format = head.substr(open + 1, close - open - 1);
    entry_.trailer = head.substr(close + 1);
    return true;
}

bool TmfReader::read_arguments() {
    std::size_t begin = at_; // of an argument that may span lines
    for (std::string_view line; take_line(line);) {
        const auto line_begin = static_cast<std::size_t>(line.data() - text_.data());
        const std::string_view content = trimmed(line);
        if (content.starts_with('}')) {
            // Equal indices stay in the order of the text.
            std::ranges::sort(entry_.arguments, {}, [](const TmfArgument& argument) {
                return std::pair(argument.index, argument.type.data());
            });
            problem_ = "argument is not `expression, ItemType -- index`";
            return trimmed(text_.substr(begin, line_begin - begin)).empty();
        }
        if (begins_entry(content) || parse_guid_line(content)) {
            at_ = line_begin;
            break;
        }
        if (const auto index = index_at_end(content)) {
            const std::string_view argument = trimmed(text_.substr(begin, at_ - begin));
            if (!read_argument(argument.substr(0, argument.rfind("-- ")), *index)) {
                return false;
            }
            begin = at_;
        }
    }
    problem_ = "missing closing brace of the arguments";
    return false;
}

bool TmfReader::read_argument(std::string_view text, unsigned index) {
    text = trimmed(text);
    const std::size_t list = text.ends_with(')') ? begin_of_list(text) : text.size();
    const std::size_t comma = text.substr(0, list).rfind(", Item");
    if (comma == text.npos && !text.starts_with("Item")) {
        problem_ = "argument is not `expression, ItemType -- index`";
        return false;
    }
    if (entry_.arguments.size() == limits::wpp_arguments) {
        problem_ = "too many arguments";
        return false;
    }
    TmfArgument& argument = entry_.arguments.emplace_back();
    argument.index = index;
    argument.expression = comma == text.npos ? std::string_view{} : trimmed(text.substr(0, comma));
    argument.type = comma == text.npos ? text : text.substr(comma + 2);
    return true;
}

namespace {

// The place of the argument with this index; as many as there are when there is none.
std::size_t place_of(const TmfEntry& entry, unsigned index) noexcept {
    const auto found = std::ranges::lower_bound(entry.arguments, index, {}, &TmfArgument::index);
    return found != entry.arguments.end() && found->index == index
               ? static_cast<std::size_t>(found - entry.arguments.begin())
               : entry.arguments.size();
}

} // namespace

std::string with_arguments_counted(const TmfEntry& entry) {
    bool is_counted = true;
    for (std::size_t i = 0; i < entry.arguments.size(); ++i) {
        is_counted &= entry.arguments[i].index == first_wpp_argument + i;
    }
    if (is_counted) {
        return std::string(entry.format);
    }
    std::string result;
    WppFormat format(entry.format);
    for (WppPiece piece; format.next(piece);) {
        const std::size_t place = piece.kind == WppPiece::Kind::variable
                                      ? place_of(entry, piece.number)
                                      : entry.arguments.size();
        if (place == entry.arguments.size()) {
            result.append(piece.spelling);
            continue;
        }
        result.push_back('%');
        append_decimal(result, first_wpp_argument + place);
        result.append(1, '!').append(piece.text).push_back('!');
    }
    return result;
}

std::vector<char> conversions_of(const TmfEntry& entry) {
    std::vector<char> letters(entry.arguments.size(), 's');
    WppFormat format(entry.format);
    for (WppPiece piece; format.next(piece);) {
        const std::size_t place =
            piece.kind == WppPiece::Kind::variable ? place_of(entry, piece.number) : letters.size();
        if (place < letters.size() && letters[place] == 's') {
            letters[place] = conversion_of(piece.text);
        }
    }
    return letters;
}

std::shared_ptr<const TraceSite> site_of(const TmfEntry& entry, const TmfGuidLine& line) {
    auto site = std::make_shared<TraceSite>();
    site->component = line.component;
    site->file = line.source;
    site->line = line_of(entry.tag, line.source);
    site->function = value_of(entry.trailer, {"FUNC", "FUNCTION"});
    site->level = value_of(entry.trailer, {"LEVEL", "TRACELEVEL"});
    site->flags = value_of(entry.trailer, {"FLAGS", "FLAG"});
    return site;
}

} // namespace etl::schema
