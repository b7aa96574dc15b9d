// Traces in memory, merged into a trace in memory.
#pragma once

#include "merge/merge.hpp"
#include "tests/support/traces/written.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

namespace etl::test {

/// Inputs that say how many of them are open.
struct OpenCount {
    int now = 0, max = 0;
    std::vector<std::string> order; // names, as they were opened
};

/// A reader that counts itself.
class CountedReader final : public flow::Source {
public:
    CountedReader(std::unique_ptr<trace::Reader> reader, std::shared_ptr<OpenCount> count)
        : reader_(std::move(reader)), count_(std::move(count)) {
        ++count_->now;
        count_->max = std::max(count_->max, count_->now);
        count_->order.push_back(reader_->info().name);
    }

    CountedReader(const CountedReader&) = delete;
    CountedReader& operator=(const CountedReader&) = delete;

    ~CountedReader() override { --count_->now; }

    flow::Run next_run() override { return reader_->next_run(); }

    flow::Pin pin() const override { return reader_->pin(); }

    const Error* error() const noexcept override { return reader_->error(); }

private:
    std::unique_ptr<trace::Reader> reader_;
    std::shared_ptr<OpenCount> count_;
};

inline merge::Input input_of(const Image& image, const std::string& name = "made.etl",
                             std::shared_ptr<OpenCount> count = nullptr) {
    const auto file = io::InputFile::from_memory(image, name);
    auto reader = trace::Reader::open(file);
    if (!reader) {
        throw std::logic_error("no trace");
    }
    return {.trace = std::make_shared<const flow::TraceInfo>((*reader)->info()),
            .open = [file, count]() -> Result<std::unique_ptr<flow::Source>> {
                auto opened = trace::Reader::open(file);
                if (!opened) {
                    return std::unexpected(opened.error());
                }
                if (count) {
                    return std::make_unique<CountedReader>(*std::move(opened), count);
                }
                return *std::move(opened);
            }};
}

inline std::vector<merge::Input> inputs_of(const std::vector<Image>& images) {
    std::vector<merge::Input> inputs;
    for (const Image& image : images) {
        inputs.push_back(input_of(image, std::to_string(inputs.size() + 1) + ".etl"));
    }
    return inputs;
}

inline std::unique_ptr<merge::MergedSource> must_merge(std::vector<merge::Input> inputs,
                                                       const merge::Options& options = {}) {
    auto merged = merge::MergedSource::create(std::move(inputs), options);
    if (!merged) {
        throw std::logic_error(describe(merged.error()));
    }
    return *std::move(merged);
}

/// The file that a merge makes.
inline Image file_of(merge::MergedSource& merged, std::uint32_t buffer_size = 0x1000) {
    io::MemoryFiles files;
    trace::WriterOptions options = merged.writer_options();
    options.file.buffer_size = buffer_size;
    options.files = &files;
    auto writer = trace::Writer::create("merged.etl", options);
    EXPECT_TRUE(writer);
    const auto copied = trace::copy(merged, **writer);
    EXPECT_TRUE(copied) << (copied ? "" : describe(copied.error()));
    EXPECT_TRUE((*writer)->close());
    return files.files().at("merged.etl");
}

inline Image merged_file(const std::vector<Image>& images, const merge::Options& options = {}) {
    return file_of(*must_merge(inputs_of(images), options));
}

/// Ids of EVENT records in the order of time, as a reader gives them.
inline std::vector<int> ids_of(const Image& file) {
    return read(file).ids();
}

} // namespace etl::test
