#include "explore/explorer.hpp"

#include "explore/explorer_state.hpp"

#include <utility>

namespace etl::explore {

Explorer::Explorer(std::unique_ptr<State> state) : state_(std::move(state)) {}

Explorer::Explorer(Explorer&&) noexcept = default;
Explorer& Explorer::operator=(Explorer&&) noexcept = default;
Explorer::~Explorer() = default;

std::expected<Explorer, TraceError> Explorer::open(const std::vector<std::string>& paths,
                                                   dataset::Options options) {
    dataset::Messages messages;
    messages.receive_from(options);
    dataset::Inputs inputs = dataset::open_inputs(paths, options);
    if (inputs.files.empty() && inputs.problems.empty()) {
        return wrong(ErrorCode::not_found, paths.empty() ? "" : paths.front(), "no trace");
    }
    return State::open(std::move(inputs), std::move(options), messages);
}

std::expected<Explorer, TraceError> Explorer::open_inputs(dataset::Inputs inputs,
                                                          dataset::Options options) {
    dataset::Messages messages;
    messages.receive_from(options);
    return State::open(std::move(inputs), std::move(options), messages);
}

/// `messages` receives from the options.
std::expected<Explorer, TraceError> Explorer::State::open(dataset::Inputs inputs,
                                                          dataset::Options options,
                                                          dataset::Messages& messages) {
    options.where.clear();
    options.from.clear();
    options.to.clear();
    options.part = {};
    options.uses_indexes = true;
    dataset::Dataset traces(std::move(inputs), std::move(options));
    traces.silence(); // `messages` ends with the caller
    if (traces.is_empty()) {
        const auto& problems = traces.problems();
        return problems.empty()
                   ? wrong(ErrorCode::not_found, "", "no trace")
                   : std::unexpected(TraceError{problems.front().error, problems.front().name, {}});
    }
    auto state = std::make_unique<State>(std::move(traces));
    state->problems = messages.take();
    return Explorer(std::move(state));
}

std::vector<std::string> Explorer::inputs() const {
    std::vector<std::string> names;
    for (const dataset::Input& input : state_->traces.traces().inputs()) {
        names.push_back(input.name());
    }
    return names;
}

const std::vector<std::string>& Explorer::problems() const noexcept {
    return state_->problems;
}

std::expected<flow::TimeFilter::Window, TraceError>
Explorer::window_of(const Selection& selection) const {
    return dataset::compile_window(selection.from, selection.to, state_->traces.traces().bounds());
}

bool Explorer::is_indexed() const {
    return state_->traces.is_indexed();
}

} // namespace etl::explore
