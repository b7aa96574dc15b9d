#include "io/packed/packed_kind.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "io/unpack.hpp"

#include <array>
#include <bit>

namespace etl::io {

namespace {

using namespace std::string_view_literals;

bool has(Bytes head, std::size_t offset, std::string_view magic) noexcept {
    return has_range(head, offset, magic.size()) &&
           as_text(head.subspan(offset, magic.size())) == magic;
}

// RFC 1952: magic, method deflate, no reserved flag.
bool is_gzip(Bytes head) noexcept {
    return has(head, 0, "\x1F\x8B\x08"sv) && has_range(head, 3, 1) &&
           (head[3] & std::byte{0xE0}) == std::byte{0};
}

// "BZh", the block size, then the magic of a block or of the end.
bool is_bzip2(Bytes head) noexcept {
    return has(head, 0, "BZh"sv) && has_range(head, 3, 1) && head[3] >= std::byte{'1'} &&
           head[3] <= std::byte{'9'} &&
           (has(head, 4, "1AY&SY"sv) || has(head, 4, "\x17\x72\x45\x38\x50\x90"sv));
}

// The .lzma format has no magic. lzma's own writers give the properties 0x5D, a dictionary of 2^n
// or 2^n + 2^(n-1) bytes, and no size or a size below 256 GB (liblzma's alone_decoder.c draws the
// same lines).
bool is_lzma(Bytes head) noexcept {
    if (!has_range(head, 0, 13) || head[0] != std::byte{0x5D}) {
        return false;
    }
    const auto dictionary = load_le<std::uint32_t>(head.data() + 1);
    const auto size = load_le<std::uint64_t>(head.data() + 5);
    const bool usual = std::has_single_bit(dictionary) ||
                       (dictionary % 3 == 0 && std::has_single_bit(dictionary / 3));
    return usual && dictionary >= 4096 && (size == ~std::uint64_t{0} || size >> 38U == 0);
}

// RFC 8878; a skippable frame may come first (pzstd writes one).
bool is_zstd(Bytes head) noexcept {
    if (has(head, 0, "\x28\xB5\x2F\xFD"sv)) {
        return true;
    }
    if (!has_range(head, 0, 8) || (load_le<std::uint32_t>(head.data()) & ~0xFU) != 0x184D2A50U) {
        return false;
    }
    const std::size_t next = std::size_t{8} + load_le<std::uint32_t>(head.data() + 4);
    return has(head, next, "\x28\xB5\x2F\xFD"sv);
}

bool is_lz4(Bytes head) noexcept {
    return has(head, 0, "\x04\x22\x4D\x18"sv) ||
           has(head, 0, "\x02\x21\x4C\x18"sv); // frame, legacy
}

} // namespace

PackedKind packed_kind(Bytes head) noexcept {
    if (is_gzip(head)) {
        return PackedKind::gzip;
    }
    if (is_bzip2(head)) {
        return PackedKind::bzip2;
    }
    if (has(head, 0,
            "\xFD"
            "7zXZ\0"sv)) {
        return PackedKind::xz;
    }
    if (is_zstd(head)) {
        return PackedKind::zstd;
    }
    if (is_lz4(head)) {
        return PackedKind::lz4;
    }
    if (has(head, 0, "PK\x03\x04"sv) ||
        has(head, 0, "PK\x05\x06"sv)) { // a member, or the end of an empty one
        return PackedKind::zip;
    }
    if (has(head, 0, "7z\xBC\xAF\x27\x1C"sv)) {
        return PackedKind::seven_zip;
    }
    if (has(head, 0, "MSCF\0\0\0\0"sv)) {
        return PackedKind::cab;
    }
    if (has(head, 257, "ustar"sv)) {
        return PackedKind::tar;
    }
    return is_lzma(head) ? PackedKind::lzma : PackedKind::none;
}

bool is_stream(PackedKind kind) noexcept {
    return kind >= PackedKind::gzip && kind <= PackedKind::lz4;
}

std::string_view name_inside(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 8> endings{".gz",   ".gzip", ".bz2", ".xz",
                                                      ".lzma", ".zstd", ".zst", ".lz4"};
    const auto ends_in = [&](std::string_view ending) {
        return name.size() > ending.size() &&
               equals_ignoring_case(name.substr(name.size() - ending.size()), ending);
    };
    for (const std::string_view ending : endings) {
        if (ends_in(ending)) {
            return name.substr(0, name.size() - ending.size());
        }
    }
    // Windows' diagnostic tools call a gzipped trace so.
    return ends_in(".etlgz") ? name.substr(0, name.size() - 2) : name;
}

bool is_packed(Bytes head) noexcept {
    return packed_kind(head) != PackedKind::none;
}

} // namespace etl::io
