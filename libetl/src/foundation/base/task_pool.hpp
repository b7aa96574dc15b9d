// A fixed set of threads that start tasks in order of submission. The pool itself is not
// thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace etl {

class TaskPool {
public:
    /// Starts `threads` workers; with 0, submit runs the task immediately on the caller.
    explicit TaskPool(unsigned threads);
    TaskPool(const TaskPool&) = delete;
    TaskPool& operator=(const TaskPool&) = delete;
    /// Runs all submitted tasks, then joins.
    ~TaskPool();

    void submit(std::function<void()> task);

    /// Submits a task, and returns its result, or what it throws.
    template <typename Task>
    std::future<std::invoke_result_t<Task&>> start(Task task) {
        // Shared, because a std::function can be copied and a packaged_task cannot.
        auto shared =
            std::make_shared<std::packaged_task<std::invoke_result_t<Task&>()>>(std::move(task));
        auto result = shared->get_future();
        submit([shared] { (*shared)(); });
        return result;
    }

    /// Runs the next task on the calling thread, which would otherwise wait. Returns false if all
    /// submitted tasks are done or running.
    bool run_one();

    /// Waits for what one of the tasks returns, and runs others meanwhile.
    template <typename T>
    void wait(const std::future<T>& result) {
        while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready && run_one()) {
        }
        result.wait();
    }

    unsigned threads() const noexcept { return static_cast<unsigned>(workers_.size()); }

private:
    void work();
    std::function<void()> take_first(); // requires the lock and a task

    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<std::function<void()>> tasks_;
    bool stopping_ = false;
    std::vector<std::thread> workers_;
};

/// Returns the number of logical processors; at least 1.
unsigned hardware_threads() noexcept;

// Objects that the tasks of a TaskPool take in turn: one for each thread.

/// Thread-safe. At most as many objects may be in use as were added.
template <typename T>
class ObjectPool {
public:
    void add(std::unique_ptr<T> object) { give_back(std::move(object)); }

    /// An object in use; returned to the pool, which must outlive it, on destruction.
    class Lease {
    public:
        explicit Lease(ObjectPool& pool) : pool_(&pool), object_(pool.take()) {}

        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        ~Lease() { pool_->give_back(std::move(object_)); }

        T& operator*() const noexcept { return *object_; }

    private:
        ObjectPool* pool_;
        std::unique_ptr<T> object_;
    };

private:
    /// The one used last: a few large tasks make few objects large.
    std::unique_ptr<T> take() {
        const std::scoped_lock lock(mutex_);
        std::unique_ptr<T> object = std::move(free_.back());
        free_.pop_back();
        return object;
    }

    void give_back(std::unique_ptr<T> object) {
        const std::scoped_lock lock(mutex_);
        free_.push_back(std::move(object)); // within the capacity, except for new objects
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> free_;
};

} // namespace etl
