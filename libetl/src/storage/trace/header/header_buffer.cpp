#include "trace/header/header_buffer.hpp"

#include <etl/byte_writer.hpp>

#include "flow/losses.hpp"
#include "format/encode.hpp"
#include "format/kernel_group.hpp"
#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "trace/recording.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace etl::trace {

namespace {

namespace head = format::buffer_header;
namespace flag = format::buffer_flag;
namespace mode = format::log_mode;

constexpr std::uint32_t granule = 512; // of the header buffer's size in compressed files
constexpr std::size_t payload_at = head::size + format::system_record::size;

// Bits of LogFileMode that say how the file is written.
constexpr std::uint32_t mode_of_writer = mode::sequential | mode::circular | mode::append |
                                         mode::new_file | mode::preallocate |
                                         mode::use_kbytes_for_size | mode::compressed;
// Bits that Windows does not store. docs/format/logfile-header.md#mode
constexpr std::uint32_t mode_not_stored =
    mode::real_time | mode::stop_on_hybrid_shutdown | mode::persist_on_hybrid_shutdown;

constexpr std::uint32_t mode_of(FileMode file_mode) noexcept {
    switch (file_mode) {
    case FileMode::sequential:
        return mode::sequential;
    case FileMode::circular:
        return mode::circular;
    case FileMode::append:
        return mode::sequential | mode::append;
    case FileMode::new_file:
        return mode::sequential | mode::new_file;
    }
    return mode::sequential;
}

bool is_compressed(const LogFileOptions& options) noexcept {
    return options.compression != codec::Format::none;
}

/// The mode as it is stored. `told` has the bits that are none of the writer's business; and with
/// no file mode at all in it, a sequential file needs none either: so live sessions write it.
std::uint32_t stored_mode(std::uint32_t told, const LogFileOptions& options) noexcept {
    constexpr std::uint32_t file_modes =
        mode::sequential | mode::circular | mode::append | mode::new_file;
    const bool needs_none = options.mode == FileMode::sequential && (told & file_modes) == 0;
    std::uint32_t bits = told & ~(mode_of_writer | mode_not_stored);
    bits |= needs_none ? 0 : mode_of(options.mode);
    bits |= options.preallocate ? mode::preallocate : 0U;
    bits |= options.delay_open ? mode::delay_open : 0U;
    bits |= options.limit.unit == SizeLimit::Unit::kilobytes ? mode::use_kbytes_for_size : 0U;
    bits |= is_compressed(options) ? mode::compressed : 0U;
    return bits;
}

constexpr std::uint32_t max_processors_of_1_5 = 256;

/// The layout version that the facts of the header ask for. Records of a layout before 1.5 stay
/// what they are, so its number stays, too. docs/format/logfile-header.md#versions
void choose_layout(format::LogfileHeader& header) noexcept {
    constexpr std::uint32_t max_bytes = 1U << 20U;
    const format::ClockType clock = header.clock_type();
    const bool needs_2 = (header.log_file_mode & mode::compressed) != 0 ||
                         header.buffer_size > max_bytes ||
                         header.number_of_processors > max_processors_of_1_5;
    if (needs_2) {
        header.sub_version = 2;
        header.sub_minor_version = 0;
    } else if (header.sub_version != 1 || header.sub_minor_version > 5) {
        header.sub_version = 1;
        header.sub_minor_version = 5;
    }
    // 0 means system time only before Vista.
    if (header.reserved_flags == 0 && header.clock_type() != clock) {
        header.reserved_flags = static_cast<std::uint32_t>(clock);
    }
}

format::LogfileHeader make_header(const Recording& recording, const LogFileOptions& options,
                                  std::u16string_view file_name) {
    format::LogfileHeader header = recording.header;
    header.buffer_size = options.buffer_size;
    // What was relogged tells the limit of what it was made of. docs/format/writing.md#relogged
    if (options.limit.count != 0 || recording.lineage != Lineage::relogger) {
        header.maximum_file_size = options.limit.count;
    }
    header.log_file_mode = stored_mode(header.log_file_mode, options);
    header.log_file_mode |= recording.lineage == Lineage::relogger ? mode::relog : 0U;
    header.start_buffers = 1;
    header.end_time = 0;
    header.buffers_written = 0;
    if (header.log_file_name.empty()) {
        header.log_file_name = file_name;
    }
    header.number_of_processors = std::max(1U, header.number_of_processors);
    choose_layout(header);
    return header;
}

/// What the lineages write differently. docs/format/writing.md#lineage
void store_head(MutableBytes buffer, std::uint32_t used, std::uint32_t first_record,
                const Recording& recording, const LogFileOptions& options) noexcept {
    const auto codec = static_cast<std::uint32_t>(options.compression);
    format::BufferHeader header{.buffer_size = static_cast<std::uint32_t>(buffer.size()),
                                .used = used,
                                .logger_id = recording.logger_id,
                                .flags = flag::flush_marker,
                                .type = format::BufferType::header};
    std::uint32_t saved = used;
    std::uint32_t current = used;
    switch (recording.lineage) {
    case Lineage::windows7:
        header.processor = windows7_alignment;
        saved = 0;
        break;
    case Lineage::session:
        header.flags |= flag::processor_index;
        break;
    case Lineage::unmarked:
        break;
    case Lineage::relogger:
        header.logger_id = 0;
        header.state = codec;
        saved = first_record;
        current = 0;
        break;
    }
    header.state = is_compressed(options) ? codec : header.state;
    const auto front = buffer.first<head::size>();
    format::encode(header, front);
    store<head::saved_offset>(front, saved);
    store<head::current_offset>(front, current);
}

std::uint32_t clamped_count(std::uint64_t count) noexcept {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

Result<HeaderBuffer> HeaderBuffer::make(const Recording& recording, const LogFileOptions& options,
                                        std::u16string_view file_name) {
    HeaderBuffer made;
    made.pointer_size_ = recording.header_pointer_size == 4 ? 4 : 8;
    made.header_ = make_header(recording, options, file_name);
    const auto payload = format::encode_logfile_header(made.header_, made.pointer_size_);
    ByteWriter buffer;
    buffer.fill(head::size);
    const auto encoded = format::encode(format::SystemRecord{.width = made.pointer_size_ == 4
                                                                          ? format::Width::bits32
                                                                          : format::Width::bits64,
                                                             .version = 2,
                                                             .hook_id = format::logfile_header_hook,
                                                             .process_id = recording.process_id,
                                                             .thread_id = recording.thread_id,
                                                             .time = recording.reference_time,
                                                             .kernel_time = recording.kernel_time,
                                                             .user_time = recording.user_time,
                                                             .payload = payload},
                                        buffer);
    const auto first_record = static_cast<std::uint32_t>(buffer.align(8).size());
    buffer.bytes(recording.extra_records).align(8);
    if (!encoded || buffer.size() > options.buffer_size) {
        return fail(ErrorCode::invalid_option, "the names exceed the header buffer", {},
                    options.buffer_size, head::size + format::system_record::size + payload.size());
    }
    const auto used = static_cast<std::uint32_t>(buffer.size());
    const std::uint32_t size =
        is_compressed(options) ? (used + granule - 1) / granule * granule : options.buffer_size;
    buffer.fill(size - used, buffer_fill);
    made.bytes_ = buffer.take();
    store_head(made.bytes_, used, first_record, recording, options);
    return made;
}

Result<HeaderBuffer> HeaderBuffer::adopt(std::vector<std::byte> bytes) {
    const Bytes records = clamped(bytes, head::size);
    const format::RecordShape shape = format::record_at(records);
    if (shape.kind.family != format::RecordFamily::system ||
        load_le<std::uint16_t>(records.data() + format::system_record::hook_id.offset) !=
            format::logfile_header_hook) {
        return fail(ErrorCode::not_a_trace, "file to append to: no log file header");
    }
    HeaderBuffer made;
    made.pointer_size_ = static_cast<std::uint8_t>(shape.kind.width);
    const Bytes payload =
        records.subspan(format::system_record::size, shape.size - format::system_record::size);
    auto parsed = format::parse_logfile_header(payload, made.pointer_size_, {payload_at});
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    made.header_ = std::move(*parsed);
    // It is rewritten in place, so that it must come out as long as it is.
    if (format::encode_logfile_header(made.header_, made.pointer_size_).size() != payload.size()) {
        return fail(ErrorCode::malformed, "file to append to: invalid size of its log file header",
                    {payload_at});
    }
    made.bytes_ = std::move(bytes);
    return made;
}

Result<void> HeaderBuffer::indicate_unknown_losses() {
    const std::uint32_t old_end = used();
    const Bytes records = clamped(clamped(bytes_, 0, old_end), head::size);
    if (flow::indicate_unknown_losses(records)) {
        return {};
    }
    Recording recording;
    recording.reference_time = reference_time();
    record_unknown_losses(recording);
    const std::uint32_t at = format::padded(old_end);
    const std::size_t end = at + recording.extra_records.size();
    if (at < payload_at || end > bytes_.size()) {
        return fail(ErrorCode::limit,
                    "file to append to: not finalized (repair it first): its header buffer", {},
                    bytes_.size(), end);
    }
    std::ranges::copy(recording.extra_records, bytes_.begin() + at);
    const auto front = std::span(bytes_).first<head::size>();
    for (const std::size_t offset :
         {head::offset.offset, head::saved_offset.offset, head::current_offset.offset}) {
        std::byte* const field = front.data() + offset;
        if (load_le<std::uint32_t>(field) == old_end) {
            store_le(field, static_cast<std::uint32_t>(end));
        }
    }
    return {};
}

void HeaderBuffer::append_with(const Recording& recording, const LogFileOptions& options) noexcept {
    header_.events_lost =
        clamped_count(std::uint64_t{header_.events_lost} + recording.header.events_lost);
    header_.buffers_lost =
        clamped_count(std::uint64_t{header_.buffers_lost} + recording.header.buffers_lost);
    header_.log_file_mode = stored_mode(header_.log_file_mode, options);
    header_.maximum_file_size = options.limit.count;
}

std::int64_t HeaderBuffer::reference_time() const noexcept {
    return load_le<std::int64_t>(bytes_.data() + head::size +
                                 format::system_record::system_time.offset);
}

std::uint32_t HeaderBuffer::used() const noexcept {
    return load<head::offset>(Bytes(bytes_).first<head::size>());
}

void HeaderBuffer::update(const FileCounts& counts) {
    format::LogfileHeader header = header_;
    header.end_time = counts.end_time != 0 ? std::max(counts.end_time, header_.end_time) : 0;
    header.buffers_written = clamped_count(counts.buffers_written);
    header.events_lost = clamped_count(header_.events_lost + counts.events_lost);
    header.buffers_lost = clamped_count(header_.buffers_lost + counts.buffers_lost);
    if (counts.processors > header.number_of_processors) {
        header.number_of_processors = counts.processors;
        if (counts.processors > max_processors_of_1_5) {
            choose_layout(header);
        }
    }
    const auto payload = format::encode_logfile_header(header, pointer_size_);
    std::ranges::copy(payload, bytes_.begin() + payload_at);
}

} // namespace etl::trace
