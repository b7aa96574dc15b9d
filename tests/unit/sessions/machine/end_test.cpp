// The end of a host: files that take writes are complete, whatever clients and other files do.
#include "host/local_socket.hpp"
#include "host/places.hpp"
#include "link/messages.hpp"
#include "machine/requests.hpp"
#include "tests/unit/sessions/machine/host_process.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/ptrace.h>

namespace etl::machine::test::end_test {

namespace {

namespace mode = session::mode;

class EndTest : public ProcessesTest {
protected:
    void SetUp() override {
        ProcessesTest::SetUp();
        std::filesystem::create_directory(folder / "files");
    }

    std::string file(const std::string& name) const { return folder / ("files/" + name); }

    const TestFolder folder;
    const std::string place = folder / "host";
    HostProcess host{place};
};

/// A pipe that is full and has a reader that does not read.
struct FullPipe {
    int ends[2];

    FullPipe() {
        EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
        ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
        const std::array<char, 4096> some{};
        while (::write(ends[1], some.data(), some.size()) > 0) {
        }
        ::fcntl(ends[1], F_SETFL, 0);
    }

    FullPipe(const FullPipe&) = delete;
    FullPipe& operator=(const FullPipe&) = delete;

    ~FullPipe() {
        ::close(ends[0]);
        ::close(ends[1]);
    }
};

/// A connection that asks without waiting for answers.
host::LocalSocket asking(const std::string& place, const Request& request, int descriptor) {
    auto socket = host::LocalSocket::connect(host::MeetingPlace{place}.socket());
    socket->send(encode(link::Hello{.role = link::Role::controller, .program = "asking"}));
    EXPECT_TRUE(send_message(*socket, encode(request), descriptor));
    return std::move(*socket);
}

bool is_complete(const std::string& file) {
    const auto written = written_to(file);
    return !written.error && written.checked.empty() && written.info.header.end_time != 0;
}

TEST_F(EndTest, APipeThatNothingReadsKeepsNoThreadAndNoHost) {
    Controller controller = connect_to(place);
    ASSERT_TRUE(controller.start({.name = "File", .file = file("a.etl")}));
    ASSERT_TRUE(controller.start({.name = "Memory", .mode = mode::buffering}));
    const FullPipe pipe;
    const Request request{
        .verb = Verb::flush, .session = "Memory", .file = file("pipe"), .passing = Passing::file};
    const auto flushing = asking(place, request, pipe.ends[1]);
    const auto reply = receive_message(flushing, max_reply_bytes);
    ASSERT_TRUE(reply) << "it does not wait for ever";
    EXPECT_NE(decode_reply(reply->bytes)->status, session::Status::success);
    EXPECT_EQ(::fcntl(pipe.ends[1], F_GETFL) & O_NONBLOCK, 0) << "the flags are the client's";
    EXPECT_TRUE(connect_to(place).stop("Memory"));
    const auto again = asking(place,
                              {.verb = Verb::start,
                               .options = {.name = "Pipe", .file = file("pipe")},
                               .passing = Passing::file},
                              pipe.ends[1]);
    EXPECT_EQ(host.terminate(), 0);
    EXPECT_TRUE(is_complete(file("a.etl")));
}

TEST_F(EndTest, AFileThatHangsDelaysNoOtherAndIsNamed) {
    Controller controller = connect_to(place);
    const auto hangs = controller.start({.name = "Hangs", .file = file("hangs.etl")});
    ASSERT_TRUE(hangs);
    ASSERT_TRUE(controller.enable("Hangs", tea));
    std::vector<std::string> files;
    for (int i = 0; i < 8; ++i) {
        const std::string name = "S" + std::to_string(i);
        files.push_back(file(name));
        ASSERT_TRUE(controller.start({.name = name, .file = files.back()}));
    }
    // A thread that is stopped, as by a file that hangs.
    const auto thread = static_cast<pid_t>(hangs->logger_thread_id);
    if (::ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) {
        GTEST_SKIP() << "this process may stop no threads";
    }
    ASSERT_EQ(::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr), 0);
    ASSERT_EQ(::waitpid(thread, nullptr, __WALL), thread);
    ::kill(host.id(), SIGTERM);
    EXPECT_TRUE(eventually([&] { return host.log().find("Hangs") != std::string::npos; }));
    ASSERT_TRUE(eventually([&] { return ::waitpid(thread, nullptr, __WALL | WNOHANG) == thread; }));
    EXPECT_EQ(host.terminate(), 0);
    EXPECT_THAT(host.log(), testing::HasSubstr("session Hangs of user "));
    EXPECT_THAT(host.log(), testing::Not(testing::HasSubstr("session S")));
    for (const std::string& one : files) {
        EXPECT_TRUE(is_complete(one)) << one;
    }
}

TEST_F(EndTest, ClientsThatReadNoAnswersDoNotDelayIt) {
    Controller controller = connect_to(place);
    ASSERT_TRUE(controller.start({.name = "File", .file = file("a.etl")}));
    std::vector<host::LocalSocket> sockets;
    for (int i = 0; i < 20; ++i) {
        sockets.push_back(asking(place, {.verb = Verb::list}, -1));
        for (int n = 0; n < 100; ++n) {
            std::vector<std::byte> packet(1);
            const auto request = encode(Request{.verb = Verb::providers});
            packet.insert(packet.end(), request.begin(), request.end());
            sockets.back().send(packet);
        }
    }
    EXPECT_EQ(host.terminate(), 0);
    EXPECT_TRUE(is_complete(file("a.etl")));
}

} // namespace

} // namespace etl::machine::test::end_test
