// Checksums of files of this project.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>

namespace etl {

/// FNV-1a, 64 bits: it finds files that changed or are damaged, not those that are forged.
class Checksum {
public:
    void add(Bytes bytes) noexcept {
        for (const std::byte byte : bytes) {
            value_ = (value_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3U;
        }
    }

    std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

inline std::uint64_t checksum_of(Bytes bytes) noexcept {
    Checksum checksum;
    checksum.add(bytes);
    return checksum.value();
}

} // namespace etl
