#include "symbols/stream_file.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "symbols/expand.hpp"
#include "symbols/limits.hpp"
#include "symbols/streams.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <mutex>

namespace etl::symbols {

namespace {

class Msf final : public Streams {
public:
    static Result<std::shared_ptr<const Streams>> open(Bytes file);

    std::size_t count() const noexcept override { return streams_.size(); }

    std::uint64_t size_of(std::size_t stream) const noexcept override {
        return streams_[stream].size;
    }

    Bytes part(std::size_t stream, std::uint64_t offset, std::size_t size,
               std::vector<std::byte>& scratch) const override {
        const std::size_t pages = pages_of(streams_[stream].size);
        const Bytes numbers = clamped(directory_, streams_[stream].pages, 4 * pages);
        return numbers.size() == 4 * pages
                   ? gather(numbers, static_cast<std::size_t>(offset), size, scratch)
                   : Bytes{};
    }

private:
    struct Stream {
        std::uint32_t size = 0;
        std::size_t pages = 0; // offset of their numbers in the directory
    };

    std::size_t pages_of(std::size_t size) const noexcept {
        return (size + page_size_ - 1) / page_size_;
    }

    std::uint64_t offset_of(Bytes numbers, std::size_t page) const noexcept {
        return std::uint64_t{load_le<std::uint32_t>(numbers.data() + 4 * page)} * page_size_;
    }

    Bytes gather(Bytes numbers, std::size_t offset, std::size_t size,
                 std::vector<std::byte>& scratch) const;
    Result<void> read_directory(Bytes map, std::size_t size);
    Result<void> list_streams();

    Bytes file_;
    std::size_t page_size_ = 1;
    std::vector<std::byte> directory_;
    std::vector<Stream> streams_;
};

Result<std::shared_ptr<const Streams>> Msf::open(Bytes file) {
    Cursor in(clamped(file, msf_magic.size()), FileOffset{msf_magic.size()});
    auto result = std::make_shared<Msf>();
    result->file_ = file;
    const std::size_t page_size = in.u32("page size");
    in.u32("free page map");
    in.u32("pages");
    const std::size_t directory_size = in.u32("bytes of the directory");
    in.u32("reserved");
    const std::uint64_t map = std::uint64_t{in.u32("page of the directory map")} * page_size;
    if (!in) {
        return std::unexpected(in.error());
    }
    const bool is_plausible = std::has_single_bit(page_size) && page_size >= 512 &&
                              page_size <= 65536 && directory_size <= file.size();
    if (!is_plausible) {
        return fail(ErrorCode::malformed, "superblock", FileOffset{msf_magic.size()});
    }
    result->page_size_ = page_size;
    const Bytes rest = map <= file.size() ? clamped(file, static_cast<std::size_t>(map)) : Bytes{};
    if (const auto read = result->read_directory(rest, directory_size); !read) {
        return std::unexpected(read.error());
    }
    if (const auto listed = result->list_streams(); !listed) {
        return std::unexpected(listed.error());
    }
    return result;
}

Result<void> Msf::read_directory(Bytes map, std::size_t size) {
    const std::size_t bytes = 4 * pages_of(size);
    std::vector<std::byte> scratch;
    const Bytes directory =
        size >= 4 && map.size() >= bytes ? gather(map.first(bytes), 0, size, scratch) : Bytes{};
    if (directory.empty()) {
        return fail(ErrorCode::truncated, "directory of streams");
    }
    directory_.assign(directory.begin(), directory.end());
    return {};
}

// A page belongs to one stream only, so that reading all streams costs no more than the file.
// Stream 0 is an exception: it is the previous directory, whose pages may have been reused. One
// larger than the file is treated as absent.
Result<void> Msf::list_streams() {
    Cursor in(directory_);
    const std::size_t count = in.u32("streams");
    if (count > in.left() / 4) {
        return fail(ErrorCode::truncated, "directory of streams");
    }
    streams_.resize(count);
    std::size_t at = 4 + 4 * count;
    std::uint64_t total = 0;
    for (Stream& stream : streams_) {
        stream.size = in.u32("size");
        stream.size = stream.size == absent_stream ? 0 : stream.size;
        stream.pages = at;
        at += 4 * pages_of(stream.size);
        total += &stream == streams_.data() ? 0 : stream.size;
    }
    if (!streams_.empty() && streams_.front().size > file_.size()) {
        streams_.front().size = 0;
    }
    if (total > file_.size()) {
        return fail(ErrorCode::malformed, "streams larger than the file", {}, total, file_.size());
    }
    return {};
}

Bytes Msf::gather(Bytes numbers, std::size_t offset, std::size_t size,
                  std::vector<std::byte>& scratch) const {
    const std::size_t end = offset + size;
    const std::size_t first = offset / page_size_;
    std::size_t next = first + 1;
    while (next * page_size_ < end &&
           offset_of(numbers, next) == offset_of(numbers, next - 1) + page_size_) {
        ++next;
    }
    if (next * page_size_ >= end) {
        return part_of_file(file_, offset_of(numbers, first) + offset % page_size_, size);
    }
    scratch.clear();
    scratch.reserve(size);
    for (std::size_t at = offset; at < end; at = (at / page_size_ + 1) * page_size_) {
        const std::uint64_t begin = offset_of(numbers, at / page_size_) + at % page_size_;
        const std::size_t size_in_page = std::min(page_size_ - at % page_size_, end - at);
        const Bytes page = part_of_file(file_, begin, size_in_page);
        if (page.empty()) {
            return {};
        }
        scratch.insert(scratch.end(), page.begin(), page.end());
    }
    return scratch;
}

} // namespace

Result<std::shared_ptr<const Streams>> open_msf(Bytes file) {
    return Msf::open(file);
}

namespace {

using Chunk = std::shared_ptr<const std::vector<std::byte>>;

/// A part of a stream. The high bit of the location: in a chunk and those after it.
struct Fragment {
    std::uint64_t begin = 0; // offset in the stream
    std::uint32_t size = 0;
    std::uint64_t location = 0;

    bool is_packed() const noexcept { return location >> 63U != 0; }

    std::uint64_t file_offset() const noexcept { return location & 0xFFFF'FFFF'FFFFU; }

    std::size_t chunk() const noexcept { return (location >> 32U) & 0x7FFF'FFFFU; }

    std::size_t chunk_offset() const noexcept { return location & 0xFFFF'FFFFU; }
};

class Msfz final : public Streams {
public:
    static Result<std::shared_ptr<const Streams>> open(Bytes file);

    std::size_t count() const noexcept override { return streams_.size(); }

    std::uint64_t size_of(std::size_t stream) const noexcept override {
        return streams_[stream].size;
    }

    Bytes part(std::size_t stream, std::uint64_t offset, std::size_t size,
               std::vector<std::byte>& scratch) const override;

private:
    struct Stream {
        std::uint64_t size = 0;
        std::size_t first = 0; // of its fragments
        std::size_t count = 0;
    };

    struct Header {
        std::uint64_t directory = 0;
        std::uint64_t chunks_at = 0;
        std::uint32_t streams = 0;
        std::uint32_t compression = 0;
        std::uint32_t packed = 0;
        std::uint32_t unpacked = 0;
        std::uint32_t chunks = 0;
    };

    static constexpr std::size_t chunk_entry = 20;

    std::uint64_t max_expanded() const noexcept {
        return limits::expanded_bytes + limits::expansion * file_.size();
    }

    Result<void> read_directory(const Header& header);
    Result<void> list_streams(Bytes directory, std::size_t count);
    bool append(const Fragment& from, std::uint64_t offset, std::size_t size,
                std::vector<std::byte>& to) const;
    bool append_packed(const Fragment& from, std::uint64_t offset, std::size_t size,
                       std::vector<std::byte>& to) const;
    void list_chunks();
    Chunk chunk_at(std::size_t number) const;
    Chunk expanded(std::size_t number) const;

    Bytes file_;
    Bytes chunks_;                            // their table
    std::vector<std::uint64_t> chunk_begins_; // in the concatenation of all decompressed chunks
    std::vector<Stream> streams_;
    std::vector<Fragment> fragments_;
    mutable std::mutex mutex_;
    mutable std::uint64_t left_to_expand_ = 0;               // by the current call
    mutable std::uint64_t left_in_all_ = 0;                  // by all calls
    mutable std::deque<std::pair<std::size_t, Chunk>> kept_; // the most recently used first
};

Result<std::shared_ptr<const Streams>> Msfz::open(Bytes file) {
    Cursor in(clamped(file, msfz_magic.size()), FileOffset{msfz_magic.size()});
    Header header;
    const std::uint64_t version = in.u64("version");
    header.directory = in.u64("offset of the directory");
    header.chunks_at = in.u64("offset of the chunk table");
    header.streams = in.u32("streams");
    header.compression = in.u32("compression of the directory");
    header.packed = in.u32("size of the directory");
    header.unpacked = in.u32("decompressed size of the directory");
    header.chunks = in.u32("chunks");
    const std::uint32_t table_size = in.u32("size of the chunk table");
    if (!in) {
        return std::unexpected(in.error());
    }
    if (version != 0 || header.compression > 2) {
        return fail(ErrorCode::unsupported, "version of the MSFZ container",
                    FileOffset{msfz_magic.size()}, 0, version);
    }
    auto result = std::make_shared<Msfz>();
    result->file_ = file;
    result->left_in_all_ = limits::expansions * result->max_expanded();
    const bool has_table = header.chunks_at <= file.size() &&
                           table_size == std::uint64_t{header.chunks} * chunk_entry &&
                           has_range(file, static_cast<std::size_t>(header.chunks_at), table_size);
    if (!has_table) {
        return fail(ErrorCode::truncated, "chunk table", FileOffset{header.chunks_at}, table_size);
    }
    result->chunks_ = file.subspan(static_cast<std::size_t>(header.chunks_at), table_size);
    result->list_chunks();
    if (const auto read = result->read_directory(header); !read) {
        return std::unexpected(read.error());
    }
    return result;
}

void Msfz::list_chunks() {
    constexpr std::size_t unpacked_size = 16;
    std::uint64_t at = 0;
    for (std::size_t entry = 0; entry < chunks_.size(); entry += chunk_entry) {
        chunk_begins_.push_back(at);
        at += load_le<std::uint32_t>(chunks_.data() + entry + unpacked_size);
    }
}

Result<void> Msfz::read_directory(const Header& header) {
    const FileOffset where{header.directory};
    if (header.directory > file_.size() ||
        !has_range(file_, static_cast<std::size_t>(header.directory), header.packed)) {
        return fail(ErrorCode::truncated, "directory of streams", where, header.packed);
    }
    if (header.unpacked > max_expanded()) {
        return fail(ErrorCode::limit, "directory of streams", where, max_expanded(),
                    header.unpacked);
    }
    std::vector<std::byte> directory;
    const Bytes packed = file_.subspan(static_cast<std::size_t>(header.directory), header.packed);
    if (!expand(static_cast<Compression>(header.compression), packed, header.unpacked, directory)) {
        return fail(ErrorCode::malformed, "directory of streams", where);
    }
    return list_streams(directory, header.streams);
}

Result<void> Msfz::list_streams(Bytes directory, std::size_t count) {
    Cursor in(directory);
    if (count > directory.size() / 4) {
        return fail(ErrorCode::truncated, "directory of streams");
    }
    std::uint64_t total = 0;
    streams_.resize(count);
    for (Stream& stream : streams_) {
        stream.first = fragments_.size();
        std::uint32_t size = in.u32("fragment size");
        while (in && size != 0 && size != absent_stream) {
            fragments_.push_back({stream.size, size, in.u64("fragment location")});
            stream.size += size;
            size = in.u32("fragment size");
        }
        stream.count = fragments_.size() - stream.first;
        total += stream.size;
    }
    if (!in) {
        return std::unexpected(in.error());
    }
    if (total > max_expanded()) {
        return fail(ErrorCode::limit, "streams", {}, max_expanded(), total);
    }
    return {};
}

Bytes Msfz::part(std::size_t stream, std::uint64_t offset, std::size_t size,
                 std::vector<std::byte>& scratch) const {
    const std::lock_guard lock(mutex_);
    // A part of many small fragments must not decompress the same chunks again and again.
    left_to_expand_ = max_expanded();
    const auto all = std::span(fragments_).subspan(streams_[stream].first, streams_[stream].count);
    auto at = std::ranges::upper_bound(all, offset, {}, &Fragment::begin) - 1;
    const std::uint64_t end = offset + size;
    if (!at->is_packed() && end <= at->begin + at->size) {
        return part_of_file(file_, at->file_offset() + (offset - at->begin), size);
    }
    scratch.clear();
    for (; offset < end; ++at) {
        const std::uint64_t inside = offset - at->begin;
        const auto some = static_cast<std::size_t>(std::min(end - offset, at->size - inside));
        if (!append(*at, inside, some, scratch)) {
            return {};
        }
        offset += some;
    }
    return scratch;
}

bool Msfz::append(const Fragment& from, std::uint64_t offset, std::size_t size,
                  std::vector<std::byte>& to) const {
    if (!from.is_packed()) {
        const Bytes bytes = part_of_file(file_, from.file_offset() + offset, size);
        to.insert(to.end(), bytes.begin(), bytes.end());
        return !bytes.empty();
    }
    return append_packed(from, offset, size, to);
}

// The fragment may continue in the chunks after its first one.
bool Msfz::append_packed(const Fragment& from, std::uint64_t offset, std::size_t size,
                         std::vector<std::byte>& to) const {
    if (from.chunk() >= chunk_begins_.size()) {
        return false;
    }
    std::uint64_t at = chunk_begins_[from.chunk()] + from.chunk_offset() + offset;
    while (size > 0) {
        const auto after = std::ranges::upper_bound(chunk_begins_, at);
        const auto number = static_cast<std::size_t>(after - chunk_begins_.begin()) - 1;
        const std::uint64_t inside = at - chunk_begins_[number];
        const Chunk chunk = chunk_at(number);
        if (!chunk || inside >= chunk->size()) {
            return false;
        }
        const Bytes bytes = clamped(*chunk, static_cast<std::size_t>(inside), size);
        to.insert(to.end(), bytes.begin(), bytes.end());
        size -= bytes.size();
        at += bytes.size();
    }
    return true;
}

Chunk Msfz::chunk_at(std::size_t number) const {
    const auto found = std::ranges::find(kept_, number, &std::pair<std::size_t, Chunk>::first);
    if (found != kept_.end()) {
        std::rotate(kept_.begin(), found, found + 1);
        return kept_.front().second;
    }
    Chunk result = expanded(number);
    if (result) {
        kept_.emplace_front(number, result);
        std::size_t bytes = result->size();
        std::size_t keep = 1;
        while (keep < kept_.size() && bytes < limits::kept_chunk_bytes) {
            bytes += kept_[keep++].second->size();
        }
        kept_.resize(keep);
    }
    return result;
}

Chunk Msfz::expanded(std::size_t number) const {
    if (number >= chunks_.size() / chunk_entry) {
        return nullptr;
    }
    Cursor in(chunks_.subspan(number * chunk_entry, chunk_entry));
    const std::uint64_t offset = in.u64("offset");
    const std::uint32_t compression = in.u32("compression");
    const std::uint32_t packed = in.u32("size");
    const std::uint32_t unpacked = in.u32("decompressed size");
    if (offset > file_.size() || !has_range(file_, static_cast<std::size_t>(offset), packed) ||
        compression > 2 || unpacked > left_to_expand_ || unpacked > left_in_all_) {
        return nullptr;
    }
    left_to_expand_ -= unpacked;
    left_in_all_ -= unpacked;
    auto result = std::make_shared<std::vector<std::byte>>();
    const Bytes bytes = file_.subspan(static_cast<std::size_t>(offset), packed);
    return expand(static_cast<Compression>(compression), bytes, unpacked, *result) ? result
                                                                                   : nullptr;
}

} // namespace

Result<std::shared_ptr<const Streams>> open_msfz(Bytes file) {
    return Msfz::open(file);
}

bool StreamFile::is_likely(Bytes file) noexcept {
    const std::string_view text = as_text(file);
    return text.starts_with(msf_magic) || text.starts_with(msfz_magic);
}

Result<StreamFile> StreamFile::open(Bytes file) {
    const std::string_view text = as_text(file);
    if (text.starts_with(old_msf_magic)) {
        return fail(ErrorCode::unsupported, "program database older than version 7.00");
    }
    if (!is_likely(file)) {
        return fail(ErrorCode::malformed, "signature of a program database");
    }
    auto streams = text.starts_with(msf_magic) ? open_msf(file) : open_msfz(file);
    if (!streams) {
        return std::unexpected(streams.error());
    }
    return StreamFile(std::move(*streams));
}

std::size_t StreamFile::streams() const noexcept {
    return streams_->count();
}

std::uint64_t StreamFile::size_of(std::size_t stream) const noexcept {
    return stream < streams_->count() ? streams_->size_of(stream) : 0;
}

bool StreamFile::read(std::size_t stream, std::vector<std::byte>& to) const {
    const std::uint64_t size = size_of(stream);
    const Bytes bytes = part(stream, 0, static_cast<std::size_t>(size), to);
    if (bytes.data() != to.data()) {
        to.assign(bytes.begin(), bytes.end());
    }
    return size != 0 && bytes.size() == size;
}

Bytes StreamFile::part(std::size_t stream, std::uint64_t offset, std::size_t size,
                       std::vector<std::byte>& scratch) const {
    const std::uint64_t total = size_of(stream);
    if (size == 0 || offset > total || size > total - offset) {
        return {};
    }
    return streams_->part(stream, offset, size, scratch);
}

} // namespace etl::symbols
