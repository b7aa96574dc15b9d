// Packed inputs: gzip, zstd, lz4, xz, lzma, bzip2, zip, 7z, cab, tar, recognised by content, never
// by name. Unpacked data is spooled to an unlinked file in $TMPDIR and mapped. Pure functions; any
// thread.
#pragma once

#include <etl/base/function_ref.hpp>
#include <etl/io/input_file.hpp>
#include <etl/io/limits.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::io {

/// True when the first bytes are those of a packed format that `unpack` handles. A tar shows itself
/// at byte 257.
bool is_packed(Bytes head) noexcept;

struct UnpackOptions {
    /// Bytes, over all that has to be unpacked of one input, wanted or not.
    std::uint64_t max_unpacked = limits::unpacked_bytes;
};

/// Says whether a member is wanted, by its name and its first (up to 4096) unpacked bytes. The name
/// is UTF-8 without control characters; `/` divides folders.
using MemberPredicate = FunctionRef<bool(std::string_view name, Bytes head)>;

/// A wanted member of which nothing came out, or the packed file itself, when the walk over it
/// ended early.
struct LostMember {
    std::string name;
    Error why;
};

struct Unpacked {
    std::vector<std::shared_ptr<const InputFile>>
        members; // in the archive's order; look at damage()
    std::vector<LostMember> lost;
};

/// Unpacks every wanted member. An archive's members become `FILE:MEMBER`. A stream without a
/// directory (gzip, zstd, ...) is one member, called FILE, and wanted or not by the file's name
/// without its ending (`x.etl.gz`, `x.etlgz`: `x.etl`); a tar inside of it is opened instead. A
/// member that is such a stream itself (`x.etl.gz` in a zip) is unpacked too. Deeper than that
/// nothing is opened: an archive in an archive is a member. What stands before some damage is
/// given, and the damage reported (InputFile::damage, Unpacked::lost). Errors: malformed,
/// truncated, unsupported (encrypted) when nothing came out; limit (max_unpacked); io_failure
/// (temporary file).
Result<Unpacked> unpack(const InputFile& packed, MemberPredicate wanted,
                        const UnpackOptions& options = {});

/// Reads standard input to its end into an unlinked temporary file and maps it; where standard
/// input is a file that file is mapped, from its current position on. The name is `-`. Errors:
/// io_failure, limit.
Result<std::shared_ptr<const InputFile>> spool_standard_input(const UnpackOptions& options = {});

/// Reads one packed member after the other into memory and shows each; members longer than
/// `max_member` are passed over. The visitor returns false to stop. Meant for many small files
/// (archives of manifests). Names and nesting as with unpack. Errors: as unpack, also after some
/// members were shown; limit also for limits::archive_entries.
Result<void> for_each_member(const InputFile& packed, std::size_t max_member,
                             FunctionRef<bool(std::string_view name, Bytes content)> visit,
                             const UnpackOptions& options = {});

/// Says whether a member is wanted, by its name alone.
using MemberNamePredicate = FunctionRef<bool(std::string_view name)>;

/// The same, but only wanted members are unpacked and shown; `wanted` is asked once for each
/// member, in the archive's order.
Result<void> for_each_member(const InputFile& packed, std::size_t max_member,
                             MemberNamePredicate wanted,
                             FunctionRef<bool(std::string_view name, Bytes content)> visit,
                             const UnpackOptions& options = {});

} // namespace etl::io
