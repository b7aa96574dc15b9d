// Real files of all kinds: the same content in other containers, images and their databases.

#include "base/text.hpp"
#include "symbols/exports.hpp"
#include "symbols/pe_file.hpp"
#include "symbols/stream_file.hpp"
#include "tests/unit/meaning/symbols/corpus.hpp"

#include <gmock/gmock.h>

namespace etl::symbols::files_corpus_test {

namespace {

namespace fs = std::filesystem;

std::shared_ptr<const io::InputFile> mapped(const fs::path& path) {
    return io::InputFile::map(path.string()).value();
}

TEST(FilesCorpus, CompressedContainersHaveTheSameStreams) {
    const auto files = files_ending(".pdz");
    for (const fs::path& path : files) {
        const auto packed_file = mapped(path);
        const auto file = mapped(find_file(path.stem().stem().string(), {".pdb"}));
        const auto packed = StreamFile::open(packed_file->bytes());
        const auto plain = StreamFile::open(file->bytes());
        ASSERT_TRUE(packed && plain) << path;
        ASSERT_EQ(packed->streams(), plain->streams());
        std::vector<std::byte> a;
        std::vector<std::byte> b;
        for (std::size_t i = 1; i < plain->streams(); ++i) {
            EXPECT_EQ(packed->read(i, a), plain->read(i, b)) << i;
            EXPECT_EQ(a, b) << i;
        }
        EXPECT_TRUE(opened(path));
    }
    if (files.empty()) {
        GTEST_SKIP() << "no files";
    }
}

TEST(FilesCorpus, ImagesNameTheirDatabases) {
    std::size_t pairs = 0;
    for (const char* const end : {".dll", ".exe", ".dllx"}) {
        for (const fs::path& path : files_ending(end)) {
            const fs::path database =
                path.parent_path() /
                (path.stem().string() + (path.extension() == ".dllx" ? ".pdbx" : ".pdb"));
            const auto file = mapped(path);
            ASSERT_TRUE(is_image(file->bytes()));
            const auto identity = read_image_identity(file->bytes());
            ASSERT_TRUE(identity) << path;
            ASSERT_TRUE(identity->database) << path;
            EXPECT_EQ(identity->database->identity, opened(path)->identity());
            // Two images are builds of their own.
            if (fs::exists(database) &&
                identity->database->identity == opened(database)->identity()) {
                ++pairs;
            }
        }
    }
    if (files_ending(".dll").empty()) {
        GTEST_SKIP() << "no images";
    }
    EXPECT_EQ(pairs, 19U);
}

// `STACK CFI INIT address size` for each function in the unwind information.
TEST(FilesCorpus, UnwindInformationHasTheRangesThatBreakpadFound) {
    std::size_t texts = 0;
    for (const fs::path& text : files_ending(".sym")) {
        const fs::path path = find_file(text.stem().string(), {".dll", ".exe"});
        const auto lines = lines_of(text);
        const auto is_about_unwinding = [](const std::string& line) {
            return line.starts_with("STACK CFI INIT ");
        };
        if (path.empty() || std::ranges::none_of(lines, is_about_unwinding)) {
            continue;
        }
        const auto file = mapped(path);
        const auto image = PeFile::open(file->bytes());
        ASSERT_TRUE(image);
        const FunctionRanges ranges(*image);
        ++texts;
        for (const std::string& line : lines) {
            if (is_about_unwinding(line)) {
                const auto part = split(line, ' ');
                const auto begin = static_cast<std::uint32_t>(std::stoul(part[3], nullptr, 16));
                const auto size = static_cast<std::uint32_t>(std::stoul(part[4], nullptr, 16));
                const AddressRange* const range = ranges.at_or_below(begin + size - 1);
                ASSERT_TRUE(range) << line;
                EXPECT_EQ(range->begin, begin) << line;
                EXPECT_EQ(range->end, begin + size) << line;
            }
            if (line.starts_with("INFO CODE_ID ")) {
                const auto part = split(line, ' ');
                const std::string key = read_image_identity(file->bytes())->key();
                EXPECT_EQ(to_lower_ascii(key), to_lower_ascii(part[2]));
            }
        }
    }
    if (texts == 0) {
        GTEST_SKIP() << "no texts";
    }
}

TEST(FilesCorpus, EveryLineOfANativeMapIsFound) {
    std::size_t names = 0;
    for (const fs::path& path : files_ending(".r2rmap")) {
        const auto file = opened(path);
        ASSERT_TRUE(file);
        EXPECT_EQ(file->kind(), FileKind::native_map);
        Resolver resolver(file);
        for (const std::string& line : lines_of(path)) {
            const auto part = split(line, ' ');
            const auto begin = static_cast<std::uint32_t>(std::stoul(part.at(0), nullptr, 16));
            const auto size = static_cast<std::uint32_t>(std::stoul(part.at(1), nullptr, 16));
            if (size != 0) {
                const auto frames = resolver.resolve(begin + size - 1);
                ASSERT_EQ(frames.size(), 1U) << line;
                EXPECT_TRUE(line.ends_with(frames[0].function)) << line;
                EXPECT_EQ(frames[0].offset, size - 1);
                ++names;
            }
        }
    }
    if (names == 0) {
        GTEST_SKIP() << "no maps";
    }
    EXPECT_GT(names, 50U);
}

// Assemblies that exist with a portable program database and with one of Windows' form, built from
// the same source: `X.pdbx` and `X.pdb`. Lines at each offset must agree.

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

} // namespace etl::symbols::files_corpus_test
