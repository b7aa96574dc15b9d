// Assemblies that exist with a portable program database and with one of Windows' form, built from
// the same source: `X.pdbx` and `X.pdb`. Lines at each offset must agree.
#include "tests/unit/meaning/symbols/corpus.hpp"

#include <gmock/gmock.h>

namespace etl::symbols::managed_corpus_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t methods = 200;
constexpr std::uint32_t max_method = 600;

struct Tally {
    std::size_t methods = 0;
    std::size_t lines = 0;
};

// Beyond the last line, a portable database does not contain the end of the method.
Tally compare(const SymbolFile& windows, const SymbolFile& portable) {
    Tally tally;
    for (std::uint32_t token = 0x06000001; token < 0x06000001 + methods; ++token) {
        std::uint32_t end = 0;
        for (std::uint32_t offset = 0; offset < max_method; ++offset) {
            end = windows.managed_line(token, offset) ? offset + 1 : end;
        }
        tally.methods += end != 0 ? 1U : 0U;
        for (std::uint32_t offset = 0; offset < end; ++offset) {
            const auto a = windows.managed_line(token, offset);
            const auto b = portable.managed_line(token, offset);
            EXPECT_EQ(a.has_value(), b.has_value()) << std::hex << token << " " << offset;
            if (a && b) {
                EXPECT_EQ(a->line, b->line) << std::hex << token << " " << offset;
                EXPECT_EQ(a->file, b->file);
                ++tally.lines;
            }
        }
    }
    return tally;
}

TEST(ManagedCorpus, BothFormsAgreeOnEveryLine) {
    std::size_t lines = 0;
    for (const fs::path& path : files_ending(".pdbx")) {
        const auto windows = opened(find_file(path.stem().string(), {".pdb"}));
        const auto portable = opened(path);
        ASSERT_TRUE(windows && portable);
        EXPECT_EQ(portable->kind(), FileKind::portable_database);
        EXPECT_EQ(windows->kind(), FileKind::program_database);
        const Tally tally = compare(*windows, *portable);
        EXPECT_GT(tally.methods, 0U);
        lines += tally.lines;
    }
    if (lines == 0) {
        GTEST_SKIP() << "no pairs";
    }
    std::cout << lines << " offsets agree\n";
}

TEST(ManagedCorpus, ReadsEmbeddedDatabases) {
    std::size_t embedded = 0;
    for (const char* const end : {".dll", ".exe"}) {
        for (const fs::path& path : files_ending(end)) {
            const auto file = opened(path);
            ASSERT_TRUE(file);
            std::size_t lines = 0;
            for (std::uint32_t token = 0x06000001; token < 0x06000001 + methods; ++token) {
                const auto line = file->managed_line(token, 0);
                lines += line ? 1U : 0U;
                EXPECT_TRUE(!line || !line->file.empty());
            }
            embedded += lines != 0 ? 1U : 0U;
            EXPECT_TRUE(lines == 0 || file->identity().key().ends_with("FFFFFFFF"));
        }
    }
    if (files_ending(".dll").empty()) {
        GTEST_SKIP() << "no images";
    }
    EXPECT_EQ(embedded, 3U);
}

} // namespace
} // namespace etl::symbols::managed_corpus_test
