#include "base/limits.hpp"
#include "host/process.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <objbase.h>
#include <vector>
#include <windows.h>

namespace etl::host {

std::uint32_t process_id() noexcept {
    return ::GetCurrentProcessId(); // read from the thread's memory: no system call
}

std::uint32_t thread_id() noexcept {
    return ::GetCurrentThreadId();
}

std::uint16_t processor_count() noexcept {
    const DWORD count = ::GetMaximumProcessorCount(ALL_PROCESSOR_GROUPS);
    return static_cast<std::uint16_t>(std::clamp<DWORD>(count, 1, etl::limits::processors));
}

std::uint16_t current_processor() noexcept {
    PROCESSOR_NUMBER number{};
    ::GetCurrentProcessorNumberEx(&number);
    constexpr std::uint32_t group_size = 64;
    const std::uint32_t processor = number.Group * group_size + number.Number;
    return static_cast<std::uint16_t>(processor % processor_count());
}

std::string executable_name() {
    std::wstring path(32768, L'\0');
    const DWORD size = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    path.resize(size);
    const std::u8string name = std::filesystem::path(path).filename().u8string();
    return std::string(name.begin(), name.end());
}

std::vector<std::string> command_line() {
    std::vector<std::string> arguments;
    for (int i = 0; i < __argc; ++i) {
        if (__argv != nullptr) {
            arguments.emplace_back(__argv[i]);
        }
    }
    return arguments;
}

std::uint64_t process_start_key() noexcept {
    // When it was created, in units that ids are not given out again in.
    FILETIME created{};
    FILETIME other{};
    if (::GetProcessTimes(::GetCurrentProcess(), &created, &other, &other, &other) == 0) {
        return process_id();
    }
    const std::uint64_t ticks =
        (std::uint64_t{created.dwHighDateTime} << 32U) | created.dwLowDateTime;
    constexpr std::uint64_t ticks_per_10_milliseconds = 100'000;
    constexpr unsigned id_bits = 24;
    return ((ticks / ticks_per_10_milliseconds) << id_bits) | (process_id() & 0xFFFFFFU);
}

namespace {

UserSid ask_user_sid() noexcept {
    UserSid sid;
    HANDLE token = nullptr;
    if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token) == 0) {
        return sid;
    }
    alignas(TOKEN_USER) std::array<std::byte, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> room{};
    DWORD size = 0;
    if (::GetTokenInformation(token, TokenUser, room.data(), static_cast<DWORD>(room.size()),
                              &size) != 0) {
        TOKEN_USER user{};
        std::memcpy(&user, room.data(), sizeof user);
        const DWORD length = ::GetLengthSid(user.User.Sid);
        if (length <= sid.bytes.size()) {
            std::memcpy(sid.bytes.data(), user.User.Sid, length);
            sid.size = length;
        }
    }
    ::CloseHandle(token);
    return sid;
}

std::uint32_t ask_terminal_session() noexcept {
    DWORD session = 0;
    return ::ProcessIdToSessionId(::GetCurrentProcessId(), &session) != 0 ? session : 0;
}

} // namespace

UserSid user_sid() noexcept {
    static const UserSid kept = ask_user_sid();
    return kept;
}

std::uint32_t terminal_session() noexcept {
    static const std::uint32_t kept = ask_terminal_session();
    return kept;
}

std::int32_t time_zone_bias() noexcept {
    TIME_ZONE_INFORMATION zone{};
    const DWORD season = ::GetTimeZoneInformation(&zone);
    return zone.Bias + (season == TIME_ZONE_ID_DAYLIGHT ? zone.DaylightBias : zone.StandardBias);
}

void become_helper_thread(const char*) noexcept {}

std::size_t page_size() noexcept {
    SYSTEM_INFO system{};
    ::GetSystemInfo(&system);
    return system.dwPageSize;
}

Guid new_guid() noexcept {
    GUID made{};
    // Fails only by promising less: unique on this machine alone.
    static_cast<void>(::CoCreateGuid(&made));
    Guid guid;
    std::memcpy(guid.bytes.data(), &made, guid.bytes.size());
    return guid;
}

// Processes are never copied there.
void ForkWatch::watch() {}

void ForkWatch::end_watch() noexcept {}

__declspec(noinline) std::size_t walk_stack(std::uint64_t* to, std::size_t max) noexcept {
    constexpr std::size_t room = 256; // ETW keeps at most 192
    constexpr DWORD own = 2;          // this function and its caller
    std::array<void*, room> frames{};
    const USHORT found = ::RtlCaptureStackBackTrace(own, static_cast<DWORD>(std::min(max, room)),
                                                    frames.data(), nullptr);
    for (USHORT i = 0; i < found; ++i) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): an address as a number
        to[i] = reinterpret_cast<std::uintptr_t>(frames[i]);
    }
    return found;
}

} // namespace etl::host
