// The processes of threads by time: of the events about threads, and of what other records state.
// Private to facts. docs/processes.md#threads
#pragma once

#include "base/function_ref.hpp"
#include "facts/facts.hpp"
#include "facts/tables/thread_spans.hpp"
#include "facts/tables/timeline.hpp"

#include <span>
#include <utility>

namespace etl::facts {

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
