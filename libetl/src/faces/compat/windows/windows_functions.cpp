// The few functions of windows.h and strsafe.h that programs which trace use.
// docs/compat.md#windows
#include <etl/compat/strsafe.h>
#include <etl/time.hpp>

#include "compat/c_values.hpp"
#include "compat/windows/copy_text.hpp"
#include "host/clock.hpp"
#include "host/process.hpp"

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

namespace etl::compat {

namespace {

constinit thread_local DWORD last_error = 0; // of a thread, as its id is

FILETIME file_time_of(Filetime time) noexcept {
    const auto ticks = static_cast<std::uint64_t>(time.ticks);
    return {static_cast<DWORD>(ticks), static_cast<DWORD>(ticks >> 32U)};
}

Filetime to_filetime(const FILETIME& time) noexcept {
    return {
        static_cast<std::int64_t>(std::uint64_t{time.dwHighDateTime} << 32U | time.dwLowDateTime)};
}

SYSTEMTIME calendar_of(Filetime time) noexcept {
    constexpr std::int64_t per_day = 24 * 3600 * Filetime::per_second;
    constexpr std::int64_t per_millisecond = Filetime::per_second / 1000;
    const CivilTime civil = to_civil(time);
    const std::int64_t day = std::max<std::int64_t>(time.ticks, 0) / per_day;
    return {static_cast<WORD>(civil.year),
            static_cast<WORD>(civil.month),
            static_cast<WORD>((day + 1) % 7), // the first one was a Monday
            static_cast<WORD>(civil.day),
            static_cast<WORD>(civil.hour),
            static_cast<WORD>(civil.minute),
            static_cast<WORD>(civil.second),
            static_cast<WORD>(civil.fraction / per_millisecond)};
}

Filetime filetime_of(const SYSTEMTIME& calendar) noexcept {
    constexpr unsigned per_millisecond = Filetime::per_second / 1000;
    return from_civil({calendar.wYear, calendar.wMonth, calendar.wDay, calendar.wHour,
                       calendar.wMinute, calendar.wSecond,
                       calendar.wMilliseconds * per_millisecond});
}

/// Years and times of day that a SYSTEMTIME may name; the day of the week is nobody's business.
bool is_calendar(const SYSTEMTIME& asked) noexcept {
    const std::chrono::year_month_day day{std::chrono::year(asked.wYear),
                                          std::chrono::month(asked.wMonth),
                                          std::chrono::day(asked.wDay)};
    return asked.wYear >= 1601 && asked.wYear <= 30827 && day.ok() && asked.wHour < 24 &&
           asked.wMinute < 60 && asked.wSecond < 60 && asked.wMilliseconds < 1000;
}

BOOL fail_with(DWORD status) noexcept {
    last_error = status;
    return FALSE;
}

constexpr std::int64_t per_minute = 60 * Filetime::per_second;

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

DWORD GetLastError(void) {
    return compat::last_error;
}

void SetLastError(DWORD code) {
    compat::last_error = code;
}

DWORD GetCurrentProcessId(void) {
    return etl::host::process_id();
}

DWORD GetCurrentThreadId(void) {
    return etl::host::thread_id();
}

void Sleep(DWORD milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

ULONGLONG GetTickCount64(void) {
    constexpr std::int64_t per_millisecond = etl::host::monotonic_frequency / 1000;
    return static_cast<ULONGLONG>(etl::host::monotonic_ticks() / per_millisecond);
}

DWORD GetTickCount(void) {
    return static_cast<DWORD>(GetTickCount64());
}

BOOL QueryPerformanceCounter(LARGE_INTEGER* count) {
    count->QuadPart = etl::host::monotonic_ticks();
    return TRUE;
}

BOOL QueryPerformanceFrequency(LARGE_INTEGER* frequency) {
    frequency->QuadPart = etl::host::monotonic_frequency;
    return TRUE;
}

void GetSystemTimePreciseAsFileTime(FILETIME* time) {
    *time = compat::file_time_of(etl::host::system_time());
}

void GetSystemTimeAsFileTime(FILETIME* time) {
    GetSystemTimePreciseAsFileTime(time);
}

BOOL FileTimeToSystemTime(const FILETIME* time, SYSTEMTIME* calendar) {
    const etl::Filetime asked = compat::to_filetime(*time);
    if (asked.ticks < 0) { // 2^63 and more
        return compat::fail_with(ERROR_INVALID_PARAMETER);
    }
    *calendar = compat::calendar_of(asked);
    return TRUE;
}

BOOL SystemTimeToFileTime(const SYSTEMTIME* calendar, FILETIME* time) {
    if (!compat::is_calendar(*calendar)) {
        return compat::fail_with(ERROR_INVALID_PARAMETER);
    }
    *time = compat::file_time_of(compat::filetime_of(*calendar));
    return TRUE;
}

BOOL FileTimeToLocalFileTime(const FILETIME* time, FILETIME* local) {
    etl::Filetime moved = compat::to_filetime(*time);
    moved.ticks -= etl::host::time_zone_bias() * compat::per_minute;
    *local = compat::file_time_of(moved);
    return TRUE;
}

BOOL SystemTimeToTzSpecificLocalTime(const TIME_ZONE_INFORMATION* zone, const SYSTEMTIME* calendar,
                                     SYSTEMTIME* local) {
    if (!compat::is_calendar(*calendar)) {
        return compat::fail_with(ERROR_INVALID_PARAMETER);
    }
    const std::int64_t bias = zone != nullptr ? zone->Bias : etl::host::time_zone_bias();
    etl::Filetime moved = compat::filetime_of(*calendar);
    moved.ticks -= bias * compat::per_minute;
    *local = compat::calendar_of(moved);
    return TRUE;
}

HRESULT CoCreateGuid(GUID* guid) {
    *guid = compat::to_c(etl::host::new_guid());
    return S_OK;
}

int StringFromGUID2(const GUID& guid, LPWSTR text, int room) {
    return compat::guarded<int>(
        [&] {
            std::string shown = '{' + etl::to_string(compat::to_guid(guid)) + '}';
            std::ranges::transform(shown, shown.begin(), [](char digit) {
                return digit >= 'a' && digit <= 'f' ? static_cast<char>(digit - ('a' - 'A'))
                                                    : digit;
            });
            if (room < 0 || static_cast<std::size_t>(room) < shown.size() + 1) {
                return 0;
            }
            *std::ranges::copy(shown, text).out = 0;
            return static_cast<int>(shown.size() + 1);
        },
        0);
}

HRESULT CLSIDFromString(LPCWSTR text, GUID* guid) {
    constexpr auto malformed = HRESULT(0x800401F3); // CO_E_CLASSSTRING
    if (text == nullptr || guid == nullptr) {
        return E_INVALIDARG;
    }
    return compat::guarded<HRESULT>(
        [&] {
            const auto parsed = etl::parse_guid(compat::to_utf8(std::u16string_view(text)));
            *guid = compat::to_c(parsed.value_or(etl::Guid{}));
            return parsed ? S_OK : malformed;
        },
        E_OUTOFMEMORY);
}

HRESULT StringCchCopyW(LPWSTR to, size_t room, LPCWSTR from) {
    return compat::copy_checked(to, room, from);
}

HRESULT StringCchCopyA(LPSTR to, size_t room, LPCSTR from) {
    return compat::copy_checked(to, room, from);
}

HRESULT StringCbCopyW(LPWSTR to, size_t room, LPCWSTR from) {
    return compat::copy_checked(to, room / sizeof(WCHAR), from);
}

HRESULT StringCbCopyA(LPSTR to, size_t room, LPCSTR from) {
    return compat::copy_checked(to, room, from);
}

HRESULT StringCchCatW(LPWSTR to, size_t room, LPCWSTR from) {
    return compat::copy_at_end(to, room, from);
}

HRESULT StringCchCatA(LPSTR to, size_t room, LPCSTR from) {
    return compat::copy_at_end(to, room, from);
}

HRESULT StringCchPrintfW(LPWSTR to, size_t room, LPCWSTR format, ...) {
    if (to == nullptr || room == 0 || format == nullptr) {
        return STRSAFE_E_INVALID_PARAMETER;
    }
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vswprintf(to, room, format, list);
    va_end(list);
    return written < 0 ? STRSAFE_E_INSUFFICIENT_BUFFER : S_OK;
}

HRESULT StringCchPrintfA(LPSTR to, size_t room, LPCSTR format, ...) {
    if (to == nullptr || room == 0 || format == nullptr) {
        return STRSAFE_E_INVALID_PARAMETER;
    }
    va_list list;
    va_start(list, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // the caller's
    const int written = std::vsnprintf(to, room, format, list);
#pragma GCC diagnostic pop
    va_end(list);
    return written < 0 || static_cast<std::size_t>(written) >= room ? STRSAFE_E_INSUFFICIENT_BUFFER
                                                                    : S_OK;
}

} // extern "C"
