#include "base/text.hpp"
#include "symbols/demangle/limits.hpp"
#include "symbols/demangle/rust_name.hpp"
#include "symbols/demangle/rust_parser.hpp"

#include <limits>

namespace etl::symbols {

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
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 62 - 1;
        if (digit < 0 || value > most) { // crates have hashes of almost 64 bits
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

} // namespace etl::symbols
