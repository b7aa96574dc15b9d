#include "base/text.hpp"
#include "symbols/demangle/limits.hpp"
#include "symbols/demangle/rust_parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace etl::symbols {
namespace {

// By letter from a on; empty: not a type.
constexpr std::array<std::string_view, 26> rust_types{
    "i8",   "bool", "char", "f64", "str", "f32", "",    "u8", "isize", "usize", "",    "i32", "u32",
    "i128", "u128", "_",    "",    "",    "i16", "u16", "()", "...",   "",      "i64", "u64", "!"};

} // namespace

bool RustParser::type() {
    return enter() && leave(type_of(take()));
}

bool RustParser::type_of(char tag) {
    if (tag >= 'a' && tag <= 'z') {
        const std::string_view name = rust_types[static_cast<std::size_t>(tag - 'a')];
        return !name.empty() && put(name);
    }
    switch (tag) {
    case 'A':
        return put("[") && type() && put("; ") && constant() && put("]");
    case 'S':
        return put("[") && type() && put("]");
    case 'T':
        return tuple();
    case 'R':
        return reference("&");
    case 'Q':
        return reference("&mut ");
    case 'P':
        return put("*const ") && type();
    case 'O':
        return put("*mut ") && type();
    case 'F':
        return function();
    case 'D':
        return dynamic();
    case 'B':
        return reference_to([this] { return type(); });
    default:
        return path_of(tag, false);
    }
}

// A tuple of one has a comma.
bool RustParser::tuple() {
    std::size_t count = 0;
    const auto element = [&] {
        ++count;
        return type();
    };
    return put("(") && separated(", ", element) && put(count == 1 ? ",)" : ")");
}

bool RustParser::reference(std::string_view before) {
    if (!put(before.substr(0, 1))) {
        return false;
    }
    if (takes('L')) {
        const auto index = base_62();
        if (!index || (*index != 0 && !(write_lifetime(*index) && put(" ")))) {
            return false;
        }
    }
    return put(before.substr(1)) && type();
}

bool RustParser::function() {
    const std::uint64_t outer = bound_lifetimes_;
    bool is_parsed = binder() && put(takes('U') ? "unsafe " : "");
    if (is_parsed && takes('K')) {
        const auto convention = takes('C') ? std::optional(Identifier{.text = "C"}) : identifier();
        is_parsed = convention && !convention->is_punycode;
        if (is_parsed) {
            std::string name(convention->text);
            std::ranges::replace(name, '_', '-');
            is_parsed = put("extern \"") && put(name) && put("\" ");
        }
    }
    is_parsed = is_parsed && put("fn(") && separated(", ", [this] { return type(); }) && put(")") &&
                (takes('u') || (put(" -> ") && type()));
    bound_lifetimes_ = outer;
    return is_parsed;
}

bool RustParser::dynamic() {
    const std::uint64_t outer = bound_lifetimes_;
    const bool is_parsed =
        put("dyn ") && binder() && separated(" + ", [this] { return dynamic_trait(); });
    bound_lifetimes_ = outer;
    const auto index = is_parsed && takes('L') ? base_62() : std::nullopt;
    return index && (*index == 0 || (put(" + ") && write_lifetime(*index)));
}

bool RustParser::dynamic_trait() {
    bool has_arguments = false;
    if (!unclosed_instance(has_arguments)) {
        return false;
    }
    while (takes('p')) {
        const bool is_parsed = put(has_arguments ? ", " : "<");
        const auto name = is_parsed ? identifier() : std::nullopt;
        if (!name || !write(*name) || !put(" = ") || !type()) {
            return false;
        }
        has_arguments = true;
    }
    return put(has_arguments ? ">" : "");
}

// The lifetimes that a function type or a `dyn` declares.
bool RustParser::binder() {
    if (!takes('G')) {
        return true;
    }
    const auto count = base_62();
    if (!count || *count >= limits::demangle_depth || !put("for<")) {
        return false;
    }
    for (std::uint64_t i = 0; i <= *count; ++i) {
        ++bound_lifetimes_;
        if (!put(i == 0 ? "" : ", ") || !write_lifetime(1)) {
            return false;
        }
    }
    return put("> ");
}

bool RustParser::lifetime() {
    const auto index = base_62();
    return index && write_lifetime(*index);
}

// Counted from the innermost; zero is an erased one.
bool RustParser::write_lifetime(std::uint64_t index) {
    if (index == 0) {
        return put("'_");
    }
    if (index > bound_lifetimes_) {
        return false;
    }
    const std::uint64_t number = bound_lifetimes_ - index;
    std::string name = "'";
    if (number < 26) {
        name += static_cast<char>('a' + static_cast<int>(number));
    } else {
        name += '_';
        append_decimal(name, number);
    }
    return put(name);
}

bool RustParser::constant() {
    return enter() && leave(constant_of(take()));
}

bool RustParser::constant_of(char tag) {
    switch (tag) {
    case 'B':
        return reference_to([this] { return constant(); });
    case 'p':
        return put("_");
    case 'a':
    case 'i':
    case 'l':
    case 'n':
    case 's':
    case 'x':
        return integer(true);
    case 'h':
    case 'j':
    case 'm':
    case 'o':
    case 't':
    case 'y':
        return integer(false);
    case 'b': {
        const auto digits = hexadecimal();
        return digits && (*digits == "0" ? put("false") : *digits == "1" && put("true"));
    }
    case 'c':
        return character();
    default:
        return false;
    }
}

bool RustParser::integer(bool is_signed) {
    const bool is_negative = is_signed && takes('n');
    const auto digits = hexadecimal();
    if (!digits) {
        return false;
    }
    std::string text = is_negative ? "-" : "";
    if (digits->size() > 16) {
        text.append("0x").append(*digits);
    } else {
        std::uint64_t value = 0;
        std::from_chars(digits->data(), digits->data() + digits->size(), value, 16);
        append_decimal(text, value);
    }
    return put(text);
}

bool RustParser::character() {
    const auto digits = hexadecimal();
    if (!digits || digits->size() > 6) {
        return false;
    }
    std::uint32_t point = 0;
    std::from_chars(digits->data(), digits->data() + digits->size(), point, 16);
    std::string text = "'";
    if (point < 0x20 || point == 0x7F) {
        text.append("\\u{").append(*digits).append("}");
    } else {
        text += point == '\'' || point == '\\' ? "\\" : "";
        append_code_point(text, point);
    }
    return put(text += '\'');
}

// Digits before `_`; none are 0.
std::optional<std::string_view> RustParser::hexadecimal() {
    const std::size_t start = at_;
    while ((peek() >= '0' && peek() <= '9') || (peek() >= 'a' && peek() <= 'f')) {
        ++at_;
    }
    const std::string_view digits = name_.substr(start, at_ - start);
    if (!takes('_')) {
        return std::nullopt;
    }
    return digits.empty() ? "0" : digits;
}

} // namespace etl::symbols
