#include "trace/ordering/file_order.hpp"

#include "base/limits.hpp"
#include "trace/limits.hpp"

namespace etl::trace {

FileOrder::FileOrder(const LoadRequest& request, std::span<const BufferEntry> entries,
                     BufferStreams streams, const ReaderOptions& options, TraceFindings& findings)
    : is_by_processor_(options.order == Order::buffers), findings_(findings),
      last_times_(is_by_processor_ ? limits::processors : 0, no_time),
      loading_(request, entries, options.threads, streams.streams.size()) {
    if (!streams.streams.empty()) {
        chain_ = loading_.begin(std::move(streams.streams.front()));
    }
}

/// That of the last event before this buffer, which records without a stamp inherit.
std::int64_t& FileOrder::time_before(const LoadedBuffer& buffer) noexcept {
    return is_by_processor_ ? last_times_[buffer.context.processor] : last_time_;
}

flow::Run FileOrder::next_run() {
    current_ = loading_.next(chain_, findings_);
    if (!current_) {
        return {};
    }
    std::int64_t& before = time_before(*current_);
    current_->restamp(before);
    before = current_->last_time();
    return current_->events.view();
}

} // namespace etl::trace
