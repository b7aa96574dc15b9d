// Numbers in network order. One thread.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace cli::generate {

class NetworkBytes {
public:
    NetworkBytes& u8(std::uint32_t value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }

    NetworkBytes& u16(std::uint32_t value) { return u8(value >> 8U & 0xFFU).u8(value & 0xFFU); }

    NetworkBytes& u32(std::uint32_t value) { return u16(value >> 16U).u16(value & 0xFFFFU); }

    NetworkBytes& bytes(etl::Bytes more) {
        bytes_.insert(bytes_.end(), more.begin(), more.end());
        return *this;
    }

    NetworkBytes& text(std::string_view more) { return bytes(std::as_bytes(std::span(more))); }

    std::size_t size() const noexcept { return bytes_.size(); }

    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

} // namespace cli::generate
