// The entities that XML predefines. Private to evtx.
#pragma once

#include "evtx/nodes.hpp"

#include <array>
#include <string_view>

namespace etl::evtx {

/// The one character of an entity, as UTF-16LE; empty: unknown.
inline Bytes character_of_entity(Bytes name) noexcept {
    struct Entity {
        std::string_view name;
        std::array<std::byte, 2> unit;
    };

    static constexpr std::array<Entity, 5> entities{{{"lt", {std::byte{'<'}}},
                                                     {"gt", {std::byte{'>'}}},
                                                     {"amp", {std::byte{'&'}}},
                                                     {"quot", {std::byte{'"'}}},
                                                     {"apos", {std::byte{'\''}}}}};
    for (const Entity& entity : entities) {
        if (equals(name, entity.name)) {
            return entity.unit;
        }
    }
    return {};
}

} // namespace etl::evtx
