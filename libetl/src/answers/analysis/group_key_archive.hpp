// Keys of groups in archives. Private to analysis.
#pragma once

#include "analysis/group_table.hpp"
#include "analysis/parts/owners_archive.hpp"

namespace etl::analysis {

/// Writes a text, or reads it into other texts.
inline void visit_text(Archive& archive, Texts& texts, std::uint64_t& number) {
    std::optional<std::string> text;
    if (!archive.is_reading() && number != 0) {
        text = texts.text(number);
    }
    archive.optional(text, [&](std::string& one) { archive.text(one); });
    if (archive.is_reading()) {
        number = text ? texts.number_of(*text) : 0;
    }
}

/// Writes part of a key, or reads it into other owners and texts.
inline void visit_key_part(Archive& archive, KeyPart part, Owners& owners, Texts& texts,
                           std::uint64_t& value) {
    if (part == KeyPart::text) {
        visit_text(archive, texts, value);
    } else if (part == KeyPart::owner || part == KeyPart::waker) {
        auto owner = static_cast<OwnerRef>(value);
        visit_owner(archive, owners, owner);
        value = owner;
    } else {
        archive.number(value);
    }
}

} // namespace etl::analysis
