#include "io/find_files.hpp"
#include "io/limits.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace etl::io::find_files_test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto is_trace = [](std::string_view name) { return name.ends_with(".etl"); };

std::vector<std::string> find(const std::string& argument, Recursion recursion = Recursion::no) {
    const auto files = find_files(argument, recursion, is_trace);
    EXPECT_TRUE(files) << describe(files.error());
    return files.value_or(std::vector<std::string>{});
}

ErrorCode code_of(const std::string& argument, Recursion recursion = Recursion::no) {
    const auto files = find_files(argument, recursion, is_trace);
    return files ? ErrorCode::none : files.error().code;
}

// Makes a folder the current one while it lives.
class CurrentFolder {
public:
    explicit CurrentFolder(const std::string& path) : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(path);
    }

    CurrentFolder(const CurrentFolder&) = delete;
    CurrentFolder& operator=(const CurrentFolder&) = delete;

    ~CurrentFolder() { std::filesystem::current_path(before_); }

private:
    std::filesystem::path before_;
};

TEST(FindFiles, LeavesStandardInputAlone) {
    EXPECT_THAT(find("-"), ElementsAre("-"));
}

TEST(FindFiles, TakesANamedFileWhateverItsName) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("notes.txt");
    EXPECT_THAT(find(path), ElementsAre(path));
}

TEST(FindFiles, GivesTheTracesOfAFolderSorted) {
    const test::TemporaryFolder folder;
    folder.file("b.etl");
    folder.file("a.etl");
    folder.file("c.txt");
    folder.file("deep/d.etl");
    EXPECT_THAT(find(folder.path()), ElementsAre(folder.path("a.etl"), folder.path("b.etl")));
    EXPECT_THAT(find(folder.path(), Recursion::yes),
                ElementsAre(folder.path("a.etl"), folder.path("b.etl"), folder.path("deep/d.etl")));
}

TEST(FindFiles, MayFindNothingInAFolder) {
    const test::TemporaryFolder folder;
    EXPECT_THAT(find(folder.path()), IsEmpty());
}

TEST(FindFiles, MatchesAPatternWhateverTheEnding) {
    const test::TemporaryFolder folder;
    folder.file("x.etl.001");
    folder.file("x.etl.002");
    folder.file("y.etl.001");
    folder.file("x.etl.d/inside");
    EXPECT_THAT(find(folder.path("X.etl.*")),
                ElementsAre(folder.path("x.etl.001"), folder.path("x.etl.002")));
    EXPECT_THAT(find(folder.path("?.etl.001")),
                ElementsAre(folder.path("x.etl.001"), folder.path("y.etl.001")));
}

TEST(FindFiles, MatchesInTheCurrentFolderWithoutNamingIt) {
    const test::TemporaryFolder folder;
    folder.file("a.etl");
    const CurrentFolder here(folder.path());
    EXPECT_THAT(find("*.etl"), ElementsAre("a.etl"));
}

TEST(FindFiles, PrefersTheFileThatIsCalledLikeThePattern) {
    const test::TemporaryFolder folder;
    const std::string odd = folder.file("a?.etl");
    folder.file("ab.etl");
    EXPECT_THAT(find(odd), ElementsAre(odd));
}

TEST(FindFiles, SaysThatThereIsNoSuchFile) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(code_of(folder.path("none.etl")), ErrorCode::not_found);
    EXPECT_EQ(code_of(folder.path("*.etl")), ErrorCode::not_found);
    EXPECT_EQ(code_of(folder.path("none/*.etl")), ErrorCode::not_found);
    EXPECT_EQ(code_of(folder.file("file") + "/a.etl"), ErrorCode::not_found);
    EXPECT_EQ(code_of(""), ErrorCode::not_found);
}

TEST(FindFiles, FollowsLinksToFilesButNotToFolders) {
    const test::TemporaryFolder folder;
    const std::string real = folder.file("real/a.etl");
    std::filesystem::create_symlink(real, folder.path("link.etl"));
    std::filesystem::create_symlink("nowhere", folder.path("broken.etl"));
    std::filesystem::create_directory_symlink(folder.path(), folder.path("real/circle"));
    EXPECT_THAT(find(folder.path(), Recursion::yes), ElementsAre(folder.path("link.etl"), real));
    EXPECT_THAT(find(folder.path("real/circle")), ElementsAre(folder.path("real/circle/link.etl")));
}

TEST(FindFiles, StopsAtTheDepthOfFolders) {
    const test::TemporaryFolder folder;
    std::string deep;
    for (int i = 0; i < limits::directory_depth; ++i) {
        deep += "d/";
    }
    folder.file(deep + "a.etl");
    EXPECT_EQ(find(folder.path(), Recursion::yes).size(), 1U);
    folder.file(deep + "d/b.etl");
    EXPECT_EQ(code_of(folder.path(), Recursion::yes), ErrorCode::limit);
}

TEST(FindFiles, SaysThatAFolderCannotBeRead) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "root reads every folder";
    }
    const test::TemporaryFolder folder;
    folder.file("closed/a.etl");
    std::filesystem::permissions(folder.path("closed"), std::filesystem::perms::none);
    EXPECT_EQ(code_of(folder.path(), Recursion::yes), ErrorCode::io_failure);
    std::filesystem::permissions(folder.path("closed"), std::filesystem::perms::owner_all);
}

TEST(IsFolder, TellsAFolderFromTheRest) {
    const test::TemporaryFolder folder;
    EXPECT_TRUE(is_directory(folder.path()));
    EXPECT_FALSE(is_directory(folder.file("a")));
    EXPECT_FALSE(is_directory(folder.path("none")));
}

TEST(RealPath, IsOneForAllSpellingsOfAFileThatDoesNotExist) {
    const test::TemporaryFolder folder;
    folder.file("sub/other");
    const CurrentFolder current(folder.path());
    EXPECT_EQ(real_path("none.etl"), real_path("./none.etl"));
    EXPECT_EQ(real_path("none.etl"), real_path("sub/../none.etl"));
    EXPECT_EQ(real_path("none.etl"), real_path(folder.path("none.etl")));
    EXPECT_NE(real_path("none.etl"), real_path("sub/none.etl"));
}

/// Puts another file in the place of standard input while it lives.
class StandardInputFrom {
public:
    explicit StandardInputFrom(int descriptor) : before_(::dup(STDIN_FILENO)) {
        ::dup2(descriptor, STDIN_FILENO);
    }

    StandardInputFrom(const StandardInputFrom&) = delete;
    StandardInputFrom& operator=(const StandardInputFrom&) = delete;

    ~StandardInputFrom() {
        ::dup2(before_, STDIN_FILENO);
        ::close(before_);
    }

private:
    int before_;
};

TEST(FileIdOfAStream, IsThatOfTheFileBehindIt) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a");
    const int file = ::open(path.c_str(), O_RDONLY);
    ASSERT_GE(file, 0);
    {
        const StandardInputFrom redirected(file);
        ASSERT_TRUE(file_id(StandardStream::input));
        EXPECT_EQ(file_id(StandardStream::input), file_id(path));
        EXPECT_NE(file_id(StandardStream::input), file_id(folder.file("b")));
    }
    ::close(file);
}

TEST(FileIdOfAStream, IsNothingForAPipe) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    {
        const StandardInputFrom pipe(ends[0]);
        EXPECT_EQ(file_id(StandardStream::input), std::nullopt);
    }
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(UserConfigFolder, FollowsTheXdgSpecification) {
    const test::Environment home("HOME", "/home/somebody");
    {
        const test::Environment xdg("XDG_CONFIG_HOME", "/elsewhere");
        EXPECT_EQ(user_config_directory(), "/elsewhere");
    }
    {
        const test::Environment xdg("XDG_CONFIG_HOME", "relative");
        EXPECT_EQ(user_config_directory(), "/home/somebody/.config");
    }
    const test::Environment xdg("XDG_CONFIG_HOME", "");
    const test::Environment no_state("XDG_STATE_HOME", "");
    EXPECT_EQ(user_config_directory(), "/home/somebody/.config");
    EXPECT_EQ(user_state_directory(), "/home/somebody/.local/state");
    const test::Environment state("XDG_STATE_HOME", "/state");
    EXPECT_EQ(user_state_directory(), "/state");
    const test::Environment nobody("HOME", "");
    EXPECT_EQ(user_config_directory(), "");
}

TEST(EnvironmentVariable, IsEmptyWhenNotSet) {
    const test::Environment set("ETL_TEST_VARIABLE", "value");
    EXPECT_EQ(environment("ETL_TEST_VARIABLE"), "value");
    EXPECT_EQ(environment("ETL_TEST_VARIABLE_NOT_SET"), "");
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RenameFile, GivesAFileAnotherName) {
    const test::TemporaryFolder folder;
    const std::string from = folder.file("from", "oak"), to = folder.path("to");
    ASSERT_TRUE(rename_file(from, to));
    EXPECT_FALSE(exists(from));
    EXPECT_EQ(content_of(to), "oak");
}

TEST(RenameFile, NeverReplacesAFile) {
    const test::TemporaryFolder folder;
    const std::string from = folder.file("from", "oak"), to = folder.file("to", "elm");
    const auto renamed = rename_file(from, to);
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().os_code, EEXIST);
    EXPECT_EQ(content_of(from), "oak");
    EXPECT_EQ(content_of(to), "elm");
}

TEST(RenameFile, SaysThatThereIsNoSuchFile) {
    const test::TemporaryFolder folder;
    const auto renamed = rename_file(folder.path("from"), folder.path("to"));
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::not_found);
}

} // namespace

} // namespace etl::io::find_files_test
