// Bursts: what processes write faster than the host takes it, and the host faster than a disk. By
// counts, not by time: the host is stopped during a burst.
#include "machine/drain.hpp"
#include "tests/support/traces/trace_content.hpp"
#include "tests/unit/sessions/machine/producers.hpp"

#include <gmock/gmock.h>

#include <atomic>

namespace etl::machine::test::bursts_test {

namespace {

using session::Runtime;
using session::write_number;

/// Writes numbers to a session with these buffers while the host is stopped. Returns the state at
/// the end of the session, and the numbers in the file.
struct Burst {
    session::SessionState state;
    std::vector<std::uint32_t> numbers;
};

void write_burst(const session::SessionOptions& options, std::uint32_t events, Burst& burst) {
    const TestFolder folder;
    const pid_t host = start_host(folder / "host");
    ASSERT_GT(host, 0);
    {
        Controller controller = connect_to(folder / "host");
        session::SessionOptions chosen = options;
        chosen.name = "A";
        chosen.file = folder / "a.etl";
        ASSERT_TRUE(controller.start(chosen));
        ASSERT_TRUE(controller.enable("A", tea));
        Runtime runtime;
        const auto provider = runtime.add(tea);
        const auto attached = attach_to(runtime, folder / "host");
        ASSERT_TRUE(eventually([&] { return provider->is_enabled(); }));
        ::kill(host, SIGSTOP);
        std::uint32_t written = 0;
        for (std::uint32_t n = 0; n < events; ++n) {
            written += write_number(*provider, n, 32).written;
        }
        ::kill(host, SIGCONT);
        EXPECT_EQ(written, events);
        const auto state = controller.stop("A");
        ASSERT_TRUE(state);
        burst = {.state = *state, .numbers = numbers_in(written_to(folder / "a.etl"))};
    }
    ::kill(host, SIGKILL);
    ::waitpid(host, nullptr, 0);
}

TEST_F(ProcessesTest, ABurstThatFitsIntoTheBuffersOfTheSessionLosesNothing) {
    constexpr std::uint32_t events = 100'000; // 11 of 16 MB
    Burst burst;
    write_burst({.buffer_kb = 256, .minimum_buffers = 64, .maximum_buffers = 64}, events, burst);
    EXPECT_EQ(burst.state.events_lost, 0);
    EXPECT_EQ(burst.numbers.size(), events);
}

/// Usually nothing is lost. A disk may stall for longer than it is waited for: SessionSpaceTest.
TEST_F(ProcessesTest, ABurstThatExceedsTheBuffersOfTheSessionIsWrittenOrCounted) {
    constexpr std::uint32_t events = 20'000; // 2 MB for 128 KB of buffers
    Burst burst;
    write_burst({.buffer_kb = 16, .minimum_buffers = 8, .maximum_buffers = 8}, events, burst);
    EXPECT_EQ(burst.numbers.size() + burst.state.events_lost, events);
}

/// Files that keep nothing, and whose writes hang while a test says so.
class HangingFiles final : public io::FileFactory {
public:
    Result<std::unique_ptr<io::WritableFile>> open(const std::string& path, Open how) override {
        return std::make_unique<File>(*this, std::move(*nothing_.open(path, how)));
    }

    void hang() { hangs_ = true; }

    void go_on() {
        hangs_ = false;
        hangs_.notify_all();
    }

private:
    class File final : public io::WritableFile {
    public:
        File(const HangingFiles& files, std::unique_ptr<io::WritableFile> nothing)
            : files_(&files), nothing_(std::move(nothing)) {}

        Result<void> write_at(FileOffset where, Bytes bytes) override {
            files_->hangs_.wait(true);
            return nothing_->write_at(where, bytes);
        }

        Result<std::size_t> read_at(FileOffset where, MutableBytes to) override {
            return nothing_->read_at(where, to);
        }

        Result<std::uint64_t> size() override { return nothing_->size(); }

        Result<void> resize(std::uint64_t size) override { return nothing_->resize(size); }

        Result<void> allocate(std::uint64_t size) override { return nothing_->allocate(size); }

        Result<void> sync() override { return {}; }

        Result<void> close() override { return {}; }

    private:
        const HangingFiles* files_;
        std::unique_ptr<io::WritableFile> nothing_;
    };

    etl::test::NullFiles nothing_;
    std::atomic<bool> hangs_{false};
};

class SessionSpaceTest : public testing::Test {
protected:
    static constexpr std::size_t size = 200;

    ~SessionSpaceTest() override { files_.go_on(); }

    /// A session whose buffers are full, and whose logger hangs.
    void fill(std::uint32_t mode = 0) {
        session_ = runtime_.start({.name = "A",
                                   .buffer_kb = 16,
                                   .minimum_buffers = 4,
                                   .maximum_buffers = 4,
                                   .mode = mode,
                                   .file = "a.etl",
                                   .files = &files_});
        ASSERT_TRUE(session_);
        ASSERT_TRUE(session_->enable(tea));
        files_.hang();
        while (write_number(provider_, 0, size).lost == 0) {
        }
    }

    /// Waits for space; returns how often it was asked whether that is urgent.
    int waits(const std::function<bool()>& is_urgent = [] { return false; }) {
        int asked = 0;
        space_.begin_turn();
        space_.wait_for(size, [&] {
            ++asked;
            return is_urgent();
        });
        return asked;
    }

    HangingFiles files_;
    Runtime runtime_;
    session::Registration provider_ = *runtime_.add(tea);
    session::Outcome<session::Session> session_;
    SessionSpace space_{runtime_};
};

TEST_F(SessionSpaceTest, IsThereWithoutSessions) {
    EXPECT_EQ(waits(), 0);
}

TEST_F(SessionSpaceTest, ComesFromALoggerThatWrites) {
    fill();
    EXPECT_GT(waits([&] {
                  files_.go_on();
                  return false;
              }),
              0);
    EXPECT_EQ(write_number(provider_, 0, size).written, 1);
}

TEST_F(SessionSpaceTest, IsNotWaitedForIfProcessesHaveLittleOfTheirOwn) {
    fill();
    EXPECT_EQ(waits([] { return true; }), 1);
}

TEST_F(SessionSpaceTest, ALoggerThatHangsIsWaitedForOnce) {
    fill();
    EXPECT_GT(waits(), 1);
    EXPECT_EQ(waits(), 0);
}

TEST_F(SessionSpaceTest, ConsumersAreNotWaitedFor) {
    fill(session::mode::real_time);
    EXPECT_EQ(waits(), 0);
}

} // namespace

} // namespace etl::machine::test::bursts_test
