// A host in a thread of the test, in a directory of its own.
#pragma once

#include <etl/machine.hpp>

#include "format/known_guids.hpp"
#include "format/records.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace etl::machine::test {

using session::is_enablement;
using session::numbers_in;
using session::TestFolder;
using session::written_to;

inline constexpr auto& tea = session::tea;

/// A number from the environment, for long runs of a test (scripts/check).
inline int asked(const char* variable, int usual) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? usual : std::atoi(text);
}

/// Long enough for a busy machine; what is waited for takes milliseconds.
inline constexpr std::chrono::seconds patience{60};

/// Waits until it is so.
inline bool eventually(const std::function<bool()>& is_so) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!is_so()) {
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

class RunningHost {
public:
    explicit RunningHost(const std::string& directory, bool is_for_all_users = false)
        : RunningHost(HostOptions{.directory = directory,
                                  .is_for_all_users = is_for_all_users,
                                  .idle_limit = std::nullopt}) {}

    explicit RunningHost(const HostOptions& options) : host_(Host::open(options)) {
        if (host_) {
            thread_ = std::thread([this] { host_->run(); });
        }
    }

    RunningHost(const RunningHost&) = delete;
    RunningHost& operator=(const RunningHost&) = delete;

    ~RunningHost() {
        if (host_) {
            host_->stop();
            thread_.join();
        }
    }

    bool is_running() const { return host_.has_value(); }

private:
    Result<Host> host_;
    std::thread thread_;
};

inline Controller connect_to(const std::string& directory) {
    auto controller = Controller::connect({.directory = directory, .start = StartHost::never});
    EXPECT_TRUE(controller) << describe(controller.error());
    return std::move(*controller);
}

/// Waits for callbacks.
inline session::EnableOptions confirmed(session::EnableOptions how = {}) {
    how.timeout = patience;
    return how;
}

inline session::Attachment attach_to(session::Runtime& runtime, const std::string& directory) {
    auto attached = session::attach(runtime, {.directory = directory, .wait = patience});
    EXPECT_TRUE(attached) << describe(attached.error());
    return std::move(*attached);
}

} // namespace etl::machine::test
