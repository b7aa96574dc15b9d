#include "evtx/layout.hpp"

#include "base/text.hpp"

#include <zlib.h>

namespace etl::evtx {

namespace {

namespace file_field {
constexpr LayoutField<std::uint64_t> first_chunk{8};
constexpr LayoutField<std::uint64_t> last_chunk{16};
constexpr LayoutField<std::uint64_t> next_record{24};
constexpr LayoutField<std::uint32_t> header_size{32};
constexpr LayoutField<std::uint16_t> minor{36};
constexpr LayoutField<std::uint16_t> major{38};
constexpr LayoutField<std::uint16_t> block_size{40};
constexpr LayoutField<std::uint16_t> chunks{42};
constexpr LayoutField<std::uint32_t> flags{120};
constexpr LayoutField<std::uint32_t> checksum{124};
} // namespace file_field

namespace chunk_field {
constexpr LayoutField<std::uint64_t> first_number{8};
constexpr LayoutField<std::uint64_t> last_number{16};
constexpr LayoutField<std::uint64_t> first_id{24};
constexpr LayoutField<std::uint64_t> last_id{32};
constexpr LayoutField<std::uint32_t> header_size{40};
constexpr LayoutField<std::uint32_t> last_record{44};
constexpr LayoutField<std::uint32_t> free_space{48};
constexpr LayoutField<std::uint32_t> records_checksum{52};
constexpr LayoutField<std::uint32_t> flags{120};
constexpr LayoutField<std::uint32_t> checksum{124};
} // namespace chunk_field

constexpr std::size_t checked_size = 120; // of the fields that the checksum covers

std::uint32_t chunk_header_checksum(Bytes header) noexcept {
    return checksum(header.subspan(name_table_offset, chunk_header_size - name_table_offset),
                    checksum(header.first(checked_size)));
}

} // namespace

std::uint32_t checksum(Bytes bytes, std::uint32_t earlier) noexcept {
    return static_cast<std::uint32_t>(
        ::crc32_z(earlier,
                  // zlib reads octets; char types may alias any object.
                  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
                  reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

Result<FileHeader> parse_file_header(Bytes file) {
    if (file.size() < file_header_size) {
        return fail(ErrorCode::truncated, "header of an event log", {}, file_header_size,
                    file.size());
    }
    const auto at = file.first<file_header_size>();
    if (as_text(file.first(file_signature.size())) != file_signature) {
        return fail(ErrorCode::not_a_trace, "signature of an event log");
    }
    if (load<file_field::checksum>(at) != checksum(file.first(checked_size))) {
        return fail(ErrorCode::malformed, "checksum of the header of an event log");
    }
    const FileHeader header{.first_chunk = load<file_field::first_chunk>(at),
                            .last_chunk = load<file_field::last_chunk>(at),
                            .next_record = load<file_field::next_record>(at),
                            .minor = load<file_field::minor>(at),
                            .major = load<file_field::major>(at),
                            .block_size = load<file_field::block_size>(at),
                            .chunks = load<file_field::chunks>(at),
                            .flags = load<file_field::flags>(at)};
    if (header.major != 3) {
        return fail(ErrorCode::unsupported, "version of an event log", {}, 3, header.major);
    }
    return header;
}

Result<ChunkHeader> parse_chunk_header(Bytes chunk) {
    if (chunk.size() < chunk_header_size) {
        return fail(ErrorCode::truncated, "header of a chunk", {}, chunk_header_size, chunk.size());
    }
    const auto at = chunk.first<chunk_header_size>();
    if (as_text(chunk.first(chunk_signature.size())) != chunk_signature) {
        return fail(ErrorCode::malformed, "signature of a chunk");
    }
    const ChunkHeader header{.first_number = load<chunk_field::first_number>(at),
                             .last_number = load<chunk_field::last_number>(at),
                             .first_id = load<chunk_field::first_id>(at),
                             .last_id = load<chunk_field::last_id>(at),
                             .last_record = load<chunk_field::last_record>(at),
                             .free_space = load<chunk_field::free_space>(at),
                             .records_checksum = load<chunk_field::records_checksum>(at),
                             .flags = load<chunk_field::flags>(at)};
    const bool has_checksum = (header.flags & no_checksum_flag) == 0;
    if (has_checksum && load<chunk_field::checksum>(at) != chunk_header_checksum(chunk)) {
        return fail(ErrorCode::malformed, "checksum of the header of a chunk");
    }
    if (header.free_space < chunk_header_size || header.free_space > chunk_size) {
        return fail(ErrorCode::malformed, "size of a chunk", {}, chunk_size, header.free_space);
    }
    return header;
}

void store_file_header(MutableBytes to, const FileHeader& header) {
    const auto at = to.first<file_header_size>();
    std::ranges::fill(at, std::byte{0});
    std::ranges::copy(std::as_bytes(std::span(file_signature)), at.begin());
    store<file_field::first_chunk>(at, header.first_chunk);
    store<file_field::last_chunk>(at, header.last_chunk);
    store<file_field::next_record>(at, header.next_record);
    store<file_field::header_size>(at, static_cast<std::uint32_t>(file_header_size));
    store<file_field::minor>(at, header.minor);
    store<file_field::major>(at, header.major);
    store<file_field::block_size>(at, header.block_size);
    store<file_field::chunks>(at, header.chunks);
    store<file_field::flags>(at, header.flags);
    store<file_field::checksum>(at, checksum(at.first(checked_size)));
}

void store_chunk_header(MutableBytes to, const ChunkHeader& header) {
    const auto at = to.first<chunk_header_size>();
    std::ranges::fill(at.first(name_table_offset), std::byte{0});
    std::ranges::copy(std::as_bytes(std::span(chunk_signature)), at.begin());
    store<chunk_field::first_number>(at, header.first_number);
    store<chunk_field::last_number>(at, header.last_number);
    store<chunk_field::first_id>(at, header.first_id);
    store<chunk_field::last_id>(at, header.last_id);
    store<chunk_field::header_size>(at, static_cast<std::uint32_t>(file_header_size));
    store<chunk_field::last_record>(at, header.last_record);
    store<chunk_field::free_space>(at, header.free_space);
    store<chunk_field::records_checksum>(at, header.records_checksum);
    store<chunk_field::flags>(at, header.flags);
    store<chunk_field::checksum>(at, chunk_header_checksum(at));
}

} // namespace etl::evtx
