// Private to explore.
#pragma once

#include "explore/opened.hpp"

namespace etl::explore {

struct Explorer::State {
    explicit State(dataset::Dataset opened) : traces(std::move(opened)) {}

    OpenedTraces traces;
    std::vector<std::string> problems{};
};

} // namespace etl::explore
