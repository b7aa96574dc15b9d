#include "match/field_watch.hpp"

#include <etl/match/limits.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace etl::match {

namespace {

/// The path of each field: `Structure.Member`; a name that occurs again in its structure is
/// `Name#2`, as in the output.
std::vector<std::string> paths_of(const schema::EventSchema& schema) {
    struct Around {
        std::size_t end;
        std::string path;
        std::map<std::string, int, std::less<>> count;
    };

    std::vector<std::string> paths;
    std::vector<Around> around{{schema.fields.size(), "", {}}};
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        while (around.size() > 1 && i >= around.back().end) {
            around.pop_back();
        }
        const schema::Field& field = schema.fields[i];
        const int count = ++around.back().count[field.name];
        std::string path = around.back().path + field.name;
        if (count > 1) {
            path += "#" + std::to_string(count);
        }
        if (field.members > 0 && around.size() <= limits::struct_depth) {
            around.push_back({i + 1 + field.members, path + ".", {}});
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

} // namespace

FieldWatch::FieldWatch(const schema::EventSchema& schema, Condition::State& state) {
    const std::vector<std::string> paths = paths_of(schema);
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
