#include "authoring/cpp_code.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace etl::authoring {

namespace {

// A text that is longer says nothing more as a name.
constexpr std::size_t max_name = 80;
constexpr std::size_t max_comment = 1000;

constexpr bool is_upper(char c) noexcept {
    return c >= 'A' && c <= 'Z';
}

constexpr bool is_lower(char c) noexcept {
    return c >= 'a' && c <= 'z';
}

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

constexpr bool is_part(char c) noexcept {
    return is_upper(c) || is_lower(c) || is_digit(c);
}

constexpr char to_upper(char c) noexcept {
    return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

constexpr char to_lower(char c) noexcept {
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

// Keywords, alternative tokens, and macros in lower case of compilers, C libraries and windows.h.
constexpr std::array reserved_words = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "atomic_cancel",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "cdecl",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "complex",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "contract_assert",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "etl",
    "explicit",
    "export",
    "extern",
    "false",
    "far",
    "float",
    "for",
    "friend",
    "goto",
    "hyper",
    "i386",
    "if",
    "inline",
    "int",
    "interface",
    "kill_dependency",
    "linux",
    "long",
    "major",
    "makedev",
    "max",
    "min",
    "minor",
    "mips",
    "module",
    "mutable",
    "namespace",
    "near",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "pascal",
    "private",
    "protected",
    "public",
    "reflexpr",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "setjmp",
    "short",
    "signed",
    "sizeof",
    "small",
    "sparc",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "sun",
    "switch",
    "synchronized",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unix",
    "unsigned",
    "using",
    "va_arg",
    "va_copy",
    "va_end",
    "va_start",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
});
static_assert(std::ranges::is_sorted(reserved_words));

// Calls each(word): letters and digits up to what is neither, or up to where a capital begins
// another word. One capital alone is no word: IPv4, UInt8, HResult.
template <typename Each>
void for_each_word(std::string_view text, Each each) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const bool is_inside = i < text.size() && is_part(text[i]);
        const bool has_before = i > begin;
        const bool is_next_small = i + 1 < text.size() && is_lower(text[i + 1]);
        const bool turns = is_inside && has_before && is_upper(text[i]) &&
                           (!is_upper(text[i - 1]) || (is_next_small && i - begin > 1));
        if (is_inside && !turns) {
            continue;
        }
        if (has_before) {
            each(text.substr(begin, i - begin));
        }
        begin = is_inside ? i : i + 1;
    }
}

// Characters that turn the direction of what follows, or end lines for some.
constexpr bool is_invisible(std::uint32_t c) noexcept {
    return c == 0x061C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF0 && c <= 0xFFFC);
}

// The size of the sequence at the front of valid UTF-8, and its code point.
struct CodePoint {
    std::size_t size;
    std::uint32_t value;
};

CodePoint front_of(std::string_view text) noexcept {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    std::uint32_t value = size == 1 ? first : first & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size && i < text.size(); ++i) {
        value = (value << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    return {std::min(size, text.size()), value};
}

} // namespace

bool is_reserved_word(std::string_view name) noexcept {
    return std::ranges::binary_search(reserved_words, name);
}

std::string snake_name(std::string_view text) {
    std::string name;
    for_each_word(text, [&](std::string_view word) {
        if (name.size() < max_name) {
            name += name.empty() ? "" : "_";
            std::ranges::transform(word.substr(0, max_name), std::back_inserter(name), to_lower);
        }
    });
    if (!name.empty() && is_digit(name.front())) {
        name.insert(0, "n");
    }
    return is_reserved_word(name) ? name + '_' : name;
}

std::string pascal_name(std::string_view text) {
    std::string name;
    for_each_word(text, [&](std::string_view word) {
        if (name.size() < max_name) {
            name += to_upper(word.front());
            std::ranges::transform(word.substr(1, max_name), std::back_inserter(name), to_lower);
        }
    });
    if (!name.empty() && is_digit(name.front())) {
        name.insert(0, "N");
    }
    return name;
}

bool is_name_space(std::string_view text) noexcept {
    while (true) {
        const std::size_t end = std::min(text.find("::"), text.size());
        const std::string_view part = text.substr(0, end);
        const auto is_good = [](char c) { return is_part(c) || c == '_'; };
        // Names with two underscores, or one in front, belong to the compiler.
        if (part.empty() || part.front() == '_' || is_digit(part.front()) ||
            is_reserved_word(part) || part.find("__") != part.npos ||
            !std::ranges::all_of(part, is_good)) {
            return false;
        }
        if (end == text.size()) {
            return true;
        }
        text.remove_prefix(end + 2);
    }
}

std::string comment_text(std::string_view text) {
    std::string valid;
    append_utf8(valid, std::as_bytes(std::span(text)));
    std::string line = "\"";
    for (std::string_view rest = valid; !rest.empty();) {
        const CodePoint next = front_of(rest);
        const bool is_control = next.value < 0x20 || (next.value >= 0x7F && next.value < 0xA0);
        if (line.size() > max_comment) {
            line += "...";
            break;
        }
        if (!is_control && !is_invisible(next.value)) {
            line += rest.substr(0, next.size);
        } else if (is_control && line.back() != ' ') {
            line += ' ';
        }
        rest.remove_prefix(next.size);
    }
    while (line.size() > 1 && line.back() == ' ') {
        line.pop_back();
    }
    return line + '"';
}

std::string string_literal(std::string_view text) {
    std::string literal = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\' || c == '?' || byte < 0x20 || byte > 0x7E) {
            literal += fmt::format("\\{:03o}", static_cast<unsigned>(byte));
        } else {
            literal += c;
        }
    }
    return literal + '"';
}

bool has_descriptor(const schema::EventSchema& event) noexcept {
    return event.origin != schema::Origin::mof && event.origin != schema::Origin::wpp &&
           event.origin != schema::Origin::tracelogging;
}

std::uint64_t descriptor_keyword(const schema::EventSchema& event,
                                 const schema::ProviderNames& names) noexcept {
    constexpr std::size_t max_channels = 8;
    if (event.origin != schema::Origin::manifest) {
        return event.keyword;
    }
    for (std::size_t i = 0; i < std::min(max_channels, names.channels.size()); ++i) {
        if (names.channels[i].first == event.channel) {
            return event.keyword | (std::uint64_t{1} << (63U - i));
        }
    }
    return event.keyword;
}

} // namespace etl::authoring
