#include "schema/mof/syntax.hpp"

#include "base/text.hpp"
#include "schema/limits.hpp"
#include "schema/mof/tokens.hpp"

#include <fmt/format.h>

namespace etl::schema {

namespace {

using Kind = MofToken::Kind;

// Of one class or property, which is searched for each; real ones have up to 15.
constexpr std::size_t most_qualifiers = 64;

/// Recursive descent without recursion: classes hold properties, and nothing nests deeper but what
/// is passed over.
class Parser {
public:
    Parser(std::string_view text, MofReading& reading) : tokens_(text), reading_(reading) {
        advance();
    }

    std::expected<std::vector<MofClass>, FileError> run() {
        std::vector<MofClass> classes;
        while (token_.kind != Kind::end && !error_) {
            declaration(classes);
        }
        for (const std::size_t offset : tokens_.directives()) {
            reading_.note(offset, "ignored a preprocessor line");
        }
        if (error_) {
            return std::unexpected(std::move(*error_));
        }
        return classes;
    }

private:
    void declaration(std::vector<MofClass>& classes) {
        MofQualifiers list = qualifiers();
        const std::size_t offset = token_.offset;
        if (accept_word("class")) {
            reading_.charge(sizeof(MofClass) + list.size() * sizeof(MofQualifier));
            classes.push_back({std::move(list), {}, {}, {}, offset});
            class_body(classes.back());
        } else if (accept_word("instance")) {
            reading_.note(offset, "ignored an instance");
            skip_statement();
        } else if (accept_word("qualifier")) {
            skip_statement();
        } else if (!accept(";")) {
            reject("a class");
        }
        if (reading_.exhausted()) {
            fail(offset,
                 fmt::format("its schemas exceed {} MB", limits::manifest_schema_bytes >> 20U));
        }
    }

    void class_body(MofClass& made) {
        made.offset = token_.offset;
        made.name = word("the name of a class");
        if (accept_word("as")) {
            word("an alias");
        }
        if (accept(":")) {
            made.base = word("the name of a base class");
        }
        if (accept("{")) {
            while (!error_ && !accept("}")) {
                feature(made);
            }
        }
        accept(";");
    }

    // A property, or a method, which is passed over.
    void feature(MofClass& made) {
        MofProperty property;
        property.qualifiers = qualifiers();
        property.type = word("the type of a property");
        if (equals_ignoring_case(property.type, "object") && accept(":")) {
            property.type = word("the class of an object");
        }
        accept_word("ref");
        property.offset = token_.offset;
        property.name = word("the name of a property");
        if (token_.spelling == "(") {
            skip_statement();
            return;
        }
        if (accept("[")) {
            property.is_array = true;
            if (token_.kind == Kind::number) {
                property.array_size = token_.value;
                advance();
            }
            expect("]");
        }
        if (token_.spelling == "=") {
            skip_statement();
        } else {
            expect(";");
        }
        reading_.charge(sizeof(MofProperty) + property.qualifiers.size() * sizeof(MofQualifier));
        if (!reading_.exhausted()) {
            made.properties.push_back(std::move(property));
        } else {
            fail(property.offset, "too large");
        }
    }

    MofQualifiers qualifiers() {
        MofQualifiers list;
        while (accept("[")) {
            do {
                if (reading_.exhausted()) {
                    return list;
                }
                MofQualifier next = qualifier();
                if (list.size() < most_qualifiers) {
                    list.push_back(std::move(next));
                }
            } while (!error_ && accept(","));
            expect("]");
        }
        return list;
    }

    MofQualifier qualifier() {
        MofQualifier made;
        made.offset = token_.offset;
        made.name = word("the name of a qualifier");
        if (token_.spelling == "(" || token_.spelling == "{") {
            values(made.values);
        }
        if (accept(":")) {
            while (token_.kind == Kind::word) {
                advance(); // flavors say how WMI hands the qualifier on
            }
        }
        return made;
    }

    // In parentheses, braces, or braces within parentheses.
    void values(std::vector<MofValue>& list) {
        std::size_t depth = 0;
        do {
            if (token_.spelling == "(" || token_.spelling == "{") {
                ++depth;
                advance();
            } else if (token_.spelling == ")" || token_.spelling == "}") {
                --depth;
                advance();
            } else if (!accept(",")) {
                list.push_back(value());
                reading_.charge(sizeof(MofValue) + list.back().text.size());
            }
        } while (depth > 0 && !error_ && !reading_.exhausted());
    }

    MofValue value() {
        MofValue made;
        if (token_.kind == Kind::text) {
            while (token_.kind == Kind::text && !error_) {
                made.text += token_.text; // neighbours are one
                advance();
            }
        } else if (token_.kind == Kind::number) {
            made.number = token_.value;
            made.text = token_.spelling;
            advance();
        } else {
            made.text = word("a value");
        }
        return made;
    }

    /// Up to the semicolon or the closing brace that is inside of no braces or parentheses; not
    /// past the brace that closes what is around.
    void skip_statement() {
        std::size_t depth = 0;
        while (token_.kind != Kind::end && !error_) {
            const std::string_view spelling =
                token_.kind == Kind::punctuation ? token_.spelling : std::string_view{};
            if (spelling == "}" && depth == 0) {
                return;
            }
            if (spelling == "{" || spelling == "(") {
                ++depth;
            } else if ((spelling == "}" || spelling == ")") && depth > 0) {
                --depth;
            }
            advance();
            if (depth == 0 && (spelling == ";" || (spelling == "}" && token_.spelling != ";"))) {
                return;
            }
        }
    }

    std::string_view word(std::string_view what) {
        const std::string_view spelling = token_.spelling;
        if (token_.kind == Kind::word) {
            advance();
            return spelling;
        }
        reject(what);
        return {};
    }

    bool accept(std::string_view punctuation) {
        const bool is_there =
            token_.kind == Kind::punctuation && token_.spelling == punctuation && !error_;
        if (is_there) {
            advance();
        }
        return is_there;
    }

    bool accept_word(std::string_view keyword) {
        const bool is_there =
            token_.kind == Kind::word && equals_ignoring_case(token_.spelling, keyword) && !error_;
        if (is_there) {
            advance();
        }
        return is_there;
    }

    void expect(std::string_view punctuation) {
        if (!accept(punctuation)) {
            reject(fmt::format("`{}`", punctuation));
        }
    }

    void reject(std::string_view expected) {
        fail(token_.offset,
             token_.kind == Kind::end
                 ? fmt::format("expected {}, found the end", expected)
                 : fmt::format("found `{}`, expected {}", clipped(token_.spelling, 40), expected));
    }

    void fail(std::size_t offset, std::string why) {
        if (!error_) {
            error_ = reading_.error(offset, std::move(why));
        }
    }

    void advance() {
        if (error_) {
            token_ = {};
            return;
        }
        token_ = tokens_.next();
        if (token_.kind == Kind::broken) {
            fail(token_.offset, token_.text);
        }
    }

    MofTokens tokens_;
    MofReading& reading_;
    MofToken token_;
    std::optional<FileError> error_;
};

} // namespace

const MofQualifier* find(const MofQualifiers& qualifiers, std::string_view name) noexcept {
    for (const MofQualifier& qualifier : qualifiers) {
        if (equals_ignoring_case(qualifier.name, name)) {
            return &qualifier;
        }
    }
    return nullptr;
}

std::string_view text_of(const MofQualifiers& qualifiers, std::string_view name) noexcept {
    const MofQualifier* found = find(qualifiers, name);
    return found != nullptr && !found->values.empty() ? std::string_view(found->values.front().text)
                                                      : std::string_view{};
}

bool is_set(const MofQualifiers& qualifiers, std::string_view name) noexcept {
    return find(qualifiers, name) != nullptr &&
           !equals_ignoring_case(text_of(qualifiers, name), "false");
}

std::optional<std::int64_t> integer_of(const MofValue& value) noexcept {
    return value.number ? value.number : parse_mof_integer(value.text);
}

std::optional<std::int64_t> integer_of(const MofQualifiers& qualifiers,
                                       std::string_view name) noexcept {
    const MofQualifier* found = find(qualifiers, name);
    return found != nullptr && !found->values.empty() ? integer_of(found->values.front())
                                                      : std::nullopt;
}

std::expected<std::vector<MofClass>, FileError> parse_mof_classes(std::string_view text,
                                                                  MofReading& reading) {
    return Parser(text, reading).run();
}

} // namespace etl::schema
