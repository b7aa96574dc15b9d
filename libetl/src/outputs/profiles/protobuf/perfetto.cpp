// Perfetto traces: protos/perfetto/trace of github.com/google/perfetto. docs/profilers.md#perfetto
#include "base/unix_time.hpp"
#include "profiles/limits.hpp"
#include "profiles/makers.hpp"
#include "profiles/output/thread_names.hpp"
#include "profiles/protobuf/perfetto_etw.hpp"
#include "profiles/protobuf/perfetto_stacks.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace etl::profiles {

namespace {

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
