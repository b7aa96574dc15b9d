// A repair in memory, and what a reader and `etl check` say of its outcome.
#pragma once

#include "repair/repair.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/written.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace etl::test {

struct Repaired {
    std::optional<Error> error;
    repair::Report report;
    Image file;

    /// Losses that are not those that the trace itself tells of.
    std::vector<repair::Loss> losses() const {
        std::vector<repair::Loss> found = report.losses;
        std::erase_if(found, [](const repair::Loss& loss) {
            return loss.kind == repair::Loss::Kind::reported_by_session;
        });
        return found;
    }
};

inline Repaired repaired(const std::shared_ptr<const io::InputFile>& file,
                         repair::Options options = {}) {
    io::MemoryFiles files;
    options.files = &files;
    auto report = repair::run(file, "repaired.etl", options);
    if (!report) {
        return {.error = report.error(), .report = {}, .file = {}};
    }
    return {.error = {}, .report = *std::move(report), .file = files.files().at("repaired.etl")};
}

inline Repaired repaired(Image file, repair::Options options = {}) {
    return repaired(in_memory(std::move(file)), std::move(options));
}

/// No finding of `etl check` that is damage; some notes are true of any trace.
inline void expect_clean(const Image& file) {
    DiagnosticList findings;
    auto reader = trace::Reader::open(in_memory(file), {.diagnostics = &findings});
    ASSERT_TRUE(reader) << describe(reader.error());
    EXPECT_EQ(trace::check(**reader, findings), 0U);
    for (const Diagnostic& finding : findings.list()) {
        EXPECT_EQ(finding.severity, Severity::note) << describe(finding);
    }
    EXPECT_FALSE((*reader)->info().is_unfinalized);
}

inline Image image_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    const Bytes bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// Traces below a folder of the project's corpus, packed ones included.
inline std::vector<std::filesystem::path> corpus_files(const std::string& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(test::source_dir() + "/corpus/" + folder)) {
        if (entry.path().filename().string().find(".etl") != std::string::npos &&
            entry.path().extension() != ".toml") {
            paths.push_back(entry.path());
        }
    }
    std::ranges::sort(paths);
    return paths;
}

} // namespace etl::test
