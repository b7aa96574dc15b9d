#include "merge/rewriter.hpp"

#include "flow/merged_inputs.hpp"
#include "format/set_field.hpp"
#include "merge/payload_times.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace etl::merge {

namespace {

flow::TraceInfo converted(flow::TraceInfo trace, const Restamp& restamp) {
    trace.reference_time = restamp(trace.reference_time);
    trace.clock = {};
    trace.header.reserved_flags = static_cast<std::uint32_t>(format::ClockType::system_time);
    trace.header.perf_freq = Filetime::per_second;
    trace.backing = nullptr; // it may live longer
    return trace;
}

} // namespace

std::int64_t Restamp::duration(std::int64_t ticks) const noexcept {
    if (perf_freq_ <= 0 || perf_freq_ == Filetime::per_second) {
        return ticks;
    }
    __extension__ using Wide = __int128;
    constexpr Wide most = std::numeric_limits<std::int64_t>::max();
    const Wide converted = Wide{ticks} * Filetime::per_second / perf_freq_;
    return static_cast<std::int64_t>(std::clamp(converted, -most, most));
}

Rewriter::Rewriter(std::unique_ptr<flow::Source> source, const flow::TraceInfo& trace,
                   const Rewriting& what)
    : source_(std::move(source)), what_(what), restamp_(trace, what), trace_(&trace) {
    if (what_.to_system_time) {
        trace_ = &converted_trace_.emplace(converted(trace, restamp_));
    }
}

void Rewriter::convert(flow::Run run) {
    std::size_t size = 0;
    for (const flow::Event& event : run) {
        size += format::padded(event.size);
    }
    std::vector<std::byte>& records = block_->converted;
    if (records.size() < size) {
        records.resize(std::max(size, 2 * records.size()));
    }
    std::byte* to = records.data();
    for (const flow::Event& event : run) {
        std::copy_n(event.record, event.size, to);
        const std::int64_t time = restamp_(event.raw_time);
        if (event.has_time) {
            format::set_time(event.kind, MutableBytes(to, event.size), time);
        }
        convert_inner_times(event, to, restamp_);
        flow::Event made = event;
        made.record = to;
        made.raw_time = time;
        made.buffer = &block_->context;
        block_->events.push_back(made);
        to += format::padded(event.size);
    }
    block_->context.bytes = Bytes(records.data(), size);
}

void Rewriter::take_free_block() {
    if (!block_ || block_.use_count() > 1) {
        block_ = std::make_shared<Block>(); // somebody keeps what the last run pointed into
        return;
    }
    // What a former holder did happened before it let go.
    std::atomic_thread_fence(std::memory_order_acquire);
    block_->records = nullptr; // so that the source can use its memory again
    block_->source = nullptr;
    block_->events.clear();
}

/// A number beyond all that the machine is known to have would be another machine's: it becomes its
/// last one.
std::uint16_t Rewriter::processor_of(const flow::BufferContext& buffer) const noexcept {
    if (what_.processors == 0) {
        return buffer.processor;
    }
    const std::uint32_t number = std::min<std::uint32_t>(buffer.processor, what_.processors - 1);
    return static_cast<std::uint16_t>(what_.first_processor + number);
}

std::uint16_t Rewriter::logger_of(const flow::BufferContext& buffer) const noexcept {
    const auto& numbers = what_.logger_ids;
    const std::size_t input = buffer.merged_input;
    return numbers.empty() ? buffer.logger_id : numbers[input < numbers.size() ? input : 0];
}

/// The output describes all inputs itself, also those of an earlier merge.
flow::Run Rewriter::without_sources(flow::Run run) {
    while (!run.empty() && what_.logger_ids.size() > 1) {
        const auto end = std::ranges::find_if(run, flow::is_source_event);
        if (end != run.begin()) {
            rest_ = run.subspan(static_cast<std::size_t>(end - run.begin()));
            return {run.begin(), end};
        }
        run = run.size() > 1 ? run.subspan(1) : source_->next_run();
    }
    rest_ = {};
    return run;
}

flow::Run Rewriter::next_run() {
    take_free_block();
    const flow::Run run = without_sources(rest_.empty() ? source_->next_run() : rest_);
    if (run.empty()) {
        return {};
    }
    block_->context = *run.front().buffer;
    if (what_.to_system_time) {
        convert(run);
    } else {
        block_->events.assign(run.begin(), run.end());
        for (flow::Event& event : block_->events) {
            event.buffer = &block_->context;
        }
    }
    block_->context.trace = trace_;
    block_->context.processor = processor_of(block_->context);
    block_->context.logger_id = logger_of(block_->context);
    return block_->events;
}

flow::Pin Rewriter::pin() {
    if (!what_.to_system_time && !block_->source) {
        block_->records = source_->pin();
        block_->source = source_;
    }
    return block_;
}

void Rewriter::close() noexcept {
    block_ = nullptr;
    source_ = nullptr;
}

} // namespace etl::merge
