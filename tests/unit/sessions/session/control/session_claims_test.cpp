// What sessions keep others from for a while: files that they write just now, slots, names.
#include <etl/session.hpp>

#include "session/control/runtime_state.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <latch>
#include <new>
#include <thread>

namespace etl::session::session_claims_test {
namespace {

/// Files in memory, of which one is opened only when the test says so.
class SlowFiles final : public io::FileFactory {
public:
    explicit SlowFiles(std::string slow) : slow_(std::move(slow)) {}

    Result<std::unique_ptr<io::WritableFile>> open(const std::string& path, Open how) override {
        if (path == slow_) {
            is_opening.count_down();
            may_open.wait();
        }
        return memory_.open(path, how);
    }

    std::latch is_opening{1}, may_open{1};

private:
    io::MemoryFiles memory_;
    std::string slow_;
};

class ScarceFiles final : public io::FileFactory {
public:
    Result<std::unique_ptr<io::WritableFile>> open(const std::string& /*path*/,
                                                   Open /*how*/) override {
        throw std::bad_alloc();
    }
};

SessionOptions with(io::FileFactory& files, const std::string& name, const std::string& file,
                    std::uint32_t chosen = 0) {
    SessionOptions options;
    options.name = name;
    options.mode = chosen;
    options.file = file;
    options.files = &files;
    return options;
}

TEST(ClaimedFile, IsTheOldOneUntilTheLoggerHasLeftIt) {
    SlowFiles files("new.etl");
    Runtime runtime;
    const auto session = runtime.start(with(files, "Morning", "old.etl"));
    ASSERT_TRUE(session);
    std::string updated;
    std::thread controller([&] { updated = said(session->update({.file = "new.etl"})); });
    files.is_opening.wait();
    EXPECT_EQ(said(runtime.start(with(files, "A", "old.etl"))), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(runtime.start(with(files, "B", "new.etl"))), "ERROR_BAD_PATHNAME");
    files.may_open.count_down();
    controller.join();
    EXPECT_EQ(updated, "ERROR_SUCCESS");
    EXPECT_EQ(said(runtime.start(with(files, "A", "old.etl"))), "ERROR_SUCCESS");
    EXPECT_EQ(said(runtime.start(with(files, "B", "new.etl"))), "ERROR_BAD_PATHNAME");
}

TEST(ClaimedFile, IsTheCopyOfARingWhileItIsWritten) {
    SlowFiles files("ring.etl");
    Runtime runtime;
    const auto ring = runtime.start(with(files, "Ring", "", mode::buffering));
    const auto other = runtime.start(with(files, "Other", "", mode::buffering));
    ASSERT_TRUE(ring);
    ASSERT_TRUE(other);
    std::string flushed;
    std::thread controller([&] { flushed = said(ring->flush("ring.etl")); });
    files.is_opening.wait();
    EXPECT_EQ(said(runtime.start(with(files, "A", "ring.etl"))), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(other->flush("ring.etl")), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(other->stop("ring.etl")), "ERROR_BAD_PATHNAME");
    files.may_open.count_down();
    controller.join();
    EXPECT_EQ(flushed, "ERROR_SUCCESS");
    EXPECT_EQ(said(other->stop("ring.etl")), "ERROR_SUCCESS") << "nobody writes it any more";
}

TEST(ClaimedFile, IsTheLastCopyOfARingWhileItIsWritten) {
    SlowFiles files("ring.etl");
    Runtime runtime;
    const auto ring = runtime.start(with(files, "Ring", "", mode::buffering));
    ASSERT_TRUE(ring);
    std::thread controller([&] { static_cast<void>(ring->stop("ring.etl")); });
    files.is_opening.wait();
    EXPECT_EQ(said(runtime.start(with(files, "A", "ring.etl"))), "ERROR_BAD_PATHNAME");
    files.may_open.count_down();
    controller.join();
    EXPECT_EQ(said(runtime.start(with(files, "A", "ring.etl"))), "ERROR_SUCCESS");
}

TEST(ClaimedSlot, IsFreeWhenThereIsNoMemoryToStart) {
    ScarceFiles scarce;
    io::MemoryFiles files;
    Runtime runtime;
    for (int i = 0; i < 100; ++i) { // more than there are slots
        EXPECT_NE(said(runtime.start(with(scarce, "Morning", "a.etl"))), "ERROR_SUCCESS");
    }
    EXPECT_EQ(said(runtime.start(with(files, "Morning", "a.etl"))), "ERROR_SUCCESS");
}

TEST(ClaimedSlot, DoesNotComeBackToAnOldSession) {
    Runtime runtime;
    io::MemoryFiles files;
    const auto old = runtime.start(with(files, "Morning", "", mode::real_time));
    ASSERT_TRUE(old->stop());
    runtime.state().starts += (1U << 16U) - 1;
    const auto fresh = runtime.start(with(files, "Morning", "", mode::real_time));
    ASSERT_TRUE(fresh);
    EXPECT_EQ(fresh->id(), old->id());
    EXPECT_EQ(said(old->query()), "ERROR_WMI_INSTANCE_NOT_FOUND");
}

TEST(ClaimedSlot, TellsTheGreatestNumberOfBuffersThatItAdopted) {
    Runtime runtime;
    SessionOptions options;
    options.name = "Morning";
    options.mode = mode::real_time;
    options.processors = 1;
    options.maximum_buffers = 30;
    const auto session = runtime.start(options);
    const auto state = session->update({.maximum_buffers = 0xFFFFFFFF});
    ASSERT_TRUE(state);
    EXPECT_EQ(state->options.maximum_buffers, 4U * 30U);
}

} // namespace
} // namespace etl::session::session_claims_test
