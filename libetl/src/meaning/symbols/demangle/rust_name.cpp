#include "symbols/demangle/rust_name.hpp"

#include "base/text.hpp"
#include "symbols/limits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::symbols {

namespace {

/// Parses a name of Rust in form v0 and appends its text. Back references are parsed again where
/// they point to.
class RustParser {
public:
    RustParser(std::string& to, std::string_view name) : to_(&to), name_(name) {}

    /// Parses a path and, after it, that of the crate of an instance. Returns false if the name is
    /// damaged or exceeds the limits.
    bool whole();

    /// Returns how much was parsed.
    std::size_t position() const noexcept { return at_; }

private:
    struct Identifier {
        std::uint64_t disambiguator = 0;
        std::string_view text;
        bool is_punycode = false;
    };

    bool path(bool is_value);
    bool path_of(char tag, bool is_value);
    bool crate();
    bool nested(bool is_value);
    bool skip_implementation();
    bool trait_implementation();
    bool instance(bool is_value);
    bool unclosed_instance(bool& has_arguments);
    bool generic_argument();

    bool type();
    bool type_of(char tag);
    bool tuple();
    bool reference(std::string_view before);
    bool function();
    bool dynamic();
    bool dynamic_trait();
    bool binder();
    bool lifetime();
    bool write_lifetime(std::uint64_t index);

    bool constant();
    bool constant_of(char tag);
    bool integer(bool is_signed);
    bool character();

    template <typename Parse>
    bool reference_to(Parse parse);
    template <typename Parse>
    bool separated(std::string_view separator, Parse parse);

    std::optional<Identifier> identifier();
    std::optional<std::uint64_t> disambiguator();
    std::optional<std::uint64_t> base_62();
    std::optional<std::string_view> hexadecimal();
    bool write(const Identifier& name);
    bool put(std::string_view text);
    bool enter() noexcept;

    bool leave(bool is_parsed) noexcept {
        --depth_;
        return is_parsed;
    }

    char peek() const noexcept { return at_ < name_.size() ? name_[at_] : '\0'; }

    char take() noexcept;
    bool takes(char c) noexcept;

    std::string* to_;
    std::string_view name_;
    std::size_t at_ = 0;
    std::size_t steps_ = 0;
    unsigned depth_ = 0;
    std::uint64_t bound_lifetimes_ = 0;
    bool is_silent_ = false;
};

// After `B`: parses what is at an earlier position.
template <typename Parse>
bool RustParser::reference_to(Parse parse) {
    const std::size_t before = at_ - 1;
    const auto target = base_62();
    if (!target || *target >= before) {
        return false;
    }
    if (is_silent_) {
        return true;
    }
    const std::size_t after = at_;
    at_ = static_cast<std::size_t>(*target);
    const bool is_parsed = enter() && leave(parse());
    at_ = after;
    return is_parsed;
}

// Any number of parts, and `E`.
template <typename Parse>
bool RustParser::separated(std::string_view separator, Parse parse) {
    for (bool is_first = true; !takes('E'); is_first = false) {
        if (!put(is_first ? "" : separator) || !parse()) {
            return false;
        }
    }
    return true;
}

// Parameters of Punycode, RFC 3492 section 5.
constexpr std::uint32_t digit_count = 36;
constexpr std::uint32_t min_threshold = 1;
constexpr std::uint32_t max_threshold = 26;
constexpr std::uint32_t skew = 38;
constexpr std::uint32_t first_damping = 700;

std::uint32_t adapted_bias(std::uint32_t delta, std::uint32_t points, bool is_first) noexcept {
    delta /= is_first ? first_damping : 2;
    delta += delta / points;
    std::uint32_t steps = 0;
    while (delta > (digit_count - min_threshold) * max_threshold / 2) {
        delta /= digit_count - min_threshold;
        steps += digit_count;
    }
    return steps + (digit_count - min_threshold + 1) * delta / (delta + skew);
}

// Adds a number of variable length to `index`.
bool take_delta(std::string_view& rest, std::uint32_t bias, std::uint32_t& index) noexcept {
    std::uint64_t sum = index;
    std::uint64_t weight = 1;
    for (std::uint32_t k = digit_count; !rest.empty(); k += digit_count) {
        const char c = rest.front();
        rest.remove_prefix(1);
        const bool is_letter = c >= 'a' && c <= 'z';
        if (!is_letter && (c < '0' || c > '9')) {
            return false;
        }
        const auto digit = static_cast<std::uint32_t>(is_letter ? c - 'a' : c - '0' + 26);
        sum += digit * weight;
        if (sum > std::numeric_limits<std::uint32_t>::max()) {
            return false;
        }
        const std::uint32_t threshold =
            k <= bias ? min_threshold : std::clamp(k - bias, min_threshold, max_threshold);
        if (digit < threshold) {
            index = static_cast<std::uint32_t>(sum);
            return true;
        }
        weight *= digit_count - threshold;
        if (weight > std::numeric_limits<std::uint32_t>::max()) {
            return false;
        }
    }
    return false;
}

} // namespace

bool append_punycode(std::string& to, std::string_view stored) {
    constexpr std::size_t max_points = 256; // inserting is quadratic
    const std::size_t separator = stored.rfind('_');
    const bool has_ascii = separator != std::string_view::npos;
    std::string_view rest = has_ascii ? stored.substr(separator + 1) : stored;
    if (stored.size() > max_points || rest.empty()) {
        return false;
    }
    std::vector<std::uint32_t> points;
    if (has_ascii) {
        points.assign(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(separator));
    }
    std::uint32_t point = 0x80;
    std::uint32_t bias = 72;
    std::uint32_t index = 0;
    for (bool is_first = true; !rest.empty(); is_first = false) {
        const std::uint32_t before = index;
        if (!take_delta(rest, bias, index)) {
            return false;
        }
        const auto count = static_cast<std::uint32_t>(points.size()) + 1;
        bias = adapted_bias(index - before, count, is_first);
        point += index / count;
        index %= count;
        if (point < 0x80 || point > 0x10FFFF) {
            return false;
        }
        points.insert(points.begin() + index++, point);
    }
    for (const std::uint32_t each : points) {
        append_code_point(to, each);
    }
    return true;
}

std::size_t append_rust_name(std::string& to, std::string_view name) {
    RustParser parser(to, name);
    return parser.whole() ? parser.position() : 0;
}

bool RustParser::whole() {
    if (!path(true)) {
        return false;
    }
    if (peek() >= 'A' && peek() <= 'Z') { // the crate that instantiates it is not written
        is_silent_ = true;
        return path(false);
    }
    return true;
}

bool RustParser::path(bool is_value) {
    return enter() && leave(path_of(take(), is_value));
}

bool RustParser::path_of(char tag, bool is_value) {
    switch (tag) {
    case 'C':
        return crate();
    case 'M':
        return skip_implementation() && put("<") && type() && put(">");
    case 'X':
        return skip_implementation() && trait_implementation();
    case 'Y':
        return trait_implementation();
    case 'N':
        return nested(is_value);
    case 'I':
        return instance(is_value);
    case 'B':
        return reference_to([this, is_value] { return path(is_value); });
    default:
        return false;
    }
}

bool RustParser::crate() {
    const auto name = identifier();
    return name && write(*name);
}

// Lowercase namespaces are not written, uppercase ones have names of their own.
bool RustParser::nested(bool is_value) {
    const char space = take();
    const bool is_special = space >= 'A' && space <= 'Z';
    if ((!is_special && (space < 'a' || space > 'z')) || !path(is_value)) {
        return false;
    }
    const auto name = identifier();
    if (!name) {
        return false;
    }
    if (!is_special) {
        return name->text.empty() || (put("::") && write(*name));
    }
    std::string number = "#";
    append_decimal(number, name->disambiguator);
    const bool is_named = !name->text.empty();
    return put("::{") &&
           put(space == 'C'   ? "closure"
               : space == 'S' ? "shim"
                              : std::string_view(&space, 1)) &&
           (!is_named || (put(":") && write(*name))) && put(number) && put("}");
}

// Where an `impl` is: nothing that is part of the name.
bool RustParser::skip_implementation() {
    if (!disambiguator()) {
        return false;
    }
    const bool was_silent = is_silent_;
    is_silent_ = true;
    const bool is_parsed = path(false);
    is_silent_ = was_silent;
    return is_parsed;
}

bool RustParser::trait_implementation() {
    return put("<") && type() && put(" as ") && path(false) && put(">");
}

bool RustParser::instance(bool is_value) {
    return path(is_value) && put(is_value ? "::<" : "<") &&
           separated(", ", [this] { return generic_argument(); }) && put(">");
}

// The trait of a `dyn` can have further arguments.
bool RustParser::unclosed_instance(bool& has_arguments) {
    if (takes('B')) {
        return reference_to([&] { return unclosed_instance(has_arguments); });
    }
    if (!takes('I')) {
        return path(false);
    }
    has_arguments = true;
    return enter() &&
           leave(path(false) && put("<") && separated(", ", [this] { return generic_argument(); }));
}

bool RustParser::generic_argument() {
    if (takes('L')) {
        return lifetime();
    }
    return takes('K') ? constant() : type();
}

std::optional<RustParser::Identifier> RustParser::identifier() {
    const auto number = disambiguator();
    if (!number) {
        return std::nullopt;
    }
    Identifier made{.disambiguator = *number, .text = {}, .is_punycode = takes('u')};
    std::size_t length = 0;
    if (peek() < '0' || peek() > '9') {
        return std::nullopt;
    }
    if (!takes('0')) {
        while (peek() >= '0' && peek() <= '9' && length <= name_.size()) {
            length = length * 10 + static_cast<std::size_t>(take() - '0');
        }
    }
    takes('_'); // before an identifier that begins with a digit or `_`
    if (length > name_.size() - at_) {
        return std::nullopt;
    }
    made.text = name_.substr(at_, length);
    at_ += length;
    return made;
}

// Zero if there is none.
std::optional<std::uint64_t> RustParser::disambiguator() {
    if (!takes('s')) {
        return 0;
    }
    const auto number = base_62();
    return number ? std::optional(*number + 1) : std::nullopt;
}

// `_` is 0; digits and `_` are one more than their number.
std::optional<std::uint64_t> RustParser::base_62() {
    if (takes('_')) {
        return 0;
    }
    std::uint64_t value = 0;
    while (!takes('_')) {
        const char c = take();
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 10
                          : c >= 'A' && c <= 'Z' ? c - 'A' + 36
                                                 : -1;
        constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max() / 62 - 1;
        if (digit < 0 || value > max) { // crates have hashes of almost 64 bits
            return std::nullopt;
        }
        value = value * 62 + static_cast<std::uint64_t>(digit);
    }
    return value + 1;
}

bool RustParser::write(const Identifier& name) {
    if (!name.is_punycode) {
        return put(name.text);
    }
    std::string text;
    return append_punycode(text, name.text) && put(text);
}

bool RustParser::put(std::string_view text) {
    if (is_silent_) {
        return true;
    }
    if (to_->size() + text.size() > limits::demangled_bytes) {
        return false;
    }
    to_->append(text);
    return true;
}

bool RustParser::enter() noexcept {
    return ++depth_ <= limits::demangle_depth && ++steps_ <= limits::demangle_steps;
}

char RustParser::take() noexcept {
    const char c = peek();
    at_ += at_ < name_.size() ? 1U : 0U;
    return c;
}

bool RustParser::takes(char c) noexcept {
    const bool is_next = at_ < name_.size() && name_[at_] == c;
    at_ += is_next ? 1U : 0U;
    return is_next;
}

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

namespace {

constexpr std::array<std::pair<std::string_view, char>, 8> rust_escapes{{{"SP", '@'},
                                                                         {"BP", '*'},
                                                                         {"RF", '&'},
                                                                         {"LT", '<'},
                                                                         {"GT", '>'},
                                                                         {"LP", '('},
                                                                         {"RP", ')'},
                                                                         {"C", ','}}};

bool is_hexadecimal(std::string_view text) noexcept {
    return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Appends what is between two `$`.
bool append_rust_escape(std::string& to, std::string_view code) {
    const auto* known =
        std::ranges::find(rust_escapes, code, [](const auto& escape) { return escape.first; });
    if (known != rust_escapes.end()) {
        to += known->second;
        return true;
    }
    const std::string_view digits = code.substr(std::min<std::size_t>(1, code.size()));
    if (!code.starts_with('u') || digits.size() > 6 || !is_hexadecimal(digits)) {
        return false;
    }
    std::uint32_t point = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), point, 16);
    append_code_point(to, point);
    return true;
}

bool append_old_identifier(std::string& to, std::string_view text) {
    if (text.starts_with("_$")) { // so that it begins with a letter
        text.remove_prefix(1);
    }
    while (!text.empty()) {
        if (text.starts_with("..")) {
            to += "::";
            text.remove_prefix(2);
        } else if (text.front() != '$') {
            to += text.front();
            text.remove_prefix(1);
        } else {
            const std::size_t end = text.find('$', 1);
            if (end == std::string_view::npos || !append_rust_escape(to, text.substr(1, end - 1))) {
                return false;
            }
            text.remove_prefix(end + 1);
        }
    }
    return true;
}

// Takes the length of an identifier and the identifier.
std::string_view take_old_identifier(std::string_view& rest) noexcept {
    std::size_t length = 0;
    const char* const begin = rest.data();
    const auto [end, error] = std::from_chars(begin, begin + rest.size(), length);
    const auto digits = static_cast<std::size_t>(end - begin);
    if (error != std::errc{} || length == 0 || length > rest.size() - digits) {
        return {};
    }
    const std::string_view text = rest.substr(digits, length);
    rest.remove_prefix(digits + length);
    return text;
}

} // namespace

std::size_t append_old_rust_name(std::string& to, std::string_view name) {
    const std::size_t start = to.size();
    std::string_view rest = name;
    while (true) {
        const std::string_view text = take_old_identifier(rest);
        if (text.empty()) {
            return 0;
        }
        if (rest.starts_with('E')) { // Other languages have no hash at the end.
            const bool is_hash =
                text.size() == 17 && text.front() == 'h' && is_hexadecimal(text.substr(1));
            return is_hash && to.size() > start ? name.size() - rest.size() + 1 : 0;
        }
        to += to.size() > start ? "::" : "";
        if (!append_old_identifier(to, text)) {
            return 0;
        }
    }
}

} // namespace etl::symbols
