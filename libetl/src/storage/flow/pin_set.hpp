// The buffers that a batch of events keeps alive.
#pragma once

#include "flow/source.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace etl::flow {

/// Each pin once. Where the runs are short, as with many processors, a batch has events of very
/// many buffers; few matches in many large buffers must not keep all those buffers alive. So a set
/// is full by their number, or by their bytes.
class PinSet {
public:
    /// Buffers that one batch may keep, and their bytes.
    static constexpr std::size_t max_pins = 256;
    static constexpr std::uint64_t max_bytes = 8U << 20U;

    void clear() {
        if (!pins_.empty()) {
            table_.fill(0);
        }
        pins_.clear();
        bytes_ = 0;
    }

    /// `bytes`: of the buffer that the pin keeps. Does nothing without a pin.
    void add(Pin pin, std::uint64_t bytes) {
        if (!pin) {
            return;
        }
        std::uint16_t& number = table_[place_of(pin.get())];
        if (number == 0) {
            pins_.push_back(std::move(pin));
            number = static_cast<std::uint16_t>(pins_.size());
            bytes_ += bytes;
        }
    }

    bool is_full() const noexcept { return pins_.size() >= max_pins || bytes_ >= max_bytes; }

private:
    /// Where the number of this pin, counted from 1, is or would be.
    std::size_t place_of(const void* key) const noexcept {
        // Addresses of objects differ in their middle bits.
        std::size_t place = std::hash<const void*>()(key) * 0x9E3779B97F4A7C15ULL >> 54U;
        while (table_[place] != 0 && pins_[table_[place] - 1U].get() != key) {
            place = (place + 1) % table_.size();
        }
        return place;
    }

    std::vector<Pin> pins_;
    std::array<std::uint16_t, 1024> table_{}; // a power of two, four times max_pins
    std::uint64_t bytes_ = 0;
};

} // namespace etl::flow
