// Processes and threads in archives. Private to analysis.
#pragma once

#include "analysis/owners.hpp"
#include "analysis/parts/archive.hpp"

namespace etl::analysis {

/// Writes a process, or reads it into other owners.
inline void visit_owner(Archive& archive, Owners& owners, OwnerRef& ref) {
    std::optional<OwnerRef> special;
    Owner owner;
    if (!archive.is_reading()) {
        owner = owners[ref];
        special = ref <= Owners::isr ? std::optional(ref) : std::nullopt;
    }
    archive.optional(special);
    archive.optional(owner.pid);
    archive.optional(owner.name, [&](std::string& name) { archive.text(name); });
    archive.number(owner.is_selected);
    if (special && *special > Owners::isr) {
        archive.fail();
    }
    if (archive.is_reading()) {
        ref = archive.is_intact() ? owners.adopt(special, owner) : Owners::unknown;
    }
}

/// Writes a thread with its process, or reads it into other owners.
inline void visit_thread(Archive& archive, Owners& owners, ThreadRef& thread) {
    std::uint32_t id = archive.is_reading() ? 0 : owners.id_of(thread);
    OwnerRef owner = archive.is_reading() ? Owners::unknown : owners.owner_of(thread);
    archive.number(id);
    visit_owner(archive, owners, owner);
    if (archive.is_reading()) {
        thread = archive.is_intact() ? owners.adopt_thread(id, owner) : 0;
    }
}

} // namespace etl::analysis
