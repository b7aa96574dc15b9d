// A user who takes all that a host of machine sessions gives, at once.
// docs/machine-sessions.md#limits
#pragma once

#include <etl/machine.hpp>

#include "host/local_socket.hpp"
#include "host/places.hpp"
#include "link/messages.hpp"
#include "machine/requests.hpp"

#include <array>
#include <chrono>
#include <fcntl.h>
#include <functional>
#include <grp.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace etl::test {

/// A child that runs `work` as a user. Its result: 0 for success.
inline pid_t start_as(uid_t user, const std::function<bool()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        const bool is_user = ::setgroups(0, nullptr) == 0 && ::setresgid(user, user, user) == 0 &&
                             ::setresuid(user, user, user) == 0;
        ::_exit(is_user && work() ? 0 : 1);
    }
    return child;
}

/// The other end of all pipes and connections stays open, and is not read.
class HostAttack {
public:
    HostAttack(std::string place, std::string folder)
        : place_(std::move(place)), folder_(std::move(folder)) {}

    void run() {
        host::raise_descriptor_limit();
        auto controller =
            machine::Controller::connect({.directory = place_, .start = machine::StartHost::never});
        if (!controller) {
            return;
        }
        for (int i = 0; i < 8; ++i) {
            static_cast<void>(controller->start(
                {.name = "Attack" + std::to_string(i),
                 .buffer_kb = 64,
                 .maximum_buffers = 8,
                 .mode = i == 0 ? session::mode::buffering : session::mode::real_time}));
        }
        for (int i = 0; i < 300; ++i) {
            connect(link::Role::provider);
        }
        const std::size_t first = sockets_.size();
        // Of connections that have not said what they are, the host takes only so many at once.
        for (int i = 0; i < 40; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            connect(link::Role::controller);
        }
        std::this_thread::sleep_for(std::chrono::seconds(1)); // until they are served
        for (int i = 0; i < 100; ++i) {                       // from here on, nothing else gets in
            idle_.push_back(host::LocalSocket::connect(host::MeetingPlace{place_}.socket()));
        }
        for (std::size_t round = 0;; ++round) { // until it is killed
            for (std::size_t i = first; i < sockets_.size(); ++i) {
                ask(sockets_[i], round + i);
            }
            if (round % 16 == 0) {
                connect(link::Role::controller);
                sockets_.pop_back();
            }
        }
    }

private:
    void connect(link::Role role) {
        auto socket = host::LocalSocket::connect(host::MeetingPlace{place_}.socket());
        if (socket) {
            socket->send(encode(link::Hello{.role = role, .program = "attack"}));
            sockets_.push_back(std::move(*socket));
        }
    }

    /// Reads answers only now and then.
    void ask(const host::LocalSocket& socket, std::size_t kind) {
        machine::Request request{.verb = machine::Verb::providers};
        if (kind % 3 == 0) { // to a pipe that is full
            request = {.verb = machine::Verb::flush,
                       .session = "Attack0",
                       .file = folder_ + "/pipe",
                       .passing = machine::Passing::file};
        } else if (kind % 3 == 1) {
            request = {.verb = machine::Verb::deliver,
                       .session = "Attack1",
                       .file = folder_ + "/pipe",
                       .passing = machine::Passing::file};
        }
        std::vector<std::byte> packet(1);
        const auto bytes = encode(request);
        packet.insert(packet.end(), bytes.begin(), bytes.end());
        const std::array passed{pipe_[1]};
        if (socket.send(packet, passed) == host::LocalSocket::Sent::would_block) {
            std::vector<std::byte> answer(1U << 16U);
            socket.receive(answer);
        }
    }

    static std::array<int, 2> full_pipe() {
        std::array<int, 2> ends{};
        static_cast<void>(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK));
        const std::array<char, 4096> some{};
        while (::write(ends[1], some.data(), some.size()) > 0) {
        }
        ::fcntl(ends[1], F_SETFL, 0);
        return ends;
    }

    std::string place_, folder_;
    std::array<int, 2> pipe_ = full_pipe();
    std::vector<host::LocalSocket> sockets_;
    std::vector<Result<host::LocalSocket>> idle_;
};

} // namespace etl::test
