#include "outputs/kind_file_names.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

constexpr std::size_t max_part = 64; // of a name: two make a file name that all systems accept

bool is_alphanumeric(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// A part of a file name without characters that are special to a shell or another system.
std::string name_part(std::string_view text) {
    constexpr std::string_view plain = "-_+().";
    std::string part;
    for (const char c : text.substr(0, max_part)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_kept =
            is_alphanumeric(c) || byte >= 0x80 || plain.find(c) != std::string_view::npos;
        part.push_back(is_kept ? c : c == '/' ? '-' : '_');
    }
    while (text.size() > max_part && !part.empty() &&
           (static_cast<unsigned char>(part.back()) & 0x80U) != 0) {
        part.pop_back(); // perhaps half a character
    }
    return part;
}

std::string name_of_table(const etl::sink::EventKind& kind) {
    std::string name = name_part(kind.provider);
    if (!kind.event.empty()) {
        name += "." + name_part(kind.event);
    }
    if (kind.id != 0 || kind.event.empty()) {
        name += fmt::format(".{}", kind.id);
    }
    return name + fmt::format(".v{}", kind.version);
}

} // namespace

std::string KindFileNames::name_of(const etl::sink::EventKind& kind) {
    return name_of(name_of_table(kind));
}

std::string KindFileNames::name_of(const std::string& text) {
    const std::string base = etl::safe_file_name(text);
    std::string name = base;
    for (unsigned i = 2; !taken_.insert(etl::to_lower_ascii(name)).second; ++i) {
        name = fmt::format("{}.{}", base, i);
    }
    return name.append(ending_);
}

} // namespace cli
