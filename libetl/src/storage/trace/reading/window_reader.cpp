#include "trace/window_reader.hpp"

#include "trace/reading/opened_trace.hpp"

#include <algorithm>
#include <utility>

namespace etl::trace {

struct WindowReader::State {
    State(std::unique_ptr<ScannedTrace> scanned, const ReaderOptions& options,
          const TraceIndex& index, const flow::RawWindow& wanted)
        : indexed(index.buffers),
          opened(std::move(scanned), options, OpenedTrace::Findings::silent), window(wanted) {}

    std::vector<IndexedBuffer> indexed;
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
                                                         const TraceIndex& index,
                                                         const flow::TimeFilter::Window& window) {
    auto scanned = ScannedTrace::open(std::move(file), options);
    if (!scanned) {
        return std::unexpected(scanned.error());
    }
    if (options.order != Order::time || index.buffers.size() != (*scanned)->index.entries.size()) {
        return fail(ErrorCode::invalid_option, "a time window needs time order and an index");
    }
    const flow::RawWindow raw = window.raw((*scanned)->info.clock);
    auto state = std::make_unique<State>(std::move(*scanned), options, index, raw);
    BufferStreams& streams = state->opened.streams;
    if (streams.can_skip(index.buffers)) {
        streams.skip_outside(index.buffers, raw);
        state->opened.compare_with(state->indexed);
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
