#include "authoring/cpp/names.hpp"
#include "authoring/mc/provider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace etl::authoring {

namespace {

std::string guid_value(const Guid& guid) {
    const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(Guid)>>(guid);
    const auto number = [&](std::size_t at, std::size_t size) {
        std::uint32_t value = 0;
        for (std::size_t i = size; i-- > 0;) {
            value = value << 8U | bytes[at + i];
        }
        return value;
    };
    std::string text =
        fmt::format("{{0x{:08x}, 0x{:04x}, 0x{:04x}, {{", number(0, 4), number(4, 2), number(6, 2));
    for (std::size_t i = 8; i < bytes.size(); ++i) {
        text += fmt::format("{}0x{:02x}", i == 8 ? "" : ", ", bytes[i]);
    }
    return text + "}}";
}

// One trait: u16 size, u8 type, GUID.
std::string guid_trait(std::uint8_t type, const Guid& guid) {
    std::string trait{'\x13', '\0', static_cast<char>(type)};
    const auto bytes = std::bit_cast<std::array<char, sizeof(Guid)>>(guid);
    return trait.append(bytes.begin(), bytes.end());
}

} // namespace

// u16 size of all, name and NUL, traits. The literal adds a NUL behind it, which the size omits.
void McProvider::add_traits(CppCode& to) {
    to.line("#ifndef {}_Traits", symbol_);
    if (!has_traits()) {
        to.line("#define {}_Traits NULL", symbol_);
    } else {
        constexpr std::size_t longest_name = 60'000;
        std::string traits =
            code_->traits_have_name ? names_->name.substr(0, longest_name) : std::string();
        traits += '\0';
        if (!code_->group_guid.is_zero()) {
            traits += guid_trait(1, code_->group_guid);
        }
        if (!code_->control_guid.is_zero()) {
            traits += guid_trait(2, code_->provider);
        }
        const std::size_t size = traits.size() + 2;
        traits.insert(0, {static_cast<char>(size & 0xFFU), static_cast<char>(size >> 8U)});
        to.line("#define {}_Traits {}", symbol_, string_literal(traits));
    }
    to.line("#endif").blank();
}

void McProvider::add_constants(CppCode& to) {
    to.line("// Provider {}, {}", comment_text(names_->name), to_string(names_->guid));
    to.line("_mcgen_CONST GUID {} = {};", symbol_, guid_value(names_->guid));
    if (!code_->control_guid.is_zero()) {
        to.line("_mcgen_CONST GUID {}_ControlGuid = {};", symbol_, guid_value(code_->control_guid));
    }
    add_traits(to);
    add_list(to, "Channels", "CHANNEL", code_->channels);
    add_list(to, "Levels", "LEVEL", code_->levels);
    add_list(to, "Opcodes", "OPCODE", code_->opcodes);
    add_list(to, "Tasks", "TASK", code_->tasks);
    add_list(to, "Keywords", "KEYWORD", code_->keywords);
    to.line("// Events");
    for (const Event& event : events_) {
        const schema::EventSchema& schema = *event.schema;
        to.line("_mcgen_CONST EVENT_DESCRIPTOR {} = {{0x{:x}, 0x{:x}, 0x{:x}, 0x{:x}, 0x{:x}, "
                "0x{:x}, 0x{:x}}};",
                event.symbol, schema.id, schema.version, schema.channel, schema.level,
                schema.opcode, schema.task, event.keyword);
        to.line("#define {}_value 0x{:x}", event.symbol, schema.id);
    }
    to.blank();
}

void McProvider::add_list(CppCode& to, std::string_view title, std::string_view kind,
                          const std::vector<schema::CodeNames::Constant>& constants) {
    if (constants.empty()) {
        return;
    }
    to.line("// {}", title);
    for (const schema::CodeNames::Constant& constant : constants) {
        const std::string name = sharing_->names.take(
            constant.symbol, fmt::format("{}_{}_{}", symbol_, kind, constant.name));
        to.line("#define {} 0x{:x}", name, constant.value);
        if (!constant.guid.is_zero()) {
            to.line("_mcgen_CONST GUID {} = {};",
                    sharing_->names.take({}, mc_identifier(constant.name) + "Id"),
                    guid_value(constant.guid));
        }
    }
    to.blank();
}

// Entries are called by the symbol of the map and their own.
void McProvider::add_maps(CppCode& to) {
    for (const bool is_bits : {true, false}) {
        for (const schema::CodeNames::Map& map : code_->maps) {
            const bool has_symbols = std::ranges::any_of(
                map.entries, [](const auto& entry) { return !entry.second.empty(); });
            if (map.is_bits != is_bits || map.symbol.empty() || !has_symbols) {
                continue;
            }
            const std::string type = sharing_->names.take(map.symbol, {});
            to.line("// {}", is_bits ? "Bits" : "Values");
            to.line("typedef enum _{} {{", type);
            for (const auto& [value, symbol] : map.entries) {
                if (!symbol.empty()) {
                    to.line("    {} = {},", sharing_->names.take({}, type + symbol),
                            static_cast<std::int32_t>(value));
                }
            }
            to.line("}} {};", type).blank();
        }
    }
}

void McProvider::add_messages(CppCode& to) {
    std::vector<schema::CodeNames::Message> messages = code_->messages;
    std::ranges::stable_sort(messages, {}, &schema::CodeNames::Message::number);
    for (const schema::CodeNames::Message& message : messages) {
        to.line("#define {} 0x{:08X}L", sharing_->names.take({}, "MSG_" + message.string_id),
                message.number);
    }
}

} // namespace etl::authoring
