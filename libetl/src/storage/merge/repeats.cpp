#include "merge/repeats.hpp"

#include "merge/limits.hpp"

#include <algorithm>

namespace etl::merge {

namespace {

constexpr std::size_t chain_count = 1024; // a power of two

std::uint64_t hash_of(const flow::Event& event) noexcept {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = (std::uint64_t{event.size} << 16U | event.buffer->processor) * factor;
    const Bytes bytes = event.bytes();
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        hash = (hash ^ load_le<std::uint64_t>(bytes.data() + at)) * factor;
        hash ^= hash >> 32U;
    }
    for (; at < bytes.size(); ++at) {
        hash = (hash ^ std::to_integer<std::uint64_t>(bytes[at])) * factor;
    }
    return hash ^ hash >> 29U;
}

} // namespace

void Repeats::begin(std::int64_t time) {
    // A time stamp with little context, as nearly all, costs little to forget.
    for (const Known& known : known_) {
        chains_[known.hash % chain_count] = 0;
    }
    time_ = time;
    known_.clear();
    bytes_.clear();
    chains_.resize(chain_count);
}

Repeats::Known* Repeats::find(std::uint64_t hash, const flow::Event& event, std::uint32_t machine) {
    for (std::uint32_t at = chains_[hash % chain_count]; at != 0; at = known_[at - 1].next) {
        Known& known = known_[at - 1];
        if (known.hash == hash && known.size == event.size &&
            known.processor == event.buffer->processor && known.machine == machine &&
            std::equal(event.record, event.record + event.size, bytes_.data() + known.where)) {
            return &known;
        }
    }
    return nullptr;
}

void Repeats::remember(std::uint64_t hash, const flow::Event& event, std::uint32_t lane,
                       std::uint32_t machine) {
    if (bytes_.size() + event.size > limits::repeated_context) {
        return; // what is not remembered is not taken out
    }
    std::uint32_t& chain = chains_[hash % chain_count];
    known_.push_back({.hash = hash,
                      .where = bytes_.size(),
                      .size = event.size,
                      .lane = lane,
                      .asked = 1,
                      .given = 1,
                      .next = chain,
                      .machine = machine,
                      .processor = event.buffer->processor});
    chain = static_cast<std::uint32_t>(known_.size());
    bytes_.insert(bytes_.end(), event.record, event.record + event.size);
}

bool Repeats::is_repeated(const flow::Event& event, std::uint32_t lane, std::uint32_t machine) {
    if (!is_at(event.raw_time)) {
        begin(event.raw_time);
    }
    const std::uint64_t hash = hash_of(event);
    Known* const known = find(hash, event, machine);
    if (known == nullptr) {
        remember(hash, event, lane, machine);
        return false;
    }
    if (known->lane != lane) {
        known->lane = lane;
        known->asked = 0;
    }
    if (++known->asked <= known->given) {
        return true;
    }
    known->given = known->asked;
    return false;
}

} // namespace etl::merge
