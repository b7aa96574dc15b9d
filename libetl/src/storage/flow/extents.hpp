// Whether events are still in their files, which somebody may truncate. Private to flow.
#pragma once

#include "flow/source.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace etl::flow {

/// How much there is of the files that events are mapped from.
class Extents {
public:
    /// Asks each file once.
    explicit Extents(std::span<const Run> runs) {
        for (const Run& run : runs) {
            const BufferContext& buffer = *run.front().buffer;
            const Backing* const backing = buffer.trace->backing;
            if (buffer.is_mapped && backing != nullptr && find(backing) == sizes_.end()) {
                sizes_.emplace_back(backing, backing->intact_size());
            }
        }
    }

    bool hold(const Event& event) const noexcept {
        const BufferContext& buffer = *event.buffer;
        const auto file = buffer.is_mapped ? find(buffer.trace->backing) : sizes_.end();
        return file == sizes_.end() ||
               buffer.where.value + event.offset() + event.size <= file->second;
    }

    bool hold(std::span<const Run> runs) const noexcept {
        return std::ranges::all_of(runs, [&](const Run& run) {
            const BufferContext& buffer = *run.front().buffer;
            const auto file = buffer.is_mapped ? find(buffer.trace->backing) : sizes_.end();
            return file == sizes_.end() ||
                   buffer.where.value + buffer.bytes.size() <= file->second ||
                   std::ranges::all_of(run, [&](const Event& event) { return hold(event); });
        });
    }

    bool operator==(const Extents&) const = default;

private:
    using Sizes = std::vector<std::pair<const Backing*, std::uint64_t>>; // few

    Sizes::const_iterator find(const Backing* backing) const noexcept {
        return std::ranges::find(sizes_, backing, &Sizes::value_type::first);
    }

    Sizes sizes_;
};

} // namespace etl::flow
