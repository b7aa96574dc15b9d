// Damage to files on disk.
#include "generate/generate.hpp"
#include "tests/support/traces/shop_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace etl::damage_test {
namespace {

using namespace generate;
using What = Damage::What;

class Damages : public testing::Test {
protected:
    /// A trace of several buffers, or of the header buffer alone.
    std::string write_trace(const std::string& name, std::uint64_t events = 1000) const {
        const Recipe recipe{.events = events};
        std::string path = folder_.file(name);
        auto writer = trace::Writer::create(
            path, {.file = {.buffer_size = 4096}, .recording = recording_of(recipe)});
        EXPECT_TRUE(writer && write(recipe, **writer) && (*writer)->close());
        return path;
    }

    std::string damaged(const std::string& name, const std::vector<Damage>& damages,
                        std::uint64_t seed) const {
        const std::string path = write_trace(name);
        const auto done = do_damage(path, damages, seed);
        EXPECT_TRUE(done) << describe(done.error());
        return content_of(path);
    }

    static std::string content_of(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    test::ShopFolder folder_;
};

TEST_F(Damages, TheSameSeedDamagesTheSameBytes) {
    const std::string intact = content_of(write_trace("intact.etl"));
    for (const What what : {What::bad_sizes, What::zero_buffer, What::flip, What::truncate}) {
        const std::string first = damaged("a.etl", {{what}}, 5);
        EXPECT_NE(first, intact);
        EXPECT_EQ(first, damaged("b.etl", {{what}}, 5));
        EXPECT_NE(first, damaged("c.etl", {{what}}, 6));
    }
}

TEST_F(Damages, TheHeaderBufferStaysIntact) {
    const std::string intact = content_of(write_trace("intact.etl"));
    const std::string other =
        damaged("a.etl", {{What::bad_sizes, 100}, {What::zero_buffer, 100}, {What::flip, 500}}, 1);
    EXPECT_EQ(other.size(), intact.size());
    EXPECT_EQ(other.substr(0, 4096), intact.substr(0, 4096));
}

TEST_F(Damages, EachIsWhatItsNameSays) {
    const std::string intact = content_of(write_trace("intact.etl"));
    const auto differences = [&](const std::string& other) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < intact.size(); ++i) {
            count += intact.at(i) != other.at(i) ? 1U : 0U;
        }
        return count;
    };
    EXPECT_EQ(differences(damaged("flip.etl", {{What::flip}}, 1)), 1U);
    EXPECT_LE(differences(damaged("size.etl", {{What::bad_sizes}}, 1)), 4U);
    EXPECT_THAT(damaged("zero.etl", {{What::zero_buffer}}, 1),
                testing::HasSubstr(std::string(4096, '\0')));
    const std::size_t size = damaged("short.etl", {{What::truncate}}, 1).size();
    EXPECT_GE(size, intact.size() / 2);
    EXPECT_LT(size, intact.size());
}

TEST_F(Damages, NeedsABufferAfterTheHeader) {
    const auto done = do_damage(write_trace("empty.etl", 0), {{What::flip}}, 1);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::malformed);
    const auto missing = do_damage(write_trace("a.etl") + ".none", {{What::flip}}, 1);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

TEST(DamageText, IsANameAndACount) {
    EXPECT_EQ(parse_damage("truncate")->what, What::truncate);
    EXPECT_EQ(parse_damage("flip:20")->what, What::flip);
    EXPECT_EQ(parse_damage("flip:20")->count, 20U);
    EXPECT_EQ(parse_damage("bad-sizes")->count, 1U);
    for (const char* const text :
         {"", "fire", "flip:", "flip:x", "flip:2x", "flip:1000001", "truncate:2", "Flip"}) {
        EXPECT_FALSE(parse_damage(text)) << text;
    }
}

} // namespace
} // namespace etl::damage_test
