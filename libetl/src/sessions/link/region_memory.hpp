// RegionMemory: a region as mapped by either side: the page of counters, and each ring twice, one
// mapping after the other, so that no record has to wrap.
#pragma once

#include "base/result.hpp"
#include "host/shared_memory.hpp"
#include "link/ring/region.hpp"

#include <vector>

namespace etl::link {

class RegionMemory {
public:
    /// Errors: io_failure.
    static Result<RegionMemory> map(const host::Descriptor& memory, const RegionShape& shape);

    RegionHeader& header() const noexcept;

    std::byte* ring(std::size_t stripe) const noexcept { return rings_[stripe].data(); }

    const RegionShape& shape() const noexcept { return shape_; }

private:
    RegionShape shape_;
    host::Mapping header_;
    std::vector<host::Mapping> rings_;
};

} // namespace etl::link
