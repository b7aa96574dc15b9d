#include "match/kind_verdicts.hpp"

#include "match/limits.hpp"

#include <string>

namespace etl::match {

namespace {

/// Whether a test asks for the field with a path.
bool asks_for(const CompiledTest& test, const std::string& path) {
    return test.operand == Operand::any_field ||
           (test.operand == Operand::field && test.name == path);
}

/// What a test comes to for the events of a kind: without a field that it asks for, none matches.
Truth truth_of_test(const CompiledTest& test, const decode::DecodedEvent& event, bool has_field) {
    return is_of_fields(test.operand) && !has_field ? Truth::no : kind_truth(test, event);
}

} // namespace

FieldWatch::FieldWatch(const schema::EventSchema& schema, Condition::State& state) {
    const std::vector<std::string> paths = schema::field_paths(schema);
    const std::scoped_lock lock(state.mutex);
    for (std::uint32_t field = 0; field < paths.size(); ++field) {
        for (std::uint32_t test = 0; test < state.tests.size(); ++test) {
            if (asks_for(state.tests[test], paths[field])) {
                watched_.push_back({field, test});
                state.see(test);
            }
        }
        if (state.field_names.size() < limits::suggested_names) {
            state.field_names.insert(paths[field]);
        }
    }
}

void learn_names(const decode::EventKind& kind, Condition::State& condition) {
    const auto learn = [](std::set<std::string, std::less<>>& names,
                          const std::optional<std::string>& name) {
        if (name && names.size() < limits::suggested_names) {
            names.insert(*name);
        }
    };
    const std::scoped_lock lock(condition.mutex);
    learn(condition.provider_names, kind.provider);
    learn(condition.event_names, kind.event);
}

Truth truth_of_kind(const decode::DecodedEvent& event, const Condition::State& condition) {
    const schema::EventSchema* const schema = event.kind->schema;
    const std::vector<std::string> paths =
        schema != nullptr ? schema::field_paths(*schema) : std::vector<std::string>();
    const auto ask = [&](std::size_t i) {
        const CompiledTest& test = condition.tests[i];
        const bool has_field = std::ranges::any_of(
            paths, [&](const std::string& path) { return asks_for(test, path); });
        return truth_of_test(test, event, has_field);
    };
    return evaluate(condition.root, ask);
}

const KindVerdict& KindVerdicts::make(const decode::DecodedEvent& event, std::uint32_t newest,
                                      Condition::State& condition) {
    if (newest != generation_) {
        kinds_.clear();
        generation_ = newest;
    }
    const std::uint32_t number = event.kind->number;
    if (number >= kinds_.size()) {
        kinds_.resize(number + 1);
    }
    KindVerdict& verdict = kinds_[number].emplace();
    learn_names(*event.kind, condition);
    if (event.kind->schema != nullptr) {
        verdict.fields = FieldWatch(*event.kind->schema, condition);
    }
    const auto ask = [&](std::size_t i) {
        const Truth truth = truth_of_test(condition.tests[i], event, verdict.fields.answers(i));
        if (truth == Truth::yes) {
            condition.see(i);
        }
        return truth;
    };
    verdict.truth = evaluate(condition.root, ask);
    return verdict;
}

} // namespace etl::match
