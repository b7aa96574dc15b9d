#include "symbols/demangle/limits.hpp"
#include "symbols/demangle/name_parser.hpp"
#include "symbols/demangle/name_writer.hpp"

namespace etl::symbols {
namespace {

// What a compiler adds to the name of a function for a part of it: `__catch$` before it, and `$0`
// or
// `.cold` after it.
struct PartOfFunction {
    std::string_view before;
    std::string_view after;
};

bool is_part_number(std::string_view text) noexcept {
    return text.size() > 1 && text.front() == '$' &&
           text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// Removes it from the front of the name.
std::string_view take_part(std::string_view& decorated) noexcept {
    const std::size_t end = decorated.starts_with("__") ? decorated.find("$?") : 0;
    if (end == 0 || end == std::string_view::npos) {
        return {};
    }
    const std::string_view part = decorated.substr(0, end);
    decorated.remove_prefix(end + 1);
    return part;
}

std::optional<std::string> demangle_msvc(std::string_view decorated, const DemangleStyle& style) {
    PartOfFunction part{.before = take_part(decorated), .after = {}};
    NameArena arena;
    NameParser parser(decorated, arena);
    const NameNode* name = parser.whole();
    part.after = parser.rest();
    const bool is_known =
        part.after.empty() || part.after.starts_with('.') || is_part_number(part.after);
    if (name == nullptr || !is_known) {
        return std::nullopt;
    }
    std::string text;
    text.reserve(decorated.size() * 2);
    if (!NameWriter(text, style).write(*name)) {
        return std::nullopt;
    }
    if (!part.before.empty() || !part.after.empty()) {
        text.append(" [").append(part.before).append(part.after).append("]");
    }
    return text;
}

} // namespace

std::optional<std::string> demangle(std::string_view decorated, const DemangleStyle& style) {
    if (decorated.size() > limits::decorated_bytes) {
        return std::nullopt;
    }
    if (decorated.starts_with('?') || decorated.starts_with('.') || decorated.starts_with("__")) {
        return demangle_msvc(decorated, style);
    }
    return std::nullopt;
}

} // namespace etl::symbols
