// State between events: requests of disks and files, and when threads ran. Private to dumper.
#pragma once

#include "base/interval.hpp"
#include "dumper/limits.hpp"
#include "flow/event.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::dumper {

/// A file request, or one of a disk, from its beginning to its end.
struct Request {
    std::int64_t time = 0;
    std::uint64_t object = 0, key = 0; // of the file
    std::uint32_t process = 0xFFFFFFFF, thread = 0xFFFFFFFF;
    std::string_view kind{};
};

/// Requests by the address of their IRP. Beyond the limit, requests are not found when they end.
class Requests {
public:
    void begin(std::uint64_t irp, const Request& request) {
        if (open_.size() < limits::requests || open_.contains(irp)) {
            open_[irp] = request;
        }
    }

    std::optional<Request> end(std::uint64_t irp) {
        const auto found = open_.find(irp);
        if (found == open_.end()) {
            return {};
        }
        const Request request = found->second;
        open_.erase(found);
        return request;
    }

private:
    std::unordered_map<std::uint64_t, Request> open_;
};

/// The latest completion on each disk.
class Disks {
public:
    /// Returns the part of `elapsed` ticks that is not time in the queue. docs/analysis.md#disk
    std::uint64_t complete(std::uint64_t disk, std::int64_t time, std::uint64_t elapsed);

private:
    std::unordered_map<std::uint64_t, std::int64_t> last_;
};

/// What a context switch says with those before it. In ticks.
struct SwitchTimes {
    std::optional<std::uint64_t> since_switched_out, ready, switched_in;
};

/// The times at which threads ran, and were ready. docs/analysis.md#waits
class Switches {
public:
    SwitchTimes add(std::uint16_t processor, std::uint32_t next, std::uint32_t old,
                    bool old_is_ready, std::int64_t time);

    void make_ready(std::uint32_t thread, std::int64_t time);

    /// An interrupt ended. The time that the thread ran is without it.
    void interrupt(std::uint16_t processor, const Interval& interrupt);

    /// A thread started, and has not run yet.
    void start(std::uint32_t thread, std::int64_t time);

private:
    struct Thread {
        std::optional<std::int64_t> left;  // when it was switched out, or started
        std::optional<std::int64_t> ready; // since when
        bool is_preempted = false;         // ready without having waited
    };

    struct Processor {
        std::uint32_t thread = 0xFFFFFFFF;
        std::int64_t since = 0;
        std::vector<Interval> interrupts{}; // since then, none inside of another
        std::uint64_t interrupted = 0;      // by further ones
    };

    Thread* state_of(std::uint32_t thread);

    std::unordered_map<std::uint32_t, Thread> threads_;
    std::vector<Processor> processors_;
};

/// The subject of an event, and what earlier events recorded about it.
struct Subject {
    std::uint32_t process = flow::no_id, thread = flow::no_id;
    SwitchTimes times{};
    std::optional<Request> request{};            // that ends
    std::optional<std::uint64_t> service{};      // ticks
    std::optional<std::uint64_t> thread_start{}; // address
};

} // namespace etl::dumper
