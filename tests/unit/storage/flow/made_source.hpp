// A source of events made of nothing but times, in runs of given lengths.
#pragma once

#include "flow/source.hpp"

#include <algorithm>
#include <vector>

namespace etl::flow {

/// Raw times, run by run.
using Runs = std::vector<std::vector<std::int64_t>>;

class MadeSource final : public Source {
public:
    /// One run for each list of raw times, each as if from a buffer of `buffer_bytes`.
    explicit MadeSource(Runs runs, const Clock& clock = {}, std::size_t buffer_bytes = 0)
        : bytes_(buffer_bytes) {
        info_.clock = clock;
        context_.trace = &info_;
        context_.bytes = bytes_;
        std::uint32_t number = 0;
        for (const auto& times : runs) {
            auto& events = runs_.emplace_back();
            for (const std::int64_t time : times) {
                // The size is the event's number: all that tells one from another.
                events.push_back({.raw_time = time, .buffer = &context_, .size = number++});
            }
        }
    }

    MadeSource(const MadeSource&) = delete;
    MadeSource& operator=(const MadeSource&) = delete;

    Run next_run() override {
        ++asked_;
        pin_.reset();
        if (at_ == runs_.size()) {
            return {};
        }
        pin_ = std::make_shared<std::vector<Event>>(runs_[at_++]);
        handed_.push_back(pin_);
        return *pin_;
    }

    Pin pin() const override { return pin_; }

    const Error* error() const noexcept override {
        return error_.code == ErrorCode::none ? nullptr : &error_;
    }

    void set_error(const Error& error) { error_ = error; }

    int asked() const noexcept { return asked_; }

    /// Runs handed out that somebody still keeps.
    std::size_t pinned() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(handed_, [](const auto& run) { return !run.expired(); }));
    }

private:
    std::vector<std::byte> bytes_;
    TraceInfo info_;
    BufferContext context_;
    std::vector<std::vector<Event>> runs_;
    std::shared_ptr<std::vector<Event>> pin_;
    std::vector<std::weak_ptr<std::vector<Event>>> handed_;
    std::size_t at_ = 0;
    int asked_ = 0;
    Error error_;
};

/// The raw times of all events of a source.
inline std::vector<std::int64_t> times_of(Source& source) {
    std::vector<std::int64_t> times;
    for (Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        for (const Event& event : run) {
            times.push_back(event.raw_time);
        }
    }
    return times;
}

} // namespace etl::flow
