#include "match/xpath.hpp"

#include "base/text.hpp"
#include "match/expression.hpp"
#include "match/limits.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::match {

// The words of an XPath query.

struct XPathToken {
    enum class Kind : std::uint8_t { end, name, number, text, symbol, invalid };

    Kind kind = Kind::end;
    std::string_view text;  // of a text: without its quotes
    std::size_t column = 1; // 1-based, in bytes

    bool is(std::string_view symbol) const noexcept {
        return kind == Kind::symbol && text == symbol;
    }

    bool is_name(std::string_view name) const noexcept {
        return kind == Kind::name && text == name;
    }
};

/// Nothing: not an operator.
std::optional<Operator> operator_of(const XPathToken& token) noexcept;

/// Whether a text is a number, decimal or `0x...`.
bool is_xpath_number(std::string_view text) noexcept;

class XPathLexer {
public:
    explicit XPathLexer(std::string_view query) : query_(query) { advance(); }

    const XPathToken& now() const noexcept { return now_; }

    void advance() noexcept;

private:
    void set(XPathToken::Kind kind, std::size_t size) noexcept;

    std::string_view query_;
    std::size_t at_ = 0;
    XPathToken now_;
};

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view digits = "0123456789";
constexpr std::string_view hexadecimal = "0123456789abcdefABCDEFxX";

} // namespace

std::optional<Operator> operator_of(const XPathToken& token) noexcept {
    constexpr std::pair<std::string_view, Operator> operators[] = {
        {"=", Operator::equal},       {"!=", Operator::not_equal}, {"<", Operator::less},
        {"<=", Operator::less_equal}, {">", Operator::greater},    {">=", Operator::greater_equal},
    };
    for (const auto& [text, op] : operators) {
        if (token.is(text)) {
            return op;
        }
    }
    return std::nullopt;
}

bool is_xpath_number(std::string_view text) noexcept {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view rest = text.substr(is_hex ? 2 : 0);
    return !rest.empty() &&
           rest.find_first_not_of(is_hex ? "0123456789abcdefABCDEF" : "0123456789") == rest.npos;
}

void XPathLexer::set(XPathToken::Kind kind, std::size_t size) noexcept {
    now_ = {kind, query_.substr(at_, size), at_ + 1};
    at_ += size;
}

void XPathLexer::advance() noexcept {
    at_ = std::min(query_.find_first_not_of(blanks, at_), query_.size());
    const std::string_view rest = query_.substr(at_);
    using Kind = XPathToken::Kind;
    const auto size_of = [&](std::string_view first, std::string_view more) {
        const std::size_t end = rest.find_first_not_of(more, 1);
        return first.contains(rest.front()) ? std::min(end, rest.size()) : 0;
    };
    if (rest.empty()) {
        return set(Kind::end, 0);
    }
    if (rest.front() == '\'' || rest.front() == '"') {
        const std::size_t end = rest.find(rest.front(), 1);
        set(end == rest.npos ? Kind::invalid : Kind::text, std::min(end, rest.size() - 1) + 1);
        now_.text = now_.kind == Kind::text ? rest.substr(1, end - 1) : now_.text;
        return;
    }
    if (rest.starts_with("<=") || rest.starts_with(">=") || rest.starts_with("!=") ||
        rest.starts_with("//")) {
        return set(Kind::symbol, 2);
    }
    if (const std::size_t size = size_of(digits, hexadecimal); size > 0) {
        return set(Kind::number, size);
    }
    static constexpr std::string_view in_names =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.-:";
    if (const std::size_t size = size_of(letters, in_names); size > 0) {
        return set(Kind::name, size);
    }
    constexpr std::string_view symbols = "*[]()@/=<>,|";
    set(symbols.contains(rest.front()) ? Kind::symbol : Kind::invalid, 1);
}

namespace {

using Parsed = std::expected<Expression, SyntaxError>;
using TokenKind = XPathToken::Kind;

/// A part of an event as XML, and the key that has its value.
struct XmlPath {
    std::string_view element, attribute;
    std::string_view key; // empty: no key has it
};

constexpr XmlPath system_paths[] = {
    {"EventID", "", "id"},
    {"Version", "", "version"},
    {"Level", "", "level"},
    {"Task", "", "task"},
    {"Opcode", "", "opcode"},
    {"Keywords", "", "keyword"},
    {"Channel", "", "channel_name"},
    {"Provider", "Name", "provider"},
    {"Provider", "Guid", "provider_guid"},
    {"TimeCreated", "SystemTime", "time"},
    {"Execution", "ProcessID", "pid"},
    {"Execution", "ThreadID", "tid"},
    {"Execution", "ProcessorID", "cpu"},
    {"Correlation", "ActivityID", "activity_id"},
    {"Correlation", "RelatedActivityID", "related_activity_id"},
    {"EventID", "Qualifiers", "qualifiers"},
    {"EventRecordID", "", "record_id"},
    {"Computer", "", "computer"},
    {"Security", "UserID", "user"},
    {"Provider", "EventSourceName", ""},
};

class XPathParser {
public:
    XPathParser(std::string_view query, Filetime now) : lexer_(query), now_(now) {}

    Parsed parse() {
        if (!take_symbol("*") && !take_name("Event")) {
            return expected("* or Event");
        }
        std::vector<Expression> parts;
        if (take_symbol("/")) {
            auto path = section();
            if (!path) {
                return path;
            }
            parts.push_back(*std::move(path));
        }
        while (take_symbol("[")) {
            auto part = in_brackets([this] { return section(); });
            if (!part) {
                return part;
            }
            parts.push_back(*std::move(part));
        }
        return lexer_.now().kind == TokenKind::end ? all(std::move(parts))
                                                   : expected("[ or the end of the query");
    }

private:
    template <typename Leaf>
    Parsed disjunction(Leaf leaf) {
        return joined("or", Expression::any_of, [&] {
            return joined("and", Expression::all_of, [&] { return term(leaf); });
        });
    }

    template <typename Part>
    Parsed joined(std::string_view word, Expression (*join)(std::vector<Expression>), Part part) {
        std::vector<Expression> parts;
        do {
            auto next = part();
            if (!next) {
                return next;
            }
            parts.push_back(*std::move(next));
        } while (take_name(word));
        return parts.size() == 1 ? std::move(parts.front()) : join(std::move(parts));
    }

    /// `( ... )`, or one leaf.
    template <typename Leaf>
    Parsed term(Leaf leaf) {
        if (!take_symbol("(")) {
            return leaf();
        }
        if (++depth_ > limits::expression_depth) {
            return failed("parentheses are nested too deeply");
        }
        auto inner = disjunction(leaf);
        --depth_;
        if (inner && !take_symbol(")")) {
            return expected(")");
        }
        return inner;
    }

    template <typename Leaf>
    Parsed in_brackets(Leaf leaf) {
        auto inner = disjunction(leaf);
        if (inner && !take_symbol("]")) {
            return expected("], and, or or");
        }
        return inner;
    }

    /// System, EventData, or UserData, with a predicate or a path.
    Parsed section() {
        if (take_name("System")) {
            return inside([this] { return system_test(); });
        }
        if (take_name("EventData") || take_name("UserData")) {
            return inside([this] { return data_test(); });
        }
        return expected("System, EventData, or UserData");
    }

    template <typename Leaf>
    Parsed inside(Leaf leaf) {
        if (take_symbol("/")) {
            return leaf();
        }
        if (take_symbol("[")) {
            return in_brackets(leaf);
        }
        return expected("[ or /");
    }

    /// `EventID=5`, `Provider[@Name='x']`, `band(Keywords,5)`.
    Parsed system_test() {
        if (take_name("band")) {
            return band();
        }
        const XPathToken element = lexer_.now();
        if (element.kind != TokenKind::name) {
            return expected("the name of an element of System");
        }
        lexer_.advance();
        if (take_symbol("[")) {
            return in_brackets([&] { return attribute_test(element); });
        }
        if (take_symbol("/")) {
            return attribute_test(element);
        }
        return comparison(element, {});
    }

    Parsed attribute_test(const XPathToken& element) {
        if (take_name("timediff")) {
            return timediff(element);
        }
        if (!take_symbol("@")) {
            return expected("@ and the name of an attribute");
        }
        const XPathToken attribute = lexer_.now();
        lexer_.advance();
        return comparison(element, attribute.text);
    }

    Parsed comparison(const XPathToken& element, std::string_view attribute) {
        const auto* const path = std::ranges::find_if(system_paths, [&](const XmlPath& one) {
            return one.element == element.text && one.attribute == attribute;
        });
        if (path == std::end(system_paths)) {
            return std::unexpected(SyntaxError{
                element.column, "System has no " + std::string(element.text) +
                                    (attribute.empty() ? "" : "/@" + std::string(attribute))});
        }
        if (path->key.empty()) {
            return std::unexpected(SyntaxError{element.column, std::string(element.text) + "/@" +
                                                                   std::string(attribute) +
                                                                   " cannot be compared"});
        }
        return compared(std::string(path->key), false);
    }

    /// `Data[@Name='x']='v'`, `Data[@Name='x']`, or the name of an element of UserData.
    Parsed data_test() {
        const XPathToken element = lexer_.now();
        if (element.kind != TokenKind::name) {
            return expected("Data");
        }
        lexer_.advance();
        std::string name(element.text);
        if (element.text == "Data") {
            if (!take_symbol("[") || !take_symbol("@") || !take_name("Name") || !take_symbol("=")) {
                return expected("Data[@Name='NAME']: values are compared by name");
            }
            if (lexer_.now().kind != TokenKind::text) {
                return expected("the name of a value in quotes");
            }
            name = lexer_.now().text;
            lexer_.advance();
            if (!take_symbol("]")) {
                return expected("]");
            }
        }
        if (!operator_of(lexer_.now())) {
            return counted(field(Expression::make_test(std::move(name), Operator::has, {})));
        }
        return compared(std::move(name), true);
    }

    static Expression field(Expression test) {
        test.test.is_field = true;
        return test;
    }

    /// OPERATOR VALUE, for a key or a field.
    Parsed compared(std::string name, bool is_field) {
        const auto op = operator_of(lexer_.now());
        if (!op) {
            return expected("an operator: =, !=, <, <=, >, >=");
        }
        const std::size_t column = lexer_.now().column;
        lexer_.advance();
        const XPathToken value = lexer_.now();
        if (value.kind != TokenKind::text && value.kind != TokenKind::number) {
            return expected("a number, or text in quotes");
        }
        lexer_.advance();
        Expression test = Expression::make_test(std::move(name), *op, {std::string(value.text)});
        test.test.is_field = is_field;
        test.test.column = column;
        // Names of levels, times, and GUIDs are written in quotes; only data is text then.
        test.test.values.front().is_quoted = is_field && !is_xpath_number(value.text);
        return counted(std::move(test));
    }

    /// `band(Keywords, N)`, perhaps compared with 0 or N.
    Parsed band() {
        if (!take_symbol("(") || !take_name("Keywords") || !take_symbol(",") ||
            !is_xpath_number(lexer_.now().text)) {
            return expected("band(Keywords, NUMBER)");
        }
        const std::string mask(lexer_.now().text);
        lexer_.advance();
        if (!take_symbol(")")) {
            return expected(")");
        }
        return counted(Expression::make_test("keyword", Operator::any_bits, {mask}));
    }

    /// `timediff(@SystemTime) <= MILLISECONDS`: the age of an event.
    Parsed timediff(const XPathToken& element) {
        if (element.text != "TimeCreated" || !take_symbol("(") || !take_symbol("@") ||
            !take_name("SystemTime") || !take_symbol(")")) {
            return expected("TimeCreated[timediff(@SystemTime) <= MILLISECONDS]");
        }
        const auto op = operator_of(lexer_.now());
        lexer_.advance();
        std::int64_t milliseconds = 0;
        const std::string_view text = lexer_.now().text;
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), milliseconds);
        constexpr std::int64_t ticks_per_millisecond = 10'000;
        if (!op || lexer_.now().kind != TokenKind::number || error != std::errc() ||
            end != text.data() + text.size() || milliseconds > now_.ticks / ticks_per_millisecond) {
            return expected("an operator and a number of milliseconds");
        }
        lexer_.advance();
        const std::int64_t then = now_.ticks - milliseconds * ticks_per_millisecond;
        return counted(Expression::make_test("time", mirrored(*op), {std::to_string(then)}));
    }

    /// An event is younger if its time is greater.
    static Operator mirrored(Operator op) noexcept {
        switch (op) {
        case Operator::less:
            return Operator::greater;
        case Operator::less_equal:
            return Operator::greater_equal;
        case Operator::greater:
            return Operator::less;
        case Operator::greater_equal:
            return Operator::less_equal;
        case Operator::equal:
        case Operator::not_equal:
        case Operator::any_bits:
        case Operator::regex:
        case Operator::has:
            return op;
        }
        return op;
    }

    Parsed counted(Expression test) {
        if (++tests_ > limits::expression_tests) {
            return failed("too many comparisons");
        }
        return test;
    }

    static Expression all(std::vector<Expression> parts) {
        return parts.size() == 1 ? std::move(parts.front()) : Expression::all_of(std::move(parts));
    }

    bool take_symbol(std::string_view symbol) noexcept { return take(lexer_.now().is(symbol)); }

    bool take_name(std::string_view name) noexcept { return take(lexer_.now().is_name(name)); }

    bool take(bool is_it) noexcept {
        if (is_it) {
            lexer_.advance();
        }
        return is_it;
    }

    Parsed expected(std::string_view what) const { return failed("expected " + std::string(what)); }

    Parsed failed(std::string what) const {
        return std::unexpected(SyntaxError{lexer_.now().column, std::move(what)});
    }

    XPathLexer lexer_;
    Filetime now_;
    std::size_t depth_ = 0, tests_ = 0;
};

} // namespace

std::expected<Expression, SyntaxError> parse_xpath(std::string_view query, Filetime now) {
    if (query.size() > limits::expression_bytes) {
        return std::unexpected(SyntaxError{1, "the query is too long"});
    }
    return XPathParser(query, now).parse();
}

} // namespace etl::match
