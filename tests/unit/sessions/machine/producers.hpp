// Producers and hosts in processes of their own.
#pragma once

#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/machine/running_host.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace etl::machine::test {

class ProcessesTest : public testing::Test {
protected:
    void SetUp() override {
        if (!etl::test::can_start_threads_in_child()) {
            GTEST_SKIP() << "ThreadSanitizer ends a child that starts a thread";
        }
    }
};

/// A child of this process that runs `work` with an attached provider, once that is enabled.
class Producer {
public:
    Producer(const std::string& directory,
             const std::function<void(const session::Registration&)>& work)
        : id_(::fork()) {
        if (id_ == 0) {
            session::Runtime runtime;
            const auto provider = runtime.add(tea);
            const auto attached =
                session::attach(runtime, {.directory = directory, .wait = patience});
            if (!attached || !eventually([&] { return provider->is_enabled(); })) {
                ::_exit(1);
            }
            work(*provider);
            ::_exit(0);
        }
    }

    Producer(const Producer&) = delete;
    Producer& operator=(const Producer&) = delete;

    ~Producer() {
        if (id_ > 0) {
            ::kill(id_, SIGKILL);
            wait();
        }
    }

    void send(int signal) const { ::kill(id_, signal); }

    int wait() {
        int status = 0;
        ::waitpid(std::exchange(id_, -1), &status, 0);
        return status;
    }

    pid_t id() const { return id_; }

private:
    pid_t id_;
};

inline void begin(Controller& controller, const std::string& file) {
    // Space for what a busy machine does not write to the disk in time.
    ASSERT_TRUE(
        controller.start({.name = "A", .buffer_kb = 1024, .maximum_buffers = 400, .file = file}));
    ASSERT_TRUE(controller.enable("A", tea));
}

/// A host in a process of its own. Its id, or 0.
inline pid_t start_host(const std::string& directory) {
    const pid_t child = ::fork();
    if (child == 0) {
        auto host = Host::open({.directory = directory, .idle_limit = std::nullopt});
        if (host) {
            host->run();
        }
        ::_exit(1);
    }
    const bool runs = eventually([&] {
        return Controller::connect({.directory = directory, .start = StartHost::never}).has_value();
    });
    return runs ? child : 0;
}

} // namespace etl::machine::test
