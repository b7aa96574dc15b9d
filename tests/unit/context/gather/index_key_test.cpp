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

/// A trace in a folder, with an index of this user.
class IndexedState : public IndexKey {
protected:
    IndexedState() : path_(folder_.path("a.etl")) {
        fs::copy_file(test::source_dir() + "/corpus/good/first-steps.etl", path_);
        write_index();
    }

    std::shared_ptr<const io::InputFile> file() const { return *io::InputFile::map(path_); }

    void write_index() const {
        const trace::IndexKey key = *index_key_or_new();
        const auto opened = file();
        const auto reader = *trace::Reader::open(opened);
        trace::TraceIndex index = index_of(*reader, 1).index;
        index.changed = opened->changed().value_or(0);
        const trace::IndexSection sections[] = {
            {std::string(trace::buffers_section), reader->known_buffers()}};
        const auto bytes = encode(index, trace::identity_of(reader->info(), reader->buffers(), key),
                                  key, sections);
        std::ofstream(index_path(path_), std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }

    /// Whether a reader of the file takes over the buffers of the index.
    bool is_known() const {
        const auto opened = file();
        const auto index = index_of_state(*opened);
        if (index == nullptr) {
            return false;
        }
        const auto known = index->sections->find(trace::buffers_section);
        const auto reader = *trace::Reader::open(opened, {.known_buffers = *known});
        const auto scanned = *trace::Reader::open(opened);
        EXPECT_EQ(reader->buffers().size(), scanned->buffers().size());
        EXPECT_EQ(trace::identity_of(reader->info(), reader->buffers()),
                  trace::identity_of(scanned->info(), scanned->buffers()));
        EXPECT_EQ(reader->info().max_used_bytes, scanned->info().max_used_bytes);
        return reader->has_known_buffers();
    }

    std::string path_;
};

TEST_F(IndexedState, IsKnownBySizeTimeOfChangeAndSomeHeaders) {
    EXPECT_TRUE(is_known());
    const auto changed = fs::last_write_time(path_);
    fs::last_write_time(path_, changed + std::chrono::seconds(1));
    EXPECT_FALSE(is_known());
    fs::last_write_time(path_, changed);
    EXPECT_TRUE(is_known());
}

TEST_F(IndexedState, OfAnotherHeaderIsNotThatOfTheTrace) {
    const auto changed = fs::last_write_time(path_);
    const auto at = static_cast<std::streamoff>(
        (*trace::Reader::open(file()))->buffers()[1].where.value + 24); // sequence number
    std::fstream trace(path_, std::ios::binary | std::ios::in | std::ios::out);
    trace.seekp(at);
    trace.put(77);
    trace.close();
    fs::last_write_time(path_, changed);
    EXPECT_FALSE(is_known());
}

TEST_F(IndexedState, IsNotKnownOfOtherFiles) {
    EXPECT_EQ(index_of_state(*io::InputFile::from_memory({}, path_)), nullptr);
    fs::remove(index_path(path_));
    EXPECT_EQ(index_of_state(*file()), nullptr);
}

} // namespace
} // namespace etl::gather
