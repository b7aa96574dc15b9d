#include "trace/trace_index.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/hashes.hpp"
#include "base/text.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <array>

namespace etl::trace {

namespace {

constexpr std::string_view signature = "ETLINDEX";
constexpr std::uint32_t version = 6;
constexpr std::size_t head_size = 40, buffer_size = 24, code_size = 16;

/// The bits of the flags of a buffer.
constexpr std::array<bool IndexedBuffer::*, 7> flags{
    &IndexedBuffer::begins_untimed, &IndexedBuffer::has_schemas, &IndexedBuffer::has_origins,
    &IndexedBuffer::has_processes,  &IndexedBuffer::has_facts,   &IndexedBuffer::has_sampling,
    &IndexedBuffer::has_context};

void add_header(ByteWriter& to, const flow::TraceInfo& trace) {
    const format::LogfileHeader& header = trace.header;
    to.u64(static_cast<std::uint64_t>(header.start_time));
    to.u64(static_cast<std::uint64_t>(header.end_time));
    to.u64(static_cast<std::uint64_t>(trace.reference_time));
    to.u64(static_cast<std::uint64_t>(trace.clock.frequency()));
    to.u32(header.buffer_size).u32(header.log_file_mode);
    to.u32(trace.has_header ? 1 : 0).u32(trace.header_pointer_size);
}

void add_entry(ByteWriter& to, const BufferEntry& entry) {
    to.u64(entry.where.value);
    to.u64(static_cast<std::uint64_t>(entry.sequence));
    to.u64(static_cast<std::uint64_t>(entry.time_stamp));
    to.u32(entry.disk_size).u32(entry.used).u32(entry.run);
    to.u16(entry.processor).u16(entry.logger_id).u16(entry.flags);
    to.u16(static_cast<std::uint16_t>(entry.type));
}

void add_headers(ByteWriter& to, const flow::TraceInfo& trace,
                 std::span<const BufferEntry> buffers) {
    add_header(to, trace);
    for (const BufferEntry& entry : buffers) {
        add_entry(to, entry);
    }
}

/// Half of the key, for one of two independent hashes.
SipHash hash_by_half(const IndexKey& key, std::size_t half) {
    std::array<std::uint8_t, 16> bytes{};
    std::copy_n(key.begin() + static_cast<std::ptrdiff_t>(half * bytes.size()), bytes.size(),
                bytes.begin());
    return SipHash(bytes);
}

std::array<std::byte, code_size> code_of(Bytes file, const IndexKey& key) {
    std::array<std::byte, code_size> code{};
    store_le(code.data(), hash_by_half(key, 0)(file));
    store_le(code.data() + code_size / 2, hash_by_half(key, 1)(file));
    return code;
}

} // namespace

std::vector<std::uint32_t> TraceIndex::numbers_of(bool IndexedBuffer::* member) const {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        if (buffers[i].*member) {
            numbers.push_back(i);
        }
    }
    return numbers;
}

TraceIdentity identity_of(const flow::TraceInfo& trace, std::span<const BufferEntry> buffers) {
    ByteWriter headers;
    add_headers(headers, trace, buffers);
    return {
        .size = trace.file_size, .buffers = buffers.size(), .hash = checksum_of(headers.view())};
}

TraceIdentity identity_of(const flow::TraceInfo& trace, std::span<const BufferEntry> buffers,
                          const IndexKey& key) {
    ByteWriter headers;
    headers.text8("identity"); // so that it is no index whose code this would tell
    add_headers(headers, trace, buffers);
    return {.size = trace.file_size,
            .buffers = buffers.size(),
            .hash = hash_by_half(key, 0)(headers.view())};
}

std::vector<std::byte> encode(const TraceIndex& index, const TraceIdentity& trace,
                              const IndexKey& key) {
    ByteWriter to;
    to.text8(signature).u32(version).u32(0);
    to.u64(trace.size).u64(index.buffers.size()).u64(trace.hash);
    for (const IndexedBuffer& buffer : index.buffers) {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < flags.size(); ++i) {
            bits |= std::uint64_t{buffer.*flags[i] ? 1U : 0U} << i;
        }
        to.u64(static_cast<std::uint64_t>(buffer.first_time));
        to.u64(static_cast<std::uint64_t>(buffer.last_time)).u64(bits);
    }
    to.bytes(code_of(to.view(), key));
    return to.take();
}

Result<TraceIndex> parse_index(Bytes file, const TraceIdentity& trace, const IndexKey& key) {
    Cursor from(file);
    if (as_text(from.bytes("signature", signature.size())) != signature) {
        return fail(ErrorCode::malformed, "not the index of a trace");
    }
    const std::uint32_t found = from.u32("version");
    from.u32("reserved");
    const TraceIdentity indexed{.size = from.u64("size"),
                                .buffers = from.u64("number of buffers"),
                                .hash = from.u64("hash")};
    if (!from) {
        return std::unexpected(from.error());
    }
    if (found != version) {
        return fail(ErrorCode::unsupported, "version of the index", {signature.size()}, version,
                    found);
    }
    const std::size_t left = file.size() - head_size;
    if (left < code_size || (left - code_size) / buffer_size != indexed.buffers ||
        (left - code_size) % buffer_size != 0) {
        return fail(ErrorCode::malformed, "size of the index", {}, 0, file.size());
    }
    const std::size_t end = file.size() - code_size;
    if (!std::ranges::equal(file.subspan(end), code_of(file.first(end), key))) {
        return fail(ErrorCode::invalid_option, "key mismatch or damaged index");
    }
    if (indexed != trace) {
        return fail(ErrorCode::not_found,
                    "it is the index of another trace, or of an earlier state of this one");
    }
    TraceIndex index;
    index.buffers.resize(static_cast<std::size_t>(indexed.buffers));
    for (IndexedBuffer& buffer : index.buffers) {
        buffer.first_time = static_cast<std::int64_t>(from.u64("first time"));
        buffer.last_time = static_cast<std::int64_t>(from.u64("last time"));
        const std::uint64_t bits = from.u64("flags");
        for (std::size_t i = 0; i < flags.size(); ++i) {
            buffer.*flags[i] = ((bits >> i) & 1U) != 0;
        }
    }
    return index;
}

} // namespace etl::trace
