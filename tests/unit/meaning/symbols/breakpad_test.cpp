// Functions and lines that Microsoft's own reader found in real program databases, as Breakpad
// texts: `FUNC [m] address size parameters name`, then `address size line file`.

#include "tests/unit/meaning/symbols/corpus.hpp"

#include <gmock/gmock.h>

#include <map>

namespace etl::symbols::breakpad_test {

namespace {

namespace fs = std::filesystem;

struct Tally {
    std::size_t functions = 0;
    std::size_t starts = 0; // functions that begin there
    std::size_t parts = 0;  // pieces of functions of a rearranged image
    std::size_t names = 0;  // the same function at the last address
    std::size_t lines = 0;  // addresses: the first and the last of each record
    std::size_t same_line = 0;
    std::size_t no_line = 0; // of code that the compiler marks as without a line, or beyond
};

std::uint32_t hex(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text, nullptr, 16));
}

bool is_line_record(const std::string& line) {
    return !line.empty() && std::isxdigit(static_cast<unsigned char>(line[0])) != 0 &&
           std::ranges::count(line, ' ') == 3;
}

/// Compares with the records of one text.
class Records {
public:
    explicit Records(std::shared_ptr<const SymbolFile> file)
        : file_(std::move(file)), resolver_(file_) {}

    Tally tally;

    void record(const std::string& line) {
        SCOPED_TRACE(line);
        const auto part = split(line, ' ');
        if (part[0] == "MODULE") {
            EXPECT_EQ(file_->identity().key(), part.at(3));
        } else if (part[0] == "FILE") {
            files_[part.at(1)] = line.substr(6 + part[1].size());
        } else if (part[0] == "FUNC") {
            const std::size_t at = part.at(1) == "m" ? 2 : 1;
            function(hex(part.at(at)), hex(part.at(at + 1)), line, at == 2);
        } else if (is_line_record(line)) {
            const std::uint32_t begin = hex(part[0]);
            if (const std::uint32_t size = hex(part[1]); size != 0) {
                line_at(begin, part[2], part[3]);
                line_at(begin + size - 1, part[2], part[3]);
            }
        }
    }

private:
    void function(std::uint32_t begin, std::uint32_t size, const std::string& text,
                  bool has_others) {
        ++tally.functions;
        const auto first = resolver_.resolve(begin, Detail::linkage);
        ASSERT_EQ(first.size(), 1U);
        const std::string name(first[0].function);
        ++(first[0].offset == 0 ? tally.starts : tally.parts);
        // `@name@8` is spelled `name`.
        const std::string letters = letters_of(
            std::string_view(name).substr(0, name.starts_with('@') ? name.rfind('@') : name.npos));
        EXPECT_TRUE(has_others || letters_of(text).find(letters) != text.npos) << name;
        EXPECT_TRUE(!has_others || first[0].others != 0);
        EXPECT_FALSE(first[0].is_approximate);
        const auto last = resolver_.resolve(begin + size - 1, Detail::function);
        ASSERT_EQ(last.size(), 1U);
        EXPECT_EQ(last[0].function, name);
        ++tally.names;
    }

    void line_at(std::uint32_t rva, const std::string& line, const std::string& file) {
        ++tally.lines;
        const auto frames = resolver_.resolve(rva);
        ASSERT_FALSE(frames.empty());
        if (frames.back().line == 0) {
            ++tally.no_line;
            return;
        }
        EXPECT_EQ(std::to_string(frames.back().line), line);
        EXPECT_EQ(frames.back().file, files_[file]);
        ++tally.same_line;
    }

    std::shared_ptr<const SymbolFile> file_;
    Resolver resolver_;
    std::map<std::string, std::string> files_;
};

TEST(Breakpad, AgreesOnEveryFunctionAndLine) {
    std::size_t texts = 0;
    for (const fs::path& text : files_ending(".sym")) {
        std::string stem = text.stem().string();
        if (stem.ends_with(".pdb")) {
            stem.resize(stem.size() - 4);
        }
        const fs::path path = find_file(stem, {".pdb", ".pd_"});
        if (path.empty()) {
            continue;
        }
        const auto file = opened(path);
        ASSERT_TRUE(file);
        Records records(file);
        for (const std::string& line : lines_of(text)) {
            records.record(line);
        }
        const Tally& tally = records.tally;
        std::cout << ++texts << ": " << tally.functions << " functions, " << tally.starts
                  << " begin there, " << tally.parts << " parts; " << tally.lines
                  << " addresses with a line, " << tally.same_line << " equal, " << tally.no_line
                  << " without\n";
        EXPECT_EQ(tally.names, tally.functions);
        EXPECT_LE(tally.no_line, 2U);
    }
    if (texts == 0) {
        GTEST_SKIP() << "no texts";
    }
}

// Inlined functions of a real program database at every depth, as another reader lists them:
// `> 0xRVA: function (0xSIZE)`, then `0xRVA: file:line (directory)`, indented by depth.

namespace fs = std::filesystem;

struct NestedRow {
    std::size_t depth = 0; // 0: the procedure
    std::uint32_t rva = 0;
    std::string file; // without the directory
    std::uint32_t line = 0;
};

std::vector<NestedRow> nested_rows(const fs::path& path) {
    std::vector<NestedRow> result;
    for (const std::string& line : lines_of(path)) {
        const std::size_t indent = line.find_first_not_of(' ');
        if (indent == line.npos || indent < 2 || !line.substr(indent).starts_with("0x")) {
            continue;
        }
        const std::size_t name = line.find(": ") + 2;
        const std::size_t colon = line.find(':', name);
        result.push_back({indent / 2 - 1,
                          static_cast<std::uint32_t>(std::stoul(line.substr(indent), nullptr, 16)),
                          line.substr(name, colon - name),
                          static_cast<std::uint32_t>(std::stoul(line.substr(colon + 1)))});
    }
    return result;
}

std::size_t count_equal(const std::vector<NestedRow>& rows, const fs::path& database) {
    Resolver resolver(opened(database));
    return static_cast<std::size_t>(std::ranges::count_if(rows, [&](const NestedRow& row) {
        const auto frames = resolver.resolve(row.rva);
        if (frames.size() <= row.depth) {
            return false;
        }
        const Frame& frame = frames[frames.size() - 1 - row.depth];
        return frame.line == row.line && frame.file.ends_with("\\" + row.file);
    }));
}

TEST(NestedRows, EqualThoseOfAnotherReader) {
    std::size_t lists = 0;
    for (const fs::path& path : files_ending(".snap")) {
        const auto rows = nested_rows(path);
        if (rows.empty()) {
            continue;
        }
        // It does not name its database.
        std::size_t max = 0;
        for (const auto& entry : fs::directory_iterator(path.parent_path())) {
            if (entry.path().extension() == ".pdb") {
                max = std::max(max, count_equal(rows, entry.path()));
            }
        }
        EXPECT_EQ(max, rows.size());
        EXPECT_GT(max, 200U);
        ++lists;
    }
    if (lists == 0) {
        GTEST_SKIP() << "no lists";
    }
}

} // namespace

} // namespace etl::symbols::breakpad_test
