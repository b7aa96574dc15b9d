// One pass over a trace in which each thread collects for itself. Private to gather.
#pragma once

#include "decode/harvest.hpp"
#include "facts/origins.hpp"
#include "flow/source.hpp"
#include "trace/reader.hpp"
#include "trace/trace_index.hpp"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

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

/// Whether a buffer contains something for a collector.
inline bool concerns(const HarvestByInput& /*collector*/,
                     const trace::IndexedBuffer& buffer) noexcept {
    return buffer.has_schemas;
}

inline bool concerns(const facts::OriginCollector& /*collector*/,
                     const trace::IndexedBuffer& buffer) noexcept {
    return buffer.has_origins;
}

/// collect() for a trace with an index: of the buffers that contain something for a collector.
template <typename... Collectors>
void collect_indexed(trace::Reader& reader, const trace::TraceIndex& index, Collectors&... all) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < index.buffers.size(); ++i) {
        if ((concerns(all, index.buffers[i]) || ...)) {
            numbers.push_back(i);
        }
    }
    reader.show_buffers(std::move(numbers),
                        [&](const trace::BufferContent& buffer) { (all.add(buffer.events), ...); });
}

/// Adds all events of the trace to each of `all`: a Collector has add(Run) and
/// combine(Collector&&).
template <typename... Collectors>
void collect(trace::Reader& reader, unsigned threads, Collectors&... all) {
    std::vector<std::tuple<Collectors...>> parts(threads);
    reader.for_each_buffer(
        threads, [&](unsigned worker, const trace::BufferEntry&, flow::Run events) {
            std::apply([&](auto&... part) { (part.add(events), ...); }, parts[worker]);
        });
    for (auto& part : parts) {
        (all.combine(std::move(std::get<Collectors>(part))), ...);
    }
}

} // namespace etl::gather
