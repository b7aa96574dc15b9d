// Files of machine sessions: opened by the controller, written by the host.
#include "host/local_socket.hpp"
#include "host/places.hpp"
#include "io/passed_files.hpp"
#include "link/messages.hpp"
#include "machine/requests.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/machine/running_host.hpp"

#include <gmock/gmock.h>

#include <array>
#include <barrier>
#include <cerrno>
#include <fstream>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace etl::machine::test::files_test {

namespace {

using session::Runtime;
using session::said;
using session::SessionOptions;
using session::write_number;
using testing::ElementsAre;
namespace mode = session::mode;

class FilesTest : public testing::Test {
protected:
    /// One event, written while the session runs.
    void record(Controller& controller, const std::string& name, std::uint32_t number) const {
        ASSERT_TRUE(controller.enable(name, tea, confirmed()));
        Runtime runtime;
        const auto attached = attach_to(runtime, place);
        const auto provider = runtime.add(tea);
        ASSERT_EQ(write_number(*provider, number).written, 1);
    }

    const TestFolder folder;
    const std::string place = folder / "host";
};

std::string content_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(FilesTest, ARelativePathIsThatOfTheController) {
    const RunningHost host(place);
    Controller controller = connect_to(place);
    const std::string before = std::filesystem::current_path();
    std::filesystem::current_path(folder / "");
    const auto started = controller.start({.name = "A", .file = "a.etl"});
    std::filesystem::current_path(before);
    ASSERT_TRUE(started) << describe(started.error());
    EXPECT_EQ(started->file, folder / "a.etl");
    record(controller, "A", 7);
    ASSERT_TRUE(controller.stop("A"));
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), ElementsAre(7));
}

TEST_F(FilesTest, AFileOfAnotherSessionIsASharingViolation) {
    const RunningHost host(place);
    Controller controller = connect_to(place);
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    ASSERT_TRUE(controller.start({.name = "B", .file = folder / "b.etl"}));
    std::filesystem::create_hard_link(folder / "a.etl", folder / "link.etl");
    const auto refused = controller.start({.name = "C", .file = folder / "a.etl"});
    EXPECT_EQ(said(refused), "ERROR_SHARING_VIOLATION");
    EXPECT_EQ(said(controller.start({.name = "C", .file = folder / "link.etl"})),
              "ERROR_SHARING_VIOLATION");
    EXPECT_EQ(said(controller.update("B", {.file = folder / "a.etl"})), "ERROR_SHARING_VIOLATION");
    EXPECT_EQ(said(controller.update("B", {.file = folder / "b.etl"})), "ERROR_BAD_PATHNAME");
    // Its own sessions, in another process.
    Runtime runtime;
    ASSERT_TRUE(runtime.start({.name = "Own", .file = folder / "own.etl"}));
    EXPECT_EQ(said(controller.start({.name = "C", .file = folder / "own.etl"})),
              "ERROR_SHARING_VIOLATION");
    record(controller, "A", 7);
    ASSERT_TRUE(controller.stop("A"));
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), ElementsAre(7));
    EXPECT_TRUE(controller.start({.name = "C", .file = folder / "a.etl"}));
}

TEST_F(FilesTest, ARefusedSessionLeavesNoFileAndChangesNone) {
    const RunningHost host(place);
    Controller controller = connect_to(place);
    std::ofstream(folder / "kept.etl") << "kept";
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    for (const char* file : {"new.etl", "kept.etl"}) {
        EXPECT_EQ(said(controller.start({.name = "a", .file = folder / file})),
                  "ERROR_ALREADY_EXISTS");
        EXPECT_EQ(
            said(controller.start({.name = "B", .mode = mode::circular, .file = folder / file})),
            "ERROR_INVALID_PARAMETER");
        EXPECT_EQ(said(controller.update("missing", {.file = folder / file})),
                  "ERROR_WMI_INSTANCE_NOT_FOUND");
        EXPECT_TRUE(controller.flush("A", folder / file)) << "its own file";
        EXPECT_EQ(said(controller.start({.name = "B",
                                         .file = folder / file,
                                         .crash_safety = session::CrashSafety::mapped_file})),
                  "ERROR_INVALID_PARAMETER");
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "new.etl"));
    EXPECT_EQ(content_of(folder / "kept.etl"), "kept");
    EXPECT_TRUE(controller.stop("A", folder / "new.etl"));
    EXPECT_FALSE(std::filesystem::exists(folder / "new.etl"));
}

TEST_F(FilesTest, ErrorsOfFilesComeAfterTheOtherChecks) {
    const RunningHost host(place);
    Controller controller = connect_to(place);
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    const std::string missing = folder / "missing/a.etl";
    EXPECT_EQ(said(controller.start({.name = "a", .file = missing})), "ERROR_ALREADY_EXISTS");
    EXPECT_EQ(said(controller.start({.name = "B", .file = missing})), "ERROR_PATH_NOT_FOUND");
    EXPECT_EQ(said(controller.start({.name = "B",
                                     .maximum_file_size = 1,
                                     .mode = mode::new_file,
                                     .file = folder / "missing/%d.etl"})),
              "ERROR_PATH_NOT_FOUND");
    EXPECT_EQ(said(controller.start({.name = "B", .file = folder / ""})), "ERROR_ACCESS_DENIED");
    EXPECT_EQ(said(controller.update("A", {.file = missing})), "ERROR_PATH_NOT_FOUND");
}

TEST_F(FilesTest, AnExistingFileIsReplacedOrContinued) {
    const RunningHost host(place);
    Controller controller = connect_to(place);
    for (const std::uint32_t number : {1U, 2U}) {
        ASSERT_TRUE(controller.start(
            {.name = "A", .clock = 2, .mode = mode::append, .file = folder / "a.etl"}));
        record(controller, "A", number);
        ASSERT_TRUE(controller.stop("A"));
    }
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), testing::UnorderedElementsAre(1, 2));
    ASSERT_TRUE(controller.start({.name = "A", .file = folder / "a.etl"}));
    record(controller, "A", 3);
    ASSERT_TRUE(controller.stop("A"));
    EXPECT_THAT(numbers_in(written_to(folder / "a.etl")), ElementsAre(3));
}

TEST_F(FilesTest, ASeriesFollowsNoLinksOutOfItsDirectory) {
    const RunningHost host(place);
    Controller controller = connect_to(place);
    std::ofstream(folder / "other") << "kept";
    std::filesystem::create_symlink(folder / "other", folder / "a2.etl");
    ASSERT_TRUE(controller.start(
        {.name = "A", .maximum_file_size = 1, .mode = mode::new_file, .file = folder / "a%d.etl"}));
    EXPECT_FALSE(controller.switch_to_next_file("A"));
    EXPECT_EQ(content_of(folder / "other"), "kept");
    std::filesystem::remove(folder / "a2.etl");
    EXPECT_TRUE(controller.switch_to_next_file("A"));
    EXPECT_TRUE(std::filesystem::exists(folder / "a2.etl"));
    // Another series, in another directory; the old one is left.
    std::filesystem::create_directory(folder / "next");
    ASSERT_TRUE(controller.update("A", {.file = folder / "next/b%d.etl"}));
    EXPECT_FALSE(controller.update("A", {.file = folder / "missing/b%d.etl"}));
    EXPECT_TRUE(controller.switch_to_next_file("A"));
    EXPECT_TRUE(std::filesystem::exists(folder / "next/b2.etl"));
}

TEST_F(FilesTest, ARequestThatNeedsNoFileCannotReplaceThoseOfASession) {
    const RunningHost host(place);
    Controller controller = connect_to(place);
    ASSERT_TRUE(controller.start(
        {.name = "A", .maximum_file_size = 1, .mode = mode::new_file, .file = folder / "a%d.etl"}));
    std::filesystem::create_directory(folder / "other");
    const host::Descriptor other(io::open_directory_to_pass(folder / "other/a.etl")->descriptor);
    const auto socket = host::LocalSocket::connect(host::MeetingPlace{place}.socket());
    ASSERT_TRUE(socket);
    socket->send(encode(link::Hello{.role = link::Role::controller, .program = "raw"}));
    for (const Verb verb : {Verb::flush, Verb::next_file}) {
        const Request request{
            .verb = verb, .session = "A", .file = folder / "a.etl", .passing = Passing::directory};
        ASSERT_TRUE(send_message(*socket, encode(request), other.number()));
        const auto reply = receive_message(*socket, max_reply_bytes);
        ASSERT_TRUE(reply);
        EXPECT_EQ(decode_reply(reply->bytes)->status, session::Status::success);
    }
    ASSERT_TRUE(controller.switch_to_next_file("A"));
    EXPECT_TRUE(std::filesystem::is_empty(folder / "other"));
    EXPECT_TRUE(std::filesystem::exists(folder / "a3.etl"));
}

/// Neither of two controllers that create the same file removes it from the other one's session.
TEST_F(FilesTest, OfTwoSessionsThatCreateAFileAtOnceOneKeepsIt) {
    const RunningHost host(place);
    std::array<Controller, 2> controllers{connect_to(place), connect_to(place)};
    for (int i = 0; i < 200; ++i) {
        const std::string file = folder / (std::to_string(i) + ".etl");
        std::barrier both(2);
        std::array<bool, 2> has_started{};
        const auto start = [&](std::size_t which) {
            both.arrive_and_wait();
            has_started.at(which) = controllers.at(which).start({.name = "A", .file = file}) &&
                                    std::filesystem::exists(file);
        };
        {
            const std::jthread other(start, 1);
            start(0);
        }
        ASSERT_EQ(has_started[0] + has_started[1], 1) << i;
        ASSERT_TRUE(controllers[0].stop("A"));
        ASSERT_TRUE(std::filesystem::exists(file)) << i;
    }
}

/// A controller in a container: it sees another directory than the host under the same path.
TEST_F(FilesTest, FilesAreInTheDirectoriesOfTheControllerNotOfTheHost) {
    if (::geteuid() != 0 || !etl::test::can_start_threads_in_child()) {
        GTEST_SKIP() << "only root can mount a directory";
    }
    const RunningHost host(place);
    const std::string own = folder / "own";
    std::filesystem::create_directory(own);
    const pid_t child = ::fork();
    if (child == 0) {
        if (::unshare(CLONE_NEWNS) != 0 ||
            ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("none", own.c_str(), "tmpfs", 0, nullptr) != 0) {
            ::_exit(errno == EPERM || errno == EINVAL ? 77 : 1); // EINVAL: a changed root
        }
        Controller controller = connect_to(place);
        const std::vector<SessionOptions> all{
            {.name = "sequential"},
            {.name = "circular", .maximum_file_size = 1, .mode = mode::circular},
            {.name = "append", .mode = mode::append},
            {.name = "reserved", .maximum_file_size = 1, .mode = mode::preallocate},
            {.name = "series%d", .maximum_file_size = 1, .mode = mode::new_file}};
        for (SessionOptions options : all) {
            options.file = own + '/' + options.name;
            const auto started = controller.start(options);
            EXPECT_TRUE(started) << options.name << describe(started.error());
            record(controller, options.name, 7);
            const auto stopped = controller.stop(options.name);
            EXPECT_TRUE(stopped);
            EXPECT_THAT(numbers_in(written_to(stopped->file)), ElementsAre(7)) << options.name;
        }
        EXPECT_TRUE(controller.start({.name = "ring", .mode = mode::buffering}));
        record(controller, "ring", 8);
        EXPECT_TRUE(controller.flush("ring", own + "/flushed"));
        EXPECT_TRUE(controller.stop("ring", own + "/stopped"));
        EXPECT_THAT(numbers_in(written_to(own + "/flushed")), ElementsAre(8));
        EXPECT_THAT(numbers_in(written_to(own + "/stopped")), ElementsAre(8));
        EXPECT_TRUE(controller.start({.name = "updated", .file = own + "/first"}));
        EXPECT_TRUE(controller.update("updated", {.file = own + "/second"}));
        EXPECT_TRUE(controller.stop("updated"));
        EXPECT_TRUE(std::filesystem::exists(own + "/second"));
        ::_exit(HasFailure() ? 1 : 0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        GTEST_SKIP() << "mounting is not possible here";
    }
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::is_empty(own)) << "files in the directory of the host";
}

TEST(ModesTest, DelayedOpeningCompressionAndExtensionsAreAsInAProcess) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    // No effect, as on Windows since Vista: the file is there, or the start fails.
    ASSERT_TRUE(controller.start(
        {.name = "Delay", .mode = session::mode::delay_open, .file = folder / "delay.etl"}));
    EXPECT_GT(std::filesystem::file_size(folder / "delay.etl"), 0U);
    const auto missing = controller.start(
        {.name = "None", .mode = session::mode::delay_open, .file = folder / "no/none.etl"});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().status, session::Status::path_not_found);
    // Ordinary sessions compress only what is in memory.
    const auto compressed = controller.start(
        {.name = "C", .mode = session::mode::compressed, .file = folder / "c.etl"});
    ASSERT_FALSE(compressed);
    EXPECT_EQ(compressed.error().status, session::Status::invalid_parameter);
    EXPECT_FALSE(std::filesystem::exists(folder / "c.etl"));
    ASSERT_TRUE(controller.start(
        {.name = "Ring", .mode = session::mode::compressed | session::mode::buffering}));
    ASSERT_TRUE(controller.enable("Ring", tea));
    ASSERT_TRUE(controller.stop("Ring", folder / "ring.etl"));
    const auto written = written_to(folder / "ring.etl");
    EXPECT_NE(written.info.header.log_file_mode & session::mode::compressed, 0U);
    EXPECT_FALSE(written.streams.empty());
    // Checked, kept, and returned.
    session::SessionOptions extended{.name = "E",
                                     .mode = session::mode::real_time,
                                     .enable_flags = 0x80FF0200,
                                     .enable_extension = std::vector<std::byte>(12)};
    EXPECT_FALSE(controller.start(extended)); // of length 0
    extended.enable_extension[0] = std::byte{3};
    extended.enable_extension[2] = std::byte{1};
    extended.enable_extension[4] = std::byte{2};
    extended.enable_extension[6] = std::byte{1};
    ASSERT_TRUE(controller.start(extended));
    EXPECT_EQ(controller.query("E")->options.enable_extension, extended.enable_extension);
}

TEST(ModesTest, APathThatIsTooLongIsRefusedInEveryMode) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    const std::string path = folder / std::string(1100, 'f');
    for (const std::uint32_t bits : {0U, mode::real_time, mode::buffering}) {
        const auto refused = controller.start({.name = "Long", .mode = bits, .file = path});
        ASSERT_FALSE(refused) << bits;
        EXPECT_EQ(refused.error().status, session::Status::bad_pathname);
    }
    ASSERT_TRUE(controller.start({.name = "Live", .mode = session::mode::real_time}));
    EXPECT_EQ(controller.update("Live", {.file = path}).error().status,
              session::Status::bad_pathname);
    ASSERT_TRUE(controller.start({.name = "Ring", .mode = session::mode::buffering}));
    EXPECT_EQ(controller.flush("Ring", path).error().status, session::Status::bad_pathname);
    EXPECT_EQ(controller.stop("Ring", path).error().status, session::Status::bad_pathname);
    EXPECT_TRUE(controller.query("Ring"));
}

} // namespace

} // namespace etl::machine::test::files_test
