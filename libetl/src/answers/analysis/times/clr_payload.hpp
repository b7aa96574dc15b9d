// Payloads of events of the .NET runtime. Private to analysis. docs/analysis.md#gc
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <optional>

namespace etl::analysis {

/// Fields at known places; nothing: the payload ends before it.
class ClrPayload {
public:
    explicit ClrPayload(Bytes bytes) : bytes_(bytes) {}

    template <typename T>
    std::optional<std::uint64_t> at(std::size_t offset) const noexcept {
        return has_range(bytes_, offset, sizeof(T))
                   ? std::optional<std::uint64_t>(load_le<T>(bytes_.data() + offset))
                   : std::nullopt;
    }

    /// The last two bytes.
    std::optional<std::uint64_t> last16() const noexcept {
        return bytes_.size() >= 2 ? at<std::uint16_t>(bytes_.size() - 2) : std::nullopt;
    }

    /// The offset of what follows a UTF-16 text.
    std::size_t after_text(std::size_t offset) const noexcept {
        while (const auto unit = at<std::uint16_t>(offset)) {
            offset += 2;
            if (*unit == 0) {
                break;
            }
        }
        return offset;
    }

private:
    Bytes bytes_;
};

} // namespace etl::analysis
