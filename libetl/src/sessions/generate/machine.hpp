// A synthetic machine with a traced kernel: processes that start and end, threads, scheduling.
// Payloads are those of 32- or 64-bit Windows 10. One thread.
#pragma once

#include <etl/byte_writer.hpp>

#include "generate/generate.hpp"
#include "generate/random.hpp"

#include <deque>
#include <vector>

namespace etl::generate {

/// A kernel event. The payload is stored separately.
struct KernelEvent {
    std::uint16_t hook_id = 0; // group << 8 | type
    std::uint8_t version = 0;
};

struct Thread {
    std::uint32_t process_id = 0, thread_id = 0;
};

class Machine {
public:
    Machine(const Recipe& recipe, Random random);

    /// The thread that runs on a processor.
    const Thread& running(std::uint16_t processor) const noexcept {
        return threads_[running_[processor]];
    }

    /// The rundown of processes, threads, and images at the start of a session; false if it is
    /// complete.
    bool next_of_rundown(KernelEvent& event, ByteWriter& payload);

    /// A process, thread, image or file name.
    KernelEvent system(ByteWriter& payload);
    /// A disk read or write.
    KernelEvent disk(std::uint16_t processor, ByteWriter& payload);
    /// A sample, a context switch, or a DPC. Context switches change the running thread.
    KernelEvent perfinfo(std::uint16_t processor, std::int64_t time, ByteWriter& payload);
    KernelEvent sample(std::uint16_t processor, ByteWriter& payload);
    /// The stack of the event on `processor` at `event_time`.
    KernelEvent stack(std::uint16_t processor, std::int64_t event_time, ByteWriter& payload);

private:
    struct Process {
        std::uint32_t id = 0;
        std::uint64_t name = 0; // number of its word
        bool is_alive = true;
    };

    struct Object {
        enum class What : std::uint8_t { process, thread, image };
        What what;
        std::size_t number;
    };

    enum class Life : std::uint8_t { start = 1, end = 2, rundown = 3 };

    KernelEvent process(Life life, const Process& process, ByteWriter& payload);
    KernelEvent thread(Life life, const Thread& thread, ByteWriter& payload);
    KernelEvent image(Life life, std::size_t process, ByteWriter& payload);
    KernelEvent file_name(ByteWriter& payload);
    void pointer(ByteWriter& to, std::uint64_t value) const;
    std::uint64_t user_code(std::size_t process) const noexcept;
    std::uint64_t kernel_code() noexcept;

    const Recipe* recipe_;
    Random random_;
    std::vector<Process> processes_;
    std::vector<Thread> threads_;
    std::vector<std::size_t> running_; // by processor: number of the thread
    std::deque<Object> rundown_;
    std::uint32_t next_process_id_ = 0;
};

} // namespace etl::generate
