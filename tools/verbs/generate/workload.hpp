// A small machine at work, for tests of `etl cpu` and the other tables: context switches, waits,
// samples with stacks, disk reads, garbage collections. It counts what it does, by definitions of
// its own. One thread. docs/generate.md#workload
#pragma once

#include <etl/byte_writer.hpp>

#include "trace/writer.hpp"
#include "verbs/generate/random.hpp"
#include "verbs/generate/recipe.hpp"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace cli::generate {

class Workload {
public:
    /// Payloads are those of 64-bit Windows.
    Workload(const Recipe& recipe, etl::trace::Writer& writer);

    /// Writes the next event; false if the trace is complete.
    bool next();

    double done() const noexcept;

    std::uint64_t events() const noexcept { return events_; }

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
    void put(std::uint16_t hook, std::uint8_t version,
             std::uint32_t process = etl::format::unknown_id,
             std::uint32_t thread = etl::format::unknown_id);
    void put_clr(const Worker& worker, std::uint16_t id);

    Sums& sums_of(std::size_t worker) { return sums_[workers_[worker].process]; }

    const Recipe* recipe_;
    etl::trace::Writer* writer_;
    Random random_;
    etl::ByteWriter payload_;
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

} // namespace cli::generate
