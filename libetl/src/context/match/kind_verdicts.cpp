#include "match/kind_verdicts.hpp"

#include "match/limits.hpp"

namespace etl::match {

namespace {

/// For suggestions.
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

} // namespace

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
        const CompiledTest& test = condition.tests[i];
        const bool is_field = test.operand == Operand::field;
        const Truth truth =
            is_field && !verdict.fields.answers(i) ? Truth::no : kind_truth(test, event);
        if (truth == Truth::yes) {
            condition.see(i);
        }
        return truth;
    };
    verdict.truth = evaluate(condition.root, ask);
    return verdict;
}

} // namespace etl::match
