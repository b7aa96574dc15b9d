// The bytes of one member of a packed file, as far as damage and the bound on unpacked bytes let
// them come.
#pragma once

#include "io/packed/archive_reader.hpp"
#include "io/packed/packed_kind.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace etl::io {

// What libarchive keeps to itself of a damaged stream. One thread.

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

/// What errors of UnpackOptions::max_unpacked are about.
inline constexpr const char* limit_of_unpacking = "decompressed bytes";
inline constexpr const char* limit_of_stream = "bytes of a stream";

/// How much may still be unpacked.
class UnpackBudget {
public:
    explicit UnpackBudget(std::uint64_t max) : max_(max), left_(max) {}

    Result<void> take(std::uint64_t bytes) {
        if (bytes > left_) {
            return fail(ErrorCode::limit, limit_of_unpacking, {}, max_);
        }
        left_ -= bytes;
        return {};
    }

private:
    std::uint64_t max_;
    std::uint64_t left_;
};

/// A stream that is all of a file: it can be unpacked once more.
struct WholeStream {
    PackedKind kind = PackedKind::none;
    Bytes packed{};
};

/// The bytes of one member. Its head can be looked at before they are taken.
class MemberData final : public BlockSource {
public:
    MemberData(ArchiveReader& reader, UnpackBudget& budget, WholeStream stream = {});

    /// Where the reader failed before it came to the member.
    MemberData(Error failure, UnpackBudget& budget, WholeStream stream);

    MemberData(const MemberData&) = delete;
    MemberData& operator=(const MemberData&) = delete;
    ~MemberData() override = default;

    /// What it begins with.
    Bytes head() const noexcept;

    Result<Bytes> next_block() override;

    /// What ended the member early, or is wrong with its checksum.
    std::optional<Error> damage() const;

    std::uint64_t taken() const noexcept { return taken_; }

private:
    void fill_head();
    Result<Bytes> from_reader();
    void fail_with(const Error& error);

    ArchiveReader* reader_ = nullptr;
    UnpackBudget* budget_;
    WholeStream stream_;
    std::vector<std::byte> head_;
    std::uint64_t taken_ = 0;
    std::optional<Error> failure_;
    std::unique_ptr<StreamTail> tail_; // after a failure, what the reader held back
    bool head_given_ = false;
    bool at_end_ = false;
};

} // namespace etl::io
