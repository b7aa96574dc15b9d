// What a condition comes to for all events of a kind, and the fields that it asks for. Private to
// match.
#pragma once

#include "match/condition_state.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace etl::match {

/// The tests that the fields of one schema answer. Worked out once per kind.
class FieldWatch {
public:
    FieldWatch() = default;

    /// Tells `state` which fields it saw.
    FieldWatch(const schema::EventSchema& schema, Condition::State& state);

    bool empty() const noexcept { return watched_.empty(); }

    /// The schema has a field that the test asks for.
    bool answers(std::size_t test) const noexcept {
        return std::ranges::any_of(watched_, [&](const Watched& one) { return one.test == test; });
    }

    /// Calls `visit(test)` for the tests of a field.
    template <typename Visit>
    void for_each(std::uint32_t field, Visit visit) const {
        for (const Watched& one : std::ranges::equal_range(watched_, field, {}, &Watched::field)) {
            visit(one.test);
        }
    }

    /// The last field that anybody asks for.
    std::uint32_t last() const noexcept { return watched_.empty() ? 0 : watched_.back().field; }

private:
    struct Watched {
        std::uint32_t field;
        std::uint32_t test;
    };

    std::vector<Watched> watched_; // by field
};

/// What a condition comes to for an event of a kind, as far as all events of the kind share it,
/// without saying what was seen.
Truth truth_of_kind(const decode::DecodedEvent& event, const Condition::State& condition);

/// Keeps the names of a kind, for suggestions.
void learn_names(const decode::EventKind& kind, Condition::State& condition);

struct KindVerdict {
    Truth truth = Truth::unknown; // of the whole expression
    FieldWatch fields;            // if that is unknown
};

/// Evaluates what the events of a kind share once per kind. For the kinds of one decoder.
class KindVerdicts {
public:
    /// `newest` is the generation of the decoder.
    const KindVerdict& of(const decode::DecodedEvent& event, std::uint32_t newest,
                          Condition::State& condition) {
        const std::uint32_t number = event.kind->number;
        if (newest == generation_ && number < kinds_.size() && kinds_[number]) [[likely]] {
            return *kinds_[number];
        }
        return make(event, newest, condition);
    }

private:
    const KindVerdict& make(const decode::DecodedEvent& event, std::uint32_t newest,
                            Condition::State& condition);

    std::vector<std::optional<KindVerdict>> kinds_; // by number of the kind
    std::uint32_t generation_ = 0;
};

} // namespace etl::match
