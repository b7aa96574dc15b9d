// Any bytes as a manifest, written as a C++ header. Beyond "does not crash": nothing of the
// manifest gets out of comments, literals and identifiers. Read as C++ reads it, the header has the
// tokens that we write and no others, its braces match, and no comment goes on in the next line.
#include "authoring/cpp_header.hpp"
#include "fuzz/code_rules.hpp"
#include "fuzz/require.hpp"
#include "schema/manifest.hpp"

#include <span>
#include <string_view>

namespace {

using namespace etl::fuzz;

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
