// The command line of the process, memory, and security identifiers. docs/compat.md#windows
#include <etl/compat/shellapi.h>

#include "base/text.hpp"
#include "compat/c_values.hpp"
#include "host/process.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace etl::compat {

namespace {

constexpr bool is_blank(char16_t unit) noexcept {
    return unit == u' ' || unit == u'\t';
}

// As one argument of a line: CommandLineToArgvW returns the same text.
std::string quoted(const std::string& argument) {
    if (!argument.empty() && argument.find_first_of(" \t\n\v\"") == argument.npos) {
        return argument;
    }
    std::string text = "\"";
    std::size_t backslashes = 0;
    for (const char c : argument) {
        // A quotation mark takes a backslash, and those in front of it count twice.
        text.append(c == '"' ? backslashes + 1 : 0, '\\');
        backslashes = c == '\\' ? backslashes + 1 : 0;
        text += c;
    }
    return text.append(backslashes, '\\') + '"';
}

std::string line_of(const std::vector<std::string>& arguments) {
    std::string line;
    for (const std::string& argument : arguments) {
        line += (line.empty() ? "" : " ") + quoted(argument);
    }
    return line;
}

// The name of the program: up to a blank, or between quotation marks; backslashes are its own.
std::u16string take_program(std::u16string_view& line) {
    const bool is_quoted = line.starts_with(u'"');
    line.remove_prefix(is_quoted ? 1 : 0);
    std::size_t end = 0;
    while (end < line.size() && (is_quoted ? line[end] != u'"' : !is_blank(line[end]))) {
        ++end;
    }
    std::u16string name(line.substr(0, end));
    line.remove_prefix(std::min(line.size(), end + (is_quoted ? 1 : 0)));
    return name;
}

std::u16string take_argument(std::u16string_view& line) {
    std::u16string argument;
    bool is_quoted = false;
    while (!line.empty() && (is_quoted || !is_blank(line.front()))) {
        const std::size_t backslashes = std::min(line.find_first_not_of(u'\\'), line.size());
        line.remove_prefix(backslashes);
        if (!line.starts_with(u'"')) {
            argument.append(backslashes, u'\\');
            if (backslashes == 0) {
                argument += line.front();
                line.remove_prefix(1);
            }
            continue;
        }
        argument.append(backslashes / 2, u'\\');
        line.remove_prefix(1);
        if (backslashes % 2 != 0) {
            argument += u'"';
        } else if (is_quoted && line.starts_with(u'"')) { // "" inside of quotation marks
            argument += u'"';
            line.remove_prefix(1);
        } else {
            is_quoted = !is_quoted;
        }
    }
    return argument;
}

std::vector<std::u16string> split(std::u16string_view line) {
    std::vector<std::u16string> arguments{take_program(line)};
    while (true) {
        while (!line.empty() && is_blank(line.front())) {
            line.remove_prefix(1);
        }
        if (line.empty()) {
            return arguments;
        }
        arguments.push_back(take_argument(line));
    }
}

// Pointers and text in one block.
LPWSTR* block_of(const std::vector<std::u16string>& arguments) noexcept {
    std::size_t units = 0;
    for (const std::u16string& argument : arguments) {
        units += argument.size() + 1;
    }
    const std::size_t table = (arguments.size() + 1) * sizeof(LPWSTR);
    auto* const block = static_cast<LPWSTR*>(std::malloc(table + units * sizeof(WCHAR)));
    if (block == nullptr) {
        return nullptr;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the caller frees one block
    auto* text = reinterpret_cast<LPWSTR>(block + arguments.size() + 1);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        block[i] = text;
        std::memcpy(text, arguments[i].c_str(), (arguments[i].size() + 1) * sizeof(WCHAR));
        text += arguments[i].size() + 1;
    }
    block[arguments.size()] = nullptr;
    return block;
}

HLOCAL allocate(UINT flags, SIZE_T size) noexcept {
    const SIZE_T some = size == 0 ? 1 : size;
    return (flags & LMEM_ZEROINIT) != 0 ? std::calloc(1, some) : std::malloc(some);
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

LPWSTR GetCommandLineW(void) {
    return compat::guarded<LPWSTR>(
        [] {
            static std::u16string line = etl::to_utf16(compat::line_of(etl::host::command_line()));
            return line.data();
        },
        nullptr);
}

LPSTR GetCommandLineA(void) {
    return compat::guarded<LPSTR>(
        [] {
            static std::string line = compat::line_of(etl::host::command_line());
            return line.data();
        },
        nullptr);
}

LPWSTR* CommandLineToArgvW(LPCWSTR line, int* count) {
    if (line == nullptr || count == nullptr) {
        SetLastError(ERROR_INVALID_PARAMETER);
        return nullptr;
    }
    LPWSTR* const block = compat::guarded<LPWSTR*>(
        [&] {
            std::vector<std::u16string> arguments = compat::split(line);
            if (*line == 0) {
                arguments = {etl::to_utf16(etl::host::executable_name())};
            }
            *count = static_cast<int>(arguments.size());
            return compat::block_of(arguments);
        },
        nullptr);
    if (block == nullptr) {
        SetLastError(ERROR_NOT_ENOUGH_MEMORY);
    }
    return block;
}

HLOCAL LocalAlloc(UINT flags, SIZE_T size) {
    return compat::allocate(flags, size);
}

HLOCAL LocalFree(HLOCAL memory) {
    std::free(memory);
    return nullptr;
}

HGLOBAL GlobalAlloc(UINT flags, SIZE_T size) {
    return compat::allocate(flags, size);
}

HGLOBAL GlobalFree(HGLOBAL memory) {
    std::free(memory);
    return nullptr;
}

DWORD GetSidLengthRequired(UCHAR subauthorities) {
    return static_cast<DWORD>(offsetof(SID, SubAuthority) + subauthorities * sizeof(DWORD));
}

BOOL IsValidSid(PSID sid) {
    const auto* const bytes = static_cast<const BYTE*>(sid);
    return bytes != nullptr && bytes[0] == SID_REVISION && bytes[1] <= SID_MAX_SUB_AUTHORITIES;
}

DWORD GetLengthSid(PSID sid) {
    return GetSidLengthRequired(static_cast<const BYTE*>(sid)[1]);
}

BOOL EqualSid(PSID one, PSID other) {
    return IsValidSid(one) && IsValidSid(other) && GetLengthSid(one) == GetLengthSid(other) &&
           std::memcmp(one, other, GetLengthSid(one)) == 0;
}

} // extern "C"
