// A forward reader of variable data with sticky failure: after the first read beyond the end, all
// reads return zero or empty, and error() describes the failure. A value; not thread-safe.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>

#include "base/layout.hpp"

namespace etl {

class Cursor {
public:
    /// Reads from `bytes`, which are at `where` in the file.
    explicit constexpr Cursor(Bytes bytes, FileOffset where = {}) noexcept
        : bytes_(bytes), where_(where) {}

    constexpr std::uint8_t u8(const char* what) noexcept { return value<std::uint8_t>(what); }

    constexpr std::uint16_t u16(const char* what) noexcept { return value<std::uint16_t>(what); }

    constexpr std::uint32_t u32(const char* what) noexcept { return value<std::uint32_t>(what); }

    constexpr std::uint64_t u64(const char* what) noexcept { return value<std::uint64_t>(what); }

    constexpr Guid guid(const char* what) noexcept { return value<Guid>(what); }

    /// Reads a pointer of 4 or 8 bytes.
    constexpr std::uint64_t pointer(const char* what, unsigned size) noexcept {
        return size == 4 ? u32(what) : u64(what);
    }

    /// Returns the next `size` bytes as a view.
    constexpr Bytes bytes(const char* what, std::size_t size) noexcept {
        if (size > left()) {
            lose(what, size);
            return {};
        }
        const Bytes view = bytes_.subspan(at_, size);
        at_ += size;
        return view;
    }

    /// Returns the 8-bit characters up to a NUL, which is consumed but not part of the view.
    constexpr Bytes zero_terminated8(const char* what) noexcept {
        for (std::size_t end = at_; end < bytes_.size(); ++end) {
            if (bytes_[end] == std::byte{0}) {
                const Bytes view = bytes_.subspan(at_, end - at_);
                at_ = end + 1;
                return view;
            }
        }
        lose(what, left() + 1);
        return {};
    }

    /// Returns the UTF-16 units up to a NUL unit, which is consumed but not part of the view.
    constexpr Bytes zero_terminated16(const char* what) noexcept {
        for (std::size_t end = at_; bytes_.size() - end >= 2; end += 2) {
            if (bytes_[end] == std::byte{0} && bytes_[end + 1] == std::byte{0}) {
                const Bytes view = bytes_.subspan(at_, end - at_);
                at_ = end + 2;
                return view;
            }
        }
        lose(what, left() + 2);
        return {};
    }

    constexpr std::size_t position() const noexcept { return at_; }

    constexpr std::size_t left() const noexcept { return bytes_.size() - at_; }

    constexpr bool is_at_end() const noexcept { return left() == 0; }

    constexpr explicit operator bool() const noexcept { return error_.code == ErrorCode::none; }

    constexpr const Error& error() const noexcept { return error_; }

private:
    template <typename T>
    constexpr T value(const char* what) noexcept {
        if (sizeof(T) > left()) {
            lose(what, sizeof(T));
            return T{};
        }
        const T result = load_le<T>(bytes_.data() + at_);
        at_ += sizeof(T);
        return result;
    }

    constexpr void lose(const char* what, std::size_t need) noexcept {
        if (error_.code == ErrorCode::none) {
            error_ = {ErrorCode::truncated, what, where_ + at_, need, left(), 0};
        }
        at_ = bytes_.size();
    }

    Bytes bytes_;
    std::size_t at_ = 0;
    FileOffset where_;
    Error error_{};
};

} // namespace etl
