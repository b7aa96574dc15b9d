// Every address of real programs that another symbolizer resolved. Its tables have one row per
// frame: RVA, depth, function, linkage name, file, line; `-`: none. That tool is not always right;
// each kind of difference is known, and anything else fails.
#include "tests/unit/meaning/symbols/corpus.hpp"

#include <gmock/gmock.h>

#include <map>

namespace etl::symbols::symbolizer_test {
namespace {

namespace fs = std::filesystem;

struct ExpectedFrame {
    std::string function;
    std::string linkage_name;
    std::string file;
    std::uint32_t line = 0;
};

using ExpectedFrames = std::map<std::uint32_t, std::vector<ExpectedFrame>>;

ExpectedFrames expected_frames(const fs::path& table) {
    ExpectedFrames result;
    for (const std::string& line : lines_of(table)) {
        if (!line.starts_with('#')) {
            const auto part = split(line, '\t');
            const auto rva = static_cast<std::uint32_t>(std::stoul(part.at(0), nullptr, 16));
            const bool has_line = part.at(5) != "-";
            result[rva].push_back({part[2], part[3], part[4] == "-" ? "" : part[4],
                                   has_line ? static_cast<std::uint32_t>(std::stoul(part[5])) : 0});
        }
    }
    return result;
}

// Frames as values, because views are valid until the next call only.
struct Found {
    std::vector<std::string> functions;
    std::vector<std::string> files;
    std::vector<std::uint32_t> lines;
    std::string linkage_name;
    bool is_approximate = false;
    bool has_others = false;

    std::size_t depth() const { return functions.size(); }
};

Found found_at(Resolver& resolver, std::uint32_t rva) {
    Found result;
    for (const Frame& frame : resolver.resolve(rva)) {
        result.functions.emplace_back(frame.function);
        result.files.emplace_back(frame.file);
        result.lines.push_back(frame.line);
        result.linkage_name = frame.linkage_name;
        result.is_approximate = frame.is_approximate;
        result.has_others = frame.others != 0;
    }
    return result;
}

/// Numbers of addresses.
struct Tally {
    std::size_t all = 0;
    std::size_t depth = 0;
    std::size_t outer_line = 0;
    std::size_t inner_lines = 0;
    std::size_t files = 0;
    std::size_t inlined_names = 0;
    std::size_t linkage = 0;
    // Differences.
    std::size_t outside_of_procedures = 0; // the tool names the nearest symbol, however far
    std::size_t missed_sites = 0;          // the tool loses rows that the next row ends
    std::size_t next_rows = 0;             // the tool takes the line of the next inline row
    std::size_t first_of_two_rows = 0;     // the tool takes the first of two rows at one address
    std::size_t other_names = 0;           // the tool takes another of several names
};

class Comparison {
public:
    explicit Comparison(Resolver& resolver) : resolver_(resolver) {}

    Tally tally;

    void compare(std::uint32_t rva, const std::vector<ExpectedFrame>& expected) {
        SCOPED_TRACE(testing::Message() << std::hex << rva);
        ++tally.all;
        const Found found = found_at(resolver_, rva);
        if (found.depth() == 0 || found.is_approximate) {
            EXPECT_EQ(expected.size(), 1U);
            EXPECT_EQ(expected.back().line, 0U);
            ++tally.outside_of_procedures;
            return;
        }
        ASSERT_GE(found.depth(), expected.size());
        compare_procedure(rva, expected.back(), found);
        if (found.depth() != expected.size()) {
            ++tally.missed_sites;
            return;
        }
        ++tally.depth;
        compare_inlined(rva, expected, found);
    }

private:
    void compare_procedure(std::uint32_t rva, const ExpectedFrame& expected, const Found& found) {
        const std::string& linkage =
            found.linkage_name.empty() ? found.functions.back() : found.linkage_name;
        if (linkage == expected.linkage_name) {
            ++tally.linkage;
        } else {
            EXPECT_TRUE(found.has_others) << linkage << " " << expected.linkage_name;
            ++tally.other_names;
        }
        EXPECT_EQ(found.files.back(), expected.file);
        if (found.lines.back() == expected.line) {
            ++tally.outer_line;
        } else {
            const Found before = found_at(resolver_, rva - 1);
            EXPECT_TRUE(before.depth() == 0 || before.lines.back() != found.lines.back())
                << found.lines.back() << " " << expected.line;
            ++tally.first_of_two_rows;
        }
    }

    void compare_inlined(std::uint32_t rva, const std::vector<ExpectedFrame>& expected,
                         const Found& found) {
        bool is_same_file = true;
        bool is_same_line = true;
        for (std::size_t i = 0; i + 1 < expected.size(); ++i) {
            EXPECT_EQ(letters_of(found.functions[i]), letters_of(expected[i].function));
            is_same_file &= found.files[i] == expected[i].file;
            if (found.lines[i] != expected[i].line) {
                is_same_line = false;
                EXPECT_TRUE(is_line_of_next_row(rva, i, found, expected[i].line))
                    << found.functions[i] << ": " << found.lines[i] << " " << expected[i].line;
            }
        }
        ++tally.inlined_names;
        EXPECT_TRUE(is_same_file);
        tally.files += is_same_file ? 1U : 0U;
        ++(is_same_line ? tally.inner_lines : tally.next_rows);
    }

    bool is_line_of_next_row(std::uint32_t rva, std::size_t frame, const Found& found,
                             std::uint32_t line) {
        constexpr std::uint32_t max_row = 4096;
        const std::size_t from_outside = found.depth() - frame;
        for (std::uint32_t distance = 1; distance < max_row; ++distance) {
            const Found next = found_at(resolver_, rva + distance);
            if (next.depth() >= from_outside) {
                const std::size_t same = next.depth() - from_outside;
                if (next.functions[same] == found.functions[frame] && next.lines[same] == line) {
                    return true;
                }
            }
        }
        return false;
    }

    Resolver& resolver_;
};

void print(const std::string& name, const Tally& tally) {
    std::cout << name << ": " << tally.all << " addresses; equal: depth " << tally.depth
              << ", outer line " << tally.outer_line << ", inner lines " << tally.inner_lines
              << ", files " << tally.files << ", inlined names " << tally.inlined_names
              << ", linkage name " << tally.linkage << "; different: outside of procedures "
              << tally.outside_of_procedures << ", missed sites " << tally.missed_sites
              << ", next rows " << tally.next_rows << ", first of two rows "
              << tally.first_of_two_rows << ", other names " << tally.other_names << '\n';
}

TEST(Symbolizer, AgreesOnEveryAddress) {
    std::size_t tables = 0;
    for (const fs::path& table : files_ending(".tsv")) {
        const std::string stem = table.stem().stem().string();
        const fs::path path = find_file(stem, {".pdb"});
        if (path.empty()) {
            continue;
        }
        const auto file = opened(path);
        ASSERT_TRUE(file);
        Resolver resolver(file);
        Comparison comparison(resolver);
        for (const auto& [rva, frames] : expected_frames(table)) {
            comparison.compare(rva, frames);
        }
        const Tally& tally = comparison.tally;
        print(std::to_string(++tables), tally);
        EXPECT_GT(tally.all, 200U);
        EXPECT_GT(tally.depth * 10, tally.all * 8);
        EXPECT_LT(tally.other_names * 20, tally.all);
        EXPECT_LT(tally.first_of_two_rows * 50, tally.all);
    }
    if (tables == 0) {
        GTEST_SKIP() << "no tables";
    }
}

} // namespace
} // namespace etl::symbols::symbolizer_test
