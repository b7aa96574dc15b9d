#include "base/cursor.hpp"
#include "symbols/container/streams.hpp"

#include <algorithm>
#include <bit>

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

} // namespace etl::symbols
