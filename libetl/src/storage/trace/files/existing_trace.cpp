#include "trace/files/existing_trace.hpp"

#include "trace/index/header_checks.hpp"

#include <algorithm>
#include <array>

namespace etl::trace {

namespace {

namespace head = format::buffer_header;
namespace mode = format::log_mode;
using HeadBytes = std::array<std::byte, head::size>;

std::unexpected<Error> refuse(const char* what, std::uint64_t need = 0, std::uint64_t have = 0) {
    return fail(ErrorCode::malformed, what, {}, need, have);
}

/// Reads all of `to`, or says what is missing.
Result<void> read_whole(io::WritableFile& file, FileOffset where, MutableBytes to) {
    const auto read = file.read_at(where, to);
    if (!read) {
        return std::unexpected(read.error());
    }
    if (*read != to.size()) {
        return fail(ErrorCode::truncated, "file to append to", where, to.size(), *read);
    }
    return {};
}

Result<std::vector<std::byte>> first_buffer_of(io::WritableFile& file) {
    HeadBytes front{};
    const auto there = file.read_at({0}, front);
    if (!there) {
        return std::unexpected(there.error());
    }
    if (io::container_of(Bytes(front).first(*there)) != io::Container::none) {
        return fail(ErrorCode::unsupported, "file to append to: a container");
    }
    if (*there < front.size() || !is_plausible(front) ||
        format::BufferHeaderView(front).type() != format::BufferType::header) {
        return fail(ErrorCode::not_a_trace, "file to append to");
    }
    std::vector<std::byte> bytes(format::BufferHeaderView(front).buffer_size());
    if (auto read = read_whole(file, {0}, bytes); !read) {
        return std::unexpected(read.error());
    }
    return bytes;
}

/// A session goes on only where it could have been the one that began.
Result<void> compare(const format::LogfileHeader& found, const Recording& recording,
                     const LogFileOptions& options) {
    if ((found.log_file_mode & mode::compressed) != 0) {
        return fail(ErrorCode::unsupported, "file to append to: compressed buffers");
    }
    if ((found.log_file_mode & mode::circular) != 0) {
        return refuse("file to append to: a circular file");
    }
    if (found.buffer_size != options.buffer_size) {
        return refuse("file to append to: buffer size", options.buffer_size, found.buffer_size);
    }
    const std::uint32_t processors = recording.header.number_of_processors;
    if (processors > found.number_of_processors) {
        return refuse("file to append to: processors", processors, found.number_of_processors);
    }
    if (found.clock_type() != recording.header.clock_type()) {
        return refuse("file to append to: clock type",
                      static_cast<std::uint64_t>(recording.header.clock_type()),
                      static_cast<std::uint64_t>(found.clock_type()));
    }
    return {};
}

/// Hops over the buffers behind the first.
Result<void> count_buffers(io::WritableFile& file, std::uint64_t file_size, bool is_finished,
                           std::uint32_t buffer_size, ExistingTrace& trace) {
    const std::uint64_t whole = file_size / buffer_size;
    for (trace.buffers = 1; trace.buffers < whole; ++trace.buffers) {
        const FileOffset where{trace.buffers * buffer_size};
        HeadBytes front{};
        if (auto read = read_whole(file, where, front); !read) {
            return read;
        }
        const format::BufferHeaderView view(front);
        if (view.buffer_size() == 0 && !is_finished) {
            return {}; // preallocated, and never written
        }
        // No session gets there, and what follows it must not run over.
        constexpr std::int64_t last_number = std::int64_t{1} << 62U;
        if (!is_convincing(front) || view.buffer_size() != buffer_size ||
            view.sequence_number() > last_number) {
            return fail(ErrorCode::malformed, "file to append to: missing buffer header", where);
        }
        trace.last_sequence = std::max(trace.last_sequence, view.sequence_number());
    }
    if (is_finished && file_size % buffer_size != 0) {
        return refuse("file to append to: truncated inside a buffer", (whole + 1) * buffer_size,
                      file_size);
    }
    return {};
}

} // namespace

Result<ExistingTrace> read_existing(io::WritableFile& file, const Recording& recording,
                                    const LogFileOptions& options) {
    auto bytes = first_buffer_of(file);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    const std::size_t header_size = bytes->size();
    auto adopted = HeaderBuffer::adopt(std::move(*bytes));
    if (!adopted) {
        return std::unexpected(adopted.error());
    }
    ExistingTrace trace{std::move(*adopted), 0, 0};
    const format::LogfileHeader& found = trace.header.header();
    if (auto same = compare(found, recording, options); !same) {
        return std::unexpected(same.error());
    }
    if (header_size != options.buffer_size) {
        return refuse("file to append to: size of its header buffer", options.buffer_size,
                      header_size);
    }
    const auto size = file.size();
    if (!size) {
        return std::unexpected(size.error());
    }
    const bool is_finished = found.end_time != 0 || found.buffers_written != 0;
    if (auto counted = count_buffers(file, *size, is_finished, options.buffer_size, trace);
        !counted) {
        return std::unexpected(counted.error());
    }
    // Numbers that were given to buffers which got lost are not given again.
    trace.last_sequence =
        std::max(trace.last_sequence, static_cast<std::int64_t>(found.buffers_written) - 1);
    return trace;
}

} // namespace etl::trace
