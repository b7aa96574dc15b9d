// A machine that lacks memory, threads, or descriptors while a host serves a request: each point
// where it can be noticed, once.
#include "host/descriptor.hpp"
#include "tests/unit/sessions/machine/host_process.hpp"

#include <gmock/gmock.h>

namespace etl::machine::test::faults_test {

namespace {

using session::Outcome;
using session::Status;
namespace mode = session::mode;

std::string latest; // failure

template <typename T>
Status status_of(const Outcome<T>& outcome) {
    latest = outcome ? std::string() : describe(outcome.error());
    return outcome ? Status::success : outcome.error().status;
}

/// A request, and the session that it needs.
struct Asked {
    const char* name;
    std::uint32_t mode = 0; // of session A
    std::function<Status(Controller&, const TestFolder&)> ask;
    bool has_session = true;
};

std::vector<Asked> requests() {
    const auto plain = mode::sequential;
    return {
        {"start", plain,
         [](Controller& c, const TestFolder& folder) {
             return status_of(c.start({.name = "A", .file = folder / "files/a.etl"}));
         },
         false},
        {"start a series", plain,
         [](Controller& c, const TestFolder& folder) {
             return status_of(c.start({.name = "A",
                                       .maximum_file_size = 1,
                                       .mode = mode::new_file,
                                       .file = folder / "files/a%d.etl"}));
         },
         false},
        {"start in memory", plain,
         [](Controller& c, const TestFolder&) {
             return status_of(c.start({.name = "A", .mode = mode::buffering}));
         },
         false},
        {"query", plain, [](Controller& c, const TestFolder&) { return status_of(c.query("A")); }},
        {"list", plain, [](Controller& c, const TestFolder&) { return status_of(c.sessions()); }},
        {"flush", plain, [](Controller& c, const TestFolder&) { return status_of(c.flush("A")); }},
        {"flush from memory", mode::buffering,
         [](Controller& c, const TestFolder& folder) {
             return status_of(c.flush("A", folder / "files/m.etl"));
         }},
        {"update", plain,
         [](Controller& c, const TestFolder& folder) {
             return status_of(c.update("A", {.file = folder / "files/b.etl"}));
         }},
        {"to real time", plain | mode::real_time,
         [](Controller& c, const TestFolder&) { return status_of(c.switch_to_real_time("A")); }},
        {"enable", plain,
         [](Controller& c, const TestFolder&) { return status_of(c.enable("A", tea)); }},
        {"disable", plain,
         [](Controller& c, const TestFolder&) { return status_of(c.disable("A", tea)); }},
        {"capture state", plain,
         [](Controller& c, const TestFolder&) { return status_of(c.capture_state("A", tea)); }},
        {"providers", plain,
         [](Controller& c, const TestFolder&) { return status_of(c.providers()); }},
        {"disallow", plain,
         [](Controller& c, const TestFolder&) { return status_of(c.disallow("A", {tea})); }},
        {"disallowed", plain,
         [](Controller& c, const TestFolder&) { return status_of(c.disallowed("A")); }},
        {"events", plain,
         [](Controller& c, const TestFolder&) {
             return status_of(c.events(1, std::chrono::milliseconds(1)));
         }},
        {"deliver", plain | mode::real_time,
         [](Controller& c, const TestFolder&) {
             const host::TemporaryPipe pipe;
             return status_of(c.deliver("A", pipe.path()));
         }},
        {"stop", plain, [](Controller& c, const TestFolder&) { return status_of(c.stop("A")); }},
    };
}

class FaultsTest : public ProcessesTest {
protected:
    void SetUp() override {
        ProcessesTest::SetUp();
        if (!IsSkipped() && !etl::test::can_suffer()) {
            GTEST_SKIP() << "a sanitizer allocates memory and starts threads";
        }
        std::filesystem::create_directory(folder / "files");
    }

    /// Asks with a connection whose first request has been served. Nothing but a want of resources
    /// may keep the host from serving it.
    void ask(const Asked& asked, const std::function<void()>& starve) {
        if (asked.has_session) {
            const auto started = start(asked.mode);
            ASSERT_TRUE(started) << describe(started.error());
        }
        Controller controller = connect_to(place);
        ASSERT_TRUE(controller.sessions());
        starve();
        const Status status = asked.ask(controller, folder);
        feed();
        EXPECT_THAT(status, testing::AnyOf(Status::success, Status::no_system_resources,
                                           Status::not_enough_memory))
            << asked.name << ": " << latest;
        Controller other = connect_to(place);
        EXPECT_TRUE(other.sessions()) << asked.name;
        EXPECT_THAT(status_of(other.stop("A")),
                    testing::AnyOf(Status::success, Status::wmi_instance_not_found))
            << asked.name;
    }

    Outcome<session::SessionState> start(std::uint32_t mode) {
        return connect_to(place).start(
            {.name = "A",
             .mode = mode,
             .file = (mode & mode::buffering) != 0 ? std::string() : folder / "files/a.etl"});
    }

    void feed() {
        host.faults().allocations = -1;
        host.faults().threads = -1;
        host.free_descriptors();
    }

    const TestFolder folder;
    const std::string place = folder / "host";
    const HostProcess host{place};
};

TEST_F(FaultsTest, NoAllocationOfARequestEndsTheHost) {
    for (const Asked& asked : requests()) {
        SCOPED_TRACE(asked.name);
        for (int n = 0; n < 2000 && !HasFailure(); ++n) {
            bool was_missed = false;
            Asked once = asked;
            once.ask = [&](Controller& controller, const TestFolder& files) {
                const Status status = asked.ask(controller, files);
                was_missed = host.faults().allocations.load() < 0;
                return status;
            };
            ask(once, [&] { host.faults().allocations = n; });
            if (!was_missed) {
                EXPECT_GT(n, 0);
                break;
            }
        }
    }
}

TEST_F(FaultsTest, NoThreadOfARequestEndsTheHost) {
    for (const Asked& asked : requests()) {
        SCOPED_TRACE(asked.name);
        ask(asked, [&] { host.faults().threads = 0; });
    }
    host.faults().threads = 0;
    Controller refused = connect_to(place);
    EXPECT_EQ(status_of(refused.sessions()), Status::no_system_resources);
    EXPECT_TRUE(connect_to(place).sessions());
}

TEST_F(FaultsTest, NoDescriptorOfARequestEndsTheHost) {
    for (const Asked& asked : requests()) {
        SCOPED_TRACE(asked.name);
        for (std::size_t more = 0; more < 6; ++more) {
            ask(asked, [&] { host.limit_descriptors(more); });
        }
    }
}

TEST_F(FaultsTest, NoConnectionThatFindsNothingEndsTheHostOrOccupiesIt) {
    const auto connect = [&] {
        Controller controller = connect_to(place);
        session::Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto attached =
            session::attach(runtime, {.directory = place, .wait = std::chrono::seconds(1)});
        return status_of(controller.sessions());
    };
    for (int n = 0; n < 100; ++n) {
        host.faults().allocations = n;
        connect();
        feed();
        ASSERT_TRUE(connect_to(place).sessions()) << n;
    }
    for (std::size_t more = 0; more < 8; ++more) {
        host.limit_descriptors(more);
        EXPECT_THAT(connect(), testing::AnyOf(Status::success, Status::no_system_resources));
        feed();
        ASSERT_TRUE(connect_to(place).sessions()) << more;
    }
}

} // namespace

} // namespace etl::machine::test::faults_test
