// What a condition comes to for all events of a kind. Private to match.
#pragma once

#include "match/condition_state.hpp"
#include "match/field_watch.hpp"

#include <optional>
#include <vector>

namespace etl::match {

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
