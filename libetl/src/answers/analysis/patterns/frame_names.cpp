// Names of frames that patterns match.
#include "analysis/patterns/frame_names.hpp"

#include "analysis/frames.hpp"
#include "analysis/stack_patterns.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace etl::analysis {

namespace {

constexpr std::string_view unknown_code = "?!?"; // of an unknown module

bool ends_without_case(std::string_view text, std::string_view end) {
    return text.size() > end.size() && to_lower_ascii(text.substr(text.size() - end.size())) == end;
}

/// Of `\folder\name`: `\folder\`.
std::string_view folder_of(std::string_view path) noexcept {
    return path.substr(0, path.find_last_of("\\/") + 1);
}

/// Whether a text ends with an ID, as names of processes do.
bool ends_with_id(std::string_view text) noexcept {
    const std::size_t open = text.rfind(" (");
    return open != text.npos && text.ends_with(')') && open + 3 < text.size() &&
           text.find_first_not_of("0123456789", open + 2) == text.size() - 1;
}

std::string process_name(std::string_view text) {
    if (!ends_with_id(text)) {
        return std::string(text);
    }
    const std::size_t open = text.rfind(" (");
    return std::string("Process ")
        .append(without_extension(text.substr(0, open)))
        .append(text.substr(open));
}

} // namespace

std::string_view without_extension(std::string_view module) {
    return ends_without_case(module, ".exe") || ends_without_case(module, ".dll")
               ? module.substr(0, module.size() - 4)
               : module;
}

bool has_function_name(const StackFrame& frame) noexcept {
    const std::string_view name = frame.function;
    return frame.module.empty() ? !name.starts_with("0x") && name != unknown_code
                                : !(name.starts_with(frame.module) &&
                                    name.substr(frame.module.size()).starts_with("!0x"));
}

std::string short_name_of(const StackFrame& frame) {
    if (frame.kind == FrameKind::process) {
        return process_name(frame.function);
    }
    if (frame.kind == FrameKind::mark || frame.kind == FrameKind::group) {
        return frame.function;
    }
    if (!has_function_name(frame)) {
        return frame.module.empty() ? std::string(unknown_code)
                                    : std::string(without_extension(frame.module)) + "!?";
    }
    const std::string_view module = frame.module.empty() ? "?" : without_extension(frame.module);
    return std::string(module).append(1, '!').append(frame.function);
}

std::string full_name_of(const StackFrame& frame) {
    return std::string(folder_of(frame.path)) + short_name_of(frame);
}

std::string escaped(std::string_view name) {
    std::string text;
    for (const char one : name) {
        const bool is_plain = one == ' ' || one == '_' || (one & 0x80) != 0 ||
                              (one >= '0' && one <= '9') || (one >= 'a' && one <= 'z') ||
                              (one >= 'A' && one <= 'Z');
        text += is_plain ? std::string(1, one)
                         : fmt::format("\\x{:02x}", static_cast<unsigned char>(one));
    }
    return text;
}

std::string pattern_of(const StackFrame& frame) {
    const bool has_path = frame.kind == FrameKind::user || frame.kind == FrameKind::kernel ||
                          frame.kind == FrameKind::managed;
    return fmt::format("@{}{}$", has_path ? "(?:^|\\\\|/)" : "^", escaped(short_name_of(frame)));
}

std::string display_name_of(const StackFrame& frame) {
    std::string name;
    Function{.module = frame.module, .name = frame.function}.append_to(name);
    return name;
}

} // namespace etl::analysis
