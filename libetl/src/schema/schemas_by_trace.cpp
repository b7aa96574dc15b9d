#include <etl/schema/schemas_by_trace.hpp>

#include <algorithm>

namespace etl::schema {

bool SchemasByTrace::set(std::uint32_t trace, std::shared_ptr<const SchemaStore> own) {
    auto place = std::ranges::find(own_, own);
    if (place == own_.end()) {
        if (own_.size() == max_stores) {
            return false;
        }
        place = own_.insert(own_.end(), std::move(own));
    }
    if (numbers_.size() <= trace) {
        numbers_.resize(trace + std::size_t{1});
    }
    numbers_[trace] = static_cast<std::uint16_t>(place - own_.begin() + 1);
    return true;
}

} // namespace etl::schema
