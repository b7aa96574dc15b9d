// Decorated names of real programs, with the texts of another tool.
#include "demangled.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace etl::symbols::demangle_corpus_test {
namespace {

struct Row {
    std::string decorated;
    std::string full;
    std::string name_only;
};

std::vector<Row> rows() {
    std::ifstream file(std::filesystem::path(ETL_SHARED_CORPUS) / "symbols" / "expected" /
                       "undname.tsv");
    std::vector<Row> found;
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find('\t');
        const std::size_t second = line.find('\t', first + 1);
        if (line.starts_with('#') || second == std::string::npos) {
            continue;
        }
        found.push_back({.decorated = line.substr(0, first),
                         .full = line.substr(first + 1, second - first - 1),
                         .name_only = line.substr(second + 1)});
    }
    return found;
}

std::string as_expected(std::string_view decorated, const DemangleStyle& style) {
    return demangle(decorated, style).value_or("error: invalid");
}

TEST(DemangleCorpus, EveryNameIsAsExpected) {
    const std::vector<Row> names = rows();
    if (names.empty()) {
        GTEST_SKIP() << "no decorated names in " << ETL_SHARED_CORPUS;
    }
    constexpr DemangleStyle name_only{
        .access = false, .member_kind = false, .calling_convention = false, .return_type = false};
    for (const Row& row : names) {
        EXPECT_EQ(as_expected(row.decorated, {}), row.full) << row.decorated;
        EXPECT_EQ(as_expected(row.decorated, name_only), row.name_only) << row.decorated;
    }
    EXPECT_EQ(names.size(), 846U);
}

} // namespace
} // namespace etl::symbols::demangle_corpus_test
