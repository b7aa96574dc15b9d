// Logger::State: what the logger thread works on, and what those who control it leave for it.
// docs/session-internals.md#logger
#pragma once

#include "session/logging/log_output.hpp"
#include "session/logging/logger.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace etl::session {

inline constexpr const char* ended_by_itself = "the session has ended on its own";

struct Logger::State {
    using Clock = std::chrono::steady_clock;

    State(LoggerPlan chosen, Buffers& session_buffers, LiveQueue& queue);

    // Controllers.

    /// What a controller wants done; on its stack until it is.
    struct Request {
        enum class What : std::uint8_t {
            flush,
            switch_to_next_file,
            switch_to,
            switch_to_real_time,
            real_time_on,
            real_time_off,
            wake,
            stop
        };

        What what = What::flush;
        std::string file;
        // Guarded by mutex.
        Request* next = nullptr; // behind it
        Outcome<void> outcome{};
        bool is_done = false;
    };

    Outcome<void> open();
    Outcome<void> start_thread();
    Outcome<void> ask(Request::What what, const std::string& file = {});
    Outcome<void> write_ring(const std::string& file);
    LoggerCounts counts_now() const;

    // The logger thread; of a ring, the caller.

    void run();
    void pass();
    void wait_for_stop();
    bool write_full(std::uint32_t most);
    void write_rest();
    bool write(const ClosedBuffer& closed, std::uint16_t flags);
    bool deliver(const ClosedBuffer& closed, std::int64_t sequence);
    void tell_refusal();
    std::uint16_t tell_lost_events();
    Outcome<void> flush_round();
    void serve();
    Outcome<void> serve(const Request& request);
    Outcome<void> stop_now();
    Outcome<void> judge();
    void turn_real_time(bool on);
    void publish();
    std::optional<std::int64_t> until_due() const;

    LoggerPlan plan;
    Buffers& buffers;
    LiveQueue& live;
    LogOutput output;
    const bool is_ring;

    std::atomic<std::uint32_t> threshold; // full buffers that are waited for
    std::atomic<bool> is_real_time;
    std::atomic<std::uint32_t> flush_timer; // ms; 0: as real time has it

    mutable std::mutex mutex;
    std::condition_variable done;  // a request is
    std::condition_variable asked; // there is a request
    // Guarded by it.
    Request* first_request = nullptr;
    Request* last_request = nullptr;
    std::optional<Status> ended; // the session cannot go on: nobody waits any more
    LoggerCounts counts;

    // The logger thread's own.
    std::int64_t next_sequence = 1;
    std::uint64_t lost_events_told = 0;
    std::uint64_t delivered = 0; // buffers that are in no file, but with consumers
    std::uint64_t real_time_lost = 0;
    std::uint64_t refusals_told = 0;
    bool was_delivery_lost = false;
    bool has_stopped = false;
    bool was_end_told = false;
    std::uint32_t id_of_thread = 0;
    Clock::time_point last_round;

    std::thread thread;
};

} // namespace etl::session
