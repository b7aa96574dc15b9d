// The processes of threads by time: of the events about threads, and of what other records state.
// Private to facts. docs/processes.md#threads
#pragma once

#include "base/function_ref.hpp"
#include "facts/facts.hpp"
#include "facts/tables/timeline.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::facts {

/// A thread was of a process at a time.
struct ThreadStatement {
    std::uint32_t thread = 0, process = 0;
    std::int64_t time = 0; // raw
};

/// Statements that follow each other and agree: the first and the last one count.
struct ThreadSpan {
    std::uint32_t thread = 0, process = 0;
    std::int64_t first = 0, last = 0;

    void add(const ThreadSpan& more) noexcept {
        first = std::min(first, more.first);
        last = std::max(last, more.last);
    }
};

/// Those of one buffer, in which the same threads come again and again.
class BufferSpans {
public:
    void add(const ThreadStatement& seen) {
        constexpr unsigned low_bits = 2; // thread IDs are multiples of four
        std::uint32_t& slot = slots_[seen.thread >> low_bits & (slots_.size() - 1)];
        if (slot != 0) {
            ThreadSpan& last = spans_[slot - 1];
            if (last.thread == seen.thread && last.process == seen.process) {
                last.add({seen.thread, seen.process, seen.time, seen.time});
                return;
            }
        }
        spans_.push_back({seen.thread, seen.process, seen.time, seen.time});
        slot = static_cast<std::uint32_t>(spans_.size());
    }

    const std::vector<ThreadSpan>& spans() const noexcept { return spans_; }

private:
    std::array<std::uint32_t, 64> slots_{}; // by thread: number of its span, from 1
    std::vector<ThreadSpan> spans_;
};

/// Those of a trace, in the order of its buffers.
class ThreadSpans {
public:
    /// False: there are `most` already.
    bool add(const ThreadSpan& seen, std::size_t most = std::numeric_limits<std::size_t>::max()) {
        if (const auto known = latest_.find(seen.thread); known != latest_.end()) {
            ThreadSpan& span = spans_[known->second];
            if (span.process == seen.process) {
                span.add(seen);
                return true;
            }
        }
        if (spans_.size() >= most) {
            return false;
        }
        latest_[seen.thread] = spans_.size();
        spans_.push_back(seen);
        return true;
    }

    /// Returns the first and the last statement of each span, by thread and time, and forgets them.
    std::vector<ThreadStatement> take() {
        std::vector<ThreadStatement> all;
        all.reserve(spans_.size() * 2);
        for (const ThreadSpan& span : spans_) {
            all.push_back({span.thread, span.process, span.first});
            if (span.last != span.first) {
                all.push_back({span.thread, span.process, span.last});
            }
        }
        *this = {};
        std::ranges::sort(all, {}, [](const ThreadStatement& one) {
            return std::tuple(one.thread, one.time, one.process);
        });
        return all;
    }

private:
    std::unordered_map<std::uint32_t, std::size_t> latest_; // by thread
    std::vector<ThreadSpan> spans_;
};

class ThreadLives {
public:
    /// Of an event about a thread; the value is its process.
    using Seen = Observation<std::uint32_t, std::uint32_t>;

    /// The time in which a thread ID was of one process.
    struct Life {
        std::uint32_t thread = 0, process = 0;
        std::int64_t begin = always, end = forever;
    };

    /// Returns the bounds of a process that existed at a time.
    using BoundsOf =
        FunctionRef<std::pair<std::int64_t, std::int64_t>(std::uint32_t process, std::int64_t)>;

    /// False: there are `most` already.
    bool add(const Seen& seen, std::size_t most = std::numeric_limits<std::size_t>::max());

    bool add(const ThreadSpan& span, std::size_t most = std::numeric_limits<std::size_t>::max()) {
        return spans_.add(span, most);
    }

    /// Turns everything into lives. Once, at the end.
    void build(BoundsOf bounds_of);

    /// By thread, then time; those of one thread do not overlap.
    std::span<const Life> lives() const noexcept { return lives_; }

    /// The last life of a thread that began by `time`, be it over or not; null: none.
    const Life* latest(std::uint32_t thread, std::int64_t time) const noexcept;

    /// The same, and the time in which it is the same.
    Thread around(std::uint32_t thread, std::int64_t time) const noexcept;

private:
    std::vector<Seen> seen_;
    bool is_full_ = false;
    ThreadSpans spans_;
    std::vector<Life> lives_;
};

} // namespace etl::facts
