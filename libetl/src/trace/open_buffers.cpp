#include "trace/open_buffers.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace etl::trace {

namespace {

constexpr std::uint32_t header_size = format::buffer_header::size;

} // namespace

OpenBuffers::OpenBuffers(LogFile& file, const LogFileOptions& options, const Recording& recording)
    : file_(file), clock_(recording.header, recording.reference_time), lineage_(recording.lineage),
      buffer_size_(options.buffer_size), capacity_(options.buffer_size - header_size),
      next_sequence_(file.first_sequence()), newest_(recording.reference_time) {}

void OpenBuffers::open(OpenBuffer& buffer) {
    buffer.memory = file_.memory();
    buffer.used = header_size;
    buffer.newest = no_time;
    // As relogging on Windows numbers them: when opened, not when closed.
    // docs/format/buffer.md#order
    buffer.sequence = next_sequence_++;
}

void OpenBuffers::append(std::uint16_t processor, Bytes record, const format::RecordShape& shape) {
    if (processor >= buffers_.size()) [[unlikely]] {
        buffers_.resize(std::size_t{processor} + 1);
    }
    OpenBuffer& buffer = buffers_[processor];
    const std::uint32_t size = format::padded(shape.size);
    if (buffer.memory != nullptr && size > buffer_size_ - buffer.used) {
        write(processor, 0);
    }
    if (buffer.memory == nullptr) {
        open(buffer);
    }
    std::byte* const to = buffer.memory.get() + buffer.used;
    if (size != shape.size) {
        std::memset(to + size - 8, 0, 8); // the record overwrites what is its own
    }
    std::memcpy(to, record.data(), shape.size);
    buffer.used += size;
    if (shape.has_time) {
        buffer.newest = std::max(buffer.newest, shape.time);
    }
}

void OpenBuffers::write(std::uint16_t processor, std::uint16_t flags) {
    OpenBuffer& buffer = buffers_[processor];
    newest_ = std::max(newest_, buffer.newest);
    file_.write(
        {.memory = std::exchange(buffer.memory, nullptr),
         .used = buffer.used,
         .processor = processor,
         .flags = flags,
         .sequence = buffer.sequence,
         .time_stamp = lineage_ == Lineage::relogger ? clock_.to_filetime(newest_).ticks : newest_,
         .newest_time = buffer.newest == no_time ? newest_ : buffer.newest});
}

void OpenBuffers::write_all(std::uint16_t last_flags) {
    const auto is_open = [](const OpenBuffer& buffer) { return buffer.memory != nullptr; };
    const auto behind_last = std::find_if(buffers_.rbegin(), buffers_.rend(), is_open).base();
    const auto count = static_cast<std::size_t>(behind_last - buffers_.begin());
    for (std::size_t i = 0; i < count; ++i) {
        if (is_open(buffers_[i])) {
            write(static_cast<std::uint16_t>(i), i + 1 == count ? last_flags : std::uint16_t{0});
        }
    }
}

} // namespace etl::trace
