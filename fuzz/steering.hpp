// The bytes of a fuzzer as choices. Used by fuzz targets that make their own input.
#pragma once

#include <etl/bytes.hpp>

#include <algorithm>

namespace etl::fuzz {

/// Bytes that are taken from the front; zeros after their end.
class Steering {
public:
    explicit Steering(Bytes bytes) noexcept : bytes_(bytes) {}

    bool more() const noexcept { return !bytes_.empty(); }

    unsigned next() noexcept {
        const Bytes byte = take(1);
        return byte.empty() ? 0 : std::to_integer<unsigned>(byte[0]);
    }

    Bytes take(std::size_t size) noexcept {
        const Bytes taken = bytes_.first(std::min(size, bytes_.size()));
        bytes_ = bytes_.subspan(taken.size());
        return taken;
    }

private:
    Bytes bytes_;
};

} // namespace etl::fuzz
