// How events of manifests are called. docs/format/decoding.md#event-names
#pragma once

#include "base/text.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace etl::schema {

/// `Task/Opcode`, without the opcode when that is 0; else the symbol; else the opcode. May be
/// empty.
inline std::string compose_event_name(std::string_view task, std::uint8_t opcode,
                                      std::string_view opcode_name, std::string_view symbol) {
    if (task.empty()) {
        return std::string(symbol.empty() ? opcode_name : symbol);
    }
    std::string name(task);
    if (opcode != 0 && !opcode_name.empty()) {
        name += '/';
        name += opcode_name;
    }
    return name;
}

/// A name as it is shown: `win:Start` is `Start`.
inline std::string_view without_win(std::string_view name) noexcept {
    constexpr std::string_view prefix = "win:";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

/// True for `task12`, `opcode_64`: names that an export tool made up because it found none. `kind`
/// is "task", "opcode" or "keyword".
inline bool is_made_up_name(std::string_view name, std::string_view kind) noexcept {
    if (name.size() <= kind.size() || !equals_ignoring_case(name.substr(0, kind.size()), kind)) {
        return false;
    }
    name.remove_prefix(kind.size());
    if (name.front() == '_') {
        name.remove_prefix(1);
    }
    return !name.empty() && name.find_first_not_of("0123456789") == name.npos;
}

/// Without the one line end or blank that the message compiler puts behind texts.
inline std::string_view without_message_end(std::string_view text) noexcept {
    if (text.ends_with("\r\n")) {
        return text.substr(0, text.size() - 2);
    }
    if (text.ends_with(' ') || text.ends_with('\n')) {
        return text.substr(0, text.size() - 1);
    }
    return text;
}

} // namespace etl::schema
