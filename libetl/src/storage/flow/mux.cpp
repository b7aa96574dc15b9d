#include "flow/mux.hpp"

#include <algorithm>
#include <limits>

namespace etl::flow {

Mux::Mux(const std::vector<Source*>& sources) {
    for (Source* source : sources) {
        inputs_.push_back({source});
    }
}

/// Has it an event to give? Asks for its next run when the last one is given.
bool Mux::refill(Input& input) {
    if (input.rest.empty()) {
        input.rest = input.source->next_run();
    }
    if (input.rest.empty() && error_ == nullptr) {
        error_ = input.source->error();
    }
    return !input.rest.empty();
}

/// What the last run pointed into may go now, so only now is its source asked for more.
void Mux::go_on() {
    const auto entry = [this](std::size_t i) {
        return MergeOrder<std::size_t>::Entry{inputs_[i].rest.front().time().ticks, i, i};
    };
    if (!has_begun_) {
        has_begun_ = true;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (refill(inputs_[i])) {
                order_.add(entry(i));
            }
        }
    } else if (!order_.empty()) {
        const std::size_t last = order_.first().what;
        if (refill(inputs_[last])) {
            order_.replace_first(entry(last));
        } else {
            order_.remove_first();
        }
    }
}

Run Mux::next_run() {
    go_on();
    if (order_.empty()) {
        return {};
    }
    Input& first = inputs_[order_.first().what];
    const Filetime limit{order_.limit()};
    auto end = first.rest.end();
    if (limit.ticks != std::numeric_limits<std::int64_t>::max()) {
        const std::int64_t bound = first.rest.front().trace().clock.to_raw({limit.ticks + 1});
        end = std::ranges::find_if(first.rest.subspan(1),
                                   [&](const Event& e) { return e.raw_time >= bound; });
    }
    const Run run(first.rest.begin(), end);
    first.rest = Run(end, first.rest.end());
    pin_ = first.source->pin();
    return run;
}

Pin Mux::pin() const {
    return pin_;
}

const Error* Mux::error() const noexcept {
    return error_;
}

Run Concatenation::next_run() {
    for (; at_ < sources_.size(); ++at_) {
        const Run run = sources_[at_]->next_run();
        if (!run.empty()) {
            return run;
        }
        if (error_ == nullptr) {
            error_ = sources_[at_]->error();
        }
    }
    return {};
}

} // namespace etl::flow
