// A host in a process of its own that others can count, starve, and end.
#pragma once

#include "tests/support/faults.hpp"
#include "tests/unit/sessions/machine/producers.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace etl::machine::test {

/// As etld: SIGTERM ends it, and it leaves by _exit. Its reports are in `DIRECTORY.log`.
class HostProcess {
public:
    static constexpr std::size_t own_threads = 3; // the loop, the drain, the deliveries

    explicit HostProcess(const std::string& directory, bool is_for_all_users = false)
        : faults_(new(::mmap(nullptr, sizeof(etl::test::Faults), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0)) etl::test::Faults),
          log_(directory + ".log"), id_(::fork()) {
        if (id_ == 0) {
            run(directory, is_for_all_users);
        }
        // Tests skip what has ended at once: in vain, it would be waited for with patience.
        is_running_ = etl::test::can_start_threads_in_child() && eventually([&] {
                          auto controller = Controller::connect(
                              {.directory = directory, .start = StartHost::never});
                          return controller && controller->sessions();
                      });
        // The connection has gone.
        is_running_ = is_running_ && eventually([&] { return threads() == own_threads; });
    }

    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    ~HostProcess() {
        if (id_ > 0) {
            ::kill(id_, SIGKILL);
            ::waitpid(id_, nullptr, 0);
        }
        ::munmap(faults_, sizeof *faults_);
    }

    bool is_running() const { return is_running_; }

    pid_t id() const { return id_; }

    etl::test::Faults& faults() const { return *faults_; }

    std::string log() const {
        std::ifstream file(log_);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::size_t threads() const { return entries("task"); }

    std::size_t descriptors() const { return entries("fd"); }

    /// Resident memory in KB that is not shared with others.
    std::size_t memory() const {
        std::ifstream file("/proc/" + std::to_string(id_) + "/status");
        std::string word;
        std::size_t size = 0;
        while (file >> word && word != "RssAnon:") {
        }
        file >> size;
        return size;
    }

    /// It can open no more than `more` descriptors.
    void limit_descriptors(std::size_t more) const {
        rlimit limit{};
        ::prlimit(id_, RLIMIT_NOFILE, nullptr, &limit);
        limit.rlim_cur = descriptors() + more;
        ::prlimit(id_, RLIMIT_NOFILE, &limit, nullptr);
    }

    void free_descriptors() const {
        rlimit limit{};
        ::prlimit(id_, RLIMIT_NOFILE, nullptr, &limit);
        limit.rlim_cur = limit.rlim_max;
        ::prlimit(id_, RLIMIT_NOFILE, &limit, nullptr);
    }

    /// Ends it as a service manager does. Its status; -1: it has to be killed.
    int terminate() {
        ::kill(id_, SIGTERM);
        int status = -1;
        const bool has_ended = eventually([&] { return ::waitpid(id_, &status, WNOHANG) == id_; });
        if (has_ended) {
            id_ = -1;
        }
        return has_ended ? status : -1;
    }

private:
    inline static Host* running_ = nullptr;

    void run(const std::string& directory, bool is_for_all_users) {
        etl::test::suffer(*faults_);
        std::ofstream log(log_);
        auto host =
            Host::open({.directory = directory,
                        .is_for_all_users = is_for_all_users,
                        .idle_limit = std::nullopt,
                        .report = [&](const std::string& line) { log << line << std::endl; }});
        if (host) {
            running_ = &*host;
            ::signal(SIGPIPE, SIG_IGN);
            ::signal(SIGTERM, [](int) { running_->stop(); });
            host->run();
        }
        ::_exit(host ? 0 : 1);
    }

    std::size_t entries(const char* of) const {
        std::size_t count = 0;
        std::error_code code;
        const auto all =
            std::filesystem::directory_iterator("/proc/" + std::to_string(id_) + "/" + of, code);
        for ([[maybe_unused]] const auto& one : all) {
            ++count;
        }
        return count;
    }

    etl::test::Faults* faults_;
    std::string log_;
    pid_t id_;
    bool is_running_ = false;
};

} // namespace etl::machine::test
