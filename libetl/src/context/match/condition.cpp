#include "base/similar.hpp"
#include "base/text.hpp"
#include "match/condition_state.hpp"
#include "match/limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace etl::match {

namespace {

constexpr std::array<std::pair<std::string_view, unsigned>, 6> level_words{{{"critical", 1},
                                                                            {"error", 2},
                                                                            {"warning", 3},
                                                                            {"information", 4},
                                                                            {"info", 4},
                                                                            {"verbose", 5}}};

std::unexpected<SyntaxError> wrong(std::size_t column, std::string what) {
    return std::unexpected(SyntaxError{column, std::move(what)});
}

/// The number of a level that is given by its name.
void name_level(Meaning& meaning) {
    for (const auto& [word, level] : level_words) {
        if (!meaning.number && equals_ignoring_case(word, meaning.text)) {
            meaning.number = Number{level};
        }
    }
}

/// Why a value cannot be compared with the operand; empty: it can.
std::string objection(const Test& test, Operand operand, const Literal& literal,
                      const Meaning& meaning, const TimeBounds& bounds) {
    if (test.op == Operator::regex) {
        return {};
    }
    const std::string_view wanted = wanted_by(operand);
    if (wanted == "a number" && !meaning.number) {
        return fmt::format("{} is a number; '{}' is not", test.name, literal.text);
    }
    if (wanted == "a GUID" && !meaning.guid && literal.text.find('*') == std::string::npos) {
        return fmt::format("{} is a GUID; '{}' is not", test.name, literal.text);
    }
    if (wanted == "a time" && !meaning.time) {
        const bool is_form = parse_time_point(literal.text).has_value();
        return is_form && !bounds.end
                   ? fmt::format("'{}' is relative to the end, which is unknown here", literal.text)
                   : fmt::format("'{}' is not a time; use {}", literal.text, time_forms);
    }
    if (test.op == Operator::any_bits && !meaning.number && operand != Operand::field) {
        return fmt::format("& requires a number, found '{}'", literal.text);
    }
    return {};
}

/// Numbers of the header that are compared with such numbers are compared as they are.
void compare_numbers(CompiledTest& test) {
    if (test.op == Operator::has || test.op == Operator::regex) {
        return;
    }
    std::vector<std::uint64_t> numbers;
    for (const Meaning& meaning : test.meanings) {
        if (!meaning.number || meaning.number->is_negative || meaning.number->real) {
            return;
        }
        numbers.push_back(meaning.number->bits);
    }
    test.number = header_number(test.operand);
    test.numbers = std::move(numbers);
}

class Compiler {
public:
    Compiler(Condition::State& state, const Condition::Options& options)
        : state_(state), options_(options) {}

    std::expected<CompiledNode, SyntaxError> compile(const Expression& expression) {
        CompiledNode node{.kind = expression.kind};
        if (expression.kind == Expression::Kind::test) {
            if (auto added = add(expression.test); !added) {
                return std::unexpected(added.error());
            }
            node.test = state_.tests.size() - 1;
            return node;
        }
        for (const Expression& part : expression.parts) {
            auto compiled = compile(part);
            if (!compiled) {
                return compiled;
            }
            node.parts.push_back(*std::move(compiled));
        }
        return node;
    }

private:
    std::expected<void, SyntaxError> add(const Test& test) {
        CompiledTest compiled;
        compiled.operand = test.is_field ? Operand::field : operand_named(test.name);
        compiled.stage = stage_of(compiled.operand);
        compiled.op = test.op;
        compiled.name = test.name;
        if (const char* why = why_not_comparable(test.name);
            why != nullptr && !test.is_field && compiled.operand == Operand::field) {
            return wrong(test.column, fmt::format("{} {}; use data.{} for a field of that name",
                                                  test.name, why, test.name));
        }
        const bool is_equality = test.op == Operator::equal || test.op == Operator::not_equal;
        if (compiled.operand == Operand::process && !is_equality) {
            return wrong(test.column, "process requires ==, !=, or in");
        }
        for (const Literal& literal : test.values) {
            auto meaning = meaning_of(literal, test.op, options_.bounds);
            if (!meaning) {
                return std::unexpected(meaning.error());
            }
            if (compiled.operand == Operand::level) {
                name_level(*meaning);
            }
            if (std::string why =
                    objection(test, compiled.operand, literal, *meaning, options_.bounds);
                !why.empty()) {
                return wrong(literal.column, std::move(why));
            }
            compiled.words.push_back(literal.text);
            compiled.meanings.push_back(*std::move(meaning));
        }
        compiled.fits_classes = compiled.operand == Operand::provider &&
                                std::ranges::any_of(compiled.meanings, [](const Meaning& meaning) {
                                    return !meaning.guid && fits_kernel_class(meaning);
                                });
        compare_numbers(compiled);
        note_needs(compiled);
        state_.tests.push_back(std::move(compiled));
        return {};
    }

    void note_needs(const CompiledTest& test) {
        const auto is_plain = [&](const Meaning& meaning) {
            return test.operand == Operand::event      ? meaning.number.has_value()
                   : test.operand == Operand::provider ? meaning.guid.has_value()
                                                       : false;
        };
        const bool is_by_identity =
            !test.meanings.empty() && std::ranges::all_of(test.meanings, is_plain);
        state_.needs_facts |= test.stage == Stage::facts;
        state_.needs_origins |= test.stage == Stage::origin;
        state_.needs_schemas |= test.stage != Stage::header && test.stage != Stage::origin &&
                                test.stage != Stage::descriptor && !is_by_identity;
    }

    Condition::State& state_;
    const Condition::Options& options_;
};

/// What headers may come to, by themselves.
struct Decides {
    bool yes = false;
    bool no = false;
};

Decides headers_decide(const CompiledTest& test) {
    if (test.stage == Stage::header || test.stage == Stage::descriptor) {
        return {.yes = true, .no = true};
    }
    const bool is_equality = test.op == Operator::equal || test.op == Operator::not_equal;
    if ((test.operand != Operand::provider && test.operand != Operand::event) ||
        (!is_equality && test.op != Operator::regex)) {
        return {};
    }
    const auto is_identity = [&](const Meaning& meaning) {
        return test.operand == Operand::event ? meaning.number.has_value()
                                              : meaning.guid.has_value();
    };
    const Decides same{.yes = test.fits_classes || std::ranges::any_of(test.meanings, is_identity),
                       .no = std::ranges::all_of(test.meanings, is_identity)};
    return test.op == Operator::not_equal ? Decides{.yes = same.no, .no = same.yes} : same;
}

Decides headers_decide(const CompiledNode& node, const std::vector<CompiledTest>& tests) {
    if (node.kind == Expression::Kind::test) {
        return headers_decide(tests[node.test]);
    }
    const bool is_all = node.kind == Expression::Kind::all;
    Decides result{.yes = is_all, .no = !is_all}; // all parts must be; one part suffices
    for (const CompiledNode& part : node.parts) {
        const Decides one = headers_decide(part, tests);
        result = is_all ? Decides{.yes = result.yes && one.yes, .no = result.no || one.no}
                        : Decides{.yes = result.yes || one.yes, .no = result.no && one.no};
    }
    return node.kind == Expression::Kind::none ? Decides{.yes = result.no, .no = result.yes}
                                               : result;
}

} // namespace

std::expected<Condition, SyntaxError> Condition::compile(const Expression& expression,
                                                         const Options& options) {
    Condition condition;
    auto root = Compiler(*condition.state_, options).compile(expression);
    if (!root) {
        return std::unexpected(root.error());
    }
    condition.state_->root = *std::move(root);
    condition.state_->may_reject_by_header =
        headers_decide(condition.state_->root, condition.state_->tests).no;
    condition.state_->is_seen = std::deque<std::atomic<bool>>(condition.state_->tests.size());
    condition.state_->notes = options.notes ? options.notes : std::make_shared<Notes>();
    return condition;
}

Condition::Condition() : state_(std::make_shared<State>()) {
    state_->notes = std::make_shared<Notes>();
}

bool Condition::is_always_true() const noexcept {
    return state_->tests.empty();
}

bool Condition::needs_schemas() const noexcept {
    return state_->needs_schemas;
}

bool Condition::needs_facts() const noexcept {
    return state_->needs_facts;
}

bool Condition::needs_origins() const noexcept {
    return state_->needs_origins;
}

bool Condition::may_reject_by_header() const noexcept {
    return state_->may_reject_by_header;
}

bool Condition::may_match(const flow::Event& event) const noexcept {
    const flow::EventHeader header = flow::read_header(event);
    Missing missing;
    const auto ask = [&](std::size_t i) {
        const CompiledTest& test = state_->tests[i];
        // The time of a record without a stamp is not known where this is asked.
        return test.operand == Operand::time || test.operand == Operand::raw_time
                   ? Truth::unknown
                   : header_truth(test, event, header, &missing);
    };
    if (evaluate(state_->root, ask) != Truth::no) {
        return true; // a matcher counts what is missing
    }
    constexpr auto relaxed = std::memory_order_relaxed;
    if (!state_->notes->has_header_rejections.load(relaxed)) {
        state_->notes->has_header_rejections.store(true, relaxed);
    }
    count(missing, *state_->notes);
    return false;
}

Notes& Condition::notes() const noexcept {
    return *state_->notes;
}

std::vector<UnmatchedName> Condition::unmatched() const {
    const std::scoped_lock lock(state_->mutex);
    std::vector<UnmatchedName> list;
    for (std::size_t i = 0; i < state_->tests.size(); ++i) {
        const CompiledTest& test = state_->tests[i];
        const bool is_field = test.operand == Operand::field;
        const bool is_name = test.op == Operator::equal &&
                             (test.operand == Operand::provider || test.operand == Operand::event);
        if (state_->is_seen[i] || (!is_field && !is_name)) {
            continue;
        }
        const auto& known = is_field                            ? state_->field_names
                            : test.operand == Operand::provider ? state_->provider_names
                                                                : state_->event_names;
        const std::vector<std::string> names(known.begin(), known.end());
        const std::string& wanted = is_field ? test.name : test.words.front();
        list.push_back({test.name, is_field, is_field ? std::vector<std::string>{} : test.words,
                        similar_words(wanted, names)});
    }
    return list;
}

std::string describe(const UnmatchedName& name) {
    const std::string similar =
        name.similar.empty() ? "" : fmt::format("; similar: {}", fmt::join(name.similar, ", "));
    return fmt::format("no event {} '{}'{}",
                       name.is_field             ? "has a field"
                       : name.name == "provider" ? "is from provider"
                                                 : "is named",
                       name.is_field ? name.name : fmt::format("{}", fmt::join(name.values, ", ")),
                       similar);
}

} // namespace etl::match
