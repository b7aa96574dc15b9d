#include "verbs/tracerpt/text_output.hpp"

#include "base/text.hpp"
#include "cli/destination.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

std::size_t size_of_character(char lead) noexcept {
    const auto c = static_cast<unsigned char>(lead);
    return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

char32_t code_point_of(std::string_view character) {
    const std::u16string units = etl::to_utf16(character);
    return units.size() < 2 ? (units.empty() ? 0 : units.front())
                            : 0x10000U + ((units[0] - 0xD800U) << 10U) + (units[1] - 0xDC00U);
}

void append_windows_1252(std::string& to, std::string_view character, Unencodable unencodable) {
    std::byte byte{};
    if (etl::put_windows_1252(&byte, character) != nullptr &&
        (unencodable == Unencodable::question_mark || character.size() == 1)) {
        to.push_back(static_cast<char>(byte));
    } else if (unencodable == Unencodable::question_mark) {
        to.push_back('?');
    } else {
        to.append(fmt::format("&#{};", static_cast<std::uint32_t>(code_point_of(character))));
    }
}

std::string windows_1252(std::string_view text, Unencodable unencodable) {
    std::string result;
    while (!text.empty()) {
        const std::size_t size = std::min(size_of_character(text.front()), text.size());
        if (size == 1) {
            result.push_back(text.front());
        } else {
            append_windows_1252(result, text.substr(0, size), unencodable);
        }
        text.remove_prefix(size);
    }
    return result;
}

std::string utf16(std::string_view text) {
    std::string result(2 * text.size(), '\0');
    auto* const begin = std::as_writable_bytes(std::span(result)).data();
    result.resize(static_cast<std::size_t>(etl::put_utf16le(begin, text) - begin));
    return result;
}

} // namespace

std::string encoded(std::string_view text, TextEncoding encoding, Unencodable unencodable) {
    switch (encoding) {
    case TextEncoding::ansi:
        return windows_1252(text, unencodable);
    case TextEncoding::unicode:
        return utf16(text);
    case TextEncoding::utf8:
        break;
    }
    return std::string(text);
}

std::string_view byte_order_mark(TextEncoding encoding) {
    return encoding == TextEncoding::unicode ? "\xFF\xFE" : "";
}

etl::Result<void> TranscodedOutput::write(std::string_view text) {
    std::string bytes = is_started_ ? "" : std::string(byte_order_mark(encoding_));
    is_started_ = true;
    return to_->write(bytes.append(encoded(text, encoding_, unencodable_)));
}

ExitCode write_text(const std::string& path, std::string_view text, TextEncoding encoding,
                    Unencodable unencodable) {
    const std::string bytes =
        std::string(byte_order_mark(encoding)).append(encoded(text, encoding, unencodable));
    return write_file(path, bytes);
}

} // namespace cli
