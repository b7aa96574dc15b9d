// A whole file that a session appends to. Property: what is refused stays as it was; else the data
// buffers that were there stay byte for byte, the new one follows them at once, and the file ends
// there, finished.
#include "fuzz/require.hpp"
#include "trace/header/header_buffer.hpp"
#include "trace/reader.hpp"

#include <algorithm>

using namespace etl;

namespace {

using fuzz::require;
using File = std::vector<std::byte>;

/// A session of the file's own shape, so that more than the refusals are reached.
trace::Recording recording_like(const File& file) {
    trace::Recording recording = trace::begin_recording({1}, 0);
    const auto input = io::InputFile::from_memory(file, "fuzz");
    if (const auto reader = trace::Reader::open(input)) {
        recording.header.sub_version = (*reader)->info().header.sub_version;
        recording.header.sub_minor_version = (*reader)->info().header.sub_minor_version;
        recording.header.reserved_flags = (*reader)->info().header.reserved_flags;
    }
    return recording;
}

void require_appended(const File& before, const File& after, std::uint32_t buffer_size) {
    require(after.size() % buffer_size == 0 && after.size() >= 2 * std::size_t{buffer_size});
    const std::size_t kept = after.size() - buffer_size;
    require(kept <= before.size());
    require(std::equal(before.begin() + buffer_size,
                       before.begin() + static_cast<std::ptrdiff_t>(kept),
                       after.begin() + buffer_size));
    const Bytes last = Bytes(after).subspan(kept);
    const format::BufferHeaderView head(last.first<format::buffer_header::size>());
    require(head.buffer_size() == buffer_size && head.offset() == format::buffer_header::size);
    auto header = trace::HeaderBuffer::adopt({after.begin(), after.begin() + buffer_size});
    require(header && header->header().buffers_written == after.size() / buffer_size);
    require(header->header().end_time != 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    if (size < format::buffer_header::size || load_le<std::uint32_t>(bytes.data()) > 0x10000) {
        return 0; // larger buffers hold no other cases
    }
    const File before(bytes.begin(), bytes.end());
    const trace::LogFileOptions options{.mode = trace::FileMode::append,
                                        .buffer_size = load_le<std::uint32_t>(bytes.data())};
    io::MemoryFiles files;
    files.files()["t"] = before;
    auto log = trace::LogFile::open("t", recording_like(before), options, files);
    if (!log) {
        require(files.files()["t"] == before);
        return 0;
    }
    require((*log)->first_sequence() > 0);
    (*log)->write({.memory = (*log)->memory(),
                   .used = format::buffer_header::size,
                   .sequence = (*log)->first_sequence()});
    require((*log)->close().has_value());
    require((*log)->status().buffers_lost == 0);
    require_appended(before, files.files()["t"], options.buffer_size);
    return 0;
}
