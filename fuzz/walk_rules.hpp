// What holds for every walk over a payload, whatever the schema and the bytes.
#pragma once

#include "decode/field_walker.hpp"
#include "decode/limits.hpp"
#include "fuzz/require.hpp"

namespace etl::fuzz {

/// What the size of a payload says about how a plan takes it is what the walk found.
inline void require_fit(const decode::Plan& plan, Bytes payload,
                        const decode::FieldWalker& walked) {
    using decode::SizeFit;
    const bool is_whole = !walked.failed() && !walked.is_short();
    switch (plan.size_fit(payload.size())) {
    case SizeFit::exact:
        require(walked.consumed_exactly());
        break;
    case SizeFit::trailing:
        require(is_whole && !walked.trailing().empty());
        break;
    case SizeFit::too_short:
        require(!is_whole);
        break;
    case SizeFit::unknown:
        break;
    }
}

/// Ends within the budget, opens and closes in pairs, gives nothing but parts of the payload.
inline void require_walk(const schema::EventSchema& schema, Bytes payload, unsigned pointer_size) {
    using decode::Step;
    const auto plan = decode::Plan::compile(schema, pointer_size);
    decode::FieldWalker walker;
    walker.start(plan, payload);
    std::size_t steps = 0;
    std::size_t depth = 0;
    for (Step step = walker.next(); step != Step::end; step = walker.next()) {
        require(++steps <= decode::limits::values_per_event + payload.size() + 64);
        require(walker.field() < schema.fields.size());
        switch (step) {
        case Step::value:
            require(lies_inside(walker.bytes(), payload));
            break;
        case Step::array_begin:
        case Step::struct_begin:
            ++depth;
            break;
        case Step::array_end:
        case Step::struct_end:
            require(depth-- > 0);
            break;
        case Step::end:
            break;
        }
    }
    require(depth == 0);
    require(walker.next() == Step::end);
    require(lies_inside(walker.trailing(), payload));
    require(!walker.consumed_exactly() || walker.trailing().empty());
    require(!walker.failed() || walker.problem() != nullptr);
    require(walker.doubt() == decode::Doubt::none ||
            (walker.doubt_text() != nullptr && walker.doubtful_field() < schema.fields.size()));
    require_fit(plan, payload, walker);
}

} // namespace etl::fuzz
