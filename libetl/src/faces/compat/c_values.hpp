// Values as the C headers have them, and as the library has them: GUIDs, text, statuses. Any
// thread.
#pragma once

#include <etl/compat/evntrace.h>
#include <etl/compat/windows.h>
#include <etl/guid.hpp>
#include <etl/session.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace etl::compat {

Guid to_guid(const GUID& guid) noexcept;
GUID to_c(const Guid& guid) noexcept;

constexpr ULONG to_c(session::Status status) noexcept {
    return static_cast<ULONG>(status);
}

template <typename T>
ULONG to_c(const session::Outcome<T>& outcome) noexcept {
    return outcome ? ERROR_SUCCESS : to_c(outcome.error().status);
}

/// UTF-16 to UTF-8; unpaired surrogates become U+FFFD.
std::string to_utf8(std::u16string_view text);

/// Units in front of the terminator; none: it is not among the first `room`.
template <typename Unit>
std::optional<std::size_t> length_within(const Unit* text, std::size_t room) noexcept {
    for (std::size_t i = 0; i < room; ++i) {
        if (text[i] == 0) {
            return i;
        }
    }
    return std::nullopt;
}

/// Which of the two forms of a function was called: of names in its structures, too.
enum class Form : unsigned char { wide, narrow };

constexpr std::size_t unit_size(Form form) noexcept {
    return form == Form::wide ? sizeof(WCHAR) : sizeof(CHAR);
}

/// A name as a caller gave it: one of the two, or none.
struct Name {
    const WCHAR* wide = nullptr;
    const CHAR* narrow = nullptr;

    bool is_null() const noexcept { return wide == nullptr && narrow == nullptr; }

    Form form() const noexcept { return narrow != nullptr ? Form::narrow : Form::wide; }
};

/// As UTF-8; narrow ones are that already. Of endless ones the first 65536 units.
std::string to_utf8(const Name& name);

/// Units of UTF-8 text in a form, without terminator.
std::size_t units_of(std::string_view text, Form form);

/// Text with its terminator, where there is room for all of it. False: nothing was put down.
bool put_text(std::string_view text, Form form, std::byte* to, std::size_t room_bytes);

/// Text at a place of a structure; none: it has no terminator within the bytes that are left.
std::optional<std::string> text_at(const std::byte* at, std::size_t room_bytes, Form form);

// guarded: the border to C, which no exception may cross. Every function of the C headers that may
// allocate does its work inside. docs/compat.md#process

/// Returns what `work` returns, or `failed` if it throws. The library throws only when memory runs
/// out.
template <typename Answer = ULONG, typename Work>
Answer guarded(const Work& work, Answer failed = ERROR_NOT_ENOUGH_MEMORY) noexcept {
    try {
        return work();
    } catch (...) {
        return failed;
    }
}

/// The same for controllers and consumers: GetLastError returns their status too, success included.
/// Functions of providers leave the last error alone, because they are called in the middle of a
/// program's own error handling. docs/compat.md#last-error
template <typename Work>
ULONG reported(const Work& work) noexcept {
    const ULONG status = guarded(work);
    SetLastError(status);
    return status;
}

} // namespace etl::compat
