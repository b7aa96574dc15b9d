// Traces that questions are asked of, each with an index and without.
#pragma once

#include "dataset/dataset.hpp"
#include "explore/explorer.hpp"
#include "generate/generate.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/indexes.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace etl::explore {

inline std::string corpus(const std::string& name) {
    return test::source_dir() + "/corpus/" + name;
}

/// A machine at work for 5 s, in a folder of each suite and process. `indexed/work.etl` has an
/// index.
class ExploredTraces : public testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = std::filesystem::path(testing::TempDir()) /
                  ("etl-explore-" + std::to_string(std::random_device{}()));
        std::filesystem::create_directories(folder_ / "indexed");
        state_ =
            std::make_unique<test::Environment>("XDG_STATE_HOME", (folder_ / "state").string());
        cache_ =
            std::make_unique<test::Environment>("XDG_CACHE_HOME", (folder_ / "cache").string());
        ASSERT_TRUE(generate_work(plain()));
        std::filesystem::copy_file(plain(), indexed());
        ASSERT_TRUE(test::write_index(indexed(), 16));
    }

    static void TearDownTestSuite() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
        state_.reset();
        cache_.reset();
    }

    /// Writes such a trace; another one with another seed and start.
    static bool generate_work(const std::string& path, std::uint64_t events = 60'000,
                              std::uint64_t seed = 1, Filetime start = generate::default_start) {
        generate::Recipe recipe;
        recipe.contents = generate::Contents::workload;
        recipe.events = events;
        recipe.seed = seed;
        recipe.start = start;
        return generate_trace(path, recipe);
    }

    static bool generate_trace(const std::string& path, const generate::Recipe& recipe) {
        auto writer = trace::Writer::create(path, {.recording = generate::recording_of(recipe)});
        return writer && generate::write(recipe, **writer) && (*writer)->close();
    }

    static std::string plain() { return (folder_ / "work.etl").string(); }

    static std::string indexed() { return (folder_ / "indexed/work.etl").string(); }

    static std::string file(const std::string& name) { return (folder_ / name).string(); }

    static Explorer explore(const std::string& path, dataset::Options options = {}) {
        auto explorer = Explorer::open({path}, std::move(options));
        EXPECT_TRUE(explorer) << path;
        return *std::move(explorer);
    }

private:
    static inline std::filesystem::path folder_;
    static inline std::unique_ptr<test::Environment> state_, cache_;
};

} // namespace etl::explore
