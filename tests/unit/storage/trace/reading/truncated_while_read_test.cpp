// Files that somebody truncates while they are read.
#include "base/text.hpp"
#include "flow/pipeline.hpp"
#include "io/input_file.hpp"
#include "tests/support/reading.hpp"
#include "tests/unit/foundation/io/packing.hpp"
#include "trace/summary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#ifndef _WIN32

namespace etl::trace::truncated_while_read_test {
namespace {

using namespace test;

constexpr std::size_t buffers = 1'600; // more than are loaded ahead
constexpr std::size_t buffer_size = 0x1000;
constexpr std::uint16_t events_each = 40;

Image trace_of(codec::Format compression) {
    TraceBuilder trace({.reference_time = 0});
    for (std::size_t i = 0; i < buffers; ++i) {
        auto& buffer = trace.buffer({.compression = compression});
        for (std::uint16_t k = 0; k < events_each; ++k) {
            const auto id = static_cast<std::uint16_t>(i * events_each + k);
            buffer.add(format::EventRecord{.time = 10 * id, .descriptor = {.id = id}});
        }
    }
    return trace.build();
}

struct Outcome {
    std::vector<int> ids;
    DiagnosticList findings;
    std::uint64_t damage = 0;
};

/// Reads on after `cut` was called behind the first `before` buffers.
template <typename Cut>
Outcome read_with(const std::string& path, const ReaderOptions& options, std::size_t before,
                  Cut cut) {
    Outcome outcome;
    ReaderOptions all = options;
    all.diagnostics = &outcome.findings;
    auto reader = Reader::open(*io::InputFile::map(path), all);
    EXPECT_TRUE(reader);
    std::size_t seen = 0;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& event : run) {
            if (format::is_event(event.kind)) {
                outcome.ids.push_back(flow::read_header(event).id);
            }
        }
        if (++seen == before) {
            cut();
        }
    }
    outcome.damage = (*reader)->damage();
    return outcome;
}

class TruncatedWhileRead : public testing::TestWithParam<codec::Format> {};

TEST_P(TruncatedWhileRead, GivesTheEventsUpToTheCutAndReportsIt) {
    const io::MappingGuard guard;
    const Image image = trace_of(GetParam());
    const std::size_t size = image.size() / 2 + 1000;
    for (const ReaderOptions& options : {ReaderOptions{.order = Order::time, .threads = 1},
                                         ReaderOptions{.order = Order::time, .threads = 3},
                                         ReaderOptions{.order = Order::file, .threads = 1},
                                         ReaderOptions{.order = Order::file, .threads = 3}}) {
        for (const bool is_single_pass : {false, true}) {
            const TemporaryFolder folder;
            const std::string path = folder.file("x.etl", as_text(image));
            ReaderOptions all = options;
            all.is_single_pass = is_single_pass;
            const Outcome outcome =
                read_with(path, all, 5, [&] { std::filesystem::resize_file(path, size); });
            EXPECT_GT(outcome.ids.size(), events_each * (buffers / 2 - 1));
            EXPECT_LT(outcome.ids.size(), events_each * (buffers / 2 + 2));
            for (std::size_t i = 0; i < outcome.ids.size(); ++i) {
                EXPECT_EQ(outcome.ids[i], static_cast<int>(i)); // no record is made of zeros
            }
            EXPECT_EQ(outcome.damage, 1U);
            ASSERT_EQ(outcome.findings.list().size(), 1U);
            EXPECT_EQ(describe(outcome.findings.list()[0]),
                      fmt::format("{:#x}: warning: the file was truncated while it was read ({} "
                                  "bytes skipped)",
                                  size, image.size() - size));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Trace, TruncatedWhileRead,
                         testing::Values(codec::Format::none, codec::Format::xpress),
                         [](const auto& param) { return "Codec" + std::to_string(param.index); });

/// Writes ids, and truncates a file when it comes to one of them.
class TruncatingEncoder final : public flow::Encoder {
public:
    TruncatingEncoder(std::string path, std::size_t size) : path_(std::move(path)), size_(size) {}

    std::unique_ptr<flow::Encoder> clone() const override {
        return std::make_unique<TruncatingEncoder>(path_, size_);
    }

    bool encode(const flow::Event& event, std::string& to) override {
        if (format::is_event(event.kind)) {
            const int id = flow::read_header(event).id;
            if (id == 100) {
                std::filesystem::resize_file(path_, size_);
            }
            to += fmt::format("{} ", id);
        }
        return true;
    }

private:
    std::string path_;
    std::size_t size_;
};

TEST(TruncatedWhileEncoded, NoRecordComesOutAsZeros) {
    const io::MappingGuard guard;
    const Image image = trace_of(codec::Format::none);
    // In the middle of a record in the twenty-first data buffer.
    const std::size_t size = 21 * buffer_size + 0x48 + 3 * 0x50 + 0x18;
    for (const unsigned threads : {1U, 3U}) {
        const TemporaryFolder folder;
        const std::string path = folder.file("x.etl", as_text(image));
        auto reader = Reader::open(*io::InputFile::map(path));
        ASSERT_TRUE(reader);
        StringOutput output;
        ASSERT_TRUE(
            flow::run(**reader, TruncatingEncoder(path, size), output, {.threads = threads}));
        std::vector<int> ids;
        std::istringstream words(output.text());
        for (int id = 0; words >> id;) {
            ids.push_back(id);
        }
        // Other threads may have been done with later batches by then. Ids are not repeated.
        constexpr std::size_t intact = 20 * events_each + 3;
        ASSERT_GE(ids.size(), intact);
        EXPECT_TRUE(threads > 1 || ids.size() == intact);
        EXPECT_TRUE(std::ranges::is_sorted(ids, std::less_equal<>()));
        EXPECT_EQ(ids[intact - 1], static_cast<int>(intact) - 1);
        (*reader)->report_truncation(); // it may have been at its end already
        EXPECT_EQ((*reader)->damage(), 1U);
    }
}

TEST(TruncatedBeforeItIsRead, IsReportedEvenIfNothingIsLeft) {
    const io::MappingGuard guard;
    const TemporaryFolder folder;
    const std::string path = folder.file("x.etl", as_text(trace_of(codec::Format::none)));
    for (const std::size_t size : {buffer_size * 4 + 100, std::size_t{0}}) {
        const auto file = *io::InputFile::map(path);
        std::filesystem::resize_file(path, size);
        DiagnosticList findings;
        const auto reader = Reader::open(file, {.diagnostics = &findings});
        if (size == 0) {
            EXPECT_FALSE(reader);
            continue;
        }
        ASSERT_TRUE(reader);
        const Summary summary = summarize(**reader, 2);
        EXPECT_EQ(summary.events, 3U * events_each + 1); // of the last buffer, none
        EXPECT_EQ((*reader)->damage(), 3U); // and it ends inside a buffer, and buffers are missing
    }
}

} // namespace
} // namespace etl::trace::truncated_while_read_test

#endif
