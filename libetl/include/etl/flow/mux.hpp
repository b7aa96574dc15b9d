// Mux: several time-ordered sources as one. Ties go to the source that was given first. One thread.
#pragma once

#include <etl/flow/source.hpp>

#include <vector>

namespace etl::flow {

class Mux final : public Source {
public:
    /// The sources outlive the mux. Their clocks may differ: wall time decides.
    explicit Mux(std::vector<Source*> sources);

    Run next_run() override;
    Pin pin() const override;
    const Error* error() const noexcept override;

private:
    struct Input {
        Source* source = nullptr;
        Run rest;
        Filetime head{}; // wall time of rest.front()
    };

    bool refill(Input& input);

    std::vector<Input> inputs_; // those that still have events
    std::size_t current_ = 0;   // index in inputs_ of what the last run came from
    Pin pin_;
    const Error* error_ = nullptr;
    std::vector<Source*> unread_; // not asked for their first run yet
};

} // namespace etl::flow
