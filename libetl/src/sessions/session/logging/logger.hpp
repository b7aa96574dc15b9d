// Logger: the thread of a session that takes full buffers to the file and to those who listen. It
// alone touches the file; others post requests and wait. docs/session-internals.md#logger
#pragma once

#include <etl/session.hpp>

#include "session/buffers/buffers.hpp"
#include "session/live/live_queue.hpp"
#include "trace/log_file.hpp"

#include <memory>

namespace etl::session {

struct LoggerPlan {
    SessionOptions options; // adopted
    trace::Recording recording;
    std::uint16_t session_id = 0;
    SessionObserver observer;
    /// Called by the logger thread, once, when the session cannot go on (file full, disk full): the
    /// runtime takes it out of all lists, as a stop would.
    std::function<void(Status why)> end_session;
    std::uint32_t real_time_timer = 1000; // ms, in real time without a flush timer
};

struct LoggerCounts {
    std::uint32_t buffers_written = 0, log_buffers_lost = 0, real_time_buffers_lost = 0;
    std::uint32_t thread_id = 0;
    std::string file; // of now; empty: none
};

class Logger {
public:
    /// Opens the file and writes its header buffer before the thread starts. A ring has no thread:
    /// its calls work in the caller's. Buffers and queue outlive it. Errors: of the file.
    static Outcome<std::unique_ptr<Logger>> start(LoggerPlan plan, Buffers& buffers,
                                                  LiveQueue& live);
    /// Does what stop() does, without waiting: a runtime that is destroyed calls it.
    ~Logger();

    /// Each returns when it is done. Errors: of the file, where the last buffers did not get into
    /// it; why the session ended by itself.
    Outcome<void> flush();
    Outcome<void> snapshot(const std::string& file); // ring
    Outcome<void> switch_to_next_file();
    Outcome<void> switch_to(const std::string& file);
    /// Ends the file and turns real time on. Consumers get what is written from then on.
    Outcome<void> switch_to_real_time();
    void set_flush_timer(std::uint32_t milliseconds); // 0: none, or as real time has it
    /// From now on buffers are delivered, and flushed by time; or not any more, and consumers get
    /// what was written so far, and their end.
    void set_real_time(bool is_real_time);
    /// Beside Buffers::set_maximum: how many full buffers are waited for depends on it.
    void set_maximum_buffers(std::uint32_t maximum) noexcept;

    /// After Buffers::close: writes all that is left, finishes the file, ends the live queue,
    /// joins.
    Outcome<void> stop();

    LoggerCounts counts() const;

    /// In the child of a fork: there is no thread. Forgets it; files are left as they are.
    void forget_in_child() noexcept;

private:
    struct State;
    explicit Logger(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_; // null: forgotten
};

} // namespace etl::session
