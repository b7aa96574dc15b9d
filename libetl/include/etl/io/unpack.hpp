// Packed inputs: gzip, zstd, lz4, xz, bzip2, zip, 7z, cab, tar, recognised by content, never by name. Unpacked
// data is spooled to an unlinked file in $TMPDIR and mapped. Pure functions; any thread.
#pragma once

#include <etl/base/function_ref.hpp>
#include <etl/base/limits.hpp>
#include <etl/io/input_file.hpp>

#include <string_view>

namespace etl::io {

/// True when the first bytes are those of a packed format that `unpack` handles.
bool is_packed(Bytes head) noexcept;

struct UnpackOptions {
    std::uint64_t max_unpacked = limits::unpacked_bytes; // bytes, over all members
};

/// Says whether a member is wanted, by its name and its first (up to 4096) bytes.
using Wanted = FunctionRef<bool(std::string_view name, Bytes head)>;

/// Unpacks every wanted member. A stream without a directory (gzip, zstd, ...) is one member named like the
/// file without its ending; a tar inside of it is opened too. Member names become `FILE:MEMBER`.
/// Errors: malformed, truncated, limit, io_failure, unsupported (encrypted).
Result<std::vector<std::shared_ptr<const InputFile>>> unpack(const InputFile& packed, Wanted wanted,
                                                             const UnpackOptions& options = {});

/// Reads standard input to its end into an unlinked temporary file and maps it; its name is `-`.
Result<std::shared_ptr<const InputFile>> spool_standard_input(const UnpackOptions& options = {});

/// Reads one packed member after the other into memory and shows each; `max_member` bounds one member.
/// The visitor returns false to stop. Meant for many small files (archives of manifests).
Result<void> for_each_member(const InputFile& packed, std::size_t max_member,
                             FunctionRef<bool(std::string_view name, Bytes content)> visit);

} // namespace etl::io
