#include "schema/schemas_by_trace.hpp"

#include <algorithm>

namespace etl::schema {

bool SchemasByTrace::set(std::uint32_t trace, std::uint16_t merged_input,
                         std::shared_ptr<const SchemaStore> own) {
    auto place = std::ranges::find(own_, own);
    if (place == own_.end()) {
        if (own_.size() == max_stores) {
            return false;
        }
        place = own_.insert(own_.end(), std::move(own));
    }
    numbers_.set(trace, merged_input, static_cast<std::uint32_t>(place - own_.begin() + 1));
    return true;
}

} // namespace etl::schema
