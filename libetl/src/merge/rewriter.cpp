#include "merge/rewriter.hpp"

#include <etl/base/limits.hpp>
#include <etl/format/set_field.hpp>

#include "merge/moved.hpp"
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

Rewriter::Rewriter(const flow::TraceInfo& trace, const Rewriting& what)
    : what_(what), restamp_(trace, what),
      trace_(what.to_system_time ? converted(trace, restamp_) : flow::TraceInfo{}) {}

void Rewriter::convert(flow::Run run) {
    std::size_t size = 0;
    for (const flow::Event& event : run) {
        size += format::padded(event.size);
    }
    std::vector<std::byte>& records = block_->records;
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
        if (const PayloadTime in = payload_time(event); in.kind != PayloadTime::Kind::none) {
            const auto ticks = load_le<std::int64_t>(to + in.offset);
            store_le(to + in.offset, in.kind == PayloadTime::Kind::stamp
                                         ? restamp_(ticks)
                                         : restamp_.duration(ticks));
        }
        flow::Event made = event;
        made.record = to;
        made.raw_time = time;
        made.buffer = &block_->context;
        block_->events.push_back(made);
        to += format::padded(event.size);
    }
    block_->context.trace = &trace_;
    block_->context.bytes = Bytes(records.data(), size);
}

flow::Run Rewriter::rewrite(flow::Run run) {
    if (block_.use_count() > 1) {
        block_ = std::make_shared<Block>(); // somebody keeps what the last run pointed into
    } else {
        // What a former holder did happened before it let go.
        std::atomic_thread_fence(std::memory_order_acquire);
    }
    block_->context = *run.front().buffer;
    block_->events.clear();
    if (what_.to_system_time) {
        convert(run);
    } else {
        block_->events.assign(run.begin(), run.end());
        for (flow::Event& event : block_->events) {
            event.buffer = &block_->context;
        }
    }
    // A number beyond what the header counts may lead out of all bounds: better among others than
    // lost.
    const std::uint32_t processor = block_->context.processor + what_.first_processor;
    if (processor < limits::processors) {
        block_->context.processor = static_cast<std::uint16_t>(processor);
    }
    block_->context.logger_id = what_.logger_id.value_or(block_->context.logger_id);
    return block_->events;
}

} // namespace etl::merge
