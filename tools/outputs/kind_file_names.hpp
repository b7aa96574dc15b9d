// Names of files that contain the events of one kind.
#pragma once

#include "sink/event_kinds.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Finds file names without a directory, distinct even if case is ignored:
/// `Contoso-Kitchen.Brewing-Start.12.v1.csv`. A repeated name becomes `....v1.2.csv`.
class KindFileNames {
public:
    /// `ending`: of all names, such as `.csv`.
    explicit KindFileNames(std::string_view ending) : ending_(ending) {}

    std::string name_of(const etl::sink::EventKind& kind);

    /// The same for a table that is not of one kind.
    std::string name_of(const std::string& text);

private:
    std::string ending_;
    std::set<std::string> taken_;
};

} // namespace cli
