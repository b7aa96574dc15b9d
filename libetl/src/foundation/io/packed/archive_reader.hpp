// One walk over a packed input by libarchive. Only the one filter and the one format that the
// caller names are enabled, so that hostile bytes meet as little code as possible, and never an
// external program. Private to io. One thread.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "io/packed/packed_kind.hpp"
#include "io/system/system.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct archive;
struct archive_entry;

namespace etl::io {

/// Bytes that come block by block.
class BlockSource {
public:
    virtual ~BlockSource() = default;
    /// The next block, valid until the next call; empty at the end. An error is the last that
    /// comes.
    virtual Result<Bytes> next_block() = 0;
};

class ArchiveReader {
public:
    /// What to take the packed bytes apart with.
    struct Layers {
        PackedKind stream = PackedKind::none;  // compression around everything
        PackedKind archive = PackedKind::none; // none: all that comes out is one member
    };

    /// Reads `packed`, which must live on. Errors: malformed, truncated, unsupported.
    static Result<std::unique_ptr<ArchiveReader>> open(Bytes packed, Layers layers);
    /// Reads what comes from `packed`, which must live on; for streams only. Errors: as above and
    /// those of `packed`.
    static Result<std::unique_ptr<ArchiveReader>> open(BlockSource& packed, Layers layers);

    /// Steps to the next regular file; false at the end. Errors: malformed, truncated, limit,
    /// unsupported.
    Result<bool> next();

    /// Returns the name of the current member: UTF-8 without control characters.
    const std::string& name() const noexcept { return name_; }

    bool is_encrypted() const noexcept;

    /// Bytes of the current member, as the archive's directory says; 0 when it does not.
    std::uint64_t declared_size() const noexcept;

    /// The next bytes of the current member; empty at its end, and when there is no member. Errors:
    /// malformed, truncated, unsupported.
    Result<Bytes> read();

    /// Set when the bytes of the current member do not fit their checksum or size.
    const std::optional<Error>& remark() const noexcept { return remark_; }

private:
    /// A position in memory that libarchive moves.
    struct Memory {
        Bytes bytes;
        std::size_t at = 0;
    };
    struct Callbacks;

    struct Free {
        void operator()(archive* reader) const noexcept;
    };

    explicit ArchiveReader(Layers layers);
    Result<void> enable();
    Result<void> start(int opened);
    Error failure() const noexcept;
    void take_name();
    Result<bool> next_piece();

    Layers layers_;
    Utf8Locale locale_;
    Memory memory_;
    BlockSource* source_ = nullptr;
    std::optional<Error> source_failure_;
    std::unique_ptr<archive, Free> archive_; // after what its callbacks use
    archive_entry* entry_ = nullptr;         // owned by archive_
    std::size_t entries_ = 0;
    bool in_member_ = false;
    std::string name_;
    Bytes piece_;                // of the current member, not given yet
    std::uint64_t piece_at_ = 0; // where in the member it lies
    std::uint64_t position_ = 0; // where in the member the next byte to give lies
    std::optional<Error> remark_;
};

} // namespace etl::io
