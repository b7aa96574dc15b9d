// What holds for every walk over a payload, whatever the schema and the bytes.
#pragma once

#include <etl/base/limits.hpp>
#include <etl/decode/field_walker.hpp>

#include <cstdlib>
#include <functional>

namespace etl::fuzz {

inline void must(bool holds) {
    if (!holds) {
        std::abort();
    }
}

inline bool lies_inside(Bytes part, Bytes whole) {
    const std::less_equal<> before; // pointers into different arrays have an order here
    return part.empty() || (before(whole.data(), part.data()) &&
                            before(part.data() + part.size(), whole.data() + whole.size()));
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
        must(++steps <= limits::values_per_event + payload.size() + 64);
        must(walker.field() < schema.fields.size());
        switch (step) {
        case Step::value:
            must(lies_inside(walker.bytes(), payload));
            break;
        case Step::array_begin:
        case Step::struct_begin:
            ++depth;
            break;
        case Step::array_end:
        case Step::struct_end:
            must(depth-- > 0);
            break;
        case Step::end:
            break;
        }
    }
    must(depth == 0);
    must(walker.next() == Step::end);
    must(lies_inside(walker.trailing(), payload));
    must(!walker.consumed_exactly() || walker.trailing().empty());
    must(!walker.failed() || walker.problem() != nullptr);
}

} // namespace etl::fuzz
