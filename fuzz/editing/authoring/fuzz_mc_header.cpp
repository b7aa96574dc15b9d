// Any bytes as a manifest, written as a header of the message compiler. Beyond "does not crash":
// nothing of the manifest gets out of comments, literals and identifiers, and what follows the
// fixed part has no directives but those that we write.
#include "authoring/mc_header.hpp"
#include "fuzz/code_rules.hpp"
#include "fuzz/require.hpp"
#include "schema/manifest.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace {

using namespace etl::fuzz;

constexpr std::string_view code_signs = "(){}[]<>:;,.=&*-+ ?";
constexpr std::array<std::string_view, 6> directives = {"#define ", "#ifndef ", "#ifdef ",
                                                        "#endif",   "#else",    "#if "};

// Behind the name of the directive that begins `text`.
std::string_view behind_directive(std::string_view text) {
    const auto found = std::ranges::find_if(
        directives, [&](std::string_view directive) { return text.starts_with(directive); });
    require(found != directives.end());
    return text.substr(found->size());
}

void require_harmless(std::string_view text) {
    int depth = 0;
    bool begins_line = true;
    while (!text.empty()) {
        const char c = text.front();
        if (text.starts_with("//")) {
            text = behind_comment(text);
            continue;
        }
        if (c == '"') {
            text = behind_literal(text);
            continue;
        }
        if (c == '#' && begins_line) {
            text = behind_directive(text);
            continue;
        }
        const bool is_paste = text.starts_with("##");
        const bool is_continued = c == '\\' && text.substr(1).starts_with('\n');
        require(c == '\n' || is_paste || is_continued || letters.find(c) != letters.npos ||
                code_signs.find(c) != code_signs.npos);
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        begins_line = c == '\n';
        text.remove_prefix(is_paste ? 2 : 1);
    }
    require(depth == -1); // `extern "C" {` is in front
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const auto read =
        schema::parse_manifest(std::as_bytes(std::span(data, size)), {.code_names = true});
    if (!read) {
        return 0;
    }
    const bool is_odd = size % 2 != 0;
    const authoring::McHeaderOptions options{.kernel = is_odd, .callout = is_odd};
    const auto header = authoring::write_mc_header(*read, options);
    if (!header) { // many events may share one large template
        require(header.error().code == ErrorCode::limit);
        return 0;
    }
    const std::string_view text = header->text;
    // Constants are in front of the fixed functions, macros behind them.
    constexpr std::string_view constants = "extern \"C\" {\n#endif\n";
    constexpr std::string_view fixed = "\n// Define MCGEN_DISABLE_PROVIDER_CODE_GENERATION";
    constexpr std::string_view behind_fixed = "#define McGenEventUnregister ";
    const std::size_t begin = text.find(constants);
    const std::size_t end = text.find(fixed);
    const std::size_t macros = text.find("#endif\n", text.rfind(behind_fixed));
    require(begin < end && end < macros && macros < text.size());
    std::string variable(text.substr(begin + constants.size(), end - begin - constants.size()));
    const std::size_t traits = text.find("#define McGenEventRegisterContext ");
    const std::size_t rest = traits == text.npos ? macros : text.find("#endif\n", traits);
    variable += text.substr(rest + 7);
    require_harmless(variable);
    require(authoring::write_mc_header(*read, options)->text == text);
    return 0;
}
