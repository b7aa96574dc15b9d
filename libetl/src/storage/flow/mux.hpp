// Several sources as one: in time order (Mux; ties go to the source given first), or one after the
// other (Concatenation). Not thread-safe.
#pragma once

#include "flow/merge_order.hpp"
#include "flow/source.hpp"

#include <vector>

namespace etl::flow {

class Mux final : public Source {
public:
    /// The sources must outlive the mux and must not pause (Source::is_paused). Their clocks may
    /// differ; events are ordered by wall time.
    explicit Mux(const std::vector<Source*>& sources);

    Run next_run() override;
    Pin pin() const override;
    const Error* error() const noexcept override;

private:
    struct Input {
        Source* source = nullptr;
        Run rest{}; // rest of its last run
    };

    bool refill(Input& input);
    void go_on();

    std::vector<Input> inputs_;
    /// Inputs that still have events, by wall time; what: index in inputs_.
    MergeOrder<std::size_t> order_;
    bool has_begun_ = false;
    Pin pin_;
    const Error* error_ = nullptr;
};

/// One source after the other, regardless of time.
class Concatenation final : public Source {
public:
    /// The sources must outlive this object and must not pause (Source::is_paused).
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
