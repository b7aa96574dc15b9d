#include "merge/rewriter.hpp"

#include "flow/context.hpp"
#include "flow/event.hpp"
#include "flow/merged_inputs.hpp"
#include "format/set_field.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

namespace etl::merge {

// Times inside records, beside their own, that are counted by the session's clock.
// docs/merge.md#payload

class Restamp;

/// Converts in `copy`, the bytes of the event's record: times in payloads of kernel classes, and
/// what extended items tell of the time under which the rest of a stack comes. 0 is no time and
/// stays.
void convert_inner_times(const flow::Event& event, std::byte* copy,
                         const Restamp& restamp) noexcept;

namespace {

enum class Kind : std::uint8_t {
    none,
    stamp,    // raw, as the record's own
    duration, // ticks of the performance counter
};

struct PayloadTime {
    Kind kind = Kind::none;
    std::uint32_t offset = 0; // of its eight bytes, which lie inside, in the record
};

/// Kinds of record: a group, a range of types, the version from which on they have the time.
struct Entry {
    std::uint8_t group, first_type, last_type, from_version;
    Kind kind;
    std::uint8_t offset;   // without the pointers in front of it
    std::uint8_t pointers; // in front of it
};

// From the classes of schemas/kernel: what they mark as WmiTime, Registry's InitialTime, which the
// same clock gives, and HighResResponseTime of DiskIo. Hook 0x1820 is StackWalk's.
constexpr std::array entries{
    Entry{0x01, 0x0A, 0x0B, 2, Kind::duration, 24, 2}, // DiskIo read, write
    Entry{0x01, 0x0A, 0x0B, 1, Kind::duration, 24, 1},
    Entry{0x01, 0x0E, 0x0E, 2, Kind::duration, 8, 0},  // flush
    Entry{0x01, 0x37, 0x38, 3, Kind::duration, 24, 2}, // optical
    Entry{0x01, 0x39, 0x39, 3, Kind::duration, 8, 0},
    Entry{0x02, 0x20, 0x20, 2, Kind::stamp, 0, 0}, // PageFault hard fault
    Entry{0x04, 0x62, 0x63, 3, Kind::stamp, 0, 0}, // FileIo filter completion
    Entry{0x09, 0x0A, 0x1D, 2, Kind::stamp, 0, 0}, // Registry
    Entry{0x0F, 0x32, 0x32, 2, Kind::stamp, 0, 0}, // PerfInfo ISR-MSI
    Entry{0x0F, 0x42, 0x42, 2, Kind::stamp, 0, 0}, // threaded DPC
    Entry{0x0F, 0x43, 0x45, 1, Kind::stamp, 0, 0}, // ISR, DPC, timer DPC
    Entry{0x0F, 0x46, 0x46, 2, Kind::stamp, 0, 0}, // IO timer
    Entry{0x0F, 0x5F, 0x5F, 1, Kind::stamp, 0, 0}, // ISR of a passive level
    Entry{0x18, 0x20, 0x20, 2, Kind::stamp, 0, 0}, // StackWalk
    Entry{0x18, 0x25, 0x26, 2, Kind::stamp, 0, 0}, // keys of stacks
};

constexpr std::uint32_t groups_with_times = [] {
    std::uint32_t bits = 0;
    for (const Entry& entry : entries) {
        bits |= 1U << entry.group;
    }
    return bits;
}();

/// What the payload of a record holds; no kind has more than one.
PayloadTime payload_time(const flow::Event& event) noexcept {
    const auto hook = flow::kernel_hook_of(event);
    if (!hook) {
        return {};
    }
    const unsigned group = *hook >> 8U;
    if (group > 31 || (groups_with_times >> group & 1U) == 0) [[likely]] {
        return {};
    }
    const flow::EventHeader header = flow::read_header(event);
    const auto* const entry = std::ranges::find_if(entries, [&](const Entry& e) {
        return e.group == group && header.opcode >= e.first_type && header.opcode <= e.last_type &&
               header.version >= e.from_version;
    });
    if (entry == entries.end()) {
        return {};
    }
    const std::size_t offset = entry->offset + std::size_t{entry->pointers} * header.pointer_size;
    if (!has_range(header.payload, offset, sizeof(std::int64_t))) {
        return {};
    }
    const auto payload_at = static_cast<std::size_t>(header.payload.data() - event.record);
    return {entry->kind, static_cast<std::uint32_t>(payload_at + offset)};
}

void convert_matches(const flow::Event& event, std::byte* copy, const Restamp& restamp) noexcept {
    flow::StackItems stacks(flow::read_header(event));
    flow::StackItem stack;
    while (stacks.next(stack)) {
        if (stack.match != 0) {
            store_le(copy + (stack.match_bytes.data() - event.record), restamp(stack.match));
        }
    }
}

} // namespace

void convert_inner_times(const flow::Event& event, std::byte* copy,
                         const Restamp& restamp) noexcept {
    if (format::is_event(event.kind)) {
        convert_matches(event, copy, restamp);
        return;
    }
    const PayloadTime in = payload_time(event);
    if (in.kind == Kind::none) {
        return;
    }
    const auto ticks = load_le<std::int64_t>(copy + in.offset);
    if (ticks != 0) {
        store_le(copy + in.offset,
                 in.kind == Kind::stamp ? restamp(ticks) : restamp.duration(ticks));
    }
}

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
    constexpr Wide max = std::numeric_limits<std::int64_t>::max();
    const Wide converted = Wide{ticks} * Filetime::per_second / perf_freq_;
    return static_cast<std::int64_t>(std::clamp(converted, -max, max));
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
