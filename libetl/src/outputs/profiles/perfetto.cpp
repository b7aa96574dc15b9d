// Perfetto traces: protos/perfetto/trace of github.com/google/perfetto. docs/profilers.md#perfetto
#include <etl/time.hpp>

#include "analysis/activity.hpp"
#include "profiles/limits.hpp"
#include "profiles/proto.hpp"
#include "profiles/writers.hpp"
#include "symbols/symbol_file.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::profiles {

namespace {

// Packets of a Perfetto trace.

/// Fields of TracePacket.
namespace packet {
constexpr std::uint32_t process_tree = 2, clock_snapshot = 6, timestamp = 8, sequence = 10,
                        track_event = 11, interned_data = 12, sequence_flags = 13, defaults = 59,
                        track_descriptor = 60, perf_sample = 66, first_on_sequence = 87,
                        etw_events = 95;
} // namespace packet

/// Writes packets. What has no interned data is on one sequence, so that packets of other sequences
/// do not depend on them.
class Packets {
public:
    static constexpr std::uint32_t plain_sequence = 1, sample_sequence = 2;

    explicit Packets(Batches& to) : to_(&to) {}

    /// A packet with one field besides its time.
    void add(std::uint32_t field, std::uint64_t time, std::string_view message) {
        packet_.clear();
        Proto(packet_)
            .number(packet::timestamp, time)
            .number(packet::sequence, plain_sequence)
            .bytes(field, message);
        write(packet_);
    }

    /// A packet whose fields are complete.
    void write(std::string_view packet) {
        constexpr std::uint32_t trace_packet = 1;
        Proto(to_->text()).bytes(trace_packet, packet);
        to_->write_batch();
    }

    /// Adds an event to the bundle of its processor.
    void add_etw(std::uint16_t processor, std::uint64_t time, std::uint32_t thread,
                 std::uint32_t field, std::string_view message) {
        constexpr std::size_t max_bundle = 1U << 14U;
        if (processor != bundle_processor_ || bundle_.size() > max_bundle) {
            flush_etw();
            bundle_processor_ = processor;
        }
        if (bundle_.empty()) {
            bundle_time_ = time;
            Proto(bundle_).number(1, processor);
        }
        event_.clear();
        Proto(event_).number(1, time).bytes(field, message).number(4, processor).number(5, thread);
        Proto(bundle_).bytes(2, event_);
    }

    void flush_etw() {
        if (!bundle_.empty()) {
            add(packet::etw_events, bundle_time_, bundle_);
            bundle_.clear();
        }
    }

private:
    Batches* to_;
    std::string packet_, bundle_, event_;
    std::uint64_t bundle_time_ = 0;
    std::uint16_t bundle_processor_ = 0;
};

/// Events in the messages that Perfetto has for ETW: protos/perfetto/trace/etw.
class PerfettoEtw {
public:
    explicit PerfettoEtw(Packets& packets) : packets_(&packets) {}

    /// `time`: in nanoseconds from the beginning of the range.
    void add(const analysis::ThreadSwitch& one, std::uint64_t time);
    void add(const analysis::ThreadReady& one, std::uint64_t time);
    void add(const analysis::IoRecord& one, std::uint64_t time);

private:
    Packets* packets_;
    std::string message_;
};

using Kind = analysis::IoRecord::Kind;

/// The field of EtwTraceEvent for a kind of I/O.
constexpr std::uint32_t field_of(Kind kind) noexcept {
    constexpr std::uint32_t fields[] = {7, 8, 9, 10, 11, 12, 14, 15};
    return fields[static_cast<std::size_t>(kind)];
}

void PerfettoEtw::add(const analysis::ThreadSwitch& one, std::uint64_t time) {
    message_.clear();
    Proto to(message_);
    to.number(1, one.to).number(2, one.from);
    to.zigzag(3, one.to_priority).zigzag(4, one.from_priority).number(5, one.c_state);
    constexpr std::uint8_t last_reason = 37, last_mode = 1, last_state = 7;
    one.wait_reason <= last_reason ? to.number(6, one.wait_reason) : to.number(11, one.wait_reason);
    one.wait_mode <= last_mode ? to.number(7, one.wait_mode) : to.number(12, one.wait_mode);
    one.state <= last_state ? to.number(8, one.state) : to.zigzag(13, one.state);
    to.zigzag(9, one.ideal_processor).number(10, one.wait_time);
    constexpr std::uint32_t c_switch = 2;
    packets_->add_etw(one.processor, time, one.to, c_switch, message_);
}

void PerfettoEtw::add(const analysis::ThreadReady& one, std::uint64_t time) {
    message_.clear();
    Proto to(message_);
    to.number(1, one.thread);
    constexpr std::uint8_t last_reason = 2, last_flag = 2, both = 4;
    one.adjust_reason <= last_reason ? to.number(2, one.adjust_reason)
                                     : to.number(5, one.adjust_reason);
    to.zigzag(3, one.adjust_increment);
    one.flag <= last_flag || one.flag == both ? to.number(4, one.flag) : to.number(6, one.flag);
    constexpr std::uint32_t ready_thread = 3;
    packets_->add_etw(one.processor, time, one.by, ready_thread, message_);
}

/// The fields of a message have the order of the numbers, then the text, then the opcode.
void PerfettoEtw::add(const analysis::IoRecord& one, std::uint64_t time) {
    message_.clear();
    Proto to(message_);
    std::uint32_t field = 1;
    for (const std::uint64_t number : one.numbers) {
        to.number(field++, number);
    }
    if (analysis::IoRecord::has_text(one.kind)) {
        to.bytes(field++, one.text);
    }
    if (one.kind != Kind::create && one.kind != Kind::end) {
        to.number(field, one.opcode);
    }
    packets_->add_etw(one.processor, time, one.thread, field_of(one.kind), message_);
}

// Samples of a Perfetto trace, with interned stacks.

/// Frames, stacks, and what they refer to are described in the packet that first uses them.
class PerfettoStacks {
public:
    /// Writes a sequence of its own.
    PerfettoStacks(Packets& to, std::uint32_t sequence) : to_(&to), sequence_(sequence) {}

    void start(const analysis::ActivityContext& context) { context_ = context; }

    void add(const analysis::ThreadSample& sample, std::optional<std::uint32_t> process,
             std::optional<std::uint32_t> thread);

    /// All of one source.
    void add(const analysis::CounterSample& sample, std::optional<std::uint32_t> process,
             std::optional<std::uint32_t> thread);

    std::uint64_t dropped() const noexcept { return stacks_.dropped(); }

private:
    /// What a sample of either kind is.
    struct Sample {
        std::int64_t time = 0; // raw
        std::uint16_t processor = 0;
        std::uint64_t weight = 0;
        const analysis::Stack* stack = nullptr;
        std::optional<std::uint32_t> process, thread;
    };

    void begin(std::string_view timebase);
    void add(const Sample& sample);
    void describe(analysis::StackRef stack);
    void describe_frame(analysis::FrameRef frame);
    void describe_image(analysis::ImageRef image);
    static bool is_new(std::vector<bool>& seen, std::size_t index);

    Packets* to_;
    analysis::ActivityContext context_;
    analysis::StackTable stacks_;
    std::vector<bool> seen_stacks_, seen_frames_, seen_functions_, seen_images_;
    std::uint32_t sequence_;
    std::vector<std::uint64_t> totals_; // of weights, by processor
    bool has_begun_ = false;
    std::string interned_, message_, packet_, name_;
};

using analysis::Frame;
using analysis::FrameRef;
using analysis::StackRef;
using analysis::StackTable;

/// Fields of InternedData.
namespace interned {
constexpr std::uint32_t function_names = 5, frames = 6, callstacks = 7, build_ids = 16,
                        mapping_paths = 17, mappings = 19;
} // namespace interned

/// Numbers of interned data begin at 1.
constexpr std::uint64_t iid(std::uint32_t index) noexcept {
    return std::uint64_t{index} + 1;
}

void add_text(std::string& to, std::uint32_t field, std::uint64_t number, std::string_view text) {
    std::string message;
    Proto(message).number(1, number).bytes(2, text);
    Proto(to).bytes(field, message);
}

/// Writes the first packet of the sequence.
void PerfettoStacks::begin(std::string_view timebase) {
    has_begun_ = true;
    constexpr std::uint32_t cleared = 1;
    std::string sample_defaults, defaults;
    Proto(sample_defaults).bytes(1, timebase);
    Proto(defaults).bytes(12, sample_defaults);
    packet_.clear();
    Proto(packet_)
        .number(packet::timestamp, 0)
        .number(packet::sequence, sequence_)
        .number(packet::sequence_flags, cleared)
        .bytes(packet::defaults, defaults)
        .number(packet::first_on_sequence, true);
    to_->write(packet_);
}

void PerfettoStacks::add(const analysis::ThreadSample& sample, std::optional<std::uint32_t> process,
                         std::optional<std::uint32_t> thread) {
    if (!has_begun_) {
        constexpr std::uint32_t cpu_clock = 1;
        std::string timebase;
        Proto(timebase)
            .number(1, sample.interval_ns)
            .number(4, cpu_clock)
            .bytes(10, "SampledProfile");
        begin(timebase);
    }
    add({.time = sample.time,
         .processor = sample.processor,
         .weight = sample.weight_ns,
         .stack = &sample.stack,
         .process = process,
         .thread = thread});
}

void PerfettoStacks::add(const analysis::CounterSample& sample,
                         std::optional<std::uint32_t> process,
                         std::optional<std::uint32_t> thread) {
    if (!has_begun_) {
        std::string timebase;
        Proto(timebase).number(1, sample.weight).bytes(10, (*context_.sources)[sample.source].name);
        begin(timebase);
    }
    add({.time = sample.time,
         .processor = sample.processor,
         .weight = sample.weight,
         .stack = &sample.stack,
         .process = process,
         .thread = thread});
}

void PerfettoStacks::add(const Sample& sample) {
    const StackRef stack = stacks_.add(*sample.stack);
    interned_.clear();
    describe(stack);
    if (sample.processor >= totals_.size()) {
        totals_.resize(sample.processor + std::size_t{1});
    }
    totals_[sample.processor] += sample.weight;
    message_.clear();
    Proto to(message_);
    to.number(1, sample.processor);
    if (sample.process) {
        to.number(2, *sample.process);
    }
    if (sample.thread) {
        to.number(3, *sample.thread);
    }
    constexpr std::uint32_t kernel_mode = 1, user_mode = 2;
    const bool is_kernel =
        (*context_.frames)[sample.stack->frames.front()].kind == Frame::Kind::kernel;
    to.number(4, std::uint64_t{stack})
        .number(5, is_kernel ? kernel_mode : user_mode)
        .number(6, totals_[sample.processor]);
    constexpr std::uint32_t needs_state = 2;
    packet_.clear();
    Proto packet(packet_);
    packet.number(packet::timestamp, context_.since_begin(sample.time))
        .number(packet::sequence, sequence_)
        .number(packet::sequence_flags, needs_state);
    if (!interned_.empty()) {
        packet.bytes(packet::interned_data, interned_);
    }
    packet.bytes(packet::perf_sample, message_);
    to_->write(packet_);
}

bool PerfettoStacks::is_new(std::vector<bool>& seen, std::size_t index) {
    if (index >= seen.size()) {
        seen.resize(std::max(index + 1, seen.size() * 2));
    }
    const bool is_new = !seen[index];
    seen[index] = true;
    return is_new;
}

/// The number of a stack is that of its innermost node. Its frames are outermost first.
void PerfettoStacks::describe(StackRef stack) {
    if (!is_new(seen_stacks_, stack)) {
        return;
    }
    std::vector<FrameRef> frames;
    for (StackRef node = stack; node != StackTable::root; node = stacks_[node].parent) {
        frames.push_back(stacks_[node].frame);
        describe_frame(frames.back());
    }
    std::string message;
    Proto to(message);
    to.number(1, std::uint64_t{stack});
    for (std::size_t i = frames.size(); i-- > 0;) {
        to.number(2, iid(frames[i]));
    }
    Proto(interned_).bytes(interned::callstacks, message);
}

void PerfettoStacks::describe_frame(FrameRef number) {
    if (!is_new(seen_frames_, number)) {
        return;
    }
    const Frame& frame = (*context_.frames)[number];
    if (is_new(seen_functions_, frame.function)) {
        name_.clear();
        context_.frames->function(frame.function).append_to(name_);
        add_text(interned_, interned::function_names, iid(frame.function), name_);
    }
    std::string message;
    Proto to(message);
    to.number(1, iid(number)).number(2, iid(frame.function));
    if (frame.image != Frame::no_image) {
        describe_image(frame.image);
        to.number(3, iid(frame.image));
        to.number(4, frame.instruction() - context_.frames->image(frame.image).base);
    }
    Proto(interned_).bytes(interned::frames, message);
}

void PerfettoStacks::describe_image(analysis::ImageRef number) {
    if (!is_new(seen_images_, number)) {
        return;
    }
    const facts::Image& image = context_.frames->image(number);
    add_text(interned_, interned::mapping_paths, iid(number), image.path);
    std::string message;
    Proto to(message);
    to.number(1, iid(number));
    if (image.pdb) {
        add_text(interned_, interned::build_ids, iid(number),
                 symbols::Identity{image.pdb->guid, image.pdb->age}.key());
        to.number(2, iid(number));
    }
    to.number(4, image.base).number(5, image.base + image.size).number(7, iid(number));
    Proto(interned_).bytes(interned::mappings, message);
}

using analysis::ActivityThread;
using analysis::ThreadRow;

/// Numbers of tracks: those of threads have their row and lane, those of processors and counters a
/// high bit.
constexpr std::uint64_t lanes_of_thread = 64;
constexpr std::uint64_t processor_tracks = std::uint64_t{1} << 40U;
constexpr std::uint64_t counter_tracks = std::uint64_t{1} << 41U;
constexpr std::uint64_t process_tracks = std::uint64_t{1} << 42U;

class Perfetto final : public ProfileWriter {
public:
    Perfetto(Output& output, ProfileOptions options)
        : options_(std::move(options)), to_(output), packets_(to_),
          stacks_(packets_, Packets::sample_sequence) {}

    void start(const analysis::ActivityContext& context) override {
        context_ = context;
        stacks_.start(context);
    }

    bool takes_samples_only() const noexcept override { return false; }

    void sample(const analysis::ThreadSample& sample) override {
        begin();
        see(sample.thread, sample.time);
        const ActivityThread& thread = (*context_.threads)[sample.thread];
        stacks_.add(sample, context_.owner_of(thread).pid, thread.id);
    }

    void counter_sample(const analysis::CounterSample& sample) override {
        begin();
        see(sample.thread, sample.time);
        const ActivityThread& thread = (*context_.threads)[sample.thread];
        while (sample.source >= counter_stacks_.size()) {
            const auto source = static_cast<std::uint32_t>(counter_stacks_.size());
            counter_stacks_.push_back(
                std::make_unique<PerfettoStacks>(packets_, Packets::sample_sequence + 1 + source));
            counter_stacks_.back()->start(context_);
        }
        counter_stacks_[sample.source]->add(sample, context_.owner_of(thread).pid, thread.id);
    }

    void switched(const analysis::ThreadSwitch& one) override {
        begin();
        etw_.add(one, context_.since_begin(one.time));
    }

    void readied(const analysis::ThreadReady& one) override {
        begin();
        etw_.add(one, context_.since_begin(one.time));
    }

    void io(const analysis::IoRecord& one) override {
        begin();
        etw_.add(one, context_.since_begin(one.time));
    }

    void ran(const analysis::ThreadRun& run) override {
        begin();
        see(run.thread, run.from);
    }

    void slice(const analysis::Slice& slice) override {
        begin();
        const std::uint64_t track = track_of(slice);
        if (track == 0) {
            ++dropped_;
            return;
        }
        constexpr std::uint32_t slice_begin = 1, slice_end = 2;
        add_event(slice.from, slice_begin, track, slice.category, slice.name);
        add_event(slice.to, slice_end, track, {}, {});
    }

    void mark(const analysis::Mark& mark) override {
        begin();
        constexpr std::uint32_t instant = 3;
        add_event(mark.time, instant, thread_track(mark.thread, mark.time), mark.category,
                  mark.name);
    }

    void counter(const analysis::CounterValue& value) override {
        begin();
        const std::uint64_t track = counter_track(value);
        message_.clear();
        constexpr std::uint32_t counter = 4;
        Proto(message_).number(9, counter).number(11, track).number(30, value.value);
        packets_.add(packet::track_event, context_.since_begin(value.time), message_);
    }

    void finish() override {
        if (!has_begun_) {
            return;
        }
        packets_.flush_etw();
        for (ThreadRow row = 0; row < seen_.size(); ++row) {
            const ActivityThread& thread = (*context_.threads)[row];
            if (seen_[row] == Seen::unnamed && !thread.name.empty()) {
                add_thread(thread, context_.pass->end); // named later
            }
        }
        add_lives();
        to_.flush();
    }

    const Error* error() const noexcept override { return to_.error(); }

    std::vector<Omission> omissions() const override {
        std::uint64_t stacks = stacks_.dropped();
        for (const auto& counter : counter_stacks_) {
            stacks += counter->dropped();
        }
        return {{"slices", dropped_}, {"stacks", stacks}};
    }

private:
    enum class Seen : std::uint8_t { no, unnamed, named };

    void begin() {
        if (has_begun_) {
            return;
        }
        has_begun_ = true;
        const analysis::Context& pass = *context_.pass;
        const auto unix = unix_nanoseconds(pass.trace->clock.to_filetime(pass.begin));
        constexpr std::uint32_t boottime = 6, realtime = 1;
        message_.clear();
        const auto add_clock = [&](std::uint32_t clock, std::int64_t time) {
            std::string snapshot;
            Proto(snapshot).number(1, clock).number(2, time);
            Proto(message_).bytes(1, snapshot);
        };
        add_clock(boottime, 0);
        if (unix) {
            add_clock(realtime, *unix);
        }
        packets_.add(packet::clock_snapshot, 0, message_);
    }

    /// Describes a thread and its process before its first use.
    void see(ThreadRow row, std::int64_t time) {
        if (row >= seen_.size()) {
            seen_.resize(row + std::size_t{1});
        }
        if (seen_[row] != Seen::no) {
            return;
        }
        const ActivityThread& thread = (*context_.threads)[row];
        seen_[row] = thread.name.empty() ? Seen::unnamed : Seen::named;
        const analysis::Owner& owner = context_.owner_of(thread);
        if (!owner.pid || !thread.id) {
            return;
        }
        if (thread.owner >= seen_owners_.size()) {
            seen_owners_.resize(thread.owner + std::size_t{1});
        }
        if (!seen_owners_[thread.owner]) {
            seen_owners_[thread.owner] = true;
            add_process(owner, time);
        }
        add_thread(thread, time);
    }

    void add_process(const analysis::Owner& owner, std::int64_t time) {
        const analysis::Context& pass = *context_.pass;
        const auto known = pass.facts->process(*owner.pid, time);
        std::string process;
        Proto to(process);
        to.number(1, *owner.pid);
        if (known && known->parent != flow::no_id) {
            to.number(2, known->parent);
        }
        to.bytes(3, process_name(owner));
        if (known && known->begin > pass.begin) {
            to.number(7, context_.since_begin(known->begin));
        }
        message_.clear();
        Proto(message_).bytes(1, process);
        packets_.add(packet::process_tree, context_.since_begin(time), message_);
    }

    void add_thread(const ActivityThread& thread, std::int64_t time) {
        const analysis::Owner& owner = context_.owner_of(thread);
        if (!owner.pid || !thread.id) {
            return;
        }
        std::string one;
        Proto to(one);
        to.number(1, *thread.id);
        if (!thread.name.empty()) {
            to.bytes(2, thread.name);
        }
        to.number(3, *owner.pid);
        message_.clear();
        Proto(message_).bytes(2, one);
        packets_.add(packet::process_tree, context_.since_begin(time), message_);
    }

    void add_event(std::int64_t time, std::uint32_t type, std::uint64_t track,
                   std::string_view category, std::string_view name) {
        message_.clear();
        Proto to(message_);
        to.number(9, type).number(11, track);
        if (!category.empty()) {
            to.bytes(22, category);
        }
        if (!name.empty()) {
            to.bytes(23, name);
        }
        packets_.add(packet::track_event, context_.since_begin(time), message_);
    }

    /// Describes a track before its first use. `fields` are those besides its number.
    std::uint64_t track(std::uint64_t number, const std::string& fields) {
        if (const auto [known, is_new] = tracks_.try_emplace(number, 0); is_new) {
            std::string descriptor;
            Proto(descriptor).number(1, number);
            packets_.add(packet::track_descriptor, 0, descriptor + fields);
        }
        return number;
    }

    std::uint64_t thread_track(ThreadRow row, std::int64_t time, std::uint64_t lane = 0) {
        see(row, time);
        const ActivityThread& thread = (*context_.threads)[row];
        const analysis::Owner& owner = context_.owner_of(thread);
        std::string fields;
        const std::uint64_t own = (std::uint64_t{row} + 1) * lanes_of_thread;
        if (lane != 0) {
            Proto(fields).bytes(2, "overlapping").number(5, thread_track(row, time));
        } else if (owner.pid && thread.id) {
            std::string descriptor;
            Proto(descriptor).number(1, *owner.pid).number(2, *thread.id);
            Proto(fields).bytes(4, descriptor);
        } else {
            Proto(fields).bytes(2, row == 0 ? "machine" : thread_title(context_, row));
        }
        return track(own + lane, fields);
    }

    /// The track of a slice; 0: none is free. Slices of one track must not overlap, except nested
    /// ones.
    std::uint64_t track_of(const analysis::Slice& slice) {
        if (slice.processor) {
            std::string fields;
            Proto(fields).bytes(2, "CPU " + std::to_string(*slice.processor) + " interrupts");
            return track(processor_tracks + *slice.processor, fields);
        }
        if (slice.is_nested) {
            return thread_track(slice.thread, slice.from);
        }
        std::vector<std::int64_t>& ends = lanes_[slice.thread];
        const auto free =
            std::ranges::find_if(ends, [&](std::int64_t end) { return end <= slice.from; });
        const auto lane = static_cast<std::uint64_t>(free - ends.begin()) + 1;
        if (lane >= lanes_of_thread) {
            return 0;
        }
        if (free == ends.end()) {
            ends.push_back(slice.to);
        } else {
            *free = slice.to;
        }
        return thread_track(slice.thread, slice.from, lane);
    }

    std::uint64_t process_track(const analysis::Owner& owner) {
        std::string descriptor, fields;
        Proto(descriptor).number(1, *owner.pid).bytes(6, process_name(owner));
        Proto(fields).bytes(3, descriptor);
        return track(process_tracks + *owner.pid, fields);
    }

    std::uint64_t counter_track(const analysis::CounterValue& value) {
        const analysis::Owner& owner = (*context_.pass->owners)[value.owner];
        const auto key = std::pair(value.owner, value.name);
        const auto [known, is_new] = counters_.try_emplace(key, counters_.size());
        std::string fields;
        Proto to(fields);
        to.bytes(2, value.name).bytes(8, {});
        if (owner.pid) {
            to.number(5, process_track(owner));
        }
        return track(counter_tracks + known->second, fields);
    }

    /// Processes that started or ended in the range, as marks.
    void add_lives() {
        const analysis::Context& pass = *context_.pass;
        constexpr std::uint32_t instant = 3;
        for (const facts::Process& process : pass.facts->processes()) {
            if (process.id == 0) {
                continue;
            }
            const analysis::Owner owner{.pid = process.id, .name = std::string(process.name)};
            for (const auto& [time, name] : {std::pair(process.begin, "process start"),
                                             std::pair(process.end, "process end")}) {
                if (time >= pass.begin && time <= pass.end && is_seen(process.id)) {
                    add_event(time, instant, process_track(owner), "process", name);
                }
            }
        }
    }

    bool is_seen(std::uint32_t pid) const {
        for (analysis::OwnerRef i = 0; i < seen_owners_.size(); ++i) {
            if (seen_owners_[i] && (*context_.pass->owners)[i].pid == pid) {
                return true;
            }
        }
        return false;
    }

    ProfileOptions options_;
    analysis::ActivityContext context_;
    Batches to_;
    Packets packets_;
    PerfettoEtw etw_{packets_};
    PerfettoStacks stacks_;
    std::vector<std::unique_ptr<PerfettoStacks>> counter_stacks_; // by source
    std::vector<Seen> seen_;                                      // threads, by row
    std::vector<bool> seen_owners_;
    std::unordered_map<std::uint64_t, int> tracks_;
    std::unordered_map<ThreadRow, std::vector<std::int64_t>> lanes_; // ends of their last slices
    std::map<std::pair<analysis::OwnerRef, std::string_view>, std::size_t> counters_;
    std::string message_;
    std::uint64_t dropped_ = 0;
    bool has_begun_ = false;
};

} // namespace

std::unique_ptr<ProfileWriter> make_perfetto(Output& output, ProfileOptions options) {
    return std::make_unique<Perfetto>(output, std::move(options));
}

} // namespace etl::profiles
