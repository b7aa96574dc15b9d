// How events of manifests are called. docs/format/decoding.md#event-names
#pragma once

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
