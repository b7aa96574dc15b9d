#include "session/providers/provider_traits.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"

#include <utility>

namespace etl::session {

std::optional<CheckedTraits> check_traits(Bytes traits) {
    constexpr std::uint8_t group_type = 1;
    constexpr std::size_t trait_head = 3;
    Cursor in(traits);
    const std::size_t size = in.u16("size");
    CheckedTraits result{std::string(as_text(in.zero_terminated8("name"))), std::nullopt};
    if (!in || size != traits.size()) {
        return std::nullopt;
    }
    while (!in.is_at_end()) {
        const std::size_t trait_size = in.u16("trait size");
        const std::uint8_t type = in.u8("trait type");
        if (trait_size < trait_head ||
            (type == group_type && trait_size != trait_head + sizeof(Guid))) {
            return std::nullopt;
        }
        Cursor trait(in.bytes("trait", trait_size - trait_head));
        if (!in) {
            return std::nullopt;
        }
        if (type == group_type && !result.group) {
            result.group = trait.guid("group");
        }
    }
    return result;
}

const std::vector<std::byte>* KeptTraits::keep(Bytes traits) {
    constexpr std::size_t of_each = 128; // about: its node, and what the allocator adds
    std::vector<std::byte> bytes(traits.begin(), traits.end());
    if (const auto known = all_.find(bytes); known != all_.end()) {
        return &*known;
    }
    const std::size_t taken = bytes.size() + of_each;
    if (taken > room_) {
        return nullptr;
    }
    const auto* kept = &*all_.insert(std::move(bytes)).first;
    room_ -= taken;
    return kept;
}

} // namespace etl::session
