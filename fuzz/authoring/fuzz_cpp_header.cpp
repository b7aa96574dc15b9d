// Any bytes as a manifest, written as a C++ header. Beyond "does not crash": nothing of the
// manifest gets out of comments, literals and identifiers. Read as C++ reads it, the header has the
// tokens that we write and no others, its braces match, and no comment goes on in the next line.
#include <etl/authoring/cpp_header.hpp>
#include <etl/schema/manifest.hpp>

#include "fuzz/require.hpp"

#include <span>
#include <string_view>

namespace {

constexpr std::string_view letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr std::string_view signs = "(){}[]<>:;,.=&* ";
constexpr std::string_view hidden[] = {"\xE2\x80\xAE", "\xE2\x80\xA8", "\xE2\x81\xA6"};

// Behind the comment that begins `text`.
std::string_view behind_comment(std::string_view text) {
    const std::size_t end = text.find('\n');
    etl::fuzz::require(end != text.npos && text[end - 1] != '\\');
    const std::string_view comment = text.substr(0, end);
    etl::fuzz::require(!comment.ends_with("?\?/"));
    for (const char c : comment) {
        etl::fuzz::require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    }
    for (const std::string_view mark : hidden) { // they turn what stands behind them
        etl::fuzz::require(comment.find(mark) == comment.npos);
    }
    return text.substr(end);
}

// Behind the string literal that begins `text`: escapes have three octal digits.
std::string_view behind_literal(std::string_view text) {
    text.remove_prefix(1);
    while (true) {
        etl::fuzz::require(!text.empty() && text.front() >= 0x20 && text.front() < 0x7F);
        if (text.front() == '"') {
            return text.substr(1);
        }
        const bool is_escape = text.front() == '\\';
        etl::fuzz::require(!is_escape ||
                           (text.size() > 4 && text.substr(1, 3).find_first_not_of("01234567") ==
                                                   std::string_view::npos));
        text.remove_prefix(is_escape ? 4 : 1);
    }
}

void require_harmless(std::string_view text) {
    int depth = 0;
    while (!text.empty()) {
        if (text.starts_with("//")) {
            text = behind_comment(text);
        } else if (text.front() == '"') {
            text = behind_literal(text);
        } else {
            const char c = text.front();
            etl::fuzz::require(c == '\n' || letters.find(c) != letters.npos ||
                               signs.find(c) != signs.npos);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            etl::fuzz::require(depth >= 0);
            text.remove_prefix(1);
        }
    }
    etl::fuzz::require(depth == 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const auto read = schema::parse_manifest(std::as_bytes(std::span(data, size)));
    if (!read) {
        return 0;
    }
    const auto header = authoring::write_cpp_header(*read);
    if (!header) { // many events may share one large template
        fuzz::require(header.error().code == ErrorCode::limit);
        return 0;
    }
    const std::string_view text = header->text;
    const std::size_t body = text.find("namespace ");
    fuzz::require(body == text.npos || text[body - 1] == '\n');
    require_harmless(body == text.npos ? std::string_view() : text.substr(body));
    fuzz::require(authoring::write_cpp_header(*read)->text == text);
    return 0;
}
