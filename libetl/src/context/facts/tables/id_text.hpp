// Identities of images as texts, so that equal ones are kept once. Private to facts.
#pragma once

#include "facts/facts.hpp"

#include <array>
#include <cstring>

namespace etl::facts {

/// Appends GUID, age, and name. Nothing for the identity of no file.
inline void append_pdb_text(std::string& to, const Guid& guid, std::uint32_t age,
                            std::string_view name) {
    if (guid.is_zero()) {
        return;
    }
    std::array<char, sizeof guid + sizeof age> fixed{};
    std::memcpy(fixed.data(), &guid, sizeof guid);
    std::memcpy(fixed.data() + sizeof guid, &age, sizeof age);
    to.append(fixed.data(), fixed.size()).append(name);
}

inline std::optional<PdbIdentity> pdb_of_text(std::string_view text) noexcept {
    PdbIdentity pdb;
    constexpr std::size_t fixed = sizeof pdb.guid + sizeof pdb.age;
    if (text.size() < fixed) {
        return std::nullopt;
    }
    std::memcpy(&pdb.guid, text.data(), sizeof pdb.guid);
    std::memcpy(&pdb.age, text.data() + sizeof pdb.guid, sizeof pdb.age);
    pdb.name = text.substr(fixed);
    return pdb;
}

/// Appends time stamp and name.
inline void append_info_text(std::string& to, std::uint32_t stamp, std::string_view name) {
    std::array<char, sizeof stamp> fixed{};
    std::memcpy(fixed.data(), &stamp, sizeof stamp);
    to.append(fixed.data(), fixed.size()).append(name);
}

/// A time stamp and a name.
struct InfoText {
    std::uint32_t time_date_stamp = 0;
    std::string_view name;
};

inline InfoText info_of_text(std::string_view text) noexcept {
    InfoText info;
    if (text.size() >= sizeof info.time_date_stamp) {
        std::memcpy(&info.time_date_stamp, text.data(), sizeof info.time_date_stamp);
        info.name = text.substr(sizeof info.time_date_stamp);
    }
    return info;
}

} // namespace etl::facts
