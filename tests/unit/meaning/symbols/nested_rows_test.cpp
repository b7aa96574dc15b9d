// Inlined functions of a real program database at every depth, as another reader lists them:
// `> 0xRVA: function (0xSIZE)`, then `0xRVA: file:line (directory)`, indented by depth.
#include "tests/unit/meaning/symbols/corpus.hpp"

#include <gmock/gmock.h>

namespace etl::symbols::nested_rows_test {
namespace {

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
} // namespace etl::symbols::nested_rows_test
