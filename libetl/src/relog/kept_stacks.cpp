#include "relog/kept_stacks.hpp"

#include <etl/relog/limits.hpp>

namespace etl::relog {

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
