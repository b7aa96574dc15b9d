#include "trace/reader.hpp"

#include "trace/reading/buffer_visits.hpp"
#include "trace/reading/opened_trace.hpp"

#include <algorithm>
#include <utility>

namespace etl::trace {

struct Reader::State : OpenedTrace {
    using OpenedTrace::OpenedTrace;

    std::uint64_t damage_in_buffers = 0;
};

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}

Reader::~Reader() = default;

Result<std::unique_ptr<Reader>> Reader::open(std::shared_ptr<const io::InputFile> file,
                                             const ReaderOptions& options) {
    auto trace = ScannedTrace::open(std::move(file), options);
    if (!trace) {
        return std::unexpected(trace.error());
    }
    auto state =
        std::make_unique<State>(std::move(*trace), options, OpenedTrace::Findings::reported);
    return std::unique_ptr<Reader>(new Reader(std::move(state)));
}

const flow::TraceInfo& Reader::info() const noexcept {
    return state_->trace->info;
}

std::span<const BufferEntry> Reader::buffers() const noexcept {
    return state_->entries();
}

flow::Run Reader::next_run() {
    return state_->next_run();
}

flow::Pin Reader::pin() const {
    return state_->pin();
}

const Error* Reader::error() const noexcept {
    return nullptr;
}

void Reader::report_truncation() {
    state_->report_truncation();
}

void Reader::skip_outside(const TraceIndex& index, const flow::RawWindow& window,
                          bool IndexedBuffer::* kept) {
    BufferStreams& streams = state_->streams;
    if (state_->options.order == Order::time && index.buffers.size() == buffers().size() &&
        streams.can_skip(index.buffers)) {
        streams.skip_all_outside(index.buffers, window, kept);
        state_->compare_with(index.buffers);
    }
}

std::uint64_t Reader::damage() const noexcept {
    return state_->findings.damage();
}

void Reader::show_buffers(std::vector<std::uint32_t> numbers,
                          FunctionRef<void(const BufferContent& buffer)> visit) {
    trace::show_buffers(state_->request_of_all(), buffers(), state_->options.threads,
                        std::move(numbers), visit);
}

std::uint64_t Reader::damage_in_buffers() const noexcept {
    return state_->damage_in_buffers;
}

std::uint64_t Reader::for_each_buffer(
    unsigned threads,
    FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit) {
    const std::uint64_t warnings =
        trace::for_each_buffer(state_->request_of_all(), buffers(), threads, visit);
    state_->report_truncation();
    state_->damage_in_buffers = std::max(state_->damage_in_buffers, warnings);
    return warnings;
}

} // namespace etl::trace
