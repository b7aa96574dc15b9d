// A small machine at work, for tests of `etl cpu` and the other tables: context switches, waits,
// samples with stacks, disk reads, garbage collections. It counts what it does, by definitions of
// its own. docs/generate.md#workload
#include <etl/byte_writer.hpp>

#include "format/known_guids.hpp"
#include "generate/contents.hpp"
#include "generate/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace etl::generate {

namespace {

struct Name {
    std::string_view process;
    std::u16string_view image;
};

// Process 0 is Idle; the others have the IDs 100, 200, ...
constexpr Name programs[] = {{"Idle", u""},
                             {"kettle.exe", u"\\Device\\Disk\\kettle.exe"},
                             {"teapot.exe", u"\\Device\\Disk\\teapot.exe"},
                             {"cup.exe", u"\\Device\\Disk\\cup.exe"}};
constexpr std::uint32_t workers_each = 4;
constexpr std::uint64_t program_base = 0x140000000, program_size = 0x10000;
constexpr std::uint64_t stove_base = 0xFFFFF80000000000;
constexpr std::uint8_t user_request = 6;

std::uint32_t process_id(std::size_t process) noexcept {
    return static_cast<std::uint32_t>(process * 100);
}

class Workload {
public:
    /// Payloads are those of 64-bit Windows.
    Workload(const Recipe& recipe, trace::Writer& writer);

    /// Writes the next event; false if the trace is complete.
    bool next();

    std::uint64_t events() const noexcept { return events_; }

    /// In 100 ns.
    std::int64_t elapsed() const noexcept { return time_ - base_; }

    /// Returns what the trace contains, in lines `TABLE,PROCESS,VALUE,...`. Call once, at the end.
    std::string truth();

private:
    enum class State : std::uint8_t { unknown, running, waiting, ready };

    struct Worker {
        std::uint32_t id = 0;
        std::size_t process = 0;
        State state = State::unknown;
        std::int64_t since = 0;   // waiting, or ready by preemption
        std::int64_t readied = 0; // 0: not yet
    };

    struct Sums {
        std::uint64_t samples = 0, running = 0, switches = 0, ready = 0;
        std::uint64_t waits = 0, wait = 0, max_wait = 0;
        std::uint64_t reads = 0, read_bytes = 0, elapsed = 0, service = 0;
        std::uint64_t collections = 0, pauses = 0, pause = 0;
    };

    struct Processor {
        std::size_t worker = 0; // 0: Idle
        std::int64_t since = 0;
        bool is_known = false;
    };

    struct Read {
        std::uint64_t request = 0;
        std::int64_t begin = 0;
        std::size_t worker = 0;
        std::uint32_t size = 0;
    };

    /// A garbage collection in progress: its steps are SuspendEEBegin, SuspendEEEnd, GCStart,
    /// RestartEEEnd.
    struct Collection {
        std::size_t worker = 0;
        std::int64_t begin = 0;
        unsigned step = 0;
    };

    using Action = void (Workload::*)();

    void add_machine();
    void act();
    void switch_thread();
    std::size_t next_worker();
    void switch_to(std::size_t worker, State left);
    void ready_thread();
    void sample();
    void begin_read();
    void end_read();
    void collect();
    void put(std::uint16_t hook, std::uint8_t version, std::uint32_t process = format::unknown_id,
             std::uint32_t thread = format::unknown_id);
    void put_clr(const Worker& worker, std::uint16_t id);

    Sums& sums_of(std::size_t worker) { return sums_[workers_[worker].process]; }

    const Recipe* recipe_;
    trace::Writer* writer_;
    Random random_;
    ByteWriter payload_;
    std::vector<Worker> workers_; // the first one is Idle
    std::vector<Sums> sums_;      // by process
    std::vector<Processor> processors_;
    std::deque<Read> reads_;
    std::optional<Collection> collection_;
    std::int64_t last_completion_ = 0;
    std::uint64_t next_request_ = 0x1000;
    std::uint64_t events_ = 0;
    std::int64_t base_, time_;
    std::uint16_t processor_ = 0;
};

Workload::Workload(const Recipe& recipe, trace::Writer& writer)
    : recipe_(&recipe), writer_(&writer), random_(recipe.seed), sums_(std::size(programs)),
      processors_(recipe.processors), base_(recording_of(recipe).reference_time), time_(base_) {
    workers_.push_back({});
    for (std::size_t process = 1; process < std::size(programs); ++process) {
        for (std::uint32_t i = 1; i <= workers_each; ++i) {
            workers_.push_back({.id = process_id(process) + 4 * i, .process = process});
        }
    }
}

bool Workload::next() {
    if (events_ == 0) {
        add_machine();
        return true;
    }
    if (is_over(*recipe_, events_, elapsed())) {
        return false;
    }
    const auto mean = static_cast<std::int64_t>(Filetime::per_second / recipe_->rate);
    time_ += random_.between<std::int64_t>(1, std::max<std::int64_t>(2 * mean, 1));
    processor_ = static_cast<std::uint16_t>(random_.below(processors_.size()));
    act();
    return true;
}

void Workload::put(std::uint16_t hook, std::uint8_t version, std::uint32_t process,
                   std::uint32_t thread) {
    ++events_;
    if (thread == format::unknown_id) {
        static_cast<void>(writer_->add(
            format::PerfinfoRecord{
                .version = version, .hook_id = hook, .time = time_, .payload = payload_.view()},
            processor_));
    } else {
        static_cast<void>(writer_->add(format::SystemRecord{.version = version,
                                                            .hook_id = hook,
                                                            .process_id = process,
                                                            .thread_id = thread,
                                                            .time = time_,
                                                            .payload = payload_.view()},
                                       processor_));
    }
    payload_.clear();
}

/// The rundown of processes, threads, and images.
void Workload::add_machine() {
    constexpr std::uint32_t controller = 4;
    for (std::size_t i = 1; i < std::size(programs); ++i) {
        const std::uint32_t id = process_id(i);
        payload_.u64(0).u32(id).u32(controller).u32(1).u32(0x103).u64(0).u32(0).u32(0);
        payload_.zero_terminated8(programs[i].process).zero_terminated16(u"");
        payload_.zero_terminated16(u"").zero_terminated16(u"");
        put(0x0303, 4, controller, controller);
        payload_.u64(program_base).u64(program_size).u32(id).u32(0).u32(0).u8(0).u8(0).u16(0);
        payload_.u64(program_base).u32(0).u32(0).u32(0).u32(0).zero_terminated16(programs[i].image);
        put(0x1403, 3, controller, controller);
    }
    payload_.u64(stove_base).u64(program_size).u32(0).u32(0).u32(0).u8(0).u8(0).u16(0);
    payload_.u64(stove_base).u32(0).u32(0).u32(0).u32(0);
    payload_.zero_terminated16(u"\\SystemRoot\\stove.sys");
    put(0x1403, 3, controller, controller);
    for (std::size_t i = 1; i < workers_.size(); ++i) {
        payload_.u32(process_id(workers_[i].process)).u32(workers_[i].id);
        payload_.u64(0).u64(0).u64(0).u64(0).u64(0).u64(0).u64(0).u32(0).u8(8).u8(5).u8(2).u8(0);
        put(0x0503, 3, controller, controller);
    }
}

void Workload::act() {
    constexpr std::array<Action, 10> actions{&Workload::switch_thread, &Workload::switch_thread,
                                             &Workload::switch_thread, &Workload::ready_thread,
                                             &Workload::ready_thread,  &Workload::sample,
                                             &Workload::sample,        &Workload::begin_read,
                                             &Workload::end_read,      &Workload::collect};
    (this->*actions[random_.below(actions.size())])();
}

/// A thread that may run; 0: none. Threads that wait run only once they are readied, or, rarely,
/// without a ReadyThread that was recorded.
std::size_t Workload::next_worker() {
    constexpr double unrecorded = 0.05;
    const auto first = random_.below(workers_.size() - 1);
    for (std::size_t i = 0; i + 1 < workers_.size(); ++i) {
        const std::size_t at = 1 + (first + i) % (workers_.size() - 1);
        const Worker& worker = workers_[at];
        const bool may =
            worker.state == State::unknown || worker.state == State::ready ||
            (worker.state == State::waiting && (worker.readied != 0 || random_.chance(unrecorded)));
        if (may && !(collection_ && collection_->worker == at)) {
            return at;
        }
    }
    return 0;
}

void Workload::switch_thread() {
    const std::size_t old = processors_[processor_].worker;
    if (collection_ && collection_->worker == old) {
        return collect();
    }
    constexpr double idle = 0.3;
    const std::size_t worker = random_.chance(idle) ? 0 : next_worker();
    if (worker == old) {
        return sample();
    }
    constexpr double preempted = 0.2;
    switch_to(worker, random_.chance(preempted) ? State::ready : State::waiting);
}

void Workload::switch_to(std::size_t next, State left) {
    Processor& processor = processors_[processor_];
    Worker& old = workers_[processor.worker];
    Worker& worker = workers_[next];
    if (processor.is_known) {
        sums_of(processor.worker).running += static_cast<std::uint64_t>(time_ - processor.since);
    }
    payload_.u32(worker.id).u32(old.id).u8(8).u8(8).u8(0).u8(0).u8(user_request).u8(1);
    payload_.u8(left == State::ready ? 1 : 5).u8(0).u32(0).u32(0);
    put(0x0524, 4);
    if (processor.worker != 0) {
        old.state = left;
        old.since = time_;
        old.readied = 0;
    }
    processor = {.worker = next, .since = time_, .is_known = true};
    Sums& sums = sums_of(next);
    ++sums.switches;
    if (next == 0) {
        return;
    }
    if (worker.state == State::waiting) {
        const auto wait = static_cast<std::uint64_t>(
            (worker.readied != 0 ? worker.readied : time_) - worker.since);
        ++sums.waits;
        sums.wait += wait;
        sums.max_wait = std::max(sums.max_wait, wait);
    }
    if (const std::int64_t ready = worker.state == State::ready ? worker.since : worker.readied) {
        sums.ready += static_cast<std::uint64_t>(time_ - ready);
    }
    worker.state = State::running;
    worker.readied = 0;
}

void Workload::ready_thread() {
    Worker& worker = workers_[1 + random_.below(workers_.size() - 1)];
    payload_.u32(worker.id).u8(0).u8(0).u8(0).u8(0);
    put(0x0532, 2);
    if (worker.state == State::waiting || worker.state == State::unknown) {
        worker.readied = time_;
    }
}

/// A sample, and the kernel and user parts of its stack.
void Workload::sample() {
    const Worker& worker = workers_[processors_[processor_].worker];
    const std::uint64_t leaf = stove_base + 0x100 + 0x10 * random_.below(4);
    payload_.u64(leaf).u32(worker.id).u16(1).u16(0);
    put(0x0F2E, 2);
    ++sums_[worker.process].samples;
    if (worker.id == 0) {
        return;
    }
    const auto at = static_cast<std::uint64_t>(time_);
    payload_.u64(at).u32(process_id(worker.process)).u32(worker.id);
    payload_.u64(leaf).u64(stove_base + 0x500);
    put(0x1820, 2);
    payload_.u64(at).u32(process_id(worker.process)).u32(worker.id);
    payload_.u64(program_base + 0x100 + 0x20 * random_.below(8)).u64(program_base + 0x900);
    put(0x1820, 2);
}

void Workload::begin_read() {
    constexpr std::size_t max = 8;
    const std::size_t worker = processors_[processor_].worker;
    if (worker == 0 || reads_.size() >= max) {
        return sample();
    }
    constexpr std::uint32_t page = 4096;
    reads_.push_back({.request = next_request_,
                      .begin = time_,
                      .worker = worker,
                      .size = page * random_.between(1U, 16U)});
    next_request_ += 0x100;
    payload_.u64(reads_.back().request).u32(workers_[worker].id);
    put(0x010C, 3, process_id(workers_[worker].process), workers_[worker].id);
}

void Workload::end_read() {
    if (reads_.empty()) {
        return sample();
    }
    const Read read = reads_.front();
    reads_.pop_front();
    const auto elapsed = static_cast<std::uint64_t>(time_ - read.begin);
    payload_.u32(0).u32(0).u32(read.size).u32(0).u64(0).u64(0).u64(read.request).u64(elapsed);
    payload_.u32(workers_[read.worker].id);
    put(0x010A, 3);
    Sums& sums = sums_of(read.worker);
    ++sums.reads;
    sums.read_bytes += read.size;
    sums.elapsed += elapsed;
    sums.service += static_cast<std::uint64_t>(time_ - std::max(read.begin, last_completion_));
    last_completion_ = time_;
}

/// The next step of the garbage collection, on the processor of its thread.
void Workload::collect() {
    const std::size_t worker = processors_[processor_].worker;
    if (worker == 0 || (collection_ && collection_->worker != worker)) {
        return sample();
    }
    if (!collection_) {
        collection_ = Collection{.worker = worker, .begin = time_};
    }
    constexpr std::array<std::uint16_t, 4> steps{9, 8, 1, 3};
    const std::uint16_t id = steps[collection_->step++];
    if (id == 9) {
        payload_.u32(1).u32(0).u16(1);
    } else if (id == 1) {
        const auto count = static_cast<std::uint32_t>(sums_of(worker).collections + 1);
        payload_.u32(count).u32(0).u32(0).u32(0).u16(1);
    } else {
        payload_.u16(1);
    }
    put_clr(workers_[worker], id);
    sums_of(worker).collections += id == 1 ? 1U : 0U;
    if (id == 3) {
        ++sums_of(worker).pauses;
        sums_of(worker).pause += static_cast<std::uint64_t>(time_ - collection_->begin);
        collection_.reset();
    }
}

void Workload::put_clr(const Worker& worker, std::uint16_t id) {
    ++events_;
    format::EventRecord record;
    record.process_id = process_id(worker.process);
    record.thread_id = worker.id;
    record.time = time_;
    record.provider = format::dotnet_runtime_guid;
    record.descriptor.id = id;
    record.descriptor.version = 1;
    record.payload = payload_.view();
    static_cast<void>(writer_->add(record, processor_));
    payload_.clear();
}

std::string Workload::truth() {
    for (const Processor& processor : processors_) {
        if (processor.is_known) {
            sums_of(processor.worker).running +=
                static_cast<std::uint64_t>(time_ - processor.since);
        }
    }
    constexpr std::uint64_t tick = 100, sample_ns = 1'000'000;
    std::string text;
    for (std::size_t i = 0; i < std::size(programs); ++i) {
        const Sums& s = sums_[i];
        const std::string_view name = programs[i].process;
        text += fmt::format("cpu,{},{},{},{},{},{}\n", name, s.samples, s.samples * sample_ns,
                            s.running * tick, s.switches, s.ready * tick);
        if (i == 0) {
            continue;
        }
        text += fmt::format("waits,{},{},{},{}\n", name, s.waits, s.wait * tick, s.max_wait * tick);
        text += fmt::format("disk,{},{},{},{},{}\n", name, s.reads, s.read_bytes, s.elapsed * tick,
                            s.service * tick);
        text += fmt::format("gc,{},{},{},{}\n", name, s.collections, s.pauses, s.pause * tick);
    }
    return text;
}

} // namespace

Report write_workload(const Recipe& recipe, trace::Writer& writer, const Progress& progress) {
    Workload workload(recipe, writer);
    add_all(workload, recipe, progress);
    return {.events = workload.events(), .truth = workload.truth()};
}

} // namespace etl::generate
