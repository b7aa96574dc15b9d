// Parses a name of Rust in form v0 and appends its text. Back references are parsed again where
// they point to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etl::symbols {

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

} // namespace etl::symbols
