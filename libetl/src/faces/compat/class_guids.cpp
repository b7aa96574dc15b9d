#include "compat/class_guids.hpp"

namespace etl::compat {

std::uintptr_t ClassGuids::add(const Guid& guid) {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < owned_.size(); ++i) {
        if (owned_[i].guid == guid) {
            return i + 1;
        }
    }
    if (owned_.size() == most) {
        return 0;
    }
    ClassGuid& made = owned_.emplace_back();
    made.guid = guid;
    places_[owned_.size() - 1].store(&made, std::memory_order_release);
    return owned_.size();
}

} // namespace etl::compat
