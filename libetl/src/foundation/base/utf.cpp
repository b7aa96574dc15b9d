// The appenders between encodings (text.hpp).
#include "base/code_points.hpp"
#include "base/string_tail.hpp"
#include "base/text.hpp"
#include "base/text_blocks.hpp"

#include <algorithm>
#include <array>

namespace etl {

namespace {

// 0x80..0x9F of Windows-1252. The five holes stand for the C1 control of the same number, as
// MultiByteToWideChar gives them.
constexpr std::array<std::uint16_t, 32> windows_1252{
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

// Bytes at the front that are valid UTF-8.
std::size_t utf8_run(Bytes text) noexcept {
    std::size_t at = 0;
    while (at < text.size()) {
        at += ascii_run(text.subspan(at));
        while (at < text.size() && std::to_integer<unsigned>(text[at]) >= 0x80U) {
            const CodePoint front = front_of_utf8(text.data() + at, text.size() - at);
            if (!front.valid) {
                return at;
            }
            at += front.size;
        }
    }
    return at;
}

} // namespace

void append_utf16le(std::string& to, Bytes units) {
    // A unit takes at most three bytes, an odd last byte three as well; a block is stored before it
    // is counted.
    append_at_most(to, (units.size() / 2 + 1) * 3 + 8, [&](char* out) {
        const std::byte* at = units.data();
        const std::byte* const end = at + units.size();
        while (at != end) {
            if (end - at >= 16) {
                const unsigned plain = blocks::narrow_units<false>(at, out);
                if (plain == 8) { // constants, so that no block waits for the one before it
                    at += 16;
                    out += 8;
                    continue;
                }
                at += std::size_t{2} * plain;
                out += plain;
            }
            // What is not ASCII comes in runs.
            std::uint32_t value = 0;
            do {
                const CodePoint front = front_of_utf16le(at, static_cast<std::size_t>(end - at));
                value = front.value;
                at += front.size;
                out = put_code_point(out, value);
            } while (at != end && value >= 0x80);
        }
        return out;
    });
}

void append_ansi(std::string& to, Bytes text) {
    if (utf8_run(text) == text.size()) {
        to.append(as_text(text));
        return;
    }
    append_at_most(to, text.size() * 3, [&](char* out) {
        for (const std::byte byte : text) {
            const auto value = std::to_integer<std::uint32_t>(byte);
            out = put_code_point(out, value >= 0x80 && value < 0xA0 ? windows_1252[value - 0x80]
                                                                    : value);
        }
        return out;
    });
}

void append_utf8(std::string& to, Bytes text) {
    while (true) {
        const std::size_t good = utf8_run(text);
        to.append(as_text(text.first(good)));
        text = text.subspan(good);
        if (text.empty()) {
            return;
        }
        append_code_point(to, replacement);
        text = text.subspan(front_of_utf8(text.data(), text.size()).size);
    }
}

void append_code_point(std::string& to, std::uint32_t code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    char utf8[4];
    const char* const end =
        put_code_point(utf8, surrogate || code_point > 0x10FFFF ? replacement : code_point);
    to.append(utf8, static_cast<std::size_t>(end - utf8));
}

bool is_valid_utf8(std::string_view text) noexcept {
    return utf8_run(std::as_bytes(std::span(text))) == text.size();
}

std::u16string to_utf16(std::string_view text) {
    std::u16string units;
    units.reserve(text.size());
    Bytes left = std::as_bytes(std::span(text));
    while (!left.empty()) {
        const CodePoint front = front_of_utf8(left.data(), left.size());
        if (front.value < 0x10000) {
            units.push_back(static_cast<char16_t>(front.value));
        } else {
            units.push_back(static_cast<char16_t>(0xD800U + ((front.value - 0x10000U) >> 10U)));
            units.push_back(static_cast<char16_t>(0xDC00U + (front.value & 0x3FFU)));
        }
        left = left.subspan(front.size);
    }
    return units;
}

std::byte* put_utf16le(std::byte* to, std::string_view text) noexcept {
    const auto put = [&](std::uint32_t unit) {
        store_le<std::uint16_t>(to, static_cast<std::uint16_t>(unit));
        to += 2;
    };
    const std::byte* at = std::as_bytes(std::span(text)).data();
    const std::byte* const end = at + text.size();
    while (at != end) {
        const auto plain = std::to_integer<std::uint32_t>(*at);
        if (plain < 0x80) [[likely]] {
            put(plain);
            ++at;
            continue;
        }
        const CodePoint front = front_of_utf8(at, static_cast<std::size_t>(end - at));
        at += front.size;
        if (front.value < 0x10000) {
            put(front.value);
        } else {
            put(0xD800U + ((front.value - 0x10000U) >> 10U));
            put(0xDC00U + (front.value & 0x3FFU));
        }
    }
    return to;
}

std::byte* put_windows_1252(std::byte* to, std::string_view text) noexcept {
    Bytes left = std::as_bytes(std::span(text));
    while (!left.empty()) {
        const CodePoint front = front_of_utf8(left.data(), left.size());
        left = left.subspan(front.size);
        std::uint32_t value = front.value;
        if (value >= 0x80 && (value < 0xA0 || value > 0xFF)) {
            const auto* const known = std::ranges::find(windows_1252, value);
            if (known == windows_1252.end()) {
                return nullptr;
            }
            value = static_cast<std::uint32_t>(known - windows_1252.begin()) + 0x80U;
        }
        *to++ = static_cast<std::byte>(value);
    }
    return to;
}

} // namespace etl
