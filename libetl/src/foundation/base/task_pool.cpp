#include "base/task_pool.hpp"

#include <algorithm>
#include <system_error>

namespace etl {

TaskPool::TaskPool(unsigned threads) {
    workers_.reserve(threads);
    try {
        for (unsigned i = 0; i < threads; ++i) {
            workers_.emplace_back([this] { work(); });
        }
        // NOLINTNEXTLINE(bugprone-empty-catch): fewer threads are an answer
    } catch (const std::system_error&) {
        // The system gives no more threads: those that run, or the caller alone, do the work.
    }
}

TaskPool::~TaskPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    ready_.notify_all();
    for (std::thread& worker : workers_) {
        worker.join();
    }
}

void TaskPool::submit(std::function<void()> task) {
    if (workers_.empty()) {
        task();
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    ready_.notify_one();
}

std::function<void()> TaskPool::take_first() {
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
}

bool TaskPool::run_one() {
    std::function<void()> task;
    {
        const std::lock_guard lock(mutex_);
        if (tasks_.empty()) {
            return false;
        }
        task = take_first();
    }
    task();
    return true;
}

void TaskPool::work() {
    while (true) {
        std::function<void()> task;
        {
            std::unique_lock lock(mutex_);
            ready_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
            if (tasks_.empty()) {
                return;
            }
            task = take_first();
        }
        task();
    }
}

unsigned hardware_threads() noexcept {
    return std::max(1U, std::thread::hardware_concurrency());
}

} // namespace etl
