// Functions of the C library for text of 16-bit units, and those that only Windows has.
// docs/compat.md#windows
#include <etl/compat/windows.h>

#include "base/text.hpp"
#include "compat/c_values.hpp"
#include "compat/windows/copy_text.hpp"
#include "io/find_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::compat {

namespace {

int lower(WCHAR unit) noexcept {
    return unit >= u'A' && unit <= u'Z' ? unit + (u'a' - u'A') : int{unit};
}

template <typename Unit>
int emptied(Unit* to, std::size_t room, int status) noexcept {
    if (to != nullptr && room != 0) {
        *to = 0;
    }
    return status;
}

// What the functions with _s return.
template <typename Unit>
int status_of(HRESULT copied, Unit* to, std::size_t room) noexcept {
    return copied == S_OK
               ? 0
               : emptied(to, room, copied == STRSAFE_E_INVALID_PARAMETER ? EINVAL : ERANGE);
}

template <typename Unit>
int copy_some(Unit* to, std::size_t room, const Unit* from, std::size_t count) noexcept {
    if (to == nullptr || from == nullptr || room == 0) {
        return emptied(to, room, EINVAL);
    }
    if (count == _TRUNCATE) {
        return copy_text(to, room, from) ? 0 : STRUNCATE;
    }
    return copy_text(to, room, from, count) ? 0 : emptied(to, room, ERANGE);
}

// A number at the front of a text, read by a function for 8-bit text: digits, signs, and blanks are
// ASCII in both.
template <typename Number, typename Read>
Number read_number(const WCHAR* text, WCHAR** end, int base, Read read) noexcept {
    constexpr std::size_t max_size = 256; // 64 binary digits, with blanks
    char narrow[max_size + 1];
    std::size_t size = 0;
    while (size < max_size && text[size] != 0 && text[size] < 0x80) {
        narrow[size] = static_cast<char>(text[size]);
        ++size;
    }
    narrow[size] = 0;
    char* stop = narrow;
    const auto number = read(narrow, &stop, base);
    if (end != nullptr) {
        *end = const_cast<WCHAR*>(text) + (stop - narrow); // NOLINT: as strtol
    }
    return static_cast<Number>(number);
}

// Numbers of 32 bits, as long is on Windows: others become the nearest, with ERANGE.
LONG to_long(const char* text, char** stop, int base) noexcept {
    const long long number = std::strtoll(text, stop, base);
    constexpr long long min = std::numeric_limits<LONG>::min();
    constexpr long long max = std::numeric_limits<LONG>::max();
    if (number < min || number > max) {
        errno = ERANGE;
    }
    return static_cast<LONG>(std::clamp(number, min, max));
}

ULONG to_unsigned_long(const char* text, char** stop, int base) noexcept {
    const long long number = std::strtoll(text, stop, base);
    constexpr long long max = std::numeric_limits<ULONG>::max();
    if (number > max || number < -max) {
        errno = ERANGE;
        return std::numeric_limits<ULONG>::max();
    }
    return static_cast<ULONG>(number);
}

// An absolute path without `.` and `..`, by its text alone.
std::string without_dots(std::string_view path) {
    std::vector<std::string_view> names;
    while (!path.empty()) {
        path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
        const std::string_view name = path.substr(0, path.find('/'));
        path.remove_prefix(name.size());
        if (name == ".." && !names.empty()) {
            names.pop_back();
        } else if (!name.empty() && name != "." && name != "..") {
            names.push_back(name);
        }
    }
    std::string plain;
    for (const std::string_view name : names) {
        plain.append("/").append(name);
    }
    return plain.empty() ? "/" : plain;
}

// The result is as long as the caller likes, or made here.
template <typename Unit>
Unit* full_path(Unit* to, std::size_t room, std::string_view path, Form form) {
    const std::string full = without_dots(io::full_path(std::string(path)));
    const std::size_t size = (units_of(full, form) + 1) * sizeof(Unit);
    auto* const into = to != nullptr ? to : static_cast<Unit*>(std::malloc(size));
    const std::size_t bytes = to != nullptr ? room * sizeof(Unit) : size;
    const auto space =
        std::as_writable_bytes(std::span(into, into != nullptr ? bytes / sizeof(Unit) : 0));
    if (into == nullptr || !put_text(full, form, space.data(), space.size())) {
        return nullptr;
    }
    return into;
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

size_t etl_compat_wcslen(const WCHAR* text) {
    return std::u16string_view(text).size();
}

int etl_compat_wcscmp(const WCHAR* one, const WCHAR* other) {
    return std::u16string_view(one).compare(other);
}

int etl_compat_wcsncmp(const WCHAR* one, const WCHAR* other, size_t count) {
    for (; count != 0 && *one == *other && *one != 0; --count) {
        ++one;
        ++other;
    }
    return count == 0 ? 0 : int{*one} - int{*other};
}

int etl_compat_wcsnicmp(const WCHAR* one, const WCHAR* other, size_t count) {
    for (; count != 0 && compat::lower(*one) == compat::lower(*other) && *one != 0; --count) {
        ++one;
        ++other;
    }
    return count == 0 ? 0 : compat::lower(*one) - compat::lower(*other);
}

int etl_compat_wcsicmp(const WCHAR* one, const WCHAR* other) {
    return etl_compat_wcsnicmp(one, other, static_cast<size_t>(-1));
}

WCHAR* etl_compat_wcscpy(WCHAR* to, const WCHAR* from) {
    std::memcpy(to, from, (etl_compat_wcslen(from) + 1) * sizeof(WCHAR));
    return to;
}

WCHAR* etl_compat_wcscat(WCHAR* to, const WCHAR* from) {
    etl_compat_wcscpy(to + etl_compat_wcslen(to), from);
    return to;
}

WCHAR* etl_compat_wcsncpy(WCHAR* to, const WCHAR* from, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        to[i] = *from;
        from += *from != 0 ? 1 : 0;
    }
    return to;
}

WCHAR* etl_compat_wcschr(const WCHAR* text, WCHAR unit) {
    while (*text != unit && *text != 0) {
        ++text;
    }
    return *text == unit ? const_cast<WCHAR*>(text) : nullptr; // NOLINT: as strchr
}

WCHAR* etl_compat_wcsrchr(const WCHAR* text, WCHAR unit) {
    const WCHAR* found = nullptr;
    for (;; ++text) {
        if (*text == unit) {
            found = text;
        }
        if (*text == 0) {
            return const_cast<WCHAR*>(found); // NOLINT: as strrchr
        }
    }
}

WCHAR* etl_compat_wcsstr(const WCHAR* text, const WCHAR* part) {
    const std::size_t at = std::u16string_view(text).find(part);
    return at == std::u16string_view::npos ? nullptr
                                           : const_cast<WCHAR*>(text) + at; // NOLINT: as strstr
}

WCHAR* etl_compat_wcstok_s(WCHAR* text, const WCHAR* separators, WCHAR** state) {
    const auto is_separator = [&](WCHAR unit) {
        return unit != 0 && etl_compat_wcschr(separators, unit) != nullptr;
    };
    WCHAR* next = text != nullptr ? text : *state;
    while (is_separator(*next)) {
        ++next;
    }
    WCHAR* end = next;
    while (*end != 0 && !is_separator(*end)) {
        ++end;
    }
    *state = *end != 0 ? end + 1 : end;
    *end = 0;
    return end == next ? nullptr : next;
}

LONG etl_compat_wcstol(const WCHAR* text, WCHAR** end, int base) {
    return compat::read_number<LONG>(text, end, base, compat::to_long);
}

ULONG etl_compat_wcstoul(const WCHAR* text, WCHAR** end, int base) {
    return compat::read_number<ULONG>(text, end, base, compat::to_unsigned_long);
}

LONGLONG etl_compat_wcstoi64(const WCHAR* text, WCHAR** end, int base) {
    return compat::read_number<LONGLONG>(text, end, base, std::strtoll);
}

ULONGLONG etl_compat_wcstoui64(const WCHAR* text, WCHAR** end, int base) {
    return compat::read_number<ULONGLONG>(text, end, base, std::strtoull);
}

WCHAR* etl_compat_wfullpath(WCHAR* to, const WCHAR* path, size_t room) {
    return compat::guarded<WCHAR*>(
        [&] {
            return compat::full_path(to, room, compat::to_utf8(std::u16string_view(path)),
                                     compat::Form::wide);
        },
        nullptr);
}

char* etl_compat_fullpath(char* to, const char* path, size_t room) {
    return compat::guarded<char*>(
        [&] { return compat::full_path(to, room, path, compat::Form::narrow); }, nullptr);
}

int etl_compat_wcscpy_s(WCHAR* to, size_t room, const WCHAR* from) {
    return compat::status_of(compat::copy_checked(to, room, from), to, room);
}

int etl_compat_wcscat_s(WCHAR* to, size_t room, const WCHAR* from) {
    return compat::status_of(compat::copy_at_end(to, room, from), to, room);
}

int etl_compat_wcsncpy_s(WCHAR* to, size_t room, const WCHAR* from, size_t count) {
    return compat::copy_some(to, room, from, count);
}

int etl_compat_strcpy_s(char* to, size_t room, const char* from) {
    return compat::status_of(compat::copy_checked(to, room, from), to, room);
}

int etl_compat_strcat_s(char* to, size_t room, const char* from) {
    return compat::status_of(compat::copy_at_end(to, room, from), to, room);
}

int etl_compat_strncpy_s(char* to, size_t room, const char* from, size_t count) {
    return compat::copy_some(to, room, from, count);
}

int etl_compat_sprintf_s(char* to, size_t room, const char* format, ...) {
    if (to == nullptr || room == 0 || format == nullptr) {
        return -1;
    }
    va_list list;
    va_start(list, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // the caller's
    const int written = std::vsnprintf(to, room, format, list);
#pragma GCC diagnostic pop
    va_end(list);
    const bool is_whole = written >= 0 && static_cast<std::size_t>(written) < room;
    return is_whole ? written : compat::emptied(to, room, -1);
}

} // extern "C"
