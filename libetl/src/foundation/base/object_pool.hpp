// Objects that the tasks of a TaskPool take in turn: one for each thread.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace etl {

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
