// One block, appended to a string: numbers are little-endian, options are padded, both lengths are
// set at the end. Private to pcapng.
#pragma once

#include "base/layout.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace etl::pcapng {

class BlockWriter {
public:
    BlockWriter(std::string& to, std::uint32_t type) : to_(&to), begin_(to.size()) {
        store_le(extend(head), type); // the length behind it is set by finish()
    }

    BlockWriter(const BlockWriter&) = delete;
    BlockWriter& operator=(const BlockWriter&) = delete;

    ~BlockWriter() { finish(); }

    template <typename T>
    void value(T number) {
        store_le<T>(extend(sizeof(T)), number);
    }

    /// The high and the low half, as times are stored.
    void halves(std::uint64_t number) {
        value(static_cast<std::uint32_t>(number >> 32U));
        value(static_cast<std::uint32_t>(number));
    }

    /// A fixed part and then data, followed by zeros up to a multiple of 4.
    template <std::size_t size>
    void fixed_and_padded(const std::array<std::byte, size>& fixed, Bytes data) {
        std::byte* const at = extend(size + padded_size(as_text(data)));
        std::memcpy(at, fixed.data(), size);
        store_padded(at + size, as_text(data));
    }

    /// Followed by zeros up to a multiple of 4.
    void padded(std::string_view bytes) { store_padded(extend(padded_size(bytes)), bytes); }

    void option(std::uint16_t code, std::string_view bytes) {
        has_options_ = true;
        std::byte* const at = extend(4 + padded_size(bytes));
        store_le(at, code);
        store_le(at + 2, static_cast<std::uint16_t>(bytes.size()));
        store_padded(at + 4, bytes);
    }

    void option(std::uint16_t code, Bytes bytes) { option(code, as_text(bytes)); }

    template <typename T>
    void number_option(std::uint16_t code, T number) {
        std::array<std::byte, sizeof(T)> bytes;
        store_le<T>(bytes.data(), number);
        option(code, Bytes(bytes));
    }

    /// Nothing if the text is empty; it ends at a NUL, and at the longest length.
    void text_option(std::uint16_t code, std::string_view text);

private:
    static constexpr std::size_t head = 8; // type and length

    static std::size_t padded_size(std::string_view bytes) noexcept {
        return (bytes.size() + 3) / 4 * 4;
    }

    /// The padded size is there.
    static void store_padded(std::byte* at, std::string_view bytes) noexcept {
        const std::size_t size = padded_size(bytes);
        if (size != 0) {
            store_le(at + size - 4, std::uint32_t{0}); // the padding, and what is overwritten
            std::memcpy(at, bytes.data(), bytes.size());
        }
    }

    /// Returns where the next bytes go, all of which must be set: they are not initialized.
    std::byte* extend(std::size_t size) {
        const std::size_t old = to_->size(), wanted = old + size;
        // Some libraries pass on the new capacity instead of the new size.
        to_->resize_and_overwrite(wanted, [&](char*, std::size_t) { return wanted; });
        return byte(old);
    }

    void finish() {
        const std::size_t end_of_options = has_options_ ? 4 : 0; // opt_endofopt: zeros
        std::byte* const at = extend(end_of_options + 4);
        const auto size = static_cast<std::uint32_t>(to_->size() - begin_);
        store_le(at, std::uint32_t{0});
        store_le(at + end_of_options, size);
        store_le(byte(begin_ + 4), size);
    }

    std::byte* byte(std::size_t offset) {
        return std::as_writable_bytes(std::span(*to_)).data() + offset;
    }

    std::string* to_;
    std::size_t begin_;
    bool has_options_ = false;
};

} // namespace etl::pcapng
