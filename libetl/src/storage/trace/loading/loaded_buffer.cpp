#include "trace/loading/loaded_buffer.hpp"

#include "base/limits.hpp"
#include "base/prefetch.hpp"
#include "flow/event.hpp"
#include "format/records.hpp"

#include <algorithm>

namespace etl::trace {

namespace {

// Why there is no record where one should be, as text for findings. Empty: a record was found.

using format::NoRecord;

const char* describe(NoRecord why) noexcept {
    switch (why) {
    case NoRecord::truncated:
        return "the record exceeds the valid bytes of its buffer";
    case NoRecord::bad_marker:
        return "unknown record marker";
    case NoRecord::bad_size:
        return "the record is smaller than its header";
    case NoRecord::end:
        return "an end marker in front of valid bytes";
    case NoRecord::none:
        break;
    }
    return "";
}

namespace header = format::buffer_header;

void find(LoadedBuffer& buffer, const char* what, std::optional<std::uint32_t> offset = {},
          std::uint64_t skipped = 0) {
    buffer.findings.push_back({.severity = Severity::warning,
                               .what = what,
                               .where = buffer.context.where,
                               .buffer = buffer.context.number,
                               .offset = offset,
                               .bytes_skipped = skipped,
                               .file = buffer.context.trace->file});
}

void find_frame(LoadedBuffer& buffer, const BufferEntry& entry, const io::DecodedFrame& outcome) {
    const auto written = static_cast<std::uint32_t>(outcome.written);
    if (written == entry.disk_size) {
        find(buffer, "checksum mismatch in compressed data", 0, 0);
        buffer.findings.back().offset.reset();
    } else {
        find(buffer,
             outcome.error && outcome.error->code == ErrorCode::truncated
                 ? "the compressed data is truncated"
                 : "the compressed data is damaged",
             written, entry.disk_size - written);
    }
    buffer.findings.back().packed = entry.packed_where;
}

/// The buffer as it lies in the plain trace, out of its frame into `whole`.
Bytes unpack_frame(const LoadRequest& request, const BufferEntry& entry, FrameUnpacker& unpacker,
                   MutableBytes whole, LoadedBuffer& into) {
    const Bytes frame = clamped(request.file, static_cast<std::size_t>(entry.packed_where.value),
                                entry.packed_size);
    const io::DecodedFrame outcome = unpacker.decoder.decode(frame, whole);
    // A frame that is cut off was found by the index pass.
    if ((outcome.error || outcome.written < whole.size()) && !entry.is_truncated) {
        find_frame(into, entry, outcome);
    }
    return whole.first(outcome.written);
}

/// Decompresses a buffer that lies at `disk` as it is in the plain trace.
Bytes decompress(const LoadRequest& request, const BufferEntry& entry, Bytes disk,
                 LoadedBuffer& into) {
    // Without a claim, as much as a buffer of this session can hold; what is missing is then found.
    const std::uint32_t claim = entry.used != 0 ? entry.used : request.trace->header.buffer_size;
    const std::uint32_t used =
        std::clamp<std::uint32_t>(claim, header::size, etl::limits::buffer_bytes);
    const Bytes packed = clamped(disk, header::size);
    // What a match of three bytes can grow to is unbounded, but a claim without any data behind it
    // is not believed.
    const std::size_t size = packed.empty() ? header::size : used;
    const MutableBytes whole = into.storage.take(size);
    std::ranges::copy(clamped(disk, 0, header::size), whole.begin());
    const codec::Outcome outcome =
        codec::decompress(request.codec, packed, whole.subspan(header::size));
    if (!outcome.is_complete()) {
        find(into,
             outcome.code == ErrorCode::truncated ? "the compressed data is truncated"
                                                  : "the compressed data is damaged",
             static_cast<std::uint32_t>(header::size + outcome.written),
             used - header::size - outcome.written);
    } else if (size < used) {
        find(into, "the compressed buffer has no data", header::size, used - header::size);
    }
    return whole.first(header::size + outcome.written);
}

/// The uncompressed buffer out of a frame. What is not kept - the packed form, and fill, which in
/// large buffers can be nearly all - is unpacked into the scratch of this thread.
Bytes unpack_packed(const LoadRequest& request, const BufferEntry& entry, LoadedBuffer& into) {
    auto unpacker = request.unpackers->take();
    if (!unpacker) {
        find(into, "not enough memory to decompress the buffer", 0, entry.disk_size);
        return {};
    }
    FrameUnpacker& tools = **unpacker;
    const std::uint32_t used = entry.used != 0 ? entry.used : entry.disk_size;
    Bytes result;
    if (entry.is_compressed()) {
        const MutableBytes whole = tools.scratch.take(entry.disk_size);
        result = decompress(request, entry, unpack_frame(request, entry, tools, whole, into), into);
    } else if (used <= entry.disk_size / 2) {
        const MutableBytes whole = tools.scratch.take(entry.disk_size);
        const Bytes kept = clamped(unpack_frame(request, entry, tools, whole, into), 0, used);
        const MutableBytes to = into.storage.take(kept.size());
        std::ranges::copy(kept, to.begin());
        result = to;
    } else {
        const MutableBytes whole = into.storage.take(entry.disk_size);
        result = clamped(unpack_frame(request, entry, tools, whole, into), 0, used);
    }
    request.unpackers->put(std::move(*unpacker));
    return result;
}

/// The uncompressed buffer, header included, cut to its valid bytes.
Bytes unpack(const LoadRequest& request, const BufferEntry& entry, LoadedBuffer& into) {
    if (entry.is_packed()) {
        return unpack_packed(request, entry, into);
    }
    const Bytes disk = clamped(
        request.file, static_cast<std::size_t>(entry.where.value - request.begin), entry.disk_size);
    if (entry.is_compressed()) {
        return decompress(request, entry, disk, into);
    }
    const std::uint32_t used =
        entry.used == 0 ? entry.disk_size : std::min(entry.used, entry.disk_size);
    if (request.copied != nullptr) {
        const MutableBytes copy = into.storage.take(used);
        return copy.first(request.copied->read(entry.where, copy));
    }
    const Bytes valid = clamped(disk, 0, used);
    if (!request.is_transient) {
        return valid;
    }
    const MutableBytes copy = into.storage.take(valid.size());
    std::ranges::copy(valid, copy.begin());
    return copy;
}

bool has_records(format::BufferType type) noexcept {
    // Context-swap streams and debugger transport are not record streams.
    return type != format::BufferType::context_swap && type != format::BufferType::debugger_info &&
           type != format::BufferType::empty_marker;
}

/// Whether an end marker stands in front of valid bytes, which Windows does not write. Fill that
/// the header counts among them is none; zeros are, unless they only pad the last record.
bool ends_early(const BufferEntry& entry, Bytes rest) noexcept {
    constexpr std::size_t padding = 8;
    return entry.used != 0 && rest.size() >= padding &&
           std::ranges::any_of(rest, [](std::byte byte) { return byte != std::byte{0xFF}; });
}

/// Finds the records of one buffer, those that `Select` holds for.
template <typename Select>
class Scanner {
public:
    Scanner(LoadedBuffer& buffer, const BufferEntry& entry, Select select)
        : buffer_(&buffer), entry_(&entry), bytes_(buffer.context.bytes),
          usable_(*buffer.context.trace, entry.time_stamp), select_(select) {}

    /// True when the times of the records ascend.
    bool run() {
        // Hopping from one record to the next is all latency, and processors foresee no jump to the
        // next page.
        constexpr std::size_t distance = 1024;
        const std::byte* const end = bytes_.data() + bytes_.size();
        const std::byte* at = bytes_.data() + std::min(header::size, bytes_.size());
        flow::Event* out = buffer_->events.begin();
        while (at < end) {
            if (out == buffer_->events.limit()) [[unlikely]] {
                out = grow(out);
            }
            prefetch(at, distance);
            const format::RecordShape shape = common_record(at, end);
            // What is no record has no time either.
            if (!shape.has_time || !usable_.contain(shape.time)) [[unlikely]] {
                if (!uncommon(at, end, *out)) {
                    break;
                }
            } else {
                ordered_ = ordered_ && shape.time >= last_;
                last_ = shape.time;
                put(*out, at, shape, shape.time, true);
            }
            prefetch_long(at, distance, out->size);
            at += std::min<std::ptrdiff_t>(format::padded(out->size), end - at);
            if (select_(*out)) {
                ++out;
            }
        }
        count_unstamped(out);
        buffer_->events.set_size(static_cast<std::size_t>(out - buffer_->events.begin()));
        return ordered_;
    }

private:
    /// Member by member: the compiler stores a whole event by way of the stack, and waits for it.
    void put(flow::Event& out, const std::byte* at, const format::RecordShape& shape,
             std::int64_t time, bool has_time) const noexcept {
        out.record = at;
        out.raw_time = time;
        out.buffer = &buffer_->context;
        out.size = shape.size;
        out.kind = shape.kind;
        out.has_time = has_time;
    }

    /// Those in front of the first record with a time stamp.
    void count_unstamped(const flow::Event* end) {
        const flow::Event* at = buffer_->events.begin();
        while (at != end && !at->has_time && at->raw_time == no_time) {
            ++at;
        }
        buffer_->unstamped = static_cast<std::uint32_t>(at - buffer_->events.begin());
    }

    /// A line for each record is not enough where records are long, as those with packets are: the
    /// next one may begin in any of the lines.
    static void prefetch_long(const std::byte* at, std::size_t ahead, std::uint32_t size) noexcept {
        constexpr std::size_t line = 64, long_record = 256;
        if (size > long_record) [[unlikely]] {
            for (std::size_t more = line; more < size; more += line) {
                prefetch(at, ahead + more);
            }
        }
    }

    /// record_at, with the kinds that fill most traces tested first: a predicted branch instead of
    /// a table look-up takes the latency of loads out of the chain from one record to the next.
    static format::RecordShape common_record(const std::byte* at, const std::byte* end) noexcept {
        const auto left = static_cast<std::size_t>(end - at);
        if (left >= 0x50) [[likely]] {
            constexpr format::RecordKind event = format::wide(format::RecordFamily::event);
            const std::uint32_t size = load_le<std::uint16_t>(at);
            if (load_le<std::uint16_t>(at + 2) == format::first_dword(event, 0) >> 16U &&
                size >= 0x50 && size <= left) [[likely]] {
                return {event, NoRecord::none, true, size, load_le<std::int64_t>(at + 0x10)};
            }
            if (is_kernel_record(at)) [[likely]] {
                const format::RecordLayout& layout = format::record_layouts[type_of(at)];
                const std::uint32_t kernel_size =
                    load_le<std::uint16_t>(at + format::system_record::size_.offset);
                if (kernel_size >= layout.header_size && kernel_size <= left) [[likely]] {
                    return {layout.kind, NoRecord::none, true, kernel_size,
                            load_le<std::int64_t>(at + layout.time_offset)};
                }
            }
        }
        return format::record_at({at, left});
    }

    static std::uint8_t type_of(const std::byte* at) noexcept {
        return std::to_integer<std::uint8_t>(at[2]);
    }

    /// Whether it is of a kind with a hook: the sizes of all of them are in the same place.
    static bool is_kernel_record(const std::byte* at) noexcept {
        constexpr std::uint32_t types = [] {
            std::uint32_t all = 0;
            for (std::size_t type = 0; type < format::record_layouts.size(); ++type) {
                const format::RecordLayout& layout = format::record_layouts[type];
                const bool is_one = format::has_hook(layout.kind) && layout.time_offset != 0 &&
                                    layout.size_offset == format::system_record::size_.offset;
                all |= (is_one ? 1U : 0U) << type;
            }
            return all;
        }();
        constexpr std::uint8_t marker = 0xC0;
        const std::uint8_t type = type_of(at);
        return std::to_integer<std::uint8_t>(at[3]) == marker && type < 32 &&
               (types >> type & 1U) != 0;
    }

    /// A record without a time of its own, or none at all: false ends the buffer.
    bool uncommon(const std::byte* at, const std::byte* end, flow::Event& out) {
        const format::RecordShape shape = format::record_at({at, end});
        if (shape.kind == format::RecordKind::none) {
            // A cut file loses the rest of its last buffer; the index pass has said so.
            const bool is_known = entry_->is_truncated && shape.why == NoRecord::truncated;
            if (shape.why == NoRecord::end ? ends_early(*entry_, {at, end}) : !is_known) {
                find(*buffer_, describe(shape.why), static_cast<std::uint32_t>(at - bytes_.data()),
                     static_cast<std::uint64_t>(end - at));
            }
            return false;
        }
        put(out, at, shape, last_, false);
        return true;
    }

    flow::Event* grow(flow::Event* out) {
        const auto used = static_cast<std::size_t>(out - buffer_->events.begin());
        buffer_->events.grow(used);
        return buffer_->events.begin() + used;
    }

    LoadedBuffer* buffer_;
    const BufferEntry* entry_;
    Bytes bytes_;
    flow::UsableTimes usable_;
    Select select_;
    std::int64_t last_ = no_time;
    bool ordered_ = true;
};

} // namespace

void EventArray::grow(std::size_t used) {
    const auto capacity = std::max<std::size_t>(8, 2 * capacity_); // few: 100,000 files may wait
    auto memory = std::make_unique_for_overwrite<flow::Event[]>(capacity);
    std::copy_n(memory_.get(), used, memory.get());
    memory_ = std::move(memory);
    capacity_ = capacity;
}

namespace {

/// Finds the records that are asked for; true when their times ascend.
bool scan(const LoadRequest& request, const BufferEntry& entry, RecordRange range,
          LoadedBuffer& into) {
    const auto* const select = request.select;
    if (!range.is_all()) [[unlikely]] {
        return Scanner(into, entry,
                       [&](const flow::Event& event) {
                           return range.holds(event.offset()) &&
                                  (select == nullptr || (*select)(event));
                       })
            .run();
    }
    return select == nullptr ? Scanner(into, entry, [](const flow::Event&) { return true; }).run()
                             : Scanner(into, entry, [&](const flow::Event& event) {
                                   return (*select)(event);
                               }).run();
}

/// Whether events in time order have the times that an index states. Windows can lack others.
bool are_within(const IndexedBuffer& stated, const LoadedBuffer& buffer) noexcept {
    return buffer.events.empty() || stated.begins_untimed ||
           (buffer.unstamped == 0 && buffer.first_time() >= stated.first_time &&
            buffer.last_time() <= stated.last_time);
}

/// Nothing is left of a file that is gone, as of one that was truncated: the reader reports that.
void load_on_demand(const LoadRequest& wanted, const BufferEntry& entry, std::uint64_t number,
                    LoadedBuffer& into, RecordRange range) {
    LoadRequest request = wanted;
    request.on_demand = nullptr;
    std::shared_ptr<const io::InputFile> file;
    if (entry.is_packed() || entry.is_compressed()) {
        file = wanted.on_demand->content().value_or(nullptr);
        request.file = file ? file->bytes() : Bytes{};
        request.is_transient = true;
    } else { // reading the part that is needed costs less than mapping the file
        request.copied = wanted.on_demand;
    }
    load_records(request, entry, number, into, range);
    const bool is_read = file != nullptr || !into.context.bytes.empty();
    if (!is_read && request.watched->intact_size_now() >= entry.where.value + entry.disk_size) {
        find(into, "the file cannot be opened again; skipped this buffer", 0, entry.disk_size);
    }
}

} // namespace

void load_records(const LoadRequest& wanted, const BufferEntry& entry, std::uint64_t number,
                  LoadedBuffer& into, RecordRange range) {
    if (wanted.on_demand != nullptr) {
        load_on_demand(wanted, entry, number, into, range);
        return;
    }
    // The file may have been truncated since it was mapped. That is reported once, by the reader.
    LoadRequest request = wanted;
    if (wanted.watched != nullptr) {
        request.file =
            clamped(wanted.file, 0, static_cast<std::size_t>(wanted.watched->intact_size()));
    }
    const std::uint64_t end = entry.is_packed() ? entry.packed_where.value + entry.packed_size
                                                : entry.where.value + entry.disk_size;
    into.events.set_size(0);
    into.findings.clear();
    into.unstamped = 0;
    into.context = {.trace = request.trace,
                    .bytes = {},
                    .where = entry.where,
                    .number = number,
                    .sequence = entry.sequence,
                    .processor = entry.processor,
                    .logger_id = entry.logger_id,
                    .flags = entry.flags,
                    .merged_input = entry.merged_input,
                    .is_mapped = wanted.watched != nullptr && wanted.copied == nullptr &&
                                 !wanted.is_transient && !entry.is_packed() &&
                                 !entry.is_compressed()};
    into.context.bytes = unpack(request, entry, into);
    const bool ordered = !has_records(entry.type) || scan(request, entry, range, into);
    // What is wrong with zeros beyond the end of a truncated file is not the buffer's fault.
    const bool is_lost = !into.findings.empty() && request.watched != nullptr &&
                         request.watched->intact_size_now() < end;
    if (range.from > 0 || is_lost) {
        into.findings.clear();
    }
    if (!ordered && (request.order == Order::time || request.order == Order::recorded)) {
        // Of equal times the earlier record comes first: a stable sort without its extra memory.
        std::ranges::sort(into.events.all(), [](const flow::Event& a, const flow::Event& b) {
            return a.raw_time != b.raw_time ? a.raw_time < b.raw_time : a.record < b.record;
        });
    }
    if (!request.indexed.empty() && range.is_all() && !are_within(request.indexed[number], into)) {
        find(into, "events outside of the times in the index; `etl index --force` replaces it");
    }
}

} // namespace etl::trace
