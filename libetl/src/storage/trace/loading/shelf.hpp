// Objects whose memory is used again.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace etl::trace {

/// Objects that nobody holds any more. `T::put_away()` lets go of what an object keeps alive, and
/// returns false if its own memory is too large to be kept. Any thread.
template <typename T>
class Shelf : public std::enable_shared_from_this<Shelf<T>> {
public:
    /// An object that comes back here when its last holder lets go.
    std::shared_ptr<T> take() {
        std::unique_ptr<T> object;
        {
            const std::scoped_lock lock(mutex_);
            if (!free_.empty()) {
                object = std::move(free_.back());
                free_.pop_back();
            }
        }
        if (!object) {
            object = std::make_unique<T>();
            const std::scoped_lock lock(mutex_);
            free_.reserve(++made_); // so that put() needs no memory
        }
        return {object.release(), [shelf = this->shared_from_this()](T* done) {
                    shelf->put(std::unique_ptr<T>(done));
                }};
    }

private:
    void put(std::unique_ptr<T> object) {
        if (object->put_away()) {
            const std::scoped_lock lock(mutex_);
            free_.push_back(std::move(object));
        }
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> free_;
    std::size_t made_ = 0; // objects so far
};

} // namespace etl::trace
