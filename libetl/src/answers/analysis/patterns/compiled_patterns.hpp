// What StackPatterns consists of. Private to analysis.
#pragma once

#include "analysis/patterns/name_pattern.hpp"
#include "analysis/stack_patterns.hpp"

#include <optional>
#include <string>
#include <vector>

namespace etl::analysis {

struct GroupPattern {
    NamePattern pattern;
    std::string name; // with `$1` to `$9`, and `$&`
    bool is_entry = false;
};

struct CompiledPatterns {
    std::vector<GroupPattern> groups{};
    std::vector<NamePattern> folded{}, included{}, excluded{};
    double fold_percent = 0.0;

    std::optional<StackPatterns::Group> group_of(const PreparedName& full_name,
                                                 PatternMemory& memory) const;
};

} // namespace etl::analysis
