#include "catalog/built_in.hpp"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace etl::catalog {

std::uint32_t built_in_generation(std::uint32_t build) noexcept {
    const auto builds = built_in_builds();
    const auto above = std::ranges::upper_bound(builds, build);
    return above == builds.begin() ? builds.front() : *(above - 1);
}

namespace {

std::string unpack_group(const BuiltInGroup& group) {
    static_assert(std::endian::native == std::endian::little);
    std::string text(group.unpacked, '\0');
    [[maybe_unused]] const std::size_t size =
        ZSTD_decompress(text.data(), text.size(), group.words.data(), group.bytes);
    assert(size == text.size());
    return text;
}

} // namespace

BuiltIn::BuiltIn() : is_taken_(built_in_files().size()) {}

void BuiltIn::take(const std::unordered_set<Guid>& providers, Receiver receiver) {
    for (const BuiltInProvider& provider : built_in_providers()) {
        if (!is_taken_[provider.file] && providers.contains(provider.guid)) {
            is_taken_[provider.file] = true;
            receiver(built_in_files()[provider.file].name, text_of(provider.file));
        }
    }
}

void BuiltIn::take_all(Receiver receiver) {
    for (std::size_t file = 0; file < is_taken_.size(); ++file) {
        if (!is_taken_[file]) {
            is_taken_[file] = true;
            receiver(built_in_files()[file].name, text_of(file));
        }
    }
}

// Files come by group: the last one is enough.
std::string_view BuiltIn::text_of(std::size_t file) {
    const BuiltInFile& wanted = built_in_files()[file];
    if (group_ != wanted.group) {
        text_ = unpack_group(built_in_groups()[wanted.group]);
        group_ = wanted.group;
    }
    return std::string_view(text_).substr(wanted.offset, wanted.size);
}

} // namespace etl::catalog
