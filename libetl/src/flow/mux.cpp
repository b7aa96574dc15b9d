#include <etl/flow/mux.hpp>

#include <algorithm>
#include <limits>

namespace etl::flow {

Mux::Mux(std::vector<Source*> sources) : unread_(std::move(sources)) {}

bool Mux::refill(Input& input) {
    if (input.rest.empty()) {
        input.rest = input.source->next_run();
        if (input.rest.empty()) {
            if (error_ == nullptr) {
                error_ = input.source->error();
            }
            return false;
        }
    }
    input.head = input.rest.front().time();
    return true;
}

Run Mux::next_run() {
    for (Source* source : unread_) {
        Input input{source, {}, {}};
        if (refill(input)) {
            inputs_.push_back(input);
        }
    }
    // What the last run pointed into may go now, so only now is its source asked for more.
    if (unread_.empty() && current_ < inputs_.size() && !refill(inputs_[current_])) {
        inputs_.erase(inputs_.begin() + static_cast<std::ptrdiff_t>(current_));
    }
    unread_.clear();
    if (inputs_.empty()) {
        return {};
    }
    const auto least = std::ranges::min_element(inputs_, {}, &Input::head);
    current_ = static_cast<std::size_t>(least - inputs_.begin());
    // Raw times below `bound` come before every head of the others; a tie with a later input is
    // ours.
    std::int64_t bound = std::numeric_limits<std::int64_t>::max();
    bool bounded = false;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (i == current_) {
            continue;
        }
        Filetime limit = inputs_[i].head;
        if (i > current_ && limit.ticks != std::numeric_limits<std::int64_t>::max()) {
            ++limit.ticks;
        }
        bound = std::min(bound, least->rest.front().trace().clock.to_raw(limit));
        bounded = true;
    }
    auto end = least->rest.end();
    if (bounded) {
        end = std::ranges::find_if(least->rest.subspan(1),
                                   [&](const Event& e) { return e.raw_time >= bound; });
    }
    const Run run(least->rest.begin(), end);
    least->rest = Run(end, least->rest.end());
    pin_ = least->source->pin();
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
