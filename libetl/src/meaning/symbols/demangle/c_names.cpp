#include "symbols/demangle.hpp"

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

} // namespace etl::symbols
