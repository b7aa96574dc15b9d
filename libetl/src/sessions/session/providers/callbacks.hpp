// Callbacks: who is told that a provider was enabled, in which thread, and who waits for it. The
// callback of a registration runs once at a time, in the order in which things happened. Any
// thread; a lock of its own, below that of Registrations, never held while a callback runs.
// docs/session-internals.md#callbacks
#pragma once

#include <etl/session.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace etl::session {

/// A notice that waits for its turn.
struct Told {
    EnableNotification notice; // its filter is the one below
    std::shared_ptr<const Filter> filter;
};

class Callbacks {
public:
    /// What waits for the callback of one registration.
    class Line;

    struct Posted {
        std::shared_ptr<Line> line;
        std::uint64_t number = 0; // how many were posted to that line so far
    };

    Callbacks();
    Callbacks(const Callbacks&) = delete;
    Callbacks& operator=(const Callbacks&) = delete;
    /// Waits for callbacks that run in the threads of this.
    ~Callbacks();

    static std::shared_ptr<Line> make_line(EnableCallback callback);

    /// Takes its turn. Somebody must see to it that it runs: one of the following.
    Posted post(const std::shared_ptr<Line>& line, Told told);

    /// What was posted last.
    Posted latest(const std::shared_ptr<Line>& line);

    /// Runs it, and what waits in front of it, in this thread. Where another thread does that
    /// already: waits, unless `waiting` says to leave it to that one.
    enum class Waiting : std::uint8_t { for_others, for_nobody };
    void run(const Posted& posted, Waiting waiting);

    /// Has a thread of ours run it.
    void run_elsewhere(const Posted& posted);

    using Deadline = std::chrono::steady_clock::time_point;
    /// False: the deadline has come first.
    bool wait(const Posted& posted, Deadline deadline);

    /// Nothing of it runs any more when this returns, unless this is called from its callback.
    void close(const std::shared_ptr<Line>& line);

    /// In a callback of the calling thread.
    static bool is_inside() noexcept;

    void before_fork();
    void after_fork();
    /// In place of after_fork: threads are gone, nobody waits. Lines made before are not to be used
    /// but through forget.
    void forget_in_child() noexcept;
    /// What waits in a line is dropped.
    static void forget(Line& line) noexcept;

private:
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

} // namespace etl::session
