// Header buffers as Windows writes them, where a folder of real traces lies beside the project:
// what is read from one gives the same one back.
#include "format/records.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/written.hpp"
#include "trace/log_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace etl::test {

namespace {

namespace head = format::buffer_header;
namespace mode = format::log_mode;

struct RealTrace {
    std::string name;
    std::shared_ptr<const io::InputFile> file;
    flow::TraceInfo info;
    Image header_buffer;

    bool is_compressed() const { return (info.header.log_file_mode & mode::compressed) != 0; }
};

std::vector<RealTrace> real_traces() {
    std::vector<RealTrace> traces;
    const std::filesystem::path corpus = test::shared_corpus();
    if (!std::filesystem::is_directory(corpus)) {
        return traces;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
        if (entry.path().extension() != ".etl") {
            continue;
        }
        auto file = io::InputFile::map(entry.path().string());
        if (!file) {
            continue;
        }
        auto reader = trace::Reader::open(*file);
        if (!reader || !(*reader)->info().has_header) {
            continue;
        }
        const Bytes bytes = (*file)->bytes();
        const auto size = load_le<std::uint32_t>(bytes.data());
        const Bytes front = clamped(bytes, 0, size);
        traces.push_back({entry.path().filename().string(),
                          *file,
                          (*reader)->info(),
                          {front.begin(), front.end()}});
    }
    return traces;
}

std::uint16_t u16(const Image& image, std::size_t at) {
    return load_le<std::uint16_t>(image.data() + at);
}

std::uint32_t u32(const Image& image, std::size_t at) {
    return load_le<std::uint32_t>(image.data() + at);
}

/// What the library makes of what it read, and the records behind the first.
trace::Recording recording_of(const RealTrace& real) {
    const Image& buffer = real.header_buffer;
    trace::Recording recording = trace::recording_of(real.info);
    const std::size_t record = u16(buffer, head::size + format::system_record::size_.offset);
    const std::size_t behind = head::size + (record + 7) / 8 * 8;
    const Bytes extras = clamped(buffer, behind, u32(buffer, head::offset.offset) - behind);
    recording.extra_records.assign(extras.begin(), extras.end());
    return recording;
}

trace::LogFileOptions options_of(const RealTrace& real) {
    const format::LogfileHeader& header = real.info.header;
    const auto has = [&](std::uint32_t bit) { return (header.log_file_mode & bit) != 0; };
    trace::LogFileOptions options;
    options.buffer_size = header.buffer_size;
    options.limit.count = header.maximum_file_size;
    options.limit.unit = has(mode::use_kbytes_for_size) ? trace::SizeLimit::Unit::kilobytes
                                                        : trace::SizeLimit::Unit::megabytes;
    options.preallocate = has(mode::preallocate);
    options.delay_open = has(mode::delay_open);
    options.mode = has(mode::circular)   ? trace::FileMode::circular
                   : has(mode::append)   ? trace::FileMode::append
                   : has(mode::new_file) ? trace::FileMode::new_file
                                         : trace::FileMode::sequential;
    options.compression = real.is_compressed() ? codec::Format::xpress : codec::Format::none;
    return options;
}

/// The header buffer of a trace without buffers that was recorded as the real one, finished.
Image rewritten(const RealTrace& real) {
    io::MemoryFiles files;
    trace::LogFileOptions options = options_of(real);
    options.delay_open = false;
    auto log = trace::LogFile::open("t%d", recording_of(real), options, files);
    EXPECT_TRUE(log) << real.name << ": " << describe(log.error());
    if (!log || !(*log)->close()) {
        return {};
    }
    Image image = files.files().begin()->second;
    image.resize(u32(image, 0));
    return image;
}

/// The payload of the header record, with what cannot be the same made so.
Image payload_of(const Image& buffer) {
    const std::size_t size = u16(buffer, head::size + format::system_record::size_.offset);
    const Bytes payload = clamped(buffer, head::size + format::system_record::size,
                                  size - format::system_record::size);
    Image comparable(payload.begin(), payload.end());
    const std::size_t buffers_written = 0x24;
    store_le(comparable.data() + buffers_written, std::uint32_t{0});
    return comparable;
}

class RealHeaderBuffers : public testing::Test {
protected:
    void SetUp() override {
        if (traces_.empty()) {
            GTEST_SKIP() << "no real traces in " << test::shared_corpus();
        }
    }

    const std::vector<RealTrace> traces_ = real_traces();
};

TEST_F(RealHeaderBuffers, ComeOutWithTheSameHeader) {
    for (const RealTrace& real : traces_) {
        SCOPED_TRACE(real.name);
        const Image ours = rewritten(real);
        ASSERT_GE(ours.size(), head::size);
        const Image& theirs = real.header_buffer;
        EXPECT_EQ(u32(ours, head::buffer_size.offset), u32(theirs, head::buffer_size.offset));
        EXPECT_EQ(u32(ours, head::offset.offset), u32(theirs, head::offset.offset));
        EXPECT_EQ(u32(ours, head::state.offset), u32(theirs, head::state.offset));
        EXPECT_EQ(u16(ours, head::processor.offset), u16(theirs, head::processor.offset));
        EXPECT_EQ(u16(ours, head::logger_id.offset), u16(theirs, head::logger_id.offset));
        EXPECT_EQ(u16(ours, head::buffer_flag.offset), u16(theirs, head::buffer_flag.offset));
        EXPECT_EQ(u16(ours, head::buffer_type.offset), u16(theirs, head::buffer_type.offset));
        if ((real.info.header.log_file_mode & mode::relog) != 0) {
            EXPECT_TRUE(std::equal(ours.begin(), ours.begin() + head::size, theirs.begin()));
        }
    }
}

TEST_F(RealHeaderBuffers, ComeOutWithTheSameRecords) {
    for (const RealTrace& real : traces_) {
        SCOPED_TRACE(real.name);
        const Image ours = rewritten(real);
        ASSERT_GE(ours.size(), head::size);
        EXPECT_TRUE(std::equal(ours.begin() + head::size,
                               ours.begin() + head::size + format::system_record::size,
                               real.header_buffer.begin() + head::size));
        const Image mine = payload_of(ours);
        const Image theirs = payload_of(real.header_buffer);
        ASSERT_EQ(mine.size(), theirs.size());
        const auto differs = std::ranges::mismatch(mine, theirs);
        EXPECT_EQ(differs.in1, mine.end()) << "at " << differs.in1 - mine.begin();
    }
}

TEST_F(RealHeaderBuffers, OfRelogsComeOutWhenRelogged) {
    for (const RealTrace& real : traces_) {
        if ((real.info.header.log_file_mode & mode::relog) == 0) {
            continue;
        }
        SCOPED_TRACE(real.name);
        const trace::Recording kept = trace::recording_of(real.info);
        const trace::Recording again = trace::relogged(real.info);
        EXPECT_EQ(format::encode_logfile_header(kept.header, 8).size(),
                  format::encode_logfile_header(again.header, 8).size());
        EXPECT_EQ(again.header.session_name, kept.header.session_name);
        EXPECT_EQ(again.header.logger_name_pointer, kept.header.logger_name_pointer);
        EXPECT_EQ(again.header.log_file_name_pointer, kept.header.log_file_name_pointer);
        EXPECT_EQ(again.header.maximum_file_size, kept.header.maximum_file_size);
        EXPECT_EQ(again.header.log_file_mode, kept.header.log_file_mode & ~mode::compressed);
        EXPECT_EQ(again.logger_id, kept.logger_id);
        EXPECT_EQ(again.lineage, kept.lineage);
    }
}

} // namespace

} // namespace etl::test
