// What other users may do with a host for all of them. As root only: it takes two users.
#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "host/local_socket.hpp"
#include "host/places.hpp"
#include "link/messages.hpp"
#include "link/region_writer.hpp"
#include "session/control/runtime_state.hpp"
#include "session/writing/event_targets.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/machine/running_host.hpp"

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

/// A classic registration, and a record of it into the session that it follows.
struct ClassicProgram {
    explicit ClassicProgram(const std::string& place)
        : provider(*runtime.add(tea, {}, session::ProviderKind::classic)),
          attached(attach_to(runtime, place)) {}

    std::uint16_t session() { return runtime.state().registrations.machine_session_of(tea); }

    void write(std::uint32_t number) {
        std::vector<std::byte> record(format::full_record::size + sizeof number);
        const std::span<std::byte, format::full_record::size> head(record.data(),
                                                                   format::full_record::size);
        store<format::full_record::size_>(head, static_cast<std::uint16_t>(record.size()));
        store<format::full_record::header_type>(head, std::uint8_t{20});
        store<format::full_record::marker>(head, std::uint8_t{0xC0});
        store_le(record.data() + format::full_record::size, number);
        write(session(), record);
    }

    void write(std::uint16_t to, const std::vector<std::byte>& record) {
        const auto route = runtime.state().registrations.classic_route(to);
        if (route.region != nullptr) {
            session::write_classic_to_region(*route.region, to, record);
        }
    }

    Runtime runtime;
    session::Registration provider;
    session::Attachment attached;
};

/// The numbers of classic records, and the texts of events about take-overs, in a file.
std::vector<std::string> classic_story_of(const std::string& path) {
    std::vector<std::string> story;
    for (const auto& [processor, records] : written_to(path).streams) {
        for (const auto& record : records) {
            if (format::is_full(format::record_at(Bytes(record)).kind)) {
                story.push_back(std::to_string(
                    load_le<std::uint32_t>(record.data() + format::full_record::size)));
            }
            const std::string bytes(reinterpret_cast<const char*>(record.data()), record.size());
            for (const char* name : {"ProviderTakenOver", "ProviderReturned"}) {
                if (bytes.find(name) != std::string::npos) {
                    story.emplace_back(name);
                }
            }
        }
    }
    std::ranges::sort(story);
    return story;
}

TEST_F(RightsTest, ASessionOfAUserTakesClassicProvidersOverInItsOwnProcessesOnlyAndGivesThemBack) {
    const RunningHost host(place, true);
    Controller root = connect_to(place);
    const auto since = root.events(0, std::chrono::milliseconds(0))->next;
    const auto started = root.start({.name = "Root", .file = folder / "root.etl"});
    ASSERT_TRUE(started);
    ASSERT_TRUE(root.enable("Root", tea, confirmed()));
    ClassicProgram program(place);
    ASSERT_TRUE(eventually([&] { return program.session() == started->id; }));
    EXPECT_TRUE(as_user([&] {
        ClassicProgram own(place);
        if (!eventually([&] { return own.session() == started->id; })) {
            return false;
        }
        own.write(1); // for root
        Controller controller = connect_to(place);
        const auto mine = controller.start({.name = "Own", .file = this->own("own.etl")});
        if (!mine || !controller.enable("Own", tea, confirmed()) || own.session() != mine->id) {
            return false;
        }
        own.write(2);
        if (!controller.disable("Own", tea, confirmed()) || own.session() != started->id) {
            return false;
        }
        own.write(3); // for root again
        if (!controller.enable("Own", tea, confirmed())) {
            return false;
        }
        own.write(4);
        // A stop waits for no program.
        return controller.stop("Own").has_value() &&
               eventually([&] { return own.session() == started->id; });
    }));
    EXPECT_EQ(program.session(), started->id);
    program.write(5);
    ASSERT_TRUE(root.stop("Root"));
    EXPECT_THAT(classic_story_of(own("own.etl")), ElementsAre("2", "4"));
    EXPECT_THAT(classic_story_of(folder / "root.etl"),
                ElementsAre("1", "3", "5", "ProviderReturned", "ProviderReturned",
                            "ProviderTakenOver", "ProviderTakenOver"));
    std::vector<std::string> told;
    const auto seen = root.events(since, std::chrono::milliseconds(0));
    ASSERT_TRUE(seen);
    for (const session::SessionEvent& event : seen->events) {
        if (event.provider == tea) {
            told.push_back(event.session_name + " " + event.other_session);
        }
    }
    EXPECT_THAT(told, ElementsAre("Root Own", "Root Own", "Root Own", "Root Own"));
}

TEST_F(RightsTest, ALaterSessionOfRootTakesOverAndTheListingsSaySo) {
    const RunningHost host(place, true);
    Controller root = connect_to(place);
    ClassicProgram program(place);
    const auto first = root.start({.name = "First", .file = folder / "first.etl"});
    const auto second = root.start({.name = "Second", .file = folder / "second.etl"});
    ASSERT_TRUE(root.enable("First", tea, confirmed()));
    ASSERT_TRUE(root.enable("Second", tea, confirmed()));
    EXPECT_EQ(root.query("First")->providers.front().taken_over_by, std::vector{second->id});
    EXPECT_TRUE(root.query("Second")->providers.front().taken_over_by.empty());
    const auto instance = root.providers()->front().instances.front();
    ASSERT_EQ(instance.enabled.size(), 2U);
    EXPECT_TRUE(instance.enabled[0].is_taken_over);
    ASSERT_TRUE(root.stop("Second"));
    EXPECT_TRUE(root.query("First")->providers.front().taken_over_by.empty());
    EXPECT_TRUE(eventually([&] { return program.session() == first->id; }));
}

TEST_F(RightsTest, ASecureSessionRefusesTheEventsOfOtherUsersAndTheyHaveNoOtherWay) {
    const RunningHost host(place, true);
    Controller root = connect_to(place);
    ASSERT_TRUE(root.start({.name = "Open", .file = folder / "open.etl"}));
    const auto secure = root.start(
        {.name = "Secure", .mode = session::mode::secure, .file = folder / "secure.etl"});
    ASSERT_TRUE(secure);
    ASSERT_TRUE(root.enable("Secure", tea, confirmed({.level = 4})));
    const auto write = [&](std::uint32_t number) {
        Runtime runtime;
        const auto attached = attach_to(runtime, place);
        const auto provider = runtime.add(tea);
        return write_number(*provider, number);
    };
    EXPECT_EQ(write(1).written, 1); // root
    EXPECT_TRUE(as_user([&] {
        const auto refused = write(2);
        return refused.status == Status::access_denied && refused.written == 0;
    }));
    ASSERT_TRUE(root.enable("Open", tea, confirmed({.level = 4})));
    EXPECT_TRUE(as_user([&] { // the other session gets it
        const auto refused = write(3);
        return refused.status == Status::access_denied && refused.written == 1;
    }));
    EXPECT_TRUE(as_user([&] { // events that it does not want are not refused
        Runtime runtime;
        const auto attached = attach_to(runtime, place);
        const auto provider = runtime.add(tea);
        return provider->write({.id = 1, .level = 5, .keyword = 1}, {}).status == Status::success;
    }));
    EXPECT_TRUE(as_user([&] { // a program that does not follow the rules
        Runtime runtime;
        const auto attached = attach_to(runtime, place);
        const auto provider = runtime.add(tea);
        session::RegistrationNode* node = nullptr;
        for (const auto& facts : runtime.state().registrations.registered()) {
            node = facts.node;
        }
        link::RegionWriter& region = *node->machine.load();
        auto number = node->machine_number.load();
        EXPECT_NE(number, 0U);
        std::vector<std::byte> record(format::event_record::size + 8);
        const std::span<std::byte, format::event_record::size> head(record.data(),
                                                                    format::event_record::size);
        store_le(record.data(), 0xC013'0000U | static_cast<std::uint32_t>(record.size()));
        store<format::event_record::level>(head, std::uint8_t{4});
        store<format::event_record::keyword>(head, std::uint64_t{1});
        for (const std::uint32_t to : {number, link::classic_number(secure->id)}) {
            const auto space = region.reserve(record.size(), to);
            std::ranges::copy(record, space->at);
            region.commit(*space);
        }
        region.count_lost(secure->id);
        return !HasFailure();
    }));
    EXPECT_EQ(write(5).written, 1);
    const auto ended = root.stop("Secure");
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->events_lost, 0U);
    ASSERT_TRUE(root.stop("Open"));
    EXPECT_THAT(numbers_in(written_to(folder / "secure.etl")), testing::UnorderedElementsAre(1, 5));
}

TEST_F(RightsTest, ASecureSessionRefusesClassicEventsAndAllOfOtherUsers) {
    const RunningHost host(place, true);
    Controller root = connect_to(place);
    const auto secure = root.start(
        {.name = "Secure", .mode = session::mode::secure, .file = folder / "secure.etl"});
    ASSERT_TRUE(secure);
    ASSERT_TRUE(root.enable("Secure", tea, confirmed()));
    const auto route_of = [&](ClassicProgram& program) {
        return program.runtime.state().registrations.classic_route(secure->id);
    };
    EXPECT_TRUE(as_user([&] {
        ClassicProgram own(place);
        EXPECT_TRUE(eventually([&] { return own.session() == secure->id; }));
        EXPECT_TRUE(route_of(own).refuses_all); // TraceMessage, too
        own.write(1);                           // as a program that does not ask
        return !HasFailure();
    }));
    ClassicProgram program(place);
    ASSERT_TRUE(eventually([&] { return program.session() == secure->id; }));
    EXPECT_TRUE(route_of(program).refuses_classic); // TraceEvent
    EXPECT_FALSE(route_of(program).refuses_all);
    program.write(2);
    const auto ended = root.stop("Secure");
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->events_lost, 0U);
    EXPECT_THAT(classic_story_of(folder / "secure.etl"), testing::IsEmpty());
}

TEST_F(RightsTest, ASecureSessionOfAUserRecordsThatUser) {
    const RunningHost host(place, true);
    EXPECT_TRUE(as_user([&] {
        Controller controller = connect_to(place);
        if (!controller.start(
                {.name = "Own", .mode = session::mode::secure, .file = own("own.etl")}) ||
            !controller.enable("Own", tea, confirmed())) {
            return false;
        }
        Runtime runtime;
        const auto attached = attach_to(runtime, place);
        const auto provider = runtime.add(tea);
        return write_number(*provider, 1).status == Status::success &&
               controller.stop("Own").has_value();
    }));
    EXPECT_THAT(numbers_in(written_to(own("own.etl"))), ElementsAre(1));
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
