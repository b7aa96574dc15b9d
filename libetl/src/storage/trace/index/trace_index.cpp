#include "trace/trace_index.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/hashes.hpp"
#include "base/text.hpp"
#include "trace/index/buffer_index.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <array>

namespace etl::trace {

namespace {

constexpr std::string_view signature = "ETLINDEX";
constexpr std::uint32_t version = 7;
constexpr std::size_t head_size = 56, buffer_size = 40, code_size = 16;

// After the buffers: the sections, each with a code of its own, so that only what is asked for is
// read; then the code of all that is before it; then the contents.
constexpr std::size_t name_size = 32, section_size = name_size + 16 + code_size;

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

std::vector<std::uint32_t> TraceIndex::numbers_of_stacks(const flow::RawWindow& window) const {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        const IndexedBuffer& buffer = buffers[i];
        if (buffer.first_stack <= buffer.last_stack && buffer.last_stack >= window.from &&
            (!window.to || buffer.first_stack < *window.to)) {
            numbers.push_back(i);
        }
    }
    return numbers;
}

std::shared_ptr<const std::vector<BufferKind>> TraceIndex::find_kinds() const {
    if (kinds != nullptr || sections == nullptr) {
        return kinds;
    }
    const auto section = sections->find(kinds_section);
    if (!section || section->empty()) {
        return nullptr;
    }
    auto found = parse_kinds(*section, buffers.size());
    return found ? std::make_shared<const std::vector<BufferKind>>(*std::move(found)) : nullptr;
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

namespace {

/// The sections that are listed, whose contents fill the rest of the file.
Result<std::vector<IndexSections::Entry>> read_sections(Cursor& from, std::uint64_t count,
                                                        Bytes contents, std::uint64_t contents_at) {
    std::vector<IndexSections::Entry> entries;
    std::size_t next = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string_view name = as_text(from.bytes("name of the section", name_size));
        const std::uint64_t offset = from.u64("offset of the section");
        const std::uint64_t size = from.u64("size of the section");
        if (offset != contents_at + next || size > contents.size() - next) {
            return fail(ErrorCode::truncated, "section of the index");
        }
        IndexSections::Entry& entry = entries.emplace_back();
        entry.name = name.substr(0, name.find('\0'));
        entry.content = contents.subspan(next, static_cast<std::size_t>(size));
        std::ranges::copy(from.bytes("code of the section", code_size), entry.code.begin());
        next += entry.content.size();
    }
    if (next != contents.size()) {
        return fail(ErrorCode::malformed, "size of the index", {}, contents_at + next,
                    contents_at + contents.size());
    }
    return entries;
}

/// The code of a section also covers its name, so that no section can pass for another one.
std::array<std::byte, code_size> code_of_section(std::string_view name, Bytes content,
                                                 const IndexKey& key) {
    ByteWriter to;
    to.text8("section ").text8(name).u64(content.size());
    to.bytes(code_of(content, key));
    return code_of(to.view(), key);
}

/// Where the sections are listed; the file is as long as its head says.
std::size_t sections_at(std::uint64_t buffers) noexcept {
    return head_size + static_cast<std::size_t>(buffers) * buffer_size;
}

void add_buffer(ByteWriter& to, const IndexedBuffer& buffer) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        bits |= std::uint64_t{buffer.*flags[i] ? 1U : 0U} << i;
    }
    to.u64(static_cast<std::uint64_t>(buffer.first_time));
    to.u64(static_cast<std::uint64_t>(buffer.last_time)).u64(bits);
    to.u64(static_cast<std::uint64_t>(buffer.first_stack));
    to.u64(static_cast<std::uint64_t>(buffer.last_stack));
}

IndexedBuffer read_buffer(Cursor& from) {
    IndexedBuffer buffer;
    buffer.first_time = static_cast<std::int64_t>(from.u64("first time"));
    buffer.last_time = static_cast<std::int64_t>(from.u64("last time"));
    const std::uint64_t bits = from.u64("flags");
    for (std::size_t i = 0; i < flags.size(); ++i) {
        buffer.*flags[i] = ((bits >> i) & 1U) != 0;
    }
    buffer.first_stack = static_cast<std::int64_t>(from.u64("first stack"));
    buffer.last_stack = static_cast<std::int64_t>(from.u64("last stack"));
    return buffer;
}

/// What a side file begins with.
struct Head {
    std::uint32_t version = 0;
    TraceIdentity trace;
    std::uint64_t sections = 0;
    std::int64_t changed = 0;
};

Head read_head(Cursor& from) {
    Head head;
    head.version = from.u32("version");
    from.u32("reserved");
    head.trace = {.size = from.u64("size"),
                  .buffers = from.u64("number of buffers"),
                  .hash = from.u64("hash")};
    head.sections = from.u64("number of sections");
    head.changed = static_cast<std::int64_t>(from.u64("time of change"));
    return head;
}

} // namespace

std::vector<std::byte> encode_head(const TraceIndex& index, const TraceIdentity& trace,
                                   const IndexKey& key, std::span<const IndexSection> sections) {
    ByteWriter to;
    to.text8(signature).u32(version).u32(0);
    to.u64(trace.size).u64(index.buffers.size()).u64(trace.hash).u64(sections.size());
    to.u64(static_cast<std::uint64_t>(index.changed));
    for (const IndexedBuffer& buffer : index.buffers) {
        add_buffer(to, buffer);
    }
    std::uint64_t offset =
        sections_at(index.buffers.size()) + sections.size() * section_size + code_size;
    for (const IndexSection& section : sections) {
        std::string name = section.name;
        name.resize(name_size, '\0');
        to.text8(name).u64(offset).u64(section.content.size());
        to.bytes(code_of_section(section.name, section.content, key));
        offset += section.content.size();
    }
    to.bytes(code_of(to.view(), key));
    return to.take();
}

std::vector<std::byte> encode(const TraceIndex& index, const TraceIdentity& trace,
                              const IndexKey& key, std::span<const IndexSection> sections) {
    std::vector<std::byte> file = encode_head(index, trace, key, sections);
    std::size_t size = file.size();
    for (const IndexSection& section : sections) {
        size += section.content.size();
    }
    file.reserve(size);
    for (const IndexSection& section : sections) {
        const Bytes content = section.content;
        file.insert(file.end(), content.begin(), content.end());
    }
    return file;
}

namespace {

/// `is_of_trace` says whether the index is that of the trace.
template <typename IsOfTrace>
Result<TraceIndex> parse(Bytes file, const IndexKey& key, std::shared_ptr<const void> owner,
                         IsOfTrace&& is_of_trace) {
    Cursor from(file);
    if (as_text(from.bytes("signature", signature.size())) != signature) {
        return fail(ErrorCode::malformed, "not the index of a trace");
    }
    const Head head = read_head(from);
    if (!from) {
        return std::unexpected(from.error());
    }
    if (head.version != version) {
        return fail(ErrorCode::unsupported, "version of the index", {signature.size()}, version,
                    head.version);
    }
    const std::size_t left = file.size() - head_size;
    if (head.trace.buffers > left / buffer_size || head.sections > max_index_sections ||
        left - static_cast<std::size_t>(head.trace.buffers) * buffer_size <
            static_cast<std::size_t>(head.sections) * section_size + code_size) {
        return fail(ErrorCode::malformed, "size of the index", {}, 0, file.size());
    }
    const std::size_t end =
        sections_at(head.trace.buffers) + static_cast<std::size_t>(head.sections) * section_size;
    if (!std::ranges::equal(file.subspan(end, code_size), code_of(file.first(end), key))) {
        return fail(ErrorCode::invalid_option, "key mismatch or damaged index");
    }
    if (!is_of_trace(head)) {
        return fail(ErrorCode::not_found,
                    "it is the index of another trace, or of an earlier state of this one");
    }
    TraceIndex index;
    index.changed = head.changed;
    index.buffers.resize(static_cast<std::size_t>(head.trace.buffers));
    std::ranges::generate(index.buffers, [&] { return read_buffer(from); });
    const std::size_t contents_at = end + code_size;
    auto sections = read_sections(from, head.sections, file.subspan(contents_at), contents_at);
    if (!sections) {
        return std::unexpected(sections.error());
    }
    index.sections =
        std::make_shared<const IndexSections>(*std::move(sections), std::move(owner), key);
    return index;
}

} // namespace

Result<TraceIndex> parse_index(Bytes file, const TraceIdentity& trace, const IndexKey& key,
                               std::shared_ptr<const void> owner) {
    return parse(file, key, std::move(owner),
                 [&](const Head& head) { return head.trace == trace; });
}

Result<TraceIndex> parse_index(Bytes file, std::uint64_t size, std::optional<std::int64_t> changed,
                               const IndexKey& key, std::shared_ptr<const void> owner) {
    return parse(file, key, std::move(owner), [&](const Head& head) {
        return changed && *changed != 0 && head.trace.size == size && head.changed == *changed;
    });
}

Result<Bytes> IndexSections::find(std::string_view name) const {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    if (found == entries_.end()) {
        return Bytes{};
    }
    std::atomic<bool>& is_sound = is_sound_[static_cast<std::size_t>(found - entries_.begin())];
    if (!is_sound && found->code != code_of_section(name, found->content, key_)) {
        return fail(ErrorCode::invalid_option, "damaged section of the index");
    }
    is_sound = true;
    return found->content;
}

} // namespace etl::trace
