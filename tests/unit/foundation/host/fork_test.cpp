#include "host/process.hpp"

#include <gtest/gtest.h>

#if !defined(_WIN32)
#include <atomic>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace etl::host::fork_test {
namespace {

/// Runs `child` in a forked process; whether it returned true.
template <typename Child>
bool holds_in_child(Child child) {
    const pid_t id = ::fork();
    if (id == 0) {
        ::_exit(child() ? 0 : 1);
    }
    int status = -1;
    ::waitpid(id, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class Recorder final : public ForkWatch {
public:
    Recorder(char name, std::string& to) : name_(name), to_(to) { watch(); }

    ~Recorder() override { end_watch(); }

    void before_fork() noexcept override { note('b'); }

    void in_parent() noexcept override { note('p'); }

    void in_child() noexcept override { note('c'); }

private:
    void note(char what) noexcept {
        to_ += name_;
        to_ += what;
    }

    char name_;
    std::string& to_;
};

TEST(ForkWatch, IsToldInOrderBeforeAndInReverseAfter) {
    std::string told;
    const Recorder one('1', told);
    const Recorder two('2', told);
    EXPECT_TRUE(holds_in_child([&] { return told == "1b2b2c1c"; }));
    EXPECT_EQ(told, "1b2b2p1p");
}

TEST(ForkWatch, IsToldNothingWhenItIsGone) {
    std::string told;
    {
        const Recorder one('1', told);
    }
    EXPECT_TRUE(holds_in_child([&] { return told.empty(); }));
    EXPECT_EQ(told, "");
}

TEST(ForkWatch, MayBeMadeInAChild) {
    EXPECT_TRUE(holds_in_child([] {
        std::string told;
        const Recorder one('1', told);
        return holds_in_child([&] { return told == "1b1c"; }) && told == "1b1p";
    }));
}

TEST(ForkWatch, MayComeAndGoWhileOthersFork) {
    std::atomic<bool> is_over{false};
    std::thread maker([&] {
        while (!is_over.load()) {
            std::string told;
            const Recorder one('1', told);
        }
    });
    for (int i = 0; i < 200; ++i) {
        EXPECT_TRUE(holds_in_child([] { return true; }));
    }
    is_over = true;
    maker.join();
}

TEST(Process, IdsAreRightInAForkedChild) {
    const std::uint32_t process = process_id();
    const std::uint32_t thread = thread_id();
    const std::uint64_t key = process_start_key();
    EXPECT_TRUE(holds_in_child([&] {
        return process_id() == static_cast<std::uint32_t>(::getpid()) && process_id() != process &&
               thread_id() != thread && process_start_key() != key;
    }));
    EXPECT_EQ(process_id(), process);
    EXPECT_EQ(thread_id(), thread);
}

} // namespace
} // namespace etl::host::fork_test
#endif
