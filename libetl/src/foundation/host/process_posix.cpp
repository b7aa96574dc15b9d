#include "base/layout.hpp"
#include "base/limits.hpp"
#include "host/clock.hpp"
#include "host/process.hpp"
#include "host/process_facts.hpp"

#if defined(ETL_HAS_LIBUNWIND)
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#endif
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <ranges>
#include <string_view>
#include <unistd.h>
#include <vector>
#if defined(__linux__)
#include <sched.h>
#include <sys/random.h>
#include <sys/syscall.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#elif defined(__APPLE__)
#include <crt_externs.h>
#include <mach-o/dyld.h>
#include <sys/random.h>
#include <sys/sysctl.h>
#endif

namespace etl::host {

namespace {

// Facts that the system knows and would tell by a call each time; 0: not asked yet.
std::atomic<std::uint32_t> kept_process_id{0};
std::atomic<std::uint64_t> kept_start_key{0};
std::atomic<std::uint16_t> kept_processor_count{0};
std::atomic<std::uint64_t> kept_user{0}; // its id + 1
constinit thread_local std::uint32_t kept_thread_id = 0;

std::uint32_t ask_thread_id() noexcept {
    install_fork_handlers();
#if defined(__linux__)
    kept_thread_id = static_cast<std::uint32_t>(::syscall(SYS_gettid));
#else
    std::uint64_t id = 0;
    ::pthread_threadid_np(nullptr, &id);
    kept_thread_id = static_cast<std::uint32_t>(id);
#endif
    return kept_thread_id;
}

/// The number that the kernel keeps up to date in each thread's memory (rseq), or what a call says.
std::uint32_t ask_processor() noexcept {
#if defined(RSEQ_SIG)
    if (__rseq_size != 0) {
        const auto* const area =
            static_cast<const char*>(__builtin_thread_pointer()) + __rseq_offset;
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): glibc says what lies there
        const auto id = reinterpret_cast<const volatile struct rseq*>(area)->cpu_id;
        if (static_cast<std::int32_t>(id) >= 0) [[likely]] {
            return id;
        }
    }
#endif
#if defined(__linux__)
    const int id = ::sched_getcpu();
    return id < 0 ? 0 : static_cast<std::uint32_t>(id);
#elif defined(__APPLE__)
    std::size_t id = 0;
    return ::pthread_cpu_number_np(&id) == 0 ? static_cast<std::uint32_t>(id) : 0;
#else
    return 0;
#endif
}

/// When the process was started: in units of its own since the machine was; 0: unknown.
std::uint64_t start_moment() noexcept {
#if defined(__linux__)
    std::array<char, 1024> text{};
    return start_moment_in(read_facts("/proc/self/stat", text));
#elif defined(__APPLE__)
    struct kinfo_proc process{};
    std::size_t size = sizeof process;
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, ::getpid()};
    if (::sysctl(name, 4, &process, &size, nullptr, 0) != 0) {
        return 0;
    }
    const timeval started = process.kp_proc.p_starttime;
    return static_cast<std::uint64_t>(started.tv_sec) * 100 +
           static_cast<std::uint64_t>(started.tv_usec) / 10'000;
#else
    return 0;
#endif
}

std::string program_path() {
#if defined(__linux__)
    std::string path(4096, '\0');
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    path.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return path;
#elif defined(__APPLE__)
    std::string path(4096, '\0');
    auto size = static_cast<std::uint32_t>(path.size());
    if (::_NSGetExecutablePath(path.data(), &size) != 0) {
        return {};
    }
    path.resize(std::strlen(path.c_str()));
    return path;
#else
    return {};
#endif
}

} // namespace

std::string_view read_facts(const char* path, std::span<char> into) noexcept {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return {};
    }
    const ssize_t size = ::read(file, into.data(), into.size());
    ::close(file);
    return {into.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
}

std::uint64_t start_moment_in(std::string_view stat) noexcept {
    // The second field is the program's name in parentheses, and may hold anything.
    stat.remove_prefix(std::min(stat.rfind(')'), stat.size()));
    constexpr int fields_to_start = 20; // field 22, proc(5)
    for (int i = 0; i < fields_to_start; ++i) {
        stat.remove_prefix(std::min(stat.find(' '), stat.size()));
        stat.remove_prefix(stat.empty() ? 0 : 1);
    }
    std::uint64_t moment = 0;
    std::from_chars(stat.data(), stat.data() + stat.size(), moment);
    return moment;
}

std::uint64_t start_key_of(std::uint32_t process, std::uint64_t moment) noexcept {
    constexpr unsigned id_bits = 24; // Linux has ids up to 2^22; moments are of 10 ms
    return (moment << id_bits) | (process & ((1U << id_bits) - 1));
}

std::string program_in(std::string path) {
    constexpr std::string_view gone = " (deleted)"; // the kernel's words for a replaced program
    if (path.ends_with(gone)) {
        path.resize(path.size() - gone.size());
    }
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

void forget_kept() noexcept {
    kept_process_id.store(0, std::memory_order_relaxed);
    kept_start_key.store(0, std::memory_order_relaxed);
    kept_user.store(0, std::memory_order_relaxed);
    kept_thread_id = 0;
}

std::uint32_t process_id() noexcept {
    std::uint32_t id = kept_process_id.load(std::memory_order_relaxed);
    if (id == 0) [[unlikely]] {
        install_fork_handlers();
        id = static_cast<std::uint32_t>(::getpid());
        kept_process_id.store(id, std::memory_order_relaxed);
    }
    return id;
}

std::uint32_t thread_id() noexcept {
    return kept_thread_id != 0 ? kept_thread_id : ask_thread_id();
}

std::uint16_t processor_count() noexcept {
    std::uint16_t count = kept_processor_count.load(std::memory_order_relaxed);
    if (count == 0) [[unlikely]] {
        const long configured = ::sysconf(_SC_NPROCESSORS_CONF);
        count = static_cast<std::uint16_t>(
            std::clamp(configured, 1L, static_cast<long>(etl::limits::processors)));
        kept_processor_count.store(count, std::memory_order_relaxed);
    }
    return count;
}

std::uint16_t current_processor() noexcept {
    const std::uint32_t processor = ask_processor();
    const std::uint16_t count = processor_count();
    // Numbers may have gaps, where processors were taken away.
    return static_cast<std::uint16_t>(processor < count ? processor : processor % count);
}

std::string executable_name() {
    return program_in(program_path());
}

std::vector<std::string> command_line() {
    std::vector<std::string> arguments;
#if defined(__linux__)
    std::FILE* const file = std::fopen("/proc/self/cmdline", "re");
    if (file == nullptr) {
        return arguments;
    }
    std::string argument;
    for (int c = std::getc(file); c != EOF; c = std::getc(file)) {
        if (c != 0) {
            argument += static_cast<char>(c);
        } else {
            arguments.push_back(std::move(argument));
            argument.clear();
        }
    }
    if (!argument.empty()) { // of a program that overwrote its arguments
        arguments.push_back(std::move(argument));
    }
    std::fclose(file);
#elif defined(__APPLE__)
    for (char** next = *_NSGetArgv(); next != nullptr && *next != nullptr; ++next) {
        arguments.emplace_back(*next);
    }
#endif
    return arguments;
}

std::uint64_t process_start_key() noexcept {
    std::uint64_t key = kept_start_key.load(std::memory_order_relaxed);
    if (key == 0) [[unlikely]] {
        key = start_key_of(process_id(), start_moment());
        kept_start_key.store(key, std::memory_order_relaxed);
    }
    return key;
}

UserSid user_sid() noexcept {
    std::uint64_t user = kept_user.load(std::memory_order_relaxed);
    if (user == 0) [[unlikely]] {
        install_fork_handlers();
        user = std::uint64_t{::geteuid()} + 1;
        kept_user.store(user, std::memory_order_relaxed);
    }
    // S-1-22-1-UID: revision, how many numbers follow, authority (big-endian), the numbers.
    UserSid sid;
    sid.size = 16;
    sid.bytes[0] = std::byte{1};
    sid.bytes[1] = std::byte{2};
    sid.bytes[7] = std::byte{22};
    store_le<std::uint32_t>(&sid.bytes[8], 1);
    store_le<std::uint32_t>(&sid.bytes[12], static_cast<std::uint32_t>(user - 1));
    return sid;
}

std::uint32_t terminal_session() noexcept {
    return 0;
}

std::int32_t time_zone_bias() noexcept {
    const std::time_t now = ::time(nullptr);
    std::tm local{};
    if (::localtime_r(&now, &local) == nullptr) {
        return 0;
    }
    constexpr long seconds = 60;
    return static_cast<std::int32_t>(-local.tm_gmtoff / seconds);
}

void become_helper_thread(const char* name) noexcept {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
#if defined(__linux__)
    ::pthread_setname_np(::pthread_self(), name);
#elif defined(__APPLE__)
    ::pthread_setname_np(name);
#else
    static_cast<void>(name);
#endif
}

std::size_t page_size() noexcept {
    const long size = ::sysconf(_SC_PAGESIZE);
    return size > 0 ? static_cast<std::size_t>(size) : 4096;
}

Guid new_guid() noexcept {
    Guid guid;
    if (::getentropy(guid.bytes.data(), guid.bytes.size()) != 0) {
        // A system without it: unique still, though it can be guessed.
        static std::atomic<std::uint64_t> made{0};
        const std::uint64_t number = made.fetch_add(1, std::memory_order_relaxed) + 1;
        store_le<std::uint64_t>(guid.bytes.data(), process_start_key());
        store_le<std::uint64_t>(guid.bytes.data() + 8,
                                number ^ static_cast<std::uint64_t>(monotonic_ticks()) << 20U);
    }
    // RFC 4122, version 4; bytes 6 and 7 are a little-endian number.
    guid.bytes[7] = (guid.bytes[7] & std::byte{0x0F}) | std::byte{0x40};
    guid.bytes[8] = (guid.bytes[8] & std::byte{0x3F}) | std::byte{0x80};
    return guid;
}

namespace {

/// Those who are told. The lock is held over a fork, so that nobody comes or goes meanwhile. Never
/// destroyed: threads may fork while the program ends.
struct Watches {
    std::mutex mutex;
    std::vector<ForkWatch*> list;
};

Watches& watches() noexcept {
    alignas(Watches) static std::byte room[sizeof(Watches)];
    static Watches& made = *new (room) Watches;
    return made;
}

void before_fork() noexcept {
    watches().mutex.lock();
    for (ForkWatch* const watch : watches().list) {
        watch->before_fork();
    }
}

void in_parent() noexcept {
    for (ForkWatch* const watch : std::views::reverse(watches().list)) {
        watch->in_parent();
    }
    watches().mutex.unlock();
}

void in_child() noexcept {
    forget_kept();
    for (ForkWatch* const watch : std::views::reverse(watches().list)) {
        watch->in_child();
    }
    watches().mutex.unlock();
}

} // namespace

void install_fork_handlers() noexcept {
    static const int installed = ::pthread_atfork(before_fork, in_parent, in_child);
    static_cast<void>(installed);
}

void ForkWatch::watch() {
    install_fork_handlers();
    const std::lock_guard lock(watches().mutex);
    watches().list.push_back(this);
}

void ForkWatch::end_watch() noexcept {
    const std::lock_guard lock(watches().mutex);
    std::erase(watches().list, this);
}

#if defined(ETL_HAS_LIBUNWIND)

// Never inlined: its own frame and its caller's are the first two.
[[gnu::noinline]] std::size_t walk_stack(std::uint64_t* to, std::size_t max) noexcept {
    constexpr std::size_t own = 2;
    constexpr std::size_t room = 256; // ETW keeps at most 192
    std::array<void*, room> frames{};
    const int wanted = static_cast<int>(std::min(max, room - own) + own);
    const int found = ::unw_backtrace(frames.data(), wanted);
    std::size_t count = 0;
    for (std::size_t i = own; i < static_cast<std::size_t>(std::max(found, 0)); ++i) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): an address as a number
        to[count++] = reinterpret_cast<std::uintptr_t>(frames[i]);
    }
    return count;
}

#else

std::size_t walk_stack(std::uint64_t*, std::size_t) noexcept {
    return 0;
}

#endif

} // namespace etl::host
