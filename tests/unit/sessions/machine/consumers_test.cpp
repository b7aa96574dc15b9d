// Real-time consumers: many of them, slow ones, and those whose connection ends.
#include "host/descriptor.hpp"
#include "tests/unit/sessions/machine/host_process.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <list>

namespace etl::machine::test::consumers_test {

namespace {

namespace mode = session::mode;

class ConsumersTest : public ProcessesTest {
protected:
    static session::SessionOptions real_time(const std::string& name) {
        return {.name = name, .buffer_kb = 64, .maximum_buffers = 8, .mode = mode::real_time};
    }

    const TestFolder folder;
    const std::string place = folder / "host";
    const HostProcess host{place};
};

TEST_F(ConsumersTest, ManyTakeNoThreadsAndGoWithTheirConnection) {
    Controller other = connect_to(place);
    ASSERT_TRUE(other.start(real_time("A")));
    const std::size_t threads = host.threads(), descriptors = host.descriptors();
    constexpr std::uint32_t consumers = 300;
    std::list<host::TemporaryPipe> pipes; // read by this process until the end
    {
        Controller controller = connect_to(place);
        for (std::uint32_t i = 0; i < consumers; ++i) {
            ASSERT_TRUE(controller.deliver("A", pipes.emplace_back().path()));
        }
        EXPECT_EQ(other.query("A")->consumers, consumers);
        EXPECT_EQ(host.threads(), threads + 1) << "that of the connection";
    }
    EXPECT_TRUE(eventually([&] { return other.query("A")->consumers == 0; }));
    EXPECT_TRUE(eventually([&] { return host.threads() == threads; }));
    EXPECT_TRUE(eventually([&] { return host.descriptors() == descriptors; }));
}

TEST_F(ConsumersTest, OneWhosePipeIsNotReadHoldsUpNoOtherAndEndsWithoutEvents) {
    Controller controller = connect_to(place);
    ASSERT_TRUE(controller.start(real_time("A")));
    ASSERT_TRUE(controller.enable("A", tea));
    {
        const host::TemporaryPipe unread;
        ASSERT_TRUE(controller.deliver("A", unread.path()));
        const host::TemporaryPipe pipe;
        ASSERT_TRUE(controller.deliver("A", pipe.path()));
        const host::Descriptor end(::open(pipe.path().c_str(), O_RDONLY | O_NONBLOCK));
        session::Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto attached = attach_to(runtime, place);
        std::size_t read = 0;
        EXPECT_TRUE(eventually([&] {
            for (int i = 0; i < 100; ++i) {
                session::write_number(*provider, 1);
            }
            std::array<char, 65536> part{};
            ssize_t size = 0;
            while ((size = ::read(end.number(), part.data(), part.size())) > 0) {
                read += static_cast<std::size_t>(size);
            }
            return read > 1'000'000; // more than the pipe that is not read takes
        })) << read;
        EXPECT_EQ(controller.query("A")->consumers, 2U);
        ASSERT_TRUE(controller.disable("A", tea));
    }
    EXPECT_TRUE(eventually([&] { return controller.query("A")->consumers == 0; }));
}

TEST_F(ConsumersTest, ATargetThatIsNoPipeIsRefused) {
    Controller controller = connect_to(place);
    ASSERT_TRUE(controller.start(real_time("A")));
    EXPECT_EQ(session::said(controller.deliver("A", folder / "none")), "ERROR_PATH_NOT_FOUND");
}

} // namespace

} // namespace etl::machine::test::consumers_test
