#include "trace/parts.hpp"

#include <algorithm>
#include <vector>

namespace etl::trace {

namespace {

/// A share of a buffer, and where in its time span it is.
struct Share {
    std::int64_t time = 0; // FILETIME
    std::uint64_t bytes = 0;
};

/// Shares of each buffer: a buffer that spans many parts counts in several of them. Integers, so
/// that all machines cut at the same times.
constexpr std::uint64_t shares = 4;

void add_shares(const IndexedTrace& trace, const flow::TimeFilter::Window& all,
                std::vector<Share>& to) {
    const flow::Clock& clock = trace.reader->info().clock;
    const std::vector<IndexedBuffer>& indexed = trace.index->buffers;
    for (std::size_t i = 0; i < indexed.size(); ++i) {
        if (indexed[i].first_time > indexed[i].last_time) {
            continue;
        }
        const BufferEntry& entry = trace.reader->buffers()[i];
        const auto first = static_cast<std::uint64_t>(indexed[i].first_time);
        const std::uint64_t length = static_cast<std::uint64_t>(indexed[i].last_time) - first;
        for (std::uint64_t share = 0; share < shares; ++share) {
            const std::uint64_t raw = first + length / (2 * shares) * (2 * share + 1);
            const Filetime time = clock.to_filetime(static_cast<std::int64_t>(raw));
            if ((!all.from || time >= *all.from) && (!all.to || time < *all.to)) {
                to.push_back({time.ticks, entry.used != 0 ? entry.used : entry.disk_size});
            }
        }
    }
}

/// The time before which a number of parts end.
Filetime cut_after(std::uint32_t parts, std::uint32_t count, std::span<const Share> ordered,
                   std::uint64_t total) {
    const std::uint64_t wanted = total / count * parts + total % count * parts / count;
    std::uint64_t bytes = 0;
    for (const Share& share : ordered) {
        bytes += share.bytes;
        if (bytes > wanted) {
            return {share.time};
        }
    }
    return {};
}

} // namespace

flow::TimeFilter::Window window_of(Part part, std::span<const IndexedTrace> traces,
                                   const flow::TimeFilter::Window& all) {
    std::vector<Share> ordered;
    for (const IndexedTrace& trace : traces) {
        add_shares(trace, all, ordered);
    }
    std::ranges::sort(ordered, {}, &Share::time);
    std::uint64_t total = 0;
    for (const Share& share : ordered) {
        total += share.bytes;
    }
    flow::TimeFilter::Window window;
    if (part.number > 1) {
        window.from = cut_after(part.number - 1, part.count, ordered, total);
    }
    if (part.number < part.count) {
        window.to = cut_after(part.number, part.count, ordered, total);
    }
    return window;
}

flow::TimeFilter::Window window_of(const WantedPart& wanted, std::span<const IndexedTrace> traces) {
    flow::TimeFilter::Window window = window_of(wanted.part, traces, wanted.window);
    if (wanted.window.from) {
        window.from =
            window.from ? std::max(*window.from, *wanted.window.from) : *wanted.window.from;
    }
    if (wanted.ends_with_window && wanted.window.to) {
        window.to = window.to ? std::min(*window.to, *wanted.window.to) : *wanted.window.to;
    }
    if (wanted.has_all_before && wanted.part.number == 1) {
        window.from.reset();
    }
    return window;
}

} // namespace etl::trace
