#include "host/descriptor.hpp"
#include "host/programs.hpp"

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
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

/// How to start a program, as posix_spawn takes it.
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

    /// Standard input is empty; standard output and standard error are these descriptors.
    void with_streams(int output, int errors) {
        ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
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

using Clock = std::chrono::steady_clock;

constexpr int poll_milliseconds = 20; // until should_stop is asked again

struct Pipe {
    Descriptor to_read, to_write;
};

Result<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
        return os_error("cannot create a pipe");
    }
    for (const int end : ends) {
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// One stream of the program: what is read of it is kept up to a limit.
class Stream {
public:
    Stream(Descriptor from, std::string& to, std::size_t max)
        : from_(std::move(from)), to_(&to), max_(max) {}

    bool is_open() const noexcept { return static_cast<bool>(from_); }

    bool overflowed() const noexcept { return overflowed_; }

    pollfd request() const noexcept { return {from_.number(), POLLIN, 0}; }

    void read_some() {
        std::array<char, 16U << 10U> block; // NOLINT(*-init-variables): filled by read
        const ssize_t size = ::read(from_.number(), block.data(), block.size());
        if (size < 0 && errno == EINTR) {
            return;
        }
        if (size <= 0) {
            from_.close();
            return;
        }
        const std::string_view arrived(block.data(), static_cast<std::size_t>(size));
        const std::string_view kept = arrived.substr(0, max_ - to_->size());
        to_->append(kept);
        overflowed_ = overflowed_ || kept.size() < arrived.size();
    }

private:
    Descriptor from_;
    std::string* to_;
    std::size_t max_;
    bool overflowed_ = false;
};

void read_ready(Stream& output, Stream& errors) {
    // Closed streams have the number -1, which poll() ignores.
    std::array requests{output.request(), errors.request()};
    if (::poll(requests.data(), requests.size(), poll_milliseconds) <= 0) {
        return;
    }
    if (requests[0].revents != 0) {
        output.read_some();
    }
    if (requests[1].revents != 0) {
        errors.read_some();
    }
}

/// Ends the process if it still runs, and takes its exit status.
int take_status(pid_t process, Captured::End end) {
    if (end != Captured::End::exited) {
        ::kill(process, SIGKILL);
    }
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

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

std::string own_program() {
    const std::string path = "/proc/self/exe";
    return ::access(path.c_str(), X_OK) == 0 ? path : std::string();
}

Result<Captured> run_and_capture(const std::vector<std::string>& command,
                                 const CaptureOptions& options, FunctionRef<bool()> should_stop) {
    auto out = make_pipe();
    auto err = make_pipe();
    if (!out || !err) {
        return std::unexpected(out ? err.error() : out.error());
    }
    Spawning spawning;
    spawning.with_streams(out->to_write.number(), err->to_write.number());
    pid_t process = 0;
    if (const int failed = command.empty() ? ENOENT : spawning.start(command, process);
        failed != 0) {
        return os_error("cannot start the program",
                        failed == ENOENT ? ErrorCode::not_found : ErrorCode::io_failure, failed);
    }
    out->to_write.close();
    err->to_write.close();
    Captured captured;
    Stream output(std::move(out->to_read), captured.output, options.max_output);
    Stream errors(std::move(err->to_read), captured.errors, options.max_errors);
    const auto deadline = Clock::now() + options.time_limit;
    using End = Captured::End;
    while (captured.end == End::exited && (output.is_open() || errors.is_open())) {
        read_ready(output, errors);
        captured.end = output.overflowed()        ? End::output_full
                       : should_stop()            ? End::stopped
                       : Clock::now() >= deadline ? End::timed_out
                                                  : End::exited;
    }
    const int status = take_status(process, captured.end);
    if (captured.end == End::exited && WIFSIGNALED(status)) {
        captured.end = End::signaled;
        captured.code = WTERMSIG(status);
    } else if (WIFEXITED(status)) {
        captured.code = WEXITSTATUS(status);
    }
    return captured;
}

} // namespace etl::host
