#include "trace/index/buffer_index.hpp"

#include "base/cursor.hpp"
#include "base/limits.hpp"
#include "format/logfile_header.hpp"
#include "io/input_file.hpp"
#include "trace/index/buffer_indexer.hpp"
#include "trace/index/header_checks.hpp"
#include "trace/limits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace etl::trace {

BufferIndex index_buffers(Bytes file, const IndexHints& hints, const io::InputFile* content) {
    return BufferIndexer(file, hints, content).run();
}

std::uint32_t fullest(std::span<const BufferEntry> entries, std::uint32_t nominal) noexcept {
    std::uint32_t bytes = 0;
    for (const BufferEntry& entry : entries) {
        const std::uint32_t unsaid = entry.is_compressed() ? nominal : entry.disk_size;
        bytes = std::max(bytes, entry.used != 0 ? entry.used : unsaid);
    }
    return std::min(bytes, etl::limits::buffer_bytes);
}

std::uint32_t count_processors(std::span<const BufferEntry> entries) noexcept {
    std::uint32_t count = 0;
    for (const BufferEntry& entry : entries) {
        count = std::max(count, entry.processor + 1U);
    }
    return count;
}

namespace {

namespace header = format::buffer_header;

BufferEntry entry_of(Bytes head, std::uint64_t at, std::uint32_t size) {
    const format::BufferHeaderView view(head.first<header::size>());
    BufferEntry entry;
    entry.where = {at};
    entry.sequence = view.sequence_number();
    entry.time_stamp = view.time_stamp();
    entry.disk_size = size;
    entry.used = view.used().value_or(0);
    entry.processor = view.processor();
    entry.logger_id = view.logger_id();
    entry.flags = view.flags();
    entry.type = view.type();
    return entry;
}

/// How much memory a buffer wants for what is unpacked of it and kept, where the trace has buffers
/// of `nominal` bytes.
std::uint64_t claim_of(const BufferEntry& entry, std::uint32_t nominal) noexcept {
    if (entry.is_compressed()) {
        return entry.used != 0 ? entry.used : std::min(nominal, etl::limits::buffer_bytes);
    }
    if (!entry.is_packed()) {
        return 0;
    }
    return entry.used != 0 ? entry.used : entry.disk_size;
}

} // namespace

BufferEntry& IndexBuilder::add(Bytes head, std::uint64_t at, std::uint32_t size,
                               std::uint64_t there) {
    BufferEntry entry = entry_of(head, at, size);
    if (entry.disk_size > there) {
        // Only bytes that held records are a loss: fill behind `used` may be cut without harm.
        const bool lost = entry.is_compressed() || entry.used == 0 || entry.used > there;
        find(lost ? Severity::warning : Severity::note, "the file is truncated inside a buffer", at,
             0);
        entry.disk_size = static_cast<std::uint32_t>(there);
        entry.is_truncated = true;
    }
    if (!entry.is_compressed() && entry.used > entry.disk_size && !entry.is_truncated) {
        find(Severity::warning, "the valid size exceeds the buffer", at, 0);
        entry.used = entry.disk_size;
    }
    entry.run = run_of(entry);
    index_.is_convincing = index_.is_convincing || is_convincing(head);
    return index_.entries.emplace_back(entry);
}

void IndexBuilder::add_packed(Bytes head, std::uint64_t at, std::uint32_t size,
                              FileOffset packed_where, std::uint32_t packed_size, Frame state) {
    if (state == Frame::truncated) {
        find(Severity::warning, "the file is truncated inside a buffer", at, 0, packed_where);
    }
    BufferEntry& entry = add(head, at, size, size);
    entry.packed_where = packed_where;
    entry.packed_size = packed_size;
    entry.is_truncated = state == Frame::truncated;
}

void IndexBuilder::find(Severity severity, const char* what, std::uint64_t at,
                        std::uint64_t skipped, std::optional<FileOffset> packed) {
    index_.findings.push_back({.severity = severity,
                               .what = what,
                               .where = {at},
                               .buffer = buffers(),
                               .offset = {},
                               .bytes_skipped = skipped,
                               .file = 0,
                               .packed = packed});
}

BufferIndex IndexBuilder::take(std::uint32_t codec) {
    bound_claims();
    index_.codec = codec;
    return std::move(index_);
}

BufferIndex IndexBuilder::drain() {
    drained_ += index_.entries.size();
    if (last_.size() > limits::buffer_streams) {
        last_.clear(); // runs are numbered anew; memory stays bounded
    }
    return std::exchange(index_, {});
}

/// Compressed buffers say how much they unpack to, and one of each processor is open at a time.
/// Where the claims add up to more than any real trace, those are cut that are out of proportion to
/// what stands behind them.
void IndexBuilder::bound_claims() {
    std::unordered_map<std::uint16_t, std::uint64_t> greatest;
    for (const BufferEntry& entry : index_.entries) {
        std::uint64_t& most = greatest[entry.processor];
        most = std::max(most, claim_of(entry, hints_.buffer_size));
    }
    std::uint64_t sum = 0;
    for (const auto& [processor, most] : greatest) {
        sum += most;
    }
    if (sum <= limits::inflated_bytes) {
        return;
    }
    for (BufferEntry& entry : index_.entries) {
        const std::uint64_t believed =
            limits::assumed_ratio *
            std::uint64_t{entry.is_packed() ? entry.packed_size : entry.disk_size};
        if (claim_of(entry, hints_.buffer_size) > believed) {
            find(Severity::warning, "implausible decompressed size", entry.where.value, 0);
            entry.used = static_cast<std::uint32_t>(believed);
        }
    }
}

/// Sequence numbers of one processor ascend in the file; where they start over, an appended run
/// begins. In a circular file they start over at the seam instead, and their order is the order of
/// time.
std::uint32_t IndexBuilder::run_of(const BufferEntry& entry) {
    const bool is_circular = (hints_.log_file_mode & format::log_mode::circular) != 0;
    auto [it, first] = last_.try_emplace(stream_of(entry, hints_.log_file_mode),
                                         Last{{entry.sequence, entry.time_stamp}, 0});
    Last& last = it->second;
    const bool is_repeated = !first && last.id.is_repeated_by(entry);
    if (is_repeated) {
        find(Severity::warning, "the buffer repeats the one before it of its processor",
             entry.where.value, 0);
    } else if (!first && !is_circular && entry.sequence <= last.id.sequence) {
        ++last.run;
    }
    last.id = {entry.sequence, entry.time_stamp};
    return last.run;
}

// Indexes that are kept.

namespace {

constexpr std::size_t kept_entry_size = 44;

BufferEntry read_entry(Cursor& from) {
    BufferEntry entry;
    entry.where = {from.u64("offset of the buffer")};
    entry.sequence = static_cast<std::int64_t>(from.u64("sequence number"));
    entry.time_stamp = static_cast<std::int64_t>(from.u64("flush time"));
    entry.disk_size = from.u32("size of the buffer");
    entry.used = from.u32("valid size");
    entry.run = from.u32("run");
    entry.processor = from.u16("processor");
    entry.logger_id = from.u16("logger");
    entry.flags = from.u16("flags");
    entry.type = static_cast<format::BufferType>(from.u16("type"));
    return entry;
}

/// Whether the header in the file is the one that an entry was made of.
bool is_in(const io::InputFile& file, const BufferEntry& entry) {
    std::array<std::byte, header::size> head{};
    if (file.read(entry.where, head) != head.size()) {
        return false;
    }
    const BufferEntry found = entry_of(head, entry.where.value, entry.disk_size);
    return found.sequence == entry.sequence && found.time_stamp == entry.time_stamp &&
           found.used == entry.used && found.processor == entry.processor &&
           found.logger_id == entry.logger_id && found.flags == entry.flags &&
           found.type == entry.type;
}

} // namespace

void add_entry(ByteWriter& to, const BufferEntry& entry) {
    to.u64(entry.where.value).u64(static_cast<std::uint64_t>(entry.sequence));
    to.u64(static_cast<std::uint64_t>(entry.time_stamp));
    to.u32(entry.disk_size).u32(entry.used).u32(entry.run);
    to.u16(entry.processor).u16(entry.logger_id).u16(entry.flags);
    to.u16(static_cast<std::uint16_t>(entry.type));
}

std::vector<std::byte> encode(const BufferIndex& index) {
    ByteWriter to;
    to.u32(index.codec).u32(index.is_convincing ? 1 : 0).u64(index.entries.size());
    for (const BufferEntry& entry : index.entries) {
        add_entry(to, entry);
    }
    return to.take();
}

std::optional<BufferIndex> known_index(Bytes encoded, const io::InputFile& file) {
    Cursor from(encoded);
    BufferIndex index;
    index.codec = from.u32("codec");
    index.is_convincing = from.u32("certainty") != 0;
    const std::uint64_t count = from.u64("number of buffers");
    if (!from || count == 0 || from.left() / kept_entry_size != count ||
        from.left() % kept_entry_size != 0) {
        return std::nullopt;
    }
    index.entries.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        const BufferEntry& entry = index.entries.emplace_back(read_entry(from));
        const std::uint32_t most =
            entry.is_compressed() ? etl::limits::buffer_bytes : entry.disk_size;
        if (!has_range(file.bytes(), entry.where.value, entry.disk_size) || entry.used > most) {
            return std::nullopt;
        }
    }
    constexpr std::uint64_t places = 256;
    for (std::uint64_t i = 0; i < std::min(count, places); ++i) {
        const std::uint64_t number = count <= places ? i : i * (count - 1) / (places - 1);
        if (!is_in(file, index.entries[static_cast<std::size_t>(number)])) {
            return std::nullopt;
        }
    }
    return index;
}

} // namespace etl::trace
