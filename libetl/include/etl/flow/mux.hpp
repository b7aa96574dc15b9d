// Several sources as one: in the order of time (Mux; ties go to the source given first), or one
// after the other. One thread.
#pragma once

#include <etl/flow/source.hpp>

#include <vector>

namespace etl::flow {

class Mux final : public Source {
public:
    /// The sources outlive the mux and do not pause (Source::is_paused). Their clocks may differ:
    /// wall time decides.
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

/// One source after the other, whatever their times.
class Concatenation final : public Source {
public:
    /// The sources outlive this and do not pause (Source::is_paused).
    explicit Concatenation(std::vector<Source*> sources) : sources_(std::move(sources)) {}

    Run next_run() override;

    Pin pin() const override { return at_ < sources_.size() ? sources_[at_]->pin() : nullptr; }

    const Error* error() const noexcept override { return error_; }

private:
    std::vector<Source*> sources_;
    std::size_t at_ = 0;
    const Error* error_ = nullptr;
};

} // namespace etl::flow
