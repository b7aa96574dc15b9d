// One block, appended to a string: numbers are little-endian, options are padded, both lengths are
// set at the end. Private to pcapng.
#pragma once

#include <etl/base/layout.hpp>
#include <etl/base/text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace etl::pcapng {

class BlockWriter {
public:
    BlockWriter(std::string& to, std::uint32_t type) : to_(&to), begin_(to.size()) {
        value(type);
        value(std::uint32_t{0}); // the length, set by finish()
    }

    BlockWriter(const BlockWriter&) = delete;
    BlockWriter& operator=(const BlockWriter&) = delete;

    ~BlockWriter() { finish(); }

    template <typename T>
    void value(T number) {
        std::array<std::byte, sizeof(T)> bytes;
        store_le<T>(bytes.data(), number);
        to_->append(as_text(bytes));
    }

    /// The high and the low half, as times are stored.
    void halves(std::uint64_t number) {
        value(static_cast<std::uint32_t>(number >> 32U));
        value(static_cast<std::uint32_t>(number));
    }

    /// Bytes as they are.
    void raw(Bytes bytes) { to_->append(as_text(bytes)); }

    /// Followed by zeros up to a multiple of 4.
    void padded(std::string_view bytes) {
        to_->append(bytes);
        to_->append((4 - bytes.size() % 4) % 4, '\0');
    }

    void option(std::uint16_t code, std::string_view bytes) {
        has_options_ = true;
        value(code);
        value(static_cast<std::uint16_t>(bytes.size()));
        padded(bytes);
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
    void finish() {
        if (has_options_) {
            value(std::uint32_t{0}); // opt_endofopt
        }
        const auto size = static_cast<std::uint32_t>(to_->size() - begin_ + 4);
        value(size);
        std::array<std::byte, 4> bytes;
        store_le(bytes.data(), size);
        std::ranges::copy(as_text(bytes), to_->begin() + static_cast<std::ptrdiff_t>(begin_ + 4));
    }

    std::string* to_;
    std::size_t begin_;
    bool has_options_ = false;
};

} // namespace etl::pcapng
