// Every file of corpus/: counts and damage as its .toml says, the same events in whatever order and
// with however many threads they are read, and no surprise when it is cut or a byte is wrong.
#include "tests/support/damage.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/sha256.hpp"
#include "tests/support/traces/canal_story.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace etl::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> traces_below(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".etl") || name.ends_with(".etl.zst") || name.ends_with(".etl.lz4")) {
            found.push_back(entry.path());
        }
    }
    std::ranges::sort(found);
    return found;
}

Image load(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> chars{std::istreambuf_iterator<char>(in), {}};
    const auto bytes = std::as_bytes(std::span(chars));
    return {bytes.begin(), bytes.end()};
}

/// The `name = value` lines of the .toml beside a sample.
std::map<std::string, std::string> facts_of(fs::path path) {
    std::map<std::string, std::string> facts;
    std::ifstream in(path.replace_extension(".toml"));
    for (std::string line; std::getline(in, line);) {
        if (const auto equals = line.find(" = "); equals != std::string::npos) {
            facts[line.substr(0, equals)] = line.substr(equals + 3);
        }
    }
    return facts;
}

class Corpus : public testing::TestWithParam<fs::path> {};

TEST_P(Corpus, HoldsWhatItsDescriptionSays) {
    const Reading reading = read(load(GetParam()));
    ASSERT_FALSE(reading.error);
    auto facts = facts_of(GetParam());
    EXPECT_EQ(std::to_string(reading.events.size()), facts["events"]);
    EXPECT_EQ(std::to_string(reading.buffers.size()), facts["buffers"]);
    EXPECT_EQ(std::to_string(reading.damage), facts["warnings"]);
    std::map<std::string, int> kinds;
    for (const Seen& event : reading.events) {
        ++kinds[std::string(format::name(event.kind))];
    }
    for (const auto& [kind, count] : kinds) {
        EXPECT_NE(facts["record_kinds"].find(kind), std::string::npos) << kind;
    }
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(facts["record_kinds"], ' ')) + 1,
              kinds.size());
    EXPECT_TRUE(std::ranges::is_sorted(reading.events, {}, &Seen::time));
}

TEST_P(Corpus, HasTheBytesThatItsDescriptionSays) {
    auto facts = facts_of(GetParam());
    const Image file = load(GetParam());
    const io::Container container = io::container_by_name(GetParam().string());
    const std::string sum =
        container == io::Container::none ? facts["sha256"] : facts["sha256_unpacked"];
    EXPECT_EQ('"' + sha256(container == io::Container::none ? file : unpacked(container, file)) +
                  '"',
              sum);
}

TEST_P(Corpus, GivesTheSameEventsInEveryWay) {
    const Image file = load(GetParam());
    const Reading alone = read(file);
    EXPECT_EQ(read(file, {.threads = 3}).events, alone.events);
    const auto places_of = [](const Reading& reading) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> places;
        for (const Seen& event : reading.events) {
            places.emplace_back(event.buffer, event.offset);
        }
        std::ranges::sort(places);
        return places;
    };
    EXPECT_EQ(places_of(read(file, {.order = trace::Order::file})), places_of(alone));
}

TEST_P(Corpus, SurvivesCutsAtEveryBufferEdge) {
    const Image file = load(GetParam());
    const std::size_t whole = read(file).events.size();
    for (const trace::BufferEntry& entry : read(file).buffers) {
        const FileOffset where = entry.is_packed() ? entry.packed_where : entry.where;
        const auto edge = static_cast<std::size_t>(where.value);
        for (const std::size_t at : {edge - std::min<std::size_t>(edge, 1), edge, edge + 1,
                                     edge + 0x47, edge + 0x48, edge + 0x49}) {
            const Reading reading = read(truncate_at(file, at));
            EXPECT_LE(reading.events.size(), whole) << at;
        }
    }
}

TEST_P(Corpus, SurvivesWrongBytes) {
    const Image file = load(GetParam());
    for (std::size_t at = 0; at < file.size(); at += 61) {
        const Reading reading = read(flip(file, at));
        for (const Seen& event : reading.events) {
            ASSERT_LT(event.buffer, reading.buffers.size());
        }
    }
}

TEST(RealTraces, AreReadWithoutFindingsAndTheSameInEveryWay) {
    if (!fs::is_directory(test::shared_corpus())) {
        GTEST_SKIP() << "no folder of real traces beside the project";
    }
    for (const fs::path& path : traces_below(test::shared_corpus())) {
        SCOPED_TRACE(path);
        const Image file = load(path);
        const Reading alone = read(file);
        if (alone.error) {
            continue; // files named .etl that are none
        }
        EXPECT_EQ(alone.damage, 0U);
        EXPECT_TRUE(std::ranges::is_sorted(alone.events, {}, &Seen::time));
        EXPECT_EQ(read(file, {.threads = 3}).events, alone.events);
        EXPECT_EQ(read(file, {.order = trace::Order::file}).events.size(), alone.events.size());
        // A finished session tells how many buffers there are.
        if (alone.info.header.buffers_written != 0) {
            EXPECT_EQ(alone.info.header.buffers_written, alone.buffers.size());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Files, Corpus,
                         testing::ValuesIn(traces_below(test::source_dir() + "/corpus")),
                         [](const testing::TestParamInfo<fs::path>& sample) {
                             std::string name = sample.param.stem().string();
                             std::ranges::replace_if(
                                 name, [](char c) { return c == '-' || c == '.'; }, '_');
                             return name;
                         });

} // namespace
} // namespace etl::test
