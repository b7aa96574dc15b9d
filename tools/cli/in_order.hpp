// Independent parts of the work of a verb, done by several threads, whose output is written in
// order. For --jobs.
#pragma once

#include "base/function_ref.hpp"
#include "base/output.hpp"
#include "base/task_pool.hpp"
#include "cli/option_values.hpp"
#include "cli/verb.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// --jobs. `jobs` must outlive `verb`.
inline void add_jobs(Verb& verb, unsigned& jobs) {
    constexpr unsigned max_jobs = 1024;
    verb.add_option("--jobs", jobs,
                    "read N files at the same time; the output is the same (default: 1)")
        ->check(in_range(1U, max_jobs))
        ->type_name("N");
}

/// The output of all parts. Text of a part is written at once when the parts before it have ended,
/// and kept until then. Thread-safe.
class PartsInOrder {
public:
    /// `to` must outlive this object. `is_over` is called between writes: whether more is needed.
    PartsInOrder(etl::Output& to, etl::FunctionRef<bool()> is_over) : to_(&to), is_over_(is_over) {}

    /// Begins a part. Parts begin about in order: this waits if the first one that has not ended
    /// is `parts_ahead` behind.
    void begin(std::size_t part) {
        std::unique_lock lock(mutex_);
        turn_changes_.wait(lock, [&] { return part < turn_ + parts_ahead; });
        begun_.try_emplace(part);
    }

    /// Waits for the turn of the part rather than keep more than `kept_bytes`. Errors: the first
    /// failure of the output.
    etl::Result<void> write(std::size_t part, std::string_view bytes) {
        std::unique_lock lock(mutex_);
        if (part != turn_) {
            std::string& text = begun_.find(part)->second.text;
            if (text.size() + bytes.size() <= kept_bytes) {
                text.append(bytes);
                return outcome_;
            }
            turn_changes_.wait(lock, [&] { return part == turn_; });
        }
        put(bytes);
        return outcome_;
    }

    void end(std::size_t part) {
        const std::scoped_lock lock(mutex_);
        begun_.find(part)->second.has_ended = true;
        for (auto at = begun_.begin();
             at != begun_.end() && at->first == turn_ && at->second.has_ended;) {
            at = begun_.erase(at);
            ++turn_;
            if (at != begun_.end() && at->first == turn_) {
                put(at->second.text);
                at->second.text.clear();
            }
        }
        turn_changes_.notify_all();
    }

    bool is_over() {
        const std::scoped_lock lock(mutex_);
        return !outcome_ || is_over_();
    }

    /// Errors: the first failure of the output.
    etl::Result<void> outcome() const { return outcome_; }

private:
    static constexpr std::size_t kept_bytes = 1U << 20U; // of each part that waits
    static constexpr std::size_t parts_ahead = 256;

    struct Waiting {
        std::string text;
        bool has_ended = false;
    };

    void put(std::string_view bytes) {
        if (outcome_ && !bytes.empty()) {
            outcome_ = to_->write(bytes);
        }
    }

    etl::Output* to_;
    etl::FunctionRef<bool()> is_over_;
    std::mutex mutex_;
    std::condition_variable turn_changes_;
    std::size_t turn_ = 0;                 // the first part that has not ended
    std::map<std::size_t, Waiting> begun_; // and not ended, or not written
    etl::Result<void> outcome_;
};

/// The output of one part, which ends with this object.
class Part final : public etl::Output {
public:
    Part(PartsInOrder& all, std::size_t number) : all_(&all), number_(number) {
        all_->begin(number);
    }

    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    ~Part() override { all_->end(number_); }

    etl::Result<void> write(std::string_view bytes) override { return all_->write(number_, bytes); }

private:
    PartsInOrder* all_;
    std::size_t number_;
};

/// Calls `work` for the numbers below `count` on `jobs` threads, the caller's among them, until
/// `is_over` or the output fails. An exception reaches the caller after all threads have ended.
/// Errors: the first failure of the output.
inline etl::Result<void>
for_each_in_order(std::size_t count, unsigned jobs, etl::Output& to,
                  etl::FunctionRef<bool()> is_over,
                  etl::FunctionRef<void(std::size_t number, etl::Output& output)> work) {
    PartsInOrder parts(to, is_over);
    std::atomic<std::size_t> next = 0;
    const auto run = [&] {
        for (std::size_t number = next++; number < count; number = next++) {
            Part part(parts, number);
            if (!parts.is_over()) {
                work(number, part);
            }
        }
    };
    std::vector<std::future<void>> others;
    {
        const std::size_t threads = std::min<std::size_t>(jobs, count);
        etl::TaskPool pool(static_cast<unsigned>(std::max<std::size_t>(threads, 1) - 1));
        for (unsigned i = 0; i < pool.threads(); ++i) {
            others.push_back(pool.start(run));
        }
        run();
    }
    for (std::future<void>& each : others) {
        each.get();
    }
    return parts.outcome();
}

} // namespace cli
