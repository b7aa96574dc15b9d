// repeat_trace IN OUT BYTES: an uncompressed trace repeated until it is about BYTES long.
// Repetition i has its time stamps, in records and buffer headers, shifted by i times the span of
// the trace, and its sequence numbers continued; BuffersWritten and EndTime are set. For
// measurements on traces larger than those at hand.
#include <etl/base/text.hpp>
#include <etl/format/buffer_header.hpp>
#include <etl/format/logfile_header.hpp>
#include <etl/format/record_kind.hpp>
#include <etl/format/records.hpp>
#include <etl/io/input_file.hpp>
#include <etl/io/output_file.hpp>
#include <etl/trace/summary.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

namespace header = etl::format::buffer_header;

constexpr std::size_t header_payload = header::size + etl::format::system_record::size;
constexpr std::size_t end_time_offset = header_payload + 0x10;
constexpr std::size_t buffers_written_offset = header_payload + 0x24;

std::string_view text(const std::vector<std::byte>& bytes) {
    return etl::as_text(bytes);
}

/// Moves a buffer `ticks` on.
void shift(std::vector<std::byte>& buffer, std::size_t used, std::int64_t ticks,
           std::int64_t sequences) {
    const auto add = [&](std::size_t offset, std::int64_t amount) {
        std::byte* at = buffer.data() + offset;
        etl::store_le(at, etl::load_le<std::int64_t>(at) + amount);
    };
    add(header::time_stamp.offset, ticks);
    add(header::sequence_number.offset, sequences);
    std::size_t at = header::size;
    while (at < used) {
        const auto rest = etl::Bytes(buffer).subspan(at, used - at);
        const auto shape = etl::format::record_at(rest);
        if (shape.kind == etl::format::RecordKind::none) {
            break;
        }
        const auto type = (etl::load_le<std::uint32_t>(rest.data()) >> 16U) & 31U;
        if (shape.has_time && (etl::load_le<std::uint32_t>(rest.data()) >> 24U) == 0xC0U) {
            add(at + etl::format::record_layouts[type].time_offset, ticks);
        }
        at += etl::format::padded(shape.size);
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 4) {
        std::fprintf(stderr, "usage: repeat_trace IN OUT BYTES\n");
        return 64;
    }
    auto file = etl::io::InputFile::map(arguments[1]);
    if (!file) {
        std::fprintf(stderr, "repeat_trace: %s\n", etl::describe(file.error()).c_str());
        return 2;
    }
    auto reader = etl::trace::Reader::open(*file);
    auto output = etl::io::AtomicFile::create(arguments[2]);
    if (!reader || !output || (*reader)->info().compressed_buffers > 0) {
        std::fprintf(stderr, "repeat_trace: no plain trace, or the output cannot be written\n");
        return 2;
    }
    const auto summary = etl::trace::summarize(**reader, 1);
    const auto entries = (*reader)->buffers();
    const etl::Bytes bytes = (*file)->bytes();
    const std::int64_t span = *summary.last_time - *summary.first_time + 1;
    const std::int64_t sequences = static_cast<std::int64_t>(entries.size());
    const auto repetitions = std::strtoull(arguments[3], nullptr, 10) / bytes.size() + 1;

    for (std::uint64_t i = 0; i < repetitions; ++i) {
        for (std::size_t b = i == 0 ? 0 : 1; b < entries.size(); ++b) {
            const auto& entry = entries[b];
            const auto part = bytes.subspan(entry.where.value, entry.disk_size);
            std::vector<std::byte> buffer(part.begin(), part.end());
            if (b == 0) {
                const auto buffers =
                    static_cast<std::uint32_t>(1 + repetitions * (entries.size() - 1));
                etl::store_le(buffer.data() + buffers_written_offset, buffers);
                const auto end = (*reader)->info().clock.to_filetime(
                    *summary.first_time + static_cast<std::int64_t>(repetitions) * span);
                etl::store_le(buffer.data() + end_time_offset, end.ticks);
            } else {
                shift(buffer, entry.used, static_cast<std::int64_t>(i) * span,
                      static_cast<std::int64_t>(i) * sequences);
            }
            if (!(*output)->write(text(buffer))) {
                return 2;
            }
        }
    }
    return (*output)->commit() ? 0 : 2;
}
