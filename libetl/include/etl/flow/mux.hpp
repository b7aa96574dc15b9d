// Several sources as one: in the order of time (Mux; ties go to the source given first), or one
// after the other. One thread.
#pragma once

#include <etl/flow/merge_order.hpp>
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
        Run rest{}; // of its last run
    };

    bool refill(Input& input);
    void go_on();

    std::vector<Input> inputs_;
    MergeOrder<std::size_t>
        order_; // of those that still have events, by wall time; what: index in inputs_
    bool has_begun_ = false;
    Pin pin_;
    const Error* error_ = nullptr;
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
