#include "session/providers/callbacks.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace etl::session {

namespace {

/// One that a slow callback holds up shall not hold up those of all other registrations.
constexpr std::size_t max_threads = 4;

thread_local unsigned depth = 0; // callbacks that the thread is in

void call(const EnableCallback& callback, Told told) noexcept {
    ++depth;
    told.notice.filter = told.filter.get();
    try {
        callback(told.notice);
        // They must not throw; if one does no controller can help it.
        // NOLINTNEXTLINE(bugprone-empty-catch)
    } catch (...) {
    }
    --depth;
}

} // namespace

class Callbacks::Line {
public:
    explicit Line(EnableCallback made_of) : callback(std::move(made_of)) {}

    const EnableCallback callback;
    // Under the lock of Callbacks.
    std::deque<Told> waiting;
    std::uint64_t posted = 0, done = 0;
    std::thread::id runner; // none: it does not run
    bool is_closed = false;

    bool is_running() const noexcept { return runner != std::thread::id(); }

    bool is_mine() const noexcept { return runner == std::this_thread::get_id(); }

    bool has_done(std::uint64_t number) const noexcept { return done >= number || is_closed; }
};

struct Callbacks::Shared {
    std::mutex mutex;
    std::condition_variable progress; // a callback has come back, or a line was closed
    std::condition_variable work;
    std::deque<std::shared_ptr<Line>> to_run;
    std::vector<std::thread> threads;
    std::size_t idle = 0;
    bool is_ending = false;

    /// Runs what waits until nothing does. Nobody else runs the line.
    void run_all(Line& line, std::unique_lock<std::mutex>& lock) {
        line.runner = std::this_thread::get_id();
        while (!line.waiting.empty()) {
            Told told = std::move(line.waiting.front());
            line.waiting.pop_front();
            lock.unlock();
            call(line.callback, std::move(told));
            lock.lock();
            ++line.done;
            progress.notify_all();
        }
        line.runner = {};
        progress.notify_all();
    }

    void serve() {
        std::unique_lock lock(mutex);
        for (;;) {
            ++idle;
            work.wait(lock, [this] { return is_ending || !to_run.empty(); });
            --idle;
            if (is_ending) {
                return;
            }
            const std::shared_ptr<Line> line = std::move(to_run.front());
            to_run.pop_front();
            if (!line->is_running()) { // else the one who does will go on
                run_all(*line, lock);
            }
        }
    }

    /// False: there is none, and none can be had.
    bool has_thread() {
        if (idle < to_run.size() && threads.size() < max_threads) {
            try {
                threads.emplace_back([this] { serve(); });
            } catch (const std::system_error&) {
                return !threads.empty();
            }
        }
        return true;
    }
};

Callbacks::Callbacks() : shared_(std::make_unique<Shared>()) {}

Callbacks::~Callbacks() {
    {
        const std::scoped_lock lock(shared_->mutex);
        shared_->is_ending = true;
        shared_->work.notify_all();
    }
    for (std::thread& thread : shared_->threads) {
        thread.join();
    }
}

std::shared_ptr<Callbacks::Line> Callbacks::make_line(EnableCallback callback) {
    return std::make_shared<Line>(std::move(callback));
}

Callbacks::Posted Callbacks::post(const std::shared_ptr<Line>& line, Told told) {
    const std::scoped_lock lock(shared_->mutex);
    if (!line->is_closed) {
        line->waiting.push_back(std::move(told));
        ++line->posted;
    }
    return {line, line->posted};
}

Callbacks::Posted Callbacks::latest(const std::shared_ptr<Line>& line) {
    const std::scoped_lock lock(shared_->mutex);
    return {line, line->posted};
}

void Callbacks::run(const Posted& posted, Waiting waiting) {
    Line& line = *posted.line;
    std::unique_lock lock(shared_->mutex);
    while (!line.has_done(posted.number)) {
        if (!line.is_running()) {
            shared_->run_all(line, lock);
            return;
        }
        if (line.is_mine() || waiting == Waiting::for_nobody) {
            return; // its turn comes when the one that runs has come back
        }
        shared_->progress.wait(lock);
    }
}

void Callbacks::run_elsewhere(const Posted& posted) {
    {
        const std::scoped_lock lock(shared_->mutex);
        if (posted.line->has_done(posted.number)) {
            return;
        }
        shared_->to_run.push_back(posted.line);
        if (shared_->has_thread()) {
            shared_->work.notify_one();
            return;
        }
        shared_->to_run.pop_back();
    }
    run(posted, Waiting::for_others);
}

bool Callbacks::wait(const Posted& posted, Deadline deadline) {
    std::unique_lock lock(shared_->mutex);
    return shared_->progress.wait_until(lock, deadline,
                                        [&] { return posted.line->has_done(posted.number); });
}

void Callbacks::close(const std::shared_ptr<Line>& line) {
    std::unique_lock lock(shared_->mutex);
    line->is_closed = true;
    line->waiting.clear();
    shared_->progress.notify_all();
    shared_->progress.wait(lock, [&] { return !line->is_running() || line->is_mine(); });
}

bool Callbacks::is_inside() noexcept {
    return depth != 0;
}

void Callbacks::before_fork() {
    shared_->mutex.lock();
}

void Callbacks::after_fork() {
    shared_->mutex.unlock();
}

void Callbacks::forget_in_child() noexcept {
    // Threads that are not there can neither be joined nor can conditions be destroyed that they
    // wait for; this thread may itself be inside a callback and come back to what it locked.
    Shared* const lost = shared_.release();
    lost->mutex.unlock();
    shared_ = std::make_unique<Shared>();
}

void Callbacks::forget(Line& line) noexcept {
    line.waiting.clear();
    if (!line.is_mine()) {
        line.runner = {};
    }
    line.posted = line.done + (line.is_running() ? 1 : 0);
}

} // namespace etl::session
