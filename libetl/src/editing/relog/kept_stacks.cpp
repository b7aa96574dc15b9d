#include "relog/kept_stacks.hpp"

#include "relog/limits.hpp"

namespace etl::relog {

void AwaitedUserParts::add(std::uint32_t thread, std::int64_t time) {
    full_ = full_ || times_.size() >= limits::kept_stack_keys;
    if (!full_) {
        times_.try_emplace(thread, time);
    }
}

bool AwaitedUserParts::take(std::uint32_t thread, std::int64_t time) {
    const auto awaited = times_.find(thread);
    if (awaited == times_.end()) {
        return full_;
    }
    const bool is_it = time >= awaited->second;
    if (is_it) {
        times_.erase(awaited);
    }
    return is_it;
}

void NamedKeys::add(std::uint64_t key) {
    if (full_) {
        return;
    }
    if (keys_.size() >= limits::kept_stack_keys) {
        full_ = true;
        keys_ = {};
        return;
    }
    keys_.insert(key);
}

} // namespace etl::relog
