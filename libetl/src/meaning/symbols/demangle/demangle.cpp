#include "symbols/demangle.hpp"

#include "symbols/demangle/name_parser.hpp"
#include "symbols/demangle/name_writer.hpp"
#include "symbols/demangle/rust_name.hpp"
#include "symbols/limits.hpp"

namespace etl::symbols {

namespace {

// The name without `@` and the size of its arguments in bytes; as it is if it has none.
std::string_view without_size(std::string_view name) noexcept {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    const bool has_size = digits > 1 && digits < name.size() && name[digits - 1] == '@';
    return has_size ? name.substr(0, digits - 1) : name;
}

} // namespace

std::string_view strip_c_decoration(std::string_view name) noexcept {
    if (name.size() < 2) {
        return name;
    }
    const std::string_view base = without_size(name);
    const bool has_size = base.size() < name.size();
    switch (name.front()) {
    case '_':
        return base.substr(1); // __cdecl, __stdcall
    case '#':
        return name.substr(1); // ARM64EC
    case '@':
        return has_size && base.size() > 1 ? base.substr(1) : name; // __fastcall
    case '?':
        return name;
    default:
        break;
    }
    return has_size && base.ends_with('@') ? base.substr(0, base.size() - 1) : name; // __vectorcall
}

namespace {

// What a compiler adds to the name of a function for a part of it: `__catch$` before it, and `$0`
// or
// `.cold` after it.
struct PartOfFunction {
    std::string_view before;
    std::string_view after;
};

bool is_part_suffix(std::string_view text) noexcept {
    const bool is_number =
        text.size() > 1 && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
    return text.empty() || text.front() == '.' || (text.front() == '$' && is_number);
}

void append_part(std::string& to, const PartOfFunction& part) {
    if (!part.before.empty() || !part.after.empty()) {
        to.append(" [").append(part.before).append(part.after).append("]");
    }
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
    if (name == nullptr || !is_part_suffix(part.after)) {
        return std::nullopt;
    }
    std::string text;
    text.reserve(decorated.size() * 2);
    if (!NameWriter(text, style).write(*name)) {
        return std::nullopt;
    }
    append_part(text, part);
    return text;
}

// In 32-bit code, C names have one more underscore.
std::optional<std::string> demangle_rust(std::string_view decorated) {
    decorated.remove_prefix(decorated.starts_with("__") ? 1 : 0);
    const bool is_old = decorated.starts_with("_ZN");
    if (!is_old && !decorated.starts_with("_R")) {
        return std::nullopt;
    }
    decorated.remove_prefix(is_old ? 3 : 2);
    std::string text;
    const std::size_t size =
        is_old ? append_old_rust_name(text, decorated) : append_rust_name(text, decorated);
    const std::string_view after = decorated.substr(size);
    if (size == 0 || text.empty() || !is_part_suffix(after)) {
        return std::nullopt; // the root of a crate without a name is no text either
    }
    append_part(text, {.before = {}, .after = after});
    return text;
}

} // namespace

std::optional<std::string> demangle(std::string_view decorated, const DemangleStyle& style) {
    if (decorated.size() > limits::decorated_bytes) {
        return std::nullopt;
    }
    const bool is_msvc = decorated.starts_with('?') || decorated.starts_with('.') ||
                         (decorated.starts_with("__") && decorated.contains("$?"));
    return is_msvc ? demangle_msvc(decorated, style) : demangle_rust(decorated);
}

} // namespace etl::symbols
