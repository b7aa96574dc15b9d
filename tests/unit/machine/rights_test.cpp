// What other users may do with a host for all of them. As root only: it takes two users.
#include <etl/host/local_socket.hpp>
#include <etl/host/places.hpp>

#include "link/messages.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/machine/running_host.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace etl::machine::test::rights_test {

namespace {

using session::Runtime;
using session::said;
using session::Status;
using session::write_number;
using testing::ElementsAre;

constexpr uid_t user = 54321;

/// Runs `work` as another user. Its result: true for success, in a process that ended by itself.
bool as_user(const std::function<bool()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        const bool is_user = ::setgroups(0, nullptr) == 0 && ::setresgid(user, user, user) == 0 &&
                             ::setresuid(user, user, user) == 0;
        ::_exit(is_user && work() ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return status == 0;
}

template <typename T>
bool is(const session::Outcome<T>& outcome, Status status) {
    return (outcome ? Status::success : outcome.error().status) == status;
}

class RightsTest : public testing::Test {
protected:
    void SetUp() override {
        if (::geteuid() != 0) {
            GTEST_SKIP() << "only root can become another user";
        }
        if (!etl::test::can_start_threads_in_child()) {
            GTEST_SKIP() << "ThreadSanitizer ends a child that starts a thread";
        }
        std::filesystem::create_directory(folder / "own");
        ASSERT_EQ(::chown((folder / "own").c_str(), user, user), 0);
        std::filesystem::create_directory(folder / "closed");
        ASSERT_EQ(::chmod((folder / "closed").c_str(), 0700), 0);
    }

    std::string own(const std::string& name) const { return folder / ("own/" + name); }

    const TestFolder folder;
    const std::string place = folder / "host";
};

uid_t owner_of(const std::string& file) {
    struct stat status{};
    return ::stat(file.c_str(), &status) == 0 ? status.st_uid : ~0U;
}

TEST_F(RightsTest, AUserSeesAndControlsItsOwnSessionsOnly) {
    const RunningHost host(place, true);
    Controller root = connect_to(place);
    ASSERT_TRUE(root.start({.name = "Root", .file = folder / "root.etl"}));
    EXPECT_TRUE(as_user([&] {
        Controller controller = connect_to(place);
        const bool sees_none = controller.sessions()->empty() &&
                               is(controller.query("Root"), Status::wmi_instance_not_found) &&
                               is(controller.stop("root"), Status::wmi_instance_not_found) &&
                               is(controller.enable("Root", tea), Status::wmi_instance_not_found);
        return sees_none &&
               is(controller.start({.name = "root", .file = own("a.etl")}),
                  Status::already_exists) &&
               controller.start({.name = "Own", .file = own("a.etl")}) &&
               controller.sessions()->size() == 1;
    }));
    EXPECT_EQ(root.sessions()->size(), 2);
    EXPECT_TRUE(as_user([&] { return connect_to(place).stop("own").has_value(); }));
    EXPECT_EQ(root.sessions()->size(), 1);
}

TEST_F(RightsTest, FilesAreOpenedWithTheRightsOfTheUser) {
    const RunningHost host(place, true);
    EXPECT_TRUE(as_user([&] {
        Controller controller = connect_to(place);
        const std::string forbidden = folder / "closed/a.etl";
        EXPECT_EQ(said(controller.start({.name = "A", .file = forbidden})), "ERROR_ACCESS_DENIED");
        EXPECT_TRUE(controller.start({.name = "A", .file = own("a.etl")}));
        EXPECT_EQ(said(controller.update("A", {.file = forbidden})), "ERROR_ACCESS_DENIED");
        EXPECT_TRUE(controller.start({.name = "Series",
                                      .maximum_file_size = 1,
                                      .mode = session::mode::new_file,
                                      .file = own("a%d.etl")}));
        EXPECT_TRUE(controller.switch_to_next_file("Series"));
        EXPECT_TRUE(controller.start({.name = "Ring", .mode = session::mode::buffering}));
        EXPECT_EQ(said(controller.flush("Ring", forbidden)), "ERROR_ACCESS_DENIED");
        EXPECT_TRUE(controller.flush("Ring", own("b.etl")));
        return !HasFailure();
    }));
    EXPECT_FALSE(std::filesystem::exists(folder / "closed/a.etl"));
    EXPECT_EQ(owner_of(own("a.etl")), user);
    EXPECT_EQ(owner_of(own("a1.etl")), user);
    EXPECT_EQ(owner_of(own("a2.etl")), user);
    EXPECT_EQ(owner_of(own("b.etl")), user);
    // The host itself keeps its rights.
    Controller root = connect_to(place);
    EXPECT_TRUE(root.start({.name = "Root", .file = folder / "closed/root.etl"}));
}

TEST_F(RightsTest, ASessionOfAUserReachesTheProcessesOfThatUserOnly) {
    const RunningHost host(place, true);
    Controller root = connect_to(place);
    ASSERT_TRUE(root.start({.name = "Root", .file = folder / "root.etl"}));
    ASSERT_TRUE(root.enable("Root", tea));
    Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto attached = attach_to(runtime, place);
    EXPECT_TRUE(as_user([&] {
        Controller controller = connect_to(place);
        if (!controller.providers()->empty() ||
            !controller.start({.name = "Own", .file = own("a.etl")}) ||
            !controller.enable("Own", tea)) {
            return false;
        }
        Runtime own_runtime;
        const auto own_attached = attach_to(own_runtime, place);
        const auto own_provider = own_runtime.add(tea);
        const auto listed = *controller.providers();
        return write_number(*own_provider, 1).written == 1 && listed.size() == 1 &&
               listed.front().instances.size() == 1 &&
               listed.front().instances.front().enabled.size() == 1;
    }));
    EXPECT_EQ(write_number(*provider, 2).written, 1);
    ASSERT_TRUE(root.stop("Own"));
    ASSERT_TRUE(root.stop("Root"));
    EXPECT_THAT(numbers_in(written_to(own("a.etl"))), ElementsAre(1));
    EXPECT_THAT(numbers_in(written_to(folder / "root.etl")), testing::UnorderedElementsAre(1, 2));
}

TEST_F(RightsTest, AUserHasLimitsThatOthersDoNotFeel) {
    const RunningHost host(place, true);
    EXPECT_TRUE(as_user([&] {
        Controller controller = connect_to(place);
        const session::SessionOptions small{.buffer_kb = 4, .maximum_buffers = 16};
        session::SessionOptions large{.name = "L", .buffer_kb = 1024, .maximum_buffers = 65};
        large.file = own("l.etl");
        if (!is(controller.start(large), Status::no_system_resources)) {
            return false;
        }
        large.maximum_buffers = 4;
        if (!controller.start(large) ||
            !is(controller.update("L", {.maximum_buffers = 65}), Status::no_system_resources) ||
            !controller.stop("L")) {
            return false;
        }
        for (int i = 0; i < 9; ++i) {
            session::SessionOptions options = small;
            options.name = "S" + std::to_string(i);
            options.file = own(options.name);
            const auto expected = i < 8 ? Status::success : Status::no_system_resources;
            if (!is(controller.start(options), expected)) {
                return false;
            }
        }
        for (int i = 0; i < 5; ++i) {
            const auto expected = i < 4 ? Status::success : Status::no_system_resources;
            if (!is(controller.enable("S" + std::to_string(i), tea), expected)) {
                return false;
            }
        }
        return true;
    }));
    Controller root = connect_to(place);
    ASSERT_TRUE(root.start(
        {.name = "Root", .buffer_kb = 1024, .maximum_buffers = 65, .file = folder / "root.etl"}));
    EXPECT_TRUE(root.enable("Root", tea));
}

TEST_F(RightsTest, ConnectionsOfAUserAreLimitedAndTheRefusalSaysSo) {
    const RunningHost host(place, true);
    EXPECT_TRUE(as_user([&] {
        std::vector<Controller> controllers;
        for (int i = 0; i < 32; ++i) {
            controllers.push_back(connect_to(place));
            if (!controllers.back().sessions()) {
                return false;
            }
        }
        Controller one_more = connect_to(place);
        const auto refused = one_more.sessions();
        const bool says_so =
            is(refused, Status::no_system_resources) &&
            describe(refused.error()).find("too many connections") != std::string::npos;
        return says_so &&
               connect_to(place).sessions().error().status == Status::no_system_resources &&
               Controller(std::move(controllers.back())).sessions().has_value();
    }));
    EXPECT_TRUE(connect_to(place).sessions());
    EXPECT_TRUE(as_user([&] { // they have been given back
        return eventually([&] { return connect_to(place).sessions().has_value(); });
    }));
}

TEST_F(RightsTest, ProcessesOfAUserAreLimited) {
    const RunningHost host(place, true);
    EXPECT_TRUE(as_user([&] {
        host::raise_descriptor_limit();
        std::vector<host::LocalSocket> sockets;
        int linked = 0;
        for (int i = 0; i < 270; ++i) {
            auto socket = host::LocalSocket::connect(host::MeetingPlace{place}.socket());
            socket->send(encode(link::Hello{.program = "many"}));
            socket->wait(std::nullopt);
            std::array<std::byte, 256> packet{};
            const auto received = socket->receive(packet);
            linked += link::decode_welcome(Bytes(packet).first(received.size)) ? 1 : 0;
            sockets.push_back(std::move(*socket));
        }
        Runtime runtime;
        const auto refused = session::attach(runtime, {.directory = place, .wait = patience});
        return linked == 256 && !refused->is_linked() && refused->refusal() &&
               refused->refusal()->status == Status::no_system_resources;
    }));
    Runtime runtime;
    const auto attached = attach_to(runtime, place);
    EXPECT_TRUE(attached.is_linked());
    EXPECT_FALSE(attached.refusal());
}

TEST_F(RightsTest, AUserCannotKeepAHostFromStarting) {
    {
        const RunningHost first(place, true);
    }
    int ready[2], done[2];
    ASSERT_EQ(::pipe(ready), 0);
    ASSERT_EQ(::pipe(done), 0);
    std::thread holder([&] {
        EXPECT_TRUE(as_user([&] {
            const std::string wake = host::MeetingPlace{place}.wake_page();
            const std::string lock = host::MeetingPlace{place}.lock();
            const int page = ::open(wake.c_str(), O_RDONLY);
            const bool holds = page >= 0 && ::flock(page, LOCK_EX | LOCK_NB) == 0 &&
                               ::open(lock.c_str(), O_RDONLY) < 0;
            char byte = holds ? 'y' : 'n';
            return ::write(ready[1], &byte, 1) == 1 && ::read(done[0], &byte, 1) == 1 && holds;
        }));
    });
    char byte = 'n';
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'y');
    EXPECT_TRUE(RunningHost(place, true).is_running());
    EXPECT_EQ(::write(done[1], &byte, 1), 1);
    holder.join();
}

} // namespace

} // namespace etl::machine::test::rights_test
