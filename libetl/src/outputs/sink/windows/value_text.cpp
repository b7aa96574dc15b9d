#include "sink/windows/value_text.hpp"

#include "base/layout.hpp"
#include "base/xml_text.hpp"

#include <array>
#include <cstring>

namespace etl::sink {

namespace {

using decode::Form;

constexpr std::size_t max_number = 32;
constexpr char upper_hex_digits[] = "0123456789ABCDEF";

constexpr auto upper_hex_pairs = [] {
    std::array<std::array<char, 2>, 256> pairs{};
    for (std::size_t byte = 0; byte < pairs.size(); ++byte) {
        pairs[byte] = {upper_hex_digits[byte / 16], upper_hex_digits[byte % 16]};
    }
    return pairs;
}();

void put_upper_hex(TextAppender& to, std::uint64_t value) noexcept {
    const unsigned digits = std::max(1U, (static_cast<unsigned>(std::bit_width(value)) + 3U) / 4U);
    std::array<char, 16> text;
    for (std::size_t at = text.size(); at > text.size() - digits; at -= 2, value >>= 8U) {
        std::memcpy(text.data() + at - 2, upper_hex_pairs[value & 0xFFU].data(), 2);
    }
    to.put("0x");
    to.put(std::string_view(text.data(), text.size()).substr(text.size() - digits));
}

/// In eight columns: the last eight digits are written over blanks.
void put_right_aligned(TextAppender& to, std::uint64_t value) noexcept {
    constexpr std::uint64_t min = 100'000'000; // of more than eight digits
    if (value >= min) {
        to.put_decimal(value);
        return;
    }
    std::array<char, 8> text;
    text.fill(' ');
    auto rest = static_cast<std::uint32_t>(value);
    for (std::size_t at = text.size();;) {
        text[--at] = static_cast<char>('0' + rest % 10);
        rest /= 10;
        if (rest == 0) {
            break;
        }
    }
    to.put(std::string_view(text.data(), text.size()));
}

} // namespace

void append_upper_hex(TextAppender& to, Bytes bytes) {
    to.reserve(2 * bytes.size());
    for (const std::byte byte : bytes) {
        to.put(std::string_view(upper_hex_pairs[std::to_integer<std::size_t>(byte)].data(), 2));
    }
}

bool ValueTexts::has_name(const decode::Value& value) const noexcept {
    return is_tracerpt_ && ((value.map != nullptr && enumerations_) ||
                            value.error_space != decode::ErrorSpace::none);
}

void ValueTexts::append_displayed(TextAppender& to, const decode::Value& value,
                                  const decode::DisplayOptions& display) const {
    to.append_with([&](std::string& text) {
        const std::size_t begin = text.size();
        decode::append_display(text, value, display);
        if (escapes_ == Escapes::xml) {
            escape_xml_from(text, begin);
        }
    });
}

void ValueTexts::append_number(TextAppender& to, const decode::Value& value) const {
    to.reserve(max_number);
    if (schema::is_hex(value.form)) {
        const std::uint64_t bits = decode::bits_of(value);
        is_tracerpt_ ? put_upper_hex(to, bits) : to.put_hex(bits);
    } else if (schema::is_signed(value.form)) {
        to.put_decimal(decode::signed_of(value));
    } else if (is_tracerpt_ && value.form == Form::uint32) {
        put_right_aligned(to, decode::bits_of(value));
    } else {
        to.put_decimal(decode::bits_of(value));
    }
}

void ValueTexts::append(TextAppender& to, const decode::Value& value,
                        const decode::DisplayOptions& display) const {
    if (schema::is_integer(value.form) && !has_name(value)) {
        append_number(to, value);
    } else if (value.form == Form::binary) {
        if (is_tracerpt_ && !value.bytes.empty()) {
            to.text("0x");
        }
        append_upper_hex(to, value.bytes);
    } else if (value.form == Form::guid && value.bytes.size() == sizeof(Guid)) {
        to.reserve(38);
        to.put('{');
        to.put_guid(load_le<Guid>(value.bytes.data()));
        to.put('}');
    } else {
        append_displayed(to, value, display);
    }
}

} // namespace etl::sink
