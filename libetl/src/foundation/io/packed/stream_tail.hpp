// What libarchive keeps to itself of a damaged stream. Private to io. One thread.
#pragma once

#include "io/packed/archive_reader.hpp"

#include <memory>
#include <vector>

namespace etl::io {

/// libarchive collects what it unpacks in blocks, of 64 KB or of what the format says. Where a
/// stream ends too early or is damaged, the block that it was at is lost. This unpacks the stream
/// once more, with the library of its format, and gives what comes after the first `given` bytes,
/// as far as that library gets.
class StreamTail final : public BlockSource {
public:
    /// gzip, zstd, lz4; of others nothing comes.
    StreamTail(PackedKind kind, Bytes packed, std::uint64_t given);
    StreamTail(const StreamTail&) = delete;
    StreamTail& operator=(const StreamTail&) = delete;
    ~StreamTail() override;

    /// Empty where it ends, for whatever reason. Never an error.
    Result<Bytes> next_block() override;

    class Decoder;

private:
    std::unique_ptr<Decoder> decoder_; // null: nothing (more) comes
    std::vector<std::byte> block_;
    std::uint64_t left_; // bytes to pass over
};

} // namespace etl::io
