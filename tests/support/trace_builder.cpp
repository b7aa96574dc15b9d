#include "tests/support/trace_builder.hpp"

#include <algorithm>

namespace etl::test {

namespace {

namespace header = format::buffer_header;
namespace flag = format::buffer_flag;

constexpr std::uint16_t windows7_alignment = 0x0800; // the byte 8 behind the processor number
constexpr std::uint16_t logger_id = 5;
constexpr std::byte fill{0xFF};

constexpr std::uint32_t round_up(std::size_t size, std::size_t to) {
    return static_cast<std::uint32_t>((size + to - 1) / to * to);
}

/// Writes a buffer header in front of `records`, which begin with the room for it.
void append_buffer(const format::BufferHeader& head, Bytes records, ByteWriter& file) {
    std::array<std::byte, header::size> bytes{};
    format::encode(head, bytes);
    file.bytes(bytes).bytes(records.subspan(header::size));
}

} // namespace

BufferBuilder::BufferBuilder(const BufferFacts& facts, std::int64_t sequence)
    : facts_(facts), sequence_(sequence) {
    records_.fill(header::size);
}

BufferBuilder& BufferBuilder::raw(Bytes bytes) {
    records_.align(8).bytes(bytes);
    return *this;
}

TraceBuilder::TraceBuilder(TraceFacts facts)
    : facts_(std::move(facts)), header_({.type = format::BufferType::header}, 0) {}

BufferBuilder& TraceBuilder::buffer(const BufferFacts& facts) {
    const std::int64_t sequence = facts.sequence.value_or(next_sequence_);
    next_sequence_ = sequence + 1;
    return buffers_.emplace_back(facts, sequence);
}

TraceBuilder& TraceBuilder::begin_run() noexcept {
    next_sequence_ = 1;
    return *this;
}

TraceBuilder& TraceBuilder::wrap(std::size_t count) {
    std::ranges::rotate(buffers_, buffers_.begin() + static_cast<std::ptrdiff_t>(count));
    return *this;
}

bool TraceBuilder::is_compressed() const noexcept {
    return std::ranges::any_of(buffers_, [](const BufferBuilder& buffer) {
        return buffer.facts().compression != codec::Format::none;
    });
}

format::LogfileHeader TraceBuilder::logfile_header() const {
    format::LogfileHeader h;
    const bool relogged = facts_.writer == Writer::relogger;
    h.buffer_size = facts_.buffer_size;
    h.major_version = facts_.windows_major;
    h.minor_version = facts_.windows_minor;
    h.sub_version = is_compressed() ? 2 : facts_.layout_major;
    h.sub_minor_version = is_compressed() ? 0 : facts_.layout_minor;
    h.provider_version = facts_.build;
    h.number_of_processors = facts_.processors;
    h.end_time = facts_.end_time.value_or(0);
    h.timer_resolution = 156'250;
    h.log_file_mode = facts_.mode | (relogged ? format::log_mode::relog : 0U) |
                      (is_compressed() ? format::log_mode::compressed : 0U);
    const auto written = static_cast<std::uint32_t>(1 + buffers_.size());
    h.buffers_written = facts_.buffers_written.value_or(facts_.end_time ? written : 0U);
    h.start_buffers = 1;
    h.pointer_size = facts_.pointer_size;
    h.events_lost = facts_.events_lost;
    h.cpu_speed_mhz = facts_.cpu_speed_mhz;
    h.logger_name_pointer = relogged ? 0 : 2;
    h.log_file_name_pointer = relogged ? 0 : 5;
    h.time_zone = {.bias = -60,
                   .standard_name = u"@tzres.dll,-322",
                   .standard_date = {0, 10, 0, 5, 3, 0, 0, 0},
                   .standard_bias = 0,
                   .daylight_name = u"@tzres.dll,-321",
                   .daylight_date = {0, 3, 0, 5, 2, 0, 0, 0},
                   .daylight_bias = -60};
    h.boot_time = facts_.boot_time;
    h.perf_freq = facts_.perf_freq;
    h.start_time = facts_.start_time;
    h.reserved_flags = static_cast<std::uint32_t>(facts_.clock);
    h.buffers_lost = facts_.buffers_lost;
    h.session_name = facts_.session_name;
    h.log_file_name = facts_.file_name;
    return h;
}

void TraceBuilder::write_header_buffer(ByteWriter& file) const {
    const auto payload = format::encode_logfile_header(logfile_header(), facts_.pointer_size);
    BufferBuilder whole(header_.facts(), 0);
    whole.add(format::SystemRecord{.width = facts_.pointer_size == 4 ? format::Width::bits32
                                                                     : format::Width::bits64,
                                   .version = 2,
                                   .hook_id = 0,
                                   .process_id = facts_.process_id,
                                   .thread_id = facts_.thread_id,
                                   .time = facts_.reference_time,
                                   .payload = payload});
    const auto first_record = static_cast<std::uint32_t>(whole.bytes().size());
    if (header_.bytes().size() > header::size) {
        whole.raw(header_.bytes().subspan(header::size));
    }
    const auto used = static_cast<std::uint32_t>(whole.bytes().size());
    const std::size_t at = file.size();
    format::BufferHeader head{.buffer_size =
                                  is_compressed() ? round_up(used, 512) : facts_.buffer_size,
                              .used = used,
                              .logger_id = logger_id,
                              .flags = flag::processor_index | flag::flush_marker,
                              .type = format::BufferType::header};
    std::uint32_t saved = used;
    if (facts_.writer == Writer::windows7) {
        head.processor = windows7_alignment;
        head.flags = flag::flush_marker;
        saved = 0;
    } else if (facts_.writer == Writer::relogger) {
        head.logger_id = 0;
        head.flags = flag::flush_marker;
        head.state = 0;
        for (const BufferBuilder& buffer : buffers_) {
            head.state = std::max<std::uint32_t>(
                head.state, static_cast<std::uint32_t>(buffer.facts().compression));
        }
        saved = first_record;
    }
    append_buffer(head, whole.bytes(), file);
    file.patch(at + header::saved_offset.offset, saved);
    if (used > head.buffer_size) {
        throw std::logic_error("the header does not fit into a buffer");
    }
    file.fill(head.buffer_size - used, fill);
}

void TraceBuilder::write(const BufferBuilder& buffer, bool last, ByteWriter& file) const {
    const BufferFacts& facts = buffer.facts();
    const auto used = static_cast<std::uint32_t>(buffer.bytes().size());
    if (used > facts_.buffer_size) {
        throw std::logic_error("the records do not fit into a buffer");
    }
    format::BufferHeader head{.buffer_size = facts_.buffer_size,
                              .used = facts.used.value_or(used),
                              .time_stamp = facts.time_stamp,
                              .sequence_number = buffer.sequence(),
                              .processor = facts.processor,
                              .logger_id = logger_id,
                              .flags = facts.flags,
                              .type = facts.type};
    head.flags |= last ? flag::flush_marker : 0U;
    if (facts_.writer == Writer::windows7) {
        head.processor |= windows7_alignment;
    } else {
        head.flags |= flag::processor_index;
    }
    if (facts_.writer == Writer::relogger) {
        head.logger_id = 0;
    }
    if (facts.compression == codec::Format::none) {
        append_buffer(head, buffer.bytes(), file);
        file.fill(facts_.buffer_size - used, fill);
        return;
    }
    std::vector<std::byte> packed(header::size);
    if (!codec::compress(facts.compression, buffer.bytes().subspan(header::size), packed)) {
        throw std::logic_error("no such compression");
    }
    head.flags |= flag::compressed;
    head.buffer_size = static_cast<std::uint32_t>(packed.size());
    append_buffer(head, packed, file);
}

Image TraceBuilder::build() const {
    ByteWriter file;
    write_header_buffer(file);
    for (const BufferBuilder& buffer : buffers_) {
        write(buffer, &buffer == &buffers_.back(), file);
    }
    return file.take();
}

} // namespace etl::test
