#include "match/field_watch.hpp"

#include "match/limits.hpp"

#include <string>

namespace etl::match {

FieldWatch::FieldWatch(const schema::EventSchema& schema, Condition::State& state) {
    const std::vector<std::string> paths = schema::field_paths(schema);
    const std::scoped_lock lock(state.mutex);
    for (std::uint32_t field = 0; field < paths.size(); ++field) {
        for (std::uint32_t test = 0; test < state.tests.size(); ++test) {
            const CompiledTest& one = state.tests[test];
            if (one.operand == Operand::field && one.name == paths[field]) {
                watched_.push_back({field, test});
                state.see(test);
            }
        }
        if (state.field_names.size() < limits::suggested_names) {
            state.field_names.insert(paths[field]);
        }
    }
}

} // namespace etl::match
