// Buffers in a file that outlives its process: what is found there at any moment.
#include "base/layout.hpp"
#include "format/live_buffers.hpp"
#include "format/record_kind.hpp"
#include "host/process.hpp"
#include "session/buffers/buffers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>
#if !defined(_WIN32)
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace etl::session::live_file_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t header = format::buffer_header::size;
constexpr std::uint32_t buffer_size = 1024;
constexpr std::uint32_t record = 232; // four of them fill a buffer

/// A file of its own that is not there yet, and is not when the test is over.
class FreshFile {
public:
    FreshFile()
        : path_((fs::temp_directory_path() /
                 ("etl_live_" + std::to_string(host::process_id()) + ".buffers"))
                    .string()) {
        fs::remove(path_);
    }

    FreshFile(const FreshFile&) = delete;
    FreshFile& operator=(const FreshFile&) = delete;

    ~FreshFile() { fs::remove(path_); }

    const std::string& path() const { return path_; }

    std::vector<std::byte> bytes() const {
        std::ifstream file(path_, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        std::vector<std::byte> result(text.size());
        std::ranges::transform(text, result.begin(), [](char c) { return std::byte(c); });
        return result;
    }

private:
    std::string path_;
};

BufferPlan plan_in(const FreshFile& file) {
    return {.buffer_size = buffer_size,
            .minimum = 4,
            .maximum = 6,
            .stripes = 2,
            .mapped_file = file.path()};
}

void write(Buffers& buffers, std::uint16_t ticket, std::uint32_t name,
           std::uint16_t processor = 0) {
    const auto place = buffers.reserve_at(ticket, processor, record);
    ASSERT_TRUE(place);
    std::fill(place->at + 4, place->at + record, std::byte{0});
    store_le(place->at + 4, name);
    buffers.commit(*place, 0xC0130000 | record); // EVENT64
}

/// Names of the whole records in each buffer that is not free, in the order of opening; what was
/// not finished is 0.
std::vector<std::vector<std::uint32_t>> found(const std::vector<std::byte>& file) {
    const auto live = format::parse_live_buffers(file);
    EXPECT_TRUE(live);
    std::map<std::uint64_t, std::vector<std::uint32_t>> by_order;
    for (std::uint32_t i = 0; live && i < live->buffer_count; ++i) {
        const format::LiveEntry entry = format::live_entry_at(*live, file, i);
        if (entry.state == format::LiveState::free) {
            continue;
        }
        const Bytes bytes =
            entry.state == format::LiveState::full ? entry.buffer.first(entry.used) : entry.buffer;
        auto& names = by_order[entry.order];
        for (std::size_t at = header; at < bytes.size();) {
            const auto shape = format::record_at(bytes.subspan(at));
            if (shape.kind == format::RecordKind::none) {
                break;
            }
            names.push_back(shape.kind.family == format::RecordFamily::error
                                ? 0
                                : load_le<std::uint32_t>(bytes.data() + at + 4));
            at += format::padded(shape.size);
        }
    }
    std::vector<std::vector<std::uint32_t>> result;
    for (auto& [order, names] : by_order) {
        result.push_back(std::move(names));
    }
    return result;
}

TEST(LiveFile, HoldsEveryRecordThatIsInPlace) {
    const FreshFile file;
    Buffers buffers;
    const auto ticket = buffers.open(plan_in(file));
    ASSERT_TRUE(ticket) << describe(ticket.error());
    EXPECT_THAT(found(file.bytes()), IsEmpty());
    for (std::uint32_t name = 1; name < 7; ++name) {
        write(buffers, *ticket, name);
    }
    write(buffers, *ticket, 100, 1);
    EXPECT_THAT(found(file.bytes()),
                ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(5, 6), ElementsAre(100)));
}

TEST(LiveFile, UnfinishedRecordsHideNothingBehindThem) {
    const FreshFile file;
    Buffers buffers;
    const auto ticket = buffers.open(plan_in(file));
    ASSERT_TRUE(ticket);
    write(buffers, *ticket, 1);
    const auto begun = buffers.reserve_at(*ticket, 0, record);
    ASSERT_TRUE(begun);
    std::fill(begun->at + 4, begun->at + record, std::byte{0xAB});
    write(buffers, *ticket, 3);
    EXPECT_THAT(found(file.bytes()), ElementsAre(ElementsAre(1, 0, 3)));
    buffers.abandon(*begun);
    EXPECT_THAT(found(file.bytes()), ElementsAre(ElementsAre(1, 0, 3)));
}

TEST(LiveFile, BuffersThatWereGivenBackAreEmpty) {
    const FreshFile file;
    Buffers buffers;
    const auto ticket = buffers.open(plan_in(file));
    ASSERT_TRUE(ticket);
    for (std::uint32_t name = 1; name < 6; ++name) {
        write(buffers, *ticket, name);
    }
    const auto view = buffers.next_closed();
    ASSERT_TRUE(view);
    std::fill(view->memory, view->memory + buffer_size, std::byte{0xFF}); // as LogFile fills them
    EXPECT_THAT(found(file.bytes()), ElementsAre(IsEmpty(), ElementsAre(5)));
    buffers.give_back(*view);
    EXPECT_THAT(found(file.bytes()), ElementsAre(ElementsAre(5)));
    buffers.close_open();
    write(buffers, *ticket, 6); // into the buffer that was given back
    EXPECT_THAT(found(file.bytes()), ElementsAre(ElementsAre(5), ElementsAre(6)));
}

TEST(LiveFile, SaysWhoseItIs) {
    const FreshFile file;
    Buffers buffers;
    BufferPlan plan = plan_in(file);
    plan.clock = format::ClockType::system_time;
    ASSERT_TRUE(buffers.open(plan));
    auto bytes = file.bytes();
    auto live = format::parse_live_buffers(bytes);
    ASSERT_TRUE(live);
    EXPECT_EQ(live->log_file, "");
    const std::vector<std::byte> front(500, std::byte{0x5A});
    for (const char* const name : {"first.etl", "second.etl", "third.etl"}) {
        buffers.tell_recovery(name, front);
        bytes = file.bytes();
        live = format::parse_live_buffers(bytes);
        ASSERT_TRUE(live);
        EXPECT_EQ(live->log_file, name);
        EXPECT_TRUE(std::ranges::equal(live->header_buffer, front));
    }
    EXPECT_EQ(live->buffer_size, buffer_size);
    EXPECT_EQ(live->stripes, 2U);
    EXPECT_EQ(live->clock, 2U);
    EXPECT_EQ(live->process_id, host::process_id());
    EXPECT_EQ(live->process_key, host::process_start_key());
    // Buffers as large as the machine allows, with a header buffer that fills one, still fit.
    buffers.tell_recovery(std::string(1U << 20U, 'x'), front);
    bytes = file.bytes();
    EXPECT_TRUE(format::parse_live_buffers(bytes));
}

TEST(LiveFile, IsRemovedWhenTheSessionEndsInOrder) {
    const FreshFile file;
    Buffers buffers;
    ASSERT_TRUE(buffers.open(plan_in(file)));
    EXPECT_TRUE(fs::exists(file.path()));
    buffers.close();
    EXPECT_TRUE(fs::exists(file.path()));
    buffers.release();
    EXPECT_FALSE(fs::exists(file.path()));
}

TEST(LiveFile, IsNeverTakenFromAnother) {
    const FreshFile file;
    std::ofstream(file.path()) << "what a killed session left";
    Buffers buffers;
    EXPECT_EQ(buffers.open(plan_in(file)).error().status, Status::already_exists);
    EXPECT_TRUE(fs::exists(file.path()));
    BufferPlan nowhere = plan_in(file);
    nowhere.mapped_file += "/no/such/folder";
    EXPECT_EQ(buffers.open(nowhere).error().status, Status::path_not_found);
}

TEST(LiveFile, ContradictionsAreErrors) {
    const FreshFile file;
    Buffers buffers;
    ASSERT_TRUE(buffers.open(plan_in(file)));
    buffers.tell_recovery("log.etl", {});
    const auto good = file.bytes();
    ASSERT_TRUE(format::parse_live_buffers(good));
    const auto with = [&](std::size_t at, std::uint32_t value) {
        auto bytes = good;
        store_le(bytes.data() + at, value);
        return format::parse_live_buffers(bytes);
    };
    namespace h = format::live_buffers;
    EXPECT_EQ(with(0, 0).error().code, ErrorCode::not_a_trace);
    EXPECT_EQ(with(h::format_version.offset, h::version + 1).error().code, ErrorCode::unsupported);
    EXPECT_EQ(with(h::buffer_size.offset, 8).error().code, ErrorCode::malformed);
    EXPECT_EQ(with(h::buffer_size.offset, 0x7FFFFFFF).error().code, ErrorCode::malformed);
    EXPECT_EQ(with(h::buffer_count.offset, 0xFFFFF).error().code, ErrorCode::truncated);
    EXPECT_EQ(with(h::buffer_count.offset, 0xFFFFFFFF).error().code, ErrorCode::malformed);
    EXPECT_EQ(with(h::slot_in_use.offset, 2).error().code, ErrorCode::malformed);
    EXPECT_EQ(with(h::slot_size.offset, 0xFFFFFFFF).error().code, ErrorCode::malformed);
    EXPECT_EQ(with(h::entry_offset.offset + 4, 0xFFFFFFFF).error().code, ErrorCode::truncated);
    EXPECT_EQ(with(4096, 0xFFFFFFFF).error().code, ErrorCode::malformed); // of the path
    EXPECT_EQ(format::parse_live_buffers(Bytes(good).first(50)).error().code, ErrorCode::truncated);
    EXPECT_EQ(format::parse_live_buffers(Bytes(good).first(good.size() - 1)).error().code,
              ErrorCode::truncated);
    auto wild = good; // an entry with a state and a size that are none
    const auto live = format::parse_live_buffers(wild);
    ASSERT_TRUE(live);
    std::fill_n(wild.data() + live->entry_offset, format::live_entry::size, std::byte{0xFF});
    const format::LiveEntry entry = format::live_entry_at(*live, wild, 0);
    EXPECT_EQ(entry.state, format::LiveState::damaged);
    EXPECT_EQ(entry.used, buffer_size);
}

#if !defined(_WIN32)

TEST(LiveFile, OutlivesAProcessThatIsKilled) {
    const FreshFile file;
    const pid_t child = ::fork();
    if (child == 0) {
        Buffers buffers;
        const auto ticket = buffers.open(plan_in(file));
        for (std::uint32_t name = 1; ticket && name < 6; ++name) {
            write(buffers, *ticket, name);
        }
        ::raise(SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_THAT(found(file.bytes()), ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(5)));
}

TEST(LiveFile, LossesOutliveAProcessThatIsKilled) {
    const FreshFile file;
    const pid_t child = ::fork();
    if (child == 0) {
        Buffers buffers;
        const auto ticket = buffers.open(plan_in(file));
        buffers.tell_recovery("log.etl", {}, {.events = 2, .buffers = 1});
        buffers.tell_lost_buffers(3);
        for (int i = 0; ticket && i < 1000; ++i) {
            static_cast<void>(buffers.reserve_at(*ticket, 0, record)); // nobody takes them
        }
        static_cast<void>(buffers.count_lost(*ticket, 5));
        ::raise(SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto bytes = file.bytes();
    const auto live = format::parse_live_buffers(bytes);
    ASSERT_TRUE(live);
    EXPECT_EQ(live->lost.events, 1000U - 6 * 4 + 5);
    EXPECT_EQ(live->lost.buffers, 3U);
    EXPECT_EQ(live->lost_before.events, 2U);
    EXPECT_EQ(live->lost_before.buffers, 1U);
}

TEST(LiveFile, AForkedChildLeavesItAlone) {
    const FreshFile file;
    Buffers buffers;
    const auto ticket = buffers.open(plan_in(file));
    ASSERT_TRUE(ticket);
    write(buffers, *ticket, 1);
    const auto begun = buffers.reserve_at(*ticket, 1, record); // by a thread the child has not got
    const pid_t child = ::fork();
    if (child == 0) {
        buffers.forget_in_child();
        bool is_right = !buffers.reserve(*ticket, record);
        buffers.close();
        buffers.release();
        const auto again = buffers.open({.buffer_size = buffer_size, .minimum = 2, .maximum = 2});
        is_right = is_right && again && *again != *ticket && buffers.reserve(*again, record);
        ::_exit(is_right ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    buffers.abandon(*begun);
    write(buffers, *ticket, 2);
    EXPECT_THAT(found(file.bytes()), ElementsAre(ElementsAre(1, 2), ElementsAre(0)));
}

#endif

} // namespace
} // namespace etl::session::live_file_test
