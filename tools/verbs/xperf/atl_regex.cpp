#include "verbs/xperf/atl_regex.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli::xperf {

namespace {

// A typed expression has some dozen characters. Its groups are compiled recursively.
constexpr std::size_t max_characters = 1024, max_depth = 32;

constexpr std::string_view too_deep = "too many groups inside of each other";

struct Abbreviation {
    char letter;
    std::string_view meaning;
};

// As documented for CAtlRegExp.
constexpr Abbreviation abbreviations[] = {{'a', "[a-zA-Z0-9]"},
                                          {'b', "[ \\t]"},
                                          {'c', "[a-zA-Z]"},
                                          {'d', "[0-9]"},
                                          {'h', "[0-9a-fA-F]"},
                                          {'n', "(?:\\r?\\n|\\r)"},
                                          {'q', "(?:\"[^\"]*\"|'[^']*')"},
                                          {'w', "(?:[a-zA-Z]+)"},
                                          {'z', "(?:[0-9]+)"}};

bool is_plain(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80U;
}

class Translation {
public:
    explicit Translation(std::string_view expression) : left_(expression) {}

    std::expected<std::string, std::string> run() {
        if (left_.empty()) {
            return std::unexpected("empty expression");
        }
        alternatives(0);
        if (problem_.empty() && !left_.empty()) {
            problem_ = fmt::format("unmatched '{}'", left_.front());
        }
        return problem_.empty() ? std::expected<std::string, std::string>(std::move(text_))
                                : std::unexpected(std::move(problem_));
    }

private:
    bool take(char c) {
        if (!left_.starts_with(c)) {
            return false;
        }
        left_.remove_prefix(1);
        return true;
    }

    void fail(std::string_view why) {
        if (problem_.empty()) {
            problem_ = why;
        }
        left_ = {};
    }

    void literal(char c) {
        if (!is_plain(c)) {
            text_ += '\\';
        }
        text_ += c;
    }

    /// Up to the end of the group around them.
    void alternatives(std::size_t depth) {
        if (depth > max_depth) {
            return fail(too_deep);
        }
        do {
            if (take('^')) {
                text_ += '^';
            }
            while (!left_.empty() && left_.front() != '|' && left_.front() != ')' &&
                   left_.front() != '}') {
                item(depth);
            }
        } while (take('|') && (text_ += '|', true));
    }

    /// The item that must not follow.
    void negated(std::size_t depth) { depth > max_depth ? fail(too_deep) : item(depth); }

    void item(std::size_t depth) {
        if (take('!')) {
            text_ += "(?!";
            left_.empty() ? fail("nothing follows '!'") : negated(depth + 1);
            text_ += ')';
            return;
        }
        atom(depth);
        for (const char c : {'*', '+', '?'}) {
            if (take(c)) {
                text_ += c;
                if (take('?')) {
                    text_ += '?';
                }
                break;
            }
        }
    }

    void atom(std::size_t depth) {
        const char c = left_.front();
        left_.remove_prefix(1);
        switch (c) {
        case '(':
        case '{':
            text_ += "(?:";
            alternatives(depth + 1);
            if (!take(c == '(' ? ')' : '}')) {
                fail(fmt::format("'{}' is not closed", c));
            }
            text_ += ')';
            break;
        case '[':
            character_class();
            break;
        case '\\':
            escape();
            break;
        case '.':
            text_ += '.';
            break;
        case '$':
            left_.empty() ? static_cast<void>(text_ += '$') : literal(c);
            break;
        case '*':
        case '+':
        case '?':
            fail(fmt::format("nothing precedes '{}'", c));
            break;
        default:
            literal(c);
            break;
        }
    }

    void escape() {
        if (left_.empty()) {
            return fail("nothing follows '\\'");
        }
        const char c = left_.front();
        left_.remove_prefix(1);
        const auto* const known = std::ranges::find(abbreviations, c, &Abbreviation::letter);
        if (known != std::end(abbreviations)) {
            text_ += known->meaning;
        } else {
            literal(c);
        }
    }

    void character_class() {
        text_ += '[';
        if (take('^')) {
            text_ += '^';
        }
        for (bool is_first = true; is_first || !left_.starts_with(']'); is_first = false) {
            if (left_.empty()) {
                return fail("'[' is not closed");
            }
            const char c = left_.front();
            left_.remove_prefix(1);
            if (c == '-' && !is_first && !left_.starts_with(']')) {
                text_ += '-';
            } else if (c == '\\' && !left_.empty()) {
                literal(left_.front());
                left_.remove_prefix(1);
            } else {
                literal(c);
            }
        }
        left_.remove_prefix(1);
        text_ += ']';
    }

    std::string_view left_;
    std::string text_, problem_;
};

} // namespace

std::expected<std::string, std::string> icu_of_atl(std::string_view expression) {
    if (expression.size() > max_characters) {
        return std::unexpected(fmt::format("more than {} characters", max_characters));
    }
    return Translation(expression).run();
}

std::expected<std::shared_ptr<const etl::match::Regex>, std::string>
compile_atl(std::string_view expression) {
    auto icu = icu_of_atl(expression);
    if (!icu) {
        return std::unexpected(std::move(icu.error()));
    }
    return etl::match::Regex::compile(*icu);
}

} // namespace cli::xperf
