#include "base/csv_text.hpp"

#include "base/code_points.hpp"
#include "base/text_blocks.hpp"

namespace etl {

namespace {

constexpr char quote = '"';

char* put_doubled(char* out, std::string_view text) noexcept {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (end - at >= blocks::block_size) {
        const unsigned plain = blocks::copy_to_quote(at, out);
        at += plain;
        out += plain;
        if (plain != blocks::block_size) {
            ++at;
            *out++ = quote;
            *out++ = quote;
        }
    }
    for (; at != end; ++at) {
        *out++ = *at;
        if (*at == quote) {
            *out++ = quote;
        }
    }
    return out;
}

} // namespace

void append_csv_quoted(std::string& to, std::string_view text) {
    // A block is stored before it is known how much of it stays.
    append_at_most(to, 2 * text.size() + blocks::block_size + 2, [&](char* out) {
        *out++ = quote;
        out = put_doubled(out, text);
        *out++ = quote;
        return out;
    });
}

} // namespace etl
