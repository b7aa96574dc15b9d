// A fixed set of threads that run tasks in the order given. The pool itself belongs to one thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace etl {

class TaskPool {
public:
    /// Starts `threads` workers; 0 means that submit runs the task at once on the caller.
    explicit TaskPool(unsigned threads);
    TaskPool(const TaskPool&) = delete;
    TaskPool& operator=(const TaskPool&) = delete;
    /// Runs what was submitted, then joins.
    ~TaskPool();

    void submit(std::function<void()> task);

    /// Runs the task that is next in line on the caller, who would only wait otherwise. False:
    /// there is none; all that were submitted are done or being run.
    bool run_one();

    unsigned threads() const noexcept { return static_cast<unsigned>(workers_.size()); }

private:
    void work();
    std::function<void()> take_first(); // the caller holds the lock, and there is one

    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<std::function<void()>> tasks_;
    bool stopping_ = false;
    std::vector<std::thread> workers_;
};

/// How many threads this machine runs at once; at least 1.
unsigned hardware_threads() noexcept;

} // namespace etl
