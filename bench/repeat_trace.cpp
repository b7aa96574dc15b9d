// repeat_trace IN OUT BYTES: an uncompressed trace repeated until it is about BYTES long.
// Repetition i has its timestamps shifted by i times the span of the trace: those of buffer
// headers, records, and the payloads of kernel events, without which stacks would have no events.
// Sequence numbers continue; BuffersWritten and EndTime are set. For measurements on traces larger
// than those at hand.
#include "base/text.hpp"
#include "format/buffer_header.hpp"
#include "format/logfile_header.hpp"
#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "io/input_file.hpp"
#include "io/output_file.hpp"
#include "trace/summary.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace {

namespace header = etl::format::buffer_header;

constexpr std::size_t header_payload = header::size + etl::format::system_record::size;
constexpr std::size_t end_time_offset = header_payload + 0x10;
constexpr std::size_t buffers_written_offset = header_payload + 0x24;

std::string_view text(const std::vector<std::byte>& bytes) {
    return etl::as_text(bytes);
}

/// Whether the payload of a kernel event begins with a timestamp, other than 0 (`EventTimeStamp`,
/// `InitialTime`): hard faults, filters of file I/O, the registry, ISRs and DPCs, stacks.
bool begins_with_time(std::uint16_t hook) {
    constexpr std::pair<std::uint16_t, std::uint16_t> hooks[] = {
        {0x0220, 0x0220}, {0x0462, 0x0463}, {0x090A, 0x091D}, {0x0F32, 0x0F32},
        {0x0F42, 0x0F46}, {0x0F5F, 0x0F5F}, {0x1820, 0x1820}, {0x1825, 0x1826}};
    return std::ranges::any_of(
        hooks, [&](const auto& range) { return hook >= range.first && hook <= range.second; });
}

/// The offset of the timestamp in the payload of a record, if there is one.
std::optional<std::size_t> payload_time_of(etl::Bytes record,
                                           const etl::format::RecordLayout& layout) {
    namespace fields = etl::format::perfinfo_record; // system records begin in the same way
    const auto hook = etl::load_le<std::uint16_t>(record.data() + fields::hook_id.offset);
    const auto version = etl::load_le<std::uint16_t>(record.data() + fields::version.offset);
    constexpr unsigned counters = etl::format::has_pebs_index | etl::format::counter_count_mask;
    if (!etl::format::has_hook(layout.kind) || (version & counters) != 0 ||
        !begins_with_time(hook) || record.size() < layout.header_size + sizeof(std::int64_t) ||
        etl::load_le<std::int64_t>(record.data() + layout.header_size) == 0) {
        return std::nullopt;
    }
    return layout.header_size;
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
            const etl::format::RecordLayout& layout = etl::format::record_layouts[type];
            const auto in_payload = payload_time_of(rest.first(shape.size), layout);
            add(at + layout.time_offset, ticks);
            if (in_payload) {
                add(at + *in_payload, ticks);
            }
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
