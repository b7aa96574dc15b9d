// A harvest for each input of a merged trace: schemas apply to their machine and boot. Private to
// gather.
#pragma once

#include "decode/harvest.hpp"
#include "flow/source.hpp"

#include <map>
#include <utility>

namespace etl::gather {

class HarvestByInput {
public:
    /// Adds the events of one buffer.
    void add(flow::Run events) {
        if (events.empty()) {
            return;
        }
        const std::uint16_t input = events.front().buffer->merged_input;
        if (last_ == nullptr || last_input_ != input) {
            last_ = &found_[input];
            last_input_ = input;
        }
        last_->add(events);
    }

    void combine(HarvestByInput&& other) {
        for (auto& [input, found] : other.found_) {
            found_[input].combine(std::move(found));
        }
    }

    /// Increases with each buffer that matters.
    std::size_t found() const noexcept {
        std::size_t all = 0;
        for (const auto& [input, found] : found_) {
            all += found.found() + found.process_starts();
        }
        return all;
    }

    /// By flow::BufferContext::merged_input.
    std::map<std::uint16_t, decode::Harvest>& all() noexcept { return found_; }

private:
    std::map<std::uint16_t, decode::Harvest> found_;
    decode::Harvest* last_ = nullptr; // that of last_input_
    std::uint16_t last_input_ = 0;
};

} // namespace etl::gather
