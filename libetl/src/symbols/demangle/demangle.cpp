#include "symbols/demangle/limits.hpp"
#include "symbols/demangle/name_parser.hpp"
#include "symbols/demangle/name_writer.hpp"

namespace etl::symbols {
namespace {

std::optional<std::string> demangle_msvc(std::string_view decorated, const DemangleStyle& style) {
    NameArena arena;
    const NameNode* name = NameParser(decorated, arena).whole();
    if (name == nullptr) {
        return std::nullopt;
    }
    std::string text;
    text.reserve(decorated.size() * 2);
    if (!NameWriter(text, style).write(*name)) {
        return std::nullopt;
    }
    return text;
}

} // namespace

std::optional<std::string> demangle(std::string_view decorated, const DemangleStyle& style) {
    if (decorated.size() > limits::decorated_bytes) {
        return std::nullopt;
    }
    if (decorated.starts_with('?') || decorated.starts_with(".?")) {
        return demangle_msvc(decorated, style);
    }
    return std::nullopt;
}

} // namespace etl::symbols
