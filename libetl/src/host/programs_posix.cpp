#include <etl/host/programs.hpp>

#include "host/os_error.hpp"

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): not declared everywhere

namespace etl::host {

namespace {

bool is_program(const std::string& path) noexcept {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::access(path.c_str(), X_OK) == 0;
}

std::string own_directory() {
    std::string path(PATH_MAX, '\0');
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    path.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return path.substr(0, std::min(path.rfind('/'), path.size()));
}

/// How to start a program; as posix_spawn takes it.
class Spawning {
public:
    Spawning() {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
    }

    Spawning(const Spawning&) = delete;
    Spawning& operator=(const Spawning&) = delete;

    ~Spawning() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    void without_terminal() {
        for (int stream = 0; stream <= STDERR_FILENO; ++stream) {
            ::posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_RDWR, 0);
        }
#if defined(POSIX_SPAWN_SETSID)
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID);
#endif
    }

    /// Signals that this process ignores.
    void with_default_signals(const sigset_t& signals) {
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
    }

    /// Returns 0 or an errno.
    int start(const std::vector<std::string>& command, pid_t& process) const {
        std::vector<std::string> words = command;
        std::vector<char*> pointers;
        for (std::string& word : words) {
            pointers.push_back(word.data());
        }
        pointers.push_back(nullptr);
        return ::posix_spawnp(&process, pointers.front(), &actions_, &attributes_, pointers.data(),
                              environ);
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

} // namespace

std::string find_program(std::string_view name) {
    if (std::string beside = own_directory() + '/' + std::string(name); is_program(beside)) {
        return beside;
    }
    const char* const value = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): at the start
    const std::string path = value == nullptr ? "" : value;
    for (std::size_t from = 0; from <= path.size();) {
        const std::size_t to = std::min(path.find(':', from), path.size());
        std::string candidate = path.substr(from, to - from) + '/' + std::string(name);
        if (to > from && is_program(candidate)) {
            return candidate;
        }
        from = to + 1;
    }
    return {};
}

Result<void> start_in_background(const std::string& path,
                                 const std::vector<std::string>& arguments) {
    std::vector<std::string> command{path};
    command.insert(command.end(), arguments.begin(), arguments.end());
    Spawning spawning;
    spawning.without_terminal();
    pid_t process = 0;
    if (const int status = spawning.start(command, process); status != 0) {
        return os_error("cannot start the program", ErrorCode::io_failure, status);
    }
    return {};
}

Result<int> run_and_wait(const std::vector<std::string>& command) {
    constexpr std::array ignored{SIGINT, SIGQUIT};
    constexpr int signaled = 128;
    std::array<struct sigaction, ignored.size()> before{};
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN; // NOLINT: a macro of the system
    sigset_t defaults;
    ::sigemptyset(&defaults);
    for (const int one : {SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ}) {
        ::sigaddset(&defaults, one);
    }
    Spawning spawning;
    spawning.with_default_signals(defaults);
    for (std::size_t i = 0; i < ignored.size(); ++i) {
        ::sigaction(ignored.at(i), &ignore, &before.at(i));
    }
    pid_t process = 0;
    const int started = command.empty() ? ENOENT : spawning.start(command, process);
    int status = 0;
    while (started == 0 && ::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    for (std::size_t i = 0; i < ignored.size(); ++i) {
        ::sigaction(ignored.at(i), &before.at(i), nullptr);
    }
    if (started != 0) {
        return os_error("cannot start the program",
                        started == ENOENT ? ErrorCode::not_found : ErrorCode::io_failure, started);
    }
    return WIFSIGNALED(status) ? signaled + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace etl::host
