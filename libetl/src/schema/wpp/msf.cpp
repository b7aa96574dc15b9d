#include "schema/wpp/msf.hpp"

#include <etl/base/cursor.hpp>
#include <etl/base/text.hpp>

#include <algorithm>
#include <bit>

namespace etl::schema {

namespace {

constexpr std::uint32_t not_there = 0xFFFFFFFF;

} // namespace

std::expected<MsfFile, const char*> MsfFile::open(Bytes file) {
    if (as_text(clamped(file, 0, magic.size())) != magic) {
        return std::unexpected("not a program database");
    }
    Cursor in(file.subspan(magic.size()));
    MsfFile result;
    result.file_ = file;
    result.left_to_read_ = file.size();
    result.block_size_ = in.u32("block size");
    in.u32("free block map");
    in.u32("blocks");
    const std::size_t directory_size = in.u32("bytes of the directory");
    in.u32("reserved");
    const std::uint64_t map = std::uint64_t{in.u32("block map")} * result.block_size_;
    const bool is_plausible = in && std::has_single_bit(result.block_size_) &&
                              result.block_size_ >= 512 && result.block_size_ <= 65536 &&
                              directory_size <= file.size();
    if (!is_plausible) {
        return std::unexpected("invalid superblock");
    }
    const std::size_t blocks = (directory_size + result.block_size_ - 1) / result.block_size_;
    const Bytes numbers =
        map <= file.size() ? clamped(file, static_cast<std::size_t>(map), 4 * blocks) : Bytes{};
    if (numbers.size() != 4 * blocks ||
        !result.gather(numbers, directory_size, result.directory_)) {
        return std::unexpected("the stream directory is beyond the end of the file");
    }
    Cursor directory(result.directory_);
    const std::size_t count = directory.u32("streams");
    if (count > directory.left() / 4) {
        return std::unexpected("the stream directory is truncated");
    }
    result.streams_.resize(count);
    std::size_t at = 4 + 4 * count;
    for (Stream& stream : result.streams_) {
        stream.size = directory.u32("size");
        stream.size = stream.size == not_there ? 0 : stream.size;
        stream.blocks = at;
        at += 4 * ((std::size_t{stream.size} + result.block_size_ - 1) / result.block_size_);
    }
    return result;
}

std::size_t MsfFile::size_of(std::size_t stream) const noexcept {
    return stream < streams_.size() ? streams_[stream].size : 0;
}

bool MsfFile::read(std::size_t stream, std::vector<std::byte>& to) {
    const std::size_t size = size_of(stream);
    if (size == 0 || size > left_to_read_) {
        return false;
    }
    left_to_read_ -= size;
    const std::size_t blocks = (size + block_size_ - 1) / block_size_;
    const Bytes numbers = clamped(directory_, streams_[stream].blocks, 4 * blocks);
    return numbers.size() == 4 * blocks && gather(numbers, size, to);
}

bool MsfFile::gather(Bytes numbers, std::size_t size, std::vector<std::byte>& to) const {
    to.clear();
    to.reserve(size);
    for (std::size_t at = 0; at < numbers.size(); at += 4) {
        const std::uint64_t begin =
            std::uint64_t{load_le<std::uint32_t>(numbers.data() + at)} * block_size_;
        const std::size_t part = std::min(block_size_, size - to.size());
        if (begin > file_.size() || file_.size() - begin < part) {
            return false;
        }
        const Bytes block = file_.subspan(static_cast<std::size_t>(begin), part);
        to.insert(to.end(), block.begin(), block.end());
    }
    return to.size() == size;
}

} // namespace etl::schema
