// Bytes with an owner, whoever that is. A value; thread-safe as far as the bytes are.
#pragma once

#include <etl/bytes.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace etl {

class SharedBytes {
public:
    SharedBytes() = default;

    SharedBytes(std::vector<std::byte> bytes) { // NOLINT(google-explicit-constructor)
        const auto kept = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
        bytes_ = *kept;
        owner_ = kept;
    }

    /// `bytes` are valid as long as `owner`.
    SharedBytes(Bytes bytes, std::shared_ptr<const void> owner)
        : bytes_(bytes), owner_(std::move(owner)) {}

    operator Bytes() const noexcept { return bytes_; } // NOLINT(google-explicit-constructor)

    Bytes view() const noexcept { return bytes_; }

    std::size_t size() const noexcept { return bytes_.size(); }

private:
    Bytes bytes_;
    std::shared_ptr<const void> owner_;
};

} // namespace etl
