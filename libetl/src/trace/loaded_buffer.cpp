#include "trace/loaded_buffer.hpp"

#include <etl/base/limits.hpp>

#include <algorithm>
#include <limits>

namespace etl::trace {

namespace {

namespace header = format::buffer_header;
using format::NoRecord;

void find(LoadedBuffer& buffer, const char* what, std::uint32_t offset, std::uint64_t skipped) {
    buffer.findings.push_back({.severity = Severity::warning,
                               .what = what,
                               .where = buffer.context.where,
                               .buffer = buffer.context.number,
                               .offset = offset,
                               .bytes_skipped = skipped,
                               .file = buffer.context.trace->file});
}

/// The uncompressed buffer, header included, cut to its valid bytes.
Bytes unpack(const LoadRequest& request, const BufferEntry& entry, LoadedBuffer& into) {
    const Bytes disk =
        clamped(request.file, static_cast<std::size_t>(entry.where.value), entry.disk_size);
    if (!entry.is_compressed()) {
        return entry.used == 0 ? disk : clamped(disk, 0, entry.used);
    }
    const std::uint32_t used =
        std::clamp<std::uint32_t>(entry.used, header::size, limits::buffer_bytes);
    const Bytes packed = clamped(disk, header::size);
    // What a match of three bytes can grow to is unbounded, but a claim without any data behind it
    // is not believed.
    const std::size_t size = packed.empty() ? header::size : used;
    into.storage = std::make_unique_for_overwrite<std::byte[]>(size);
    const MutableBytes whole(into.storage.get(), size);
    std::ranges::copy(clamped(disk, 0, header::size), whole.begin());
    const codec::Outcome outcome =
        codec::decompress(request.codec, packed, whole.subspan(header::size));
    if (!outcome.complete()) {
        find(into, outcome.what, static_cast<std::uint32_t>(header::size + outcome.written),
             used - header::size - outcome.written);
    } else if (size < used) {
        find(into, "compressed buffer without data", header::size, used - header::size);
    }
    return whole.first(header::size + outcome.written);
}

const char* describe(NoRecord why) noexcept {
    switch (why) {
    case NoRecord::truncated:
        return "record reaches beyond the valid bytes of its buffer";
    case NoRecord::bad_marker:
        return "no known record marker";
    case NoRecord::bad_size:
        return "record smaller than its own header";
    case NoRecord::none:
    case NoRecord::end:
        break;
    }
    return "no record";
}

bool has_records(format::BufferType type) noexcept {
    // Context-swap streams and debugger transport are not record streams.
    return type != format::BufferType::context_swap && type != format::BufferType::debugger_info &&
           type != format::BufferType::empty_marker;
}

/// Finds the records; true when their times ascend.
bool scan(LoadedBuffer& buffer, const BufferEntry& entry) {
    const Bytes bytes = buffer.context.bytes;
    std::size_t at = header::size;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    bool ordered = true;
    while (at < bytes.size()) {
        const format::RecordShape shape = format::record_at(bytes.subspan(at));
        if (shape.kind == format::RecordKind::none) [[unlikely]] {
            // A cut file loses the rest of its last buffer; the index pass has said so.
            if (shape.why != NoRecord::end && !(entry.cut && shape.why == NoRecord::truncated)) {
                find(buffer, describe(shape.why), static_cast<std::uint32_t>(at),
                     bytes.size() - at);
            }
            break;
        }
        if (shape.has_time) [[likely]] {
            ordered = ordered && shape.time >= last;
            last = shape.time;
        } else if (last == std::numeric_limits<std::int64_t>::min()) {
            ++buffer.unstamped;
        }
        buffer.events.push_back(
            {bytes.data() + at, last, &buffer.context, shape.size, shape.kind, shape.has_time});
        at += format::padded(shape.size);
    }
    return ordered;
}

} // namespace

void LoadedBuffer::restamp(std::int64_t before) noexcept {
    for (flow::Event& event : std::span(events).first(unstamped)) {
        event.raw_time = before;
    }
    unstamped = 0;
}

void load(const LoadRequest& request, const BufferEntry& entry, std::uint64_t number,
          LoadedBuffer& into) {
    into.events.clear();
    into.findings.clear();
    into.storage.reset();
    into.unstamped = 0;
    into.context = {.trace = request.trace,
                    .bytes = {},
                    .where = entry.where,
                    .number = number,
                    .sequence = entry.sequence,
                    .processor = entry.processor,
                    .logger_id = entry.logger_id,
                    .flags = entry.flags};
    into.context.bytes = unpack(request, entry, into);
    if (!has_records(entry.type)) {
        return;
    }
    const bool ordered = scan(into, entry);
    if (!ordered && request.order == Order::time) {
        std::ranges::stable_sort(into.events, {}, &flow::Event::raw_time);
    }
}

} // namespace etl::trace
