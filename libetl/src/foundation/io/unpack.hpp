// Decompression of inputs: gzip, zstd, lz4, xz, lzma, bzip2, zip, 7z, cab, and tar, recognized by
// content, never by name. Decompressed data is spooled to an unlinked file in $TMPDIR and mapped.
// Thread-safe.
#pragma once

#include "base/function_ref.hpp"
#include "io/input_file.hpp"
#include "io/limits.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::io {

/// Returns whether the first bytes are those of a format that `unpack` supports. A tar is
/// recognized at byte 257.
bool is_packed(Bytes head) noexcept;

struct UnpackOptions {
    /// Maximum number of bytes decompressed for one input, including unselected members.
    std::uint64_t max_unpacked = limits::unpacked_bytes;
    /// Maximum number of members that are kept at once: each is mapped, and systems bound mappings.
    std::size_t max_members = limits::unpacked_members;
};

/// Returns whether an error is that of UnpackOptions::max_unpacked; Error::need is the limit.
bool exceeds_unpack_limit(const Error& error) noexcept;

/// Selects members by name and by their first (up to 4096) decompressed bytes. The name is UTF-8
/// without control characters, with `/` between directories.
using MemberPredicate = FunctionRef<bool(std::string_view name, Bytes head)>;

/// A selected member of which nothing was recovered, or the archive itself if reading it ended
/// early.
struct LostMember {
    std::string name;
    Error why;
};

struct Unpacked {
    std::vector<std::shared_ptr<const InputFile>> members; // in archive order; check damage()
    std::vector<LostMember> lost;
};

/// Decompresses every selected member. Archive members are named `FILE:MEMBER`. A stream without a
/// directory (gzip, zstd, ...) is a single member named FILE, selected by the file name without its
/// extension (`x.etl.gz`, `x.etlgz`: `x.etl`); a tar inside it is opened instead. A member that is
/// itself such a stream (`x.etl.gz` in a zip) is decompressed as well. Nothing is opened below that
/// level: an archive in an archive is a member. Data before damage is returned, and the damage
/// reported (InputFile::damage, Unpacked::lost). Errors: malformed, truncated, unsupported
/// (encrypted) if nothing was recovered; limit (max_unpacked;
/// limits::unpacked_members, or fewer if the system can map no more); io_failure (temporary file).
Result<Unpacked> unpack(const InputFile& packed, MemberPredicate wanted,
                        const UnpackOptions& options = {});

/// Spools standard input to an unlinked temporary file and maps it; if standard input is a file, it
/// is mapped from its current position. The name is `-`. Errors: io_failure, limit.
Result<std::shared_ptr<const InputFile>> spool_standard_input(const UnpackOptions& options = {});

/// Reads the members one by one into memory and passes each to `visit`, which returns false to
/// stop. Members longer than `max_member` are skipped. For many small files (archives of
/// manifests). Names and nesting as in unpack. Errors: as unpack, possibly after some members were
/// visited; limit also for limits::archive_entries.
Result<void> for_each_member(const InputFile& packed, std::size_t max_member,
                             FunctionRef<bool(std::string_view name, Bytes content)> visit,
                             const UnpackOptions& options = {});

/// Selects members by name only.
using MemberNamePredicate = FunctionRef<bool(std::string_view name)>;

/// The same, but only selected members are decompressed and visited; `wanted` is called once per
/// member, in archive order.
Result<void> for_each_member(const InputFile& packed, std::size_t max_member,
                             MemberNamePredicate wanted,
                             FunctionRef<bool(std::string_view name, Bytes content)> visit,
                             const UnpackOptions& options = {});

} // namespace etl::io
