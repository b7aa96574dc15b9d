#include "gather/trace_index.hpp"
#include "tests/support/folders.hpp"
#include "tests/unit/foundation/io/packing.hpp"
#include "trace/inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace etl::gather {
namespace {

using namespace test;
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class IndexKey : public testing::Test {
protected:
    TemporaryFolder folder_;
    Environment state_{"XDG_STATE_HOME", folder_.path()};
    Environment named_{"ETL_INDEX_KEY", ""};
};

TEST_F(IndexKey, IsMadeOnce) {
    EXPECT_EQ(index_key().error().code, ErrorCode::not_found);
    const auto made = index_key_or_new();
    ASSERT_TRUE(made);
    EXPECT_NE(*made, trace::IndexKey{});
    EXPECT_EQ(*index_key_or_new(), *made);
    EXPECT_EQ(*index_key(), *made);
    EXPECT_EQ(index_key_path(), folder_.path("etl/index.key"));
}

TEST_F(IndexKey, IsAnotherForAnotherUser) {
    const auto made = index_key_or_new();
    const TemporaryFolder other;
    const Environment state("XDG_STATE_HOME", other.path());
    EXPECT_NE(*index_key_or_new(), *made);
}

TEST_F(IndexKey, ThatIsNamedMustExist) {
    const std::string path = folder_.path("fleet.key");
    const Environment named("ETL_INDEX_KEY", path);
    const auto none = index_key_or_new();
    ASSERT_FALSE(none);
    EXPECT_EQ(describe_key_error(none.error()), path + ": missing key");
    EXPECT_FALSE(fs::exists(path));

    std::ofstream(path) << "0123456789abcdef0123456789abcdef";
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    ASSERT_TRUE(index_key());
    EXPECT_EQ((*index_key())[0], '0');
    ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
    EXPECT_THAT(describe_key_error(index_key().error()), HasSubstr("chmod 600"));
}

TEST_F(IndexKey, HasOneSize) {
    const std::string path = folder_.file("short.key", "too short");
    ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
    const Environment named("ETL_INDEX_KEY", path);
    EXPECT_EQ(describe_key_error(index_key().error()),
              path + ": not a valid key; expected a file of 32 bytes");
}

TEST_F(IndexKey, HasAPlaceOnlyWhereThereIsAHome) {
    const Environment state("XDG_STATE_HOME", "");
    const Environment home("HOME", "");
    EXPECT_EQ(describe_key_error(index_key_or_new().error()), "HOME and ETL_INDEX_KEY are not set");
}

// Somebody who may write beside a trace, and knows all but the key.
TEST_F(IndexKey, DecidesWhichIndexIsBelieved) {
    const std::string path = folder_.path("a.etl");
    fs::copy_file(test::source_dir() + "/corpus/good/first-steps.etl", path);
    const auto reader = *trace::Reader::open(*trace::open_input(path));
    const auto write = [&](const trace::TraceIndex& index, const trace::IndexKey& key) {
        const auto bytes =
            encode(index, trace::identity_of(reader->info(), reader->buffers(), key), key);
        std::ofstream(index_path(path), std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    };
    std::vector<std::string> remarks;
    const auto is_believed = [&] {
        remarks.clear();
        return read_index(*reader, [&](const Remark& remark) {
                   remarks.push_back(describe(remark));
               }) != nullptr;
    };
    const trace::TraceIndex index = index_of(*reader, 1).index;
    write(index, {});
    EXPECT_FALSE(is_believed());
    EXPECT_THAT(remarks, ElementsAre(HasSubstr("missing key")));

    const trace::IndexKey key = *index_key_or_new();
    EXPECT_FALSE(is_believed());
    EXPECT_THAT(remarks,
                ElementsAre(HasSubstr(
                    "a.etl.index: ignored: key mismatch or damaged index; `etl index --force`")));
    write(index, key);
    EXPECT_TRUE(is_believed());
    EXPECT_THAT(remarks, IsEmpty());
}

} // namespace
} // namespace etl::gather
