#include "trace/parts.hpp"

#include "trace/reading/opened_trace.hpp"

#include <algorithm>
#include <utility>
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

struct WindowReader::State {
    State(std::unique_ptr<ScannedTrace> scanned, const ReaderOptions& options,
          std::shared_ptr<const TraceIndex> of, const flow::RawWindow& wanted)
        : index(std::move(of)), opened(std::move(scanned), options, OpenedTrace::Findings::silent),
          window(wanted) {}

    std::shared_ptr<const TraceIndex> index;
    OpenedTrace opened;
    flow::RawWindow window;
    std::uint64_t needed = 0;      // buffers
    std::int64_t latest = no_time; // up to the last event that was seen
    bool has_ended = false;

    flow::Run part_of(flow::Run run);
};

/// Empty: none of them is in the window.
flow::Run WindowReader::State::part_of(flow::Run run) {
    auto begin = run.begin();
    for (; begin != run.end(); ++begin) {
        latest = std::max(latest, begin->raw_time);
        if (latest >= window.from) {
            break;
        }
    }
    auto end = begin;
    for (; end != run.end(); ++end) {
        latest = std::max(latest, end->raw_time);
        if (window.to && latest >= *window.to) {
            has_ended = true;
            break;
        }
    }
    return {begin, end};
}

namespace {

std::uint64_t count_buffers(const BufferStreams& streams) noexcept {
    std::uint64_t count = 0;
    for (const BufferStream& stream : streams.streams) {
        count += stream.buffers.size();
    }
    return count;
}

} // namespace

WindowReader::WindowReader(std::unique_ptr<State> state) : state_(std::move(state)) {}

WindowReader::~WindowReader() = default;

Result<std::unique_ptr<WindowReader>> WindowReader::open(std::shared_ptr<const io::InputFile> file,
                                                         const ReaderOptions& options,
                                                         std::shared_ptr<const TraceIndex> index,
                                                         const flow::TimeFilter::Window& window) {
    auto scanned = ScannedTrace::open(std::move(file), options);
    return scanned ? open(*std::move(scanned), options, std::move(index), window)
                   : std::unexpected(scanned.error());
}

Result<std::unique_ptr<WindowReader>> WindowReader::open(const Reader& of,
                                                         std::shared_ptr<const io::InputFile> file,
                                                         const ReaderOptions& options,
                                                         std::shared_ptr<const TraceIndex> index,
                                                         const flow::TimeFilter::Window& window) {
    auto scanned = of.scanned().again(options);
    return scanned ? open(std::move(scanned), options, std::move(index), window)
                   : open(std::move(file), options, std::move(index), window);
}

Result<std::unique_ptr<WindowReader>> WindowReader::open(std::unique_ptr<ScannedTrace> scanned,
                                                         const ReaderOptions& options,
                                                         std::shared_ptr<const TraceIndex> index,
                                                         const flow::TimeFilter::Window& window) {
    if (options.order != Order::time ||
        index->buffers.size() != scanned->buffers->index.entries.size()) {
        return fail(ErrorCode::invalid_option, "a time window needs time order and an index");
    }
    const flow::RawWindow raw = window.raw(scanned->info.clock);
    auto state = std::make_unique<State>(std::move(scanned), options, std::move(index), raw);
    BufferStreams& streams = state->opened.streams;
    const std::vector<IndexedBuffer>& indexed = state->index->buffers;
    if (streams.can_skip(indexed)) {
        streams.skip_outside(indexed, raw);
        state->opened.compare_with(indexed);
    }
    state->needed = count_buffers(streams);
    return std::unique_ptr<WindowReader>(new WindowReader(std::move(state)));
}

flow::Run WindowReader::next_run() {
    while (!state_->has_ended) {
        const flow::Run run = state_->opened.next_run();
        if (run.empty()) {
            return {};
        }
        if (const flow::Run part = state_->part_of(run); !part.empty()) {
            return part;
        }
    }
    return {};
}

flow::Pin WindowReader::pin() const {
    return state_->opened.pin();
}

const Error* WindowReader::error() const noexcept {
    return nullptr;
}

std::uint64_t WindowReader::needed_buffers() const noexcept {
    return state_->needed;
}

} // namespace etl::trace
