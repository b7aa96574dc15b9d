// Headers of an event log file, of its chunks, and of their records. docs/format/evtx.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "base/layout.hpp"

#include <cstdint>
#include <string_view>

namespace etl::evtx {

inline constexpr std::size_t block_size = 4096; // of the block with the file header
inline constexpr std::size_t chunk_size = 65536;
inline constexpr std::size_t file_header_size = 128;
inline constexpr std::size_t chunk_header_size = 512;
inline constexpr std::size_t record_header_size = 24;
/// Header, and the size at the end.
inline constexpr std::size_t record_overhead = record_header_size + 4;

inline constexpr std::string_view file_signature{"ElfFile\0", 8};
inline constexpr std::string_view chunk_signature{"ElfChnk\0", 8};
inline constexpr std::uint32_t record_signature = 0x00002A2A;

/// FileHeader::flags.
inline constexpr std::uint32_t dirty_flag = 1;
inline constexpr std::uint32_t full_flag = 2;
/// FileHeader::flags and ChunkHeader::flags.
inline constexpr std::uint32_t no_checksum_flag = 4;

struct FileHeader {
    std::uint64_t first_chunk = 0, last_chunk = 0;
    std::uint64_t next_record = 1; // ID of the next record
    std::uint16_t minor = 1, major = 3;
    std::uint16_t block_size = evtx::block_size;
    std::uint16_t chunks = 0;
    std::uint32_t flags = 0;
};

struct ChunkHeader {
    std::uint64_t first_number = 0, last_number = 0; // in this file, from 1
    std::uint64_t first_id = 0, last_id = 0;
    std::uint32_t last_record = 0; // offset in the chunk
    std::uint32_t free_space = 0;  // offset in the chunk
    std::uint32_t records_checksum = 0;
    std::uint32_t flags = 0;
};

/// Returns the header at the front of a file. Errors: truncated, not_a_trace (no signature),
/// malformed (checksum mismatch), unsupported (major version).
Result<FileHeader> parse_file_header(Bytes file);

/// Returns the header of a chunk, which has chunk_header_size bytes or more. Errors: truncated,
/// malformed (no signature, checksum mismatch, offsets outside the chunk).
Result<ChunkHeader> parse_chunk_header(Bytes chunk);

/// Writes a header with its checksum; `to` has file_header_size bytes.
void store_file_header(MutableBytes to, const FileHeader& header);

/// Writes a header around the tables of names and templates, which `to` contains already, with its
/// checksum; `to` has chunk_header_size bytes.
void store_chunk_header(MutableBytes to, const ChunkHeader& header);

/// Returns the CRC32 of zlib, continued from an earlier one.
std::uint32_t checksum(Bytes bytes, std::uint32_t earlier = 0) noexcept;

/// The tables of a chunk header: the newest name or template definition of each bucket, as offsets
/// in the chunk.
inline constexpr std::size_t name_table_offset = 128;
inline constexpr std::size_t name_buckets = 64;
inline constexpr std::size_t template_table_offset = 384;
inline constexpr std::size_t template_buckets = 32;

} // namespace etl::evtx
