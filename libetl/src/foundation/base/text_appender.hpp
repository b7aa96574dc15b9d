// Appends many small pieces to a string with a single capacity check. Not thread-safe; a local
// object, for the duration of one write.
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include "base/hex_pairs.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstring>
#include <string>
#include <string_view>

namespace etl {

/// Appends to a string. During its lifetime the string has its full capacity as length and must not
/// be accessed otherwise, except through append_with(). Functions named put require an earlier
/// reserve(); the others reserve space themselves.
class TextAppender {
public:
    explicit TextAppender(std::string& to) : to_(&to) { open(to.size(), 0); }

    TextAppender(const TextAppender&) = delete;
    TextAppender& operator=(const TextAppender&) = delete;

    ~TextAppender() { close(); }

    /// Reserves space for `max` more characters.
    void reserve(std::size_t max) {
        if (static_cast<std::size_t>(end_ - at_) < max) [[unlikely]] {
            open(size(), max);
        }
    }

    void put(char c) noexcept { *at_++ = c; }

    void put(std::string_view text) noexcept {
        if (!text.empty()) { // memcpy must not get null pointers
            std::memcpy(at_, text.data(), text.size());
            at_ += text.size();
        }
    }

    /// The characters of a literal: a copy of known length.
    template <std::size_t N>
    void put(const char (&literal)[N]) noexcept {
        std::memcpy(at_, literal, N - 1);
        at_ += N - 1;
    }

    /// At most 20 characters.
    template <std::integral T>
    void put_decimal(T value) noexcept {
        at_ = std::to_chars(at_, at_ + 20, value).ptr;
    }

    /// `0x` and lowercase digits without leading zeros; at most 18 characters.
    void put_hex(std::uint64_t value) noexcept {
        const unsigned digits =
            std::max(1U, (static_cast<unsigned>(std::bit_width(value)) + 3U) / 4U);
        at_[0] = '0';
        at_[1] = 'x';
        at_ += 2 + digits;
        char* digit = at_;
        for (unsigned i = digits; i > 0; --i) {
            *--digit = hex_pairs[value & 15U][1];
            value >>= 4U;
        }
    }

    /// 36 characters, lowercase, no braces.
    void put_guid(const Guid& guid) noexcept {
        constexpr std::array<std::uint8_t, 16> order{3, 2, 1,  0,  5,  4,  7,  6,
                                                     8, 9, 10, 11, 12, 13, 14, 15};
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i == 4 || i == 6 || i == 8 || i == 10) {
                *at_++ = '-';
            }
            put_hex_pair(guid.bytes[order[i]]);
        }
    }

    void put_hex_pair(std::byte byte) noexcept {
        std::memcpy(at_, hex_pairs[std::to_integer<std::size_t>(byte)].data(), 2);
        at_ += 2;
    }

    /// Lowercase hex pairs, any number.
    void hex_bytes(Bytes bytes) {
        reserve(bytes.size() * 2);
        for (const std::byte byte : bytes) {
            put_hex_pair(byte);
        }
    }

    void text(std::string_view text) {
        reserve(text.size());
        put(text);
    }

    void text(char c) {
        reserve(1);
        put(c);
    }

    /// Overwrites an existing character.
    void put_at(std::size_t position, char c) noexcept { (*to_)[position] = c; }

    /// Removes the last `count` characters, which this object must have written.
    void drop(std::size_t count) noexcept { at_ -= count; }

    /// Returns the last character; requires one.
    char back() const noexcept { return at_[-1]; }

    /// Returns the length of the string so far.
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - to_->data()); }

    /// Calls `write(std::string&)`, which may append directly.
    template <typename Write>
    void append_with(Write write) {
        close();
        write(*to_);
        open(to_->size(), 0);
    }

private:
    // Bytes after `used` are never read before they are written.
    void open(std::size_t used, std::size_t max) {
        const std::size_t whole = std::max(to_->capacity(), used + max);
        to_->resize_and_overwrite(whole, [](char*, std::size_t size) { return size; });
        at_ = to_->data() + used;
        end_ = to_->data() + whole;
    }

    void close() { to_->resize(size()); }

    std::string* to_;
    char* at_ = nullptr;
    char* end_ = nullptr;
};

} // namespace etl
