// Every trace of corpus/, the damaged and hostile ones included, and real ones where a folder of
// them lies beside the project: whatever edits do to it, what comes out is a sound trace.
#include "tests/support/folders.hpp"
#include "tests/support/random_edits.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

namespace etl::test::random_edits_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> traces_below(const fs::path& folder) {
    std::vector<fs::path> found;
    if (fs::is_directory(folder)) {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.path().filename().string().find(".etl") != std::string::npos) {
                found.push_back(entry.path());
            }
        }
    }
    std::ranges::sort(found);
    return found;
}

std::vector<std::byte> bytes_of_seed(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(257);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
    return bytes;
}

/// How many of the traces could be opened.
unsigned relog_all(const std::vector<fs::path>& paths, unsigned seeds) {
    unsigned opened = 0;
    for (const fs::path& path : paths) {
        for (unsigned seed = 0; seed < seeds; ++seed) {
            const auto file = io::InputFile::map(path.string());
            if (!file) {
                continue;
            }
            auto reader = trace::Reader::open(*file);
            if (!reader) {
                continue;
            }
            ++opened;
            EXPECT_EQ(
                complaint_of_relogging(**reader, bytes_of_seed(seed),
                                       seed % 2 == 0 ? codec::Format::none : codec::Format::xpress),
                "")
                << path << ", seed " << seed;
        }
    }
    return opened;
}

TEST(RandomEdits, LeaveTracesOfTheCorpusSound) {
    const auto paths = traces_below(fs::path(test::source_dir()) / "corpus");
    EXPECT_GT(relog_all(paths, 6), 30U);
}

TEST(RandomEdits, LeaveRealTracesSound) {
    const auto paths = traces_below(test::shared_corpus());
    if (paths.empty()) {
        GTEST_SKIP() << "no real traces in " << test::shared_corpus();
    }
    EXPECT_GT(relog_all(paths, 1), 0U);
}

TEST(RandomEdits, NoneGivesEveryEventOnWhateverTheHeaderSays) {
    // All ones and zeros in place of the fields of the log file header, one after the other.
    TraceBuilder trace({.processors = 2});
    trace.buffer().add(format::EventRecord{.time = 1'000'005, .descriptor = {.id = 1}});
    trace.buffer({.processor = 1})
        .add(format::EventRecord{.time = 1'000'006, .descriptor = {.id = 2}});
    const Image sound = trace.build();
    constexpr std::size_t payload_at = 0x48 + 0x20;
    for (std::size_t at = payload_at; at < payload_at + 0x118; at += 4) {
        for (const std::uint32_t value : {0U, 1U, 0x7FFF'FFFFU, 0xFFFF'FFFFU}) {
            Image odd = sound;
            store_le(odd.data() + at, value);
            auto reader = trace::Reader::open(in_memory(odd));
            ASSERT_TRUE(reader);
            const std::vector<std::byte> pass(8, std::byte{8});
            EXPECT_EQ(complaint_of_relogging(**reader, pass, codec::Format::none), "")
                << at - payload_at << " = " << value;
        }
    }
}

} // namespace
} // namespace etl::test::random_edits_test
