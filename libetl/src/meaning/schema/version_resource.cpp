#include "schema/version_resource.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <string_view>

namespace etl::schema {

namespace {

constexpr std::uint32_t fixed_info_signature = 0xFEEF04BD;
constexpr std::size_t fixed_info_size = 52;
constexpr std::size_t head_size = 6; // of a block: its size, that of its value, the type of that

constexpr std::size_t aligned(std::size_t offset) noexcept {
    return (offset + 3) & ~std::size_t{3};
}

/// A block of the resource: a key, a value, and blocks in it. Offsets are those of the resource.
struct Block {
    std::string key;
    std::size_t value = 0;
    std::size_t value_size = 0; // as stated: of texts, in characters or in bytes
    std::size_t end = 0;
};

/// Reads the block at an offset, which ends at `limit` at the latest. Errors: truncated, malformed
/// (smaller than its head).
Result<Block> block_at(Bytes resource, std::size_t offset, std::size_t limit) {
    const Bytes rest = clamped(resource.first(std::min(limit, resource.size())), offset);
    const std::size_t size = Cursor(rest, FileOffset{offset}).u16("size of a version block");
    if (size < head_size && rest.size() >= sizeof(std::uint16_t)) {
        return fail(ErrorCode::malformed, "size of a version block", FileOffset{offset}, head_size,
                    size);
    }
    Cursor in(clamped(rest, 0, size), FileOffset{offset});
    in.u16("size of a version block");
    Block block;
    block.value_size = in.u16("size of the value of a version block");
    in.u16("type of the value of a version block");
    const Bytes key = in.zero_terminated16("key of a version block");
    if (!in) {
        return std::unexpected(in.error());
    }
    append_utf16le(block.key, key);
    block.end = offset + std::min(size, rest.size());
    block.value = std::min(aligned(offset + head_size + key.size() + 2), block.end);
    return block;
}

/// Calls `take` with the blocks in [begin, end), up to the first damaged one.
template <typename Take>
void for_each_block(Bytes resource, std::size_t begin, std::size_t end, Take take) {
    while (begin < end) {
        const auto block = block_at(resource, begin, end);
        if (!block) {
            return;
        }
        take(*block);
        begin = aligned(block->end); // beyond `begin`: a block has a head
    }
}

VersionResource::Version version_at(Bytes info, std::size_t offset) {
    Cursor in(clamped(info, offset));
    const std::uint32_t high = in.u32("version");
    const std::uint32_t low = in.u32("version");
    return {static_cast<std::uint16_t>(high >> 16U), static_cast<std::uint16_t>(high),
            static_cast<std::uint16_t>(low >> 16U), static_cast<std::uint16_t>(low)};
}

void take_text(Bytes resource, const Block& block, VersionResource& to) {
    std::string* const text = block.key == "CompanyName"   ? &to.company
                              : block.key == "ProductName" ? &to.product
                                                           : nullptr;
    if (text != nullptr && text->empty()) {
        const Bytes value = clamped(resource, block.value, block.end - block.value);
        append_utf16le(*text, until_zero(value, 2));
    }
}

Result<VersionResource> parse(Bytes resource) {
    const auto root = block_at(resource, 0, resource.size());
    if (!root) {
        return std::unexpected(root.error());
    }
    const Bytes fixed = clamped(resource, root->value, root->end - root->value);
    if (root->key != "VS_VERSION_INFO" || root->value_size < fixed_info_size) {
        return fail(ErrorCode::malformed, "version resource");
    }
    if (fixed.size() < fixed_info_size) {
        return fail(ErrorCode::truncated, "version resource", FileOffset{root->value},
                    fixed_info_size, fixed.size());
    }
    if (load_at<std::uint32_t>(fixed, 0) != fixed_info_signature) {
        return fail(ErrorCode::malformed, "signature of a version resource",
                    FileOffset{root->value}, fixed_info_signature,
                    load_at<std::uint32_t>(fixed, 0));
    }
    VersionResource version{version_at(fixed, 8), version_at(fixed, 16), {}, {}};
    const std::size_t first = aligned(root->value + root->value_size);
    for_each_block(resource, first, root->end, [&](const Block& info) {
        if (info.key != "StringFileInfo") {
            return;
        }
        for_each_block(resource, info.value, info.end, [&](const Block& language) {
            for_each_block(resource, language.value, language.end,
                           [&](const Block& text) { take_text(resource, text, version); });
        });
    });
    return version;
}

/// Whether a version is one that Windows has had since Vista, the first with these schemas.
bool is_of_windows(const VersionResource::Version& version) noexcept {
    constexpr std::uint16_t first_build = 6000;
    const bool is_vista_to_8 = version[0] == 6 && version[1] <= 3;
    const bool is_later = version[0] == 10 && version[1] == 0;
    return (is_vista_to_8 || is_later) && version[2] >= first_build;
}

} // namespace

Result<VersionResource> parse_version_resource(Bytes resource) {
    try {
        return parse(resource);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory for a version resource");
    }
}

// Other products of Microsoft have had version 10.0, too.
std::uint32_t windows_build(const VersionResource& version) noexcept {
    const bool is_windows = version.company.starts_with("Microsoft") &&
                            version.product.contains("Windows") &&
                            is_of_windows(version.product_version);
    return is_windows && is_of_windows(version.file_version) ? version.file_version[2] : 0U;
}

std::uint32_t windows_build_of_image(Bytes image) {
    const auto parsed = PeImage::parse(image);
    const auto resources = parsed ? parsed->resources(version_type)
                                  : Result<std::vector<Resource>>(std::vector<Resource>{});
    if (!resources) {
        return 0;
    }
    for (const Resource& resource : *resources) {
        const auto version = parse_version_resource(resource.bytes);
        if (const std::uint32_t build = version ? windows_build(*version) : 0; build != 0) {
            return build;
        }
    }
    return 0;
}

} // namespace etl::schema
