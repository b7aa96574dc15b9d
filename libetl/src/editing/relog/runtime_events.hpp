// The last event of the .NET runtime on each thread: what to do with the stack that the runtime
// logs for it. Private to relog. One thread; memory does not grow with the trace.
#pragma once

#include "flow/context.hpp"
#include "relog/limits.hpp"

#include <map>
#include <optional>

namespace etl::relog {

template <typename Value>
class RuntimeEvents {
public:
    /// An event of a runtime: a stack that follows on its thread is its own.
    void add(const flow::Event& event, const Value& value) {
        if (last_.size() >= limits::kept_runtime_threads) {
            last_.clear();
            has_forgotten_ = true;
        }
        last_.insert_or_assign(flow::runtime_thread_of(event), value);
    }

    /// Returns the value of the event that a stack belongs to, which has no further one.
    std::optional<Value> take(const flow::Event& stack) {
        const auto node = last_.extract(flow::runtime_thread_of(stack));
        return node ? std::optional(node.mapped()) : std::nullopt;
    }

    /// Whether events were forgotten because of too many threads.
    bool has_forgotten() const noexcept { return has_forgotten_; }

private:
    std::map<flow::RuntimeThread, Value> last_;
    bool has_forgotten_ = false;
};

} // namespace etl::relog
