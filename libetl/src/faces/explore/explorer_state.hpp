// Private to explore.
#pragma once

#include "explore/opened.hpp"

namespace etl::explore {

struct Explorer::State {
    explicit State(dataset::Dataset opened) : traces(std::move(opened)) {}

    static std::expected<Explorer, TraceError>
    open(dataset::Inputs inputs, dataset::Options options, dataset::Messages& messages);

    OpenedTraces traces;
    std::vector<std::string> problems{};
};

} // namespace etl::explore
