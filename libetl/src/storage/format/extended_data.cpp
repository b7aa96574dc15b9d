#include "format/extended_data.hpp"

#include <etl/guid.hpp>

#include <algorithm>
#include <string>

namespace etl::format {

namespace {

bool has_whole_size(Bytes blob) noexcept {
    if (blob.size() < 2) {
        return false;
    }
    const std::size_t size = load_le<std::uint16_t>(blob.data());
    return size >= 2 && size <= blob.size();
}

bool is_sid(Bytes data) noexcept {
    constexpr std::size_t head = 8, max_parts = 15;
    if (data.size() < head || data[0] != std::byte{1}) {
        return false;
    }
    const auto parts = std::to_integer<std::size_t>(data[1]);
    return parts <= max_parts && data.size() == head + 4 * parts;
}

/// Windows stores it as text.
bool is_guid_text(Bytes data) noexcept {
    constexpr std::size_t plain = 36, max = 39; // with braces and a NUL
    const bool is_wide = data.size() >= 2 * plain;
    const std::size_t units = data.size() / (is_wide ? 2 : 1);
    if (units < plain || units > max || (is_wide && data.size() % 2 != 0)) {
        return false;
    }
    std::array<char, max> text{};
    for (std::size_t i = 0; i < units; ++i) {
        const unsigned unit = is_wide ? load_le<std::uint16_t>(data.data() + 2 * i)
                                      : std::to_integer<unsigned>(data[i]);
        if (unit > 0x7F) {
            return false;
        }
        text[i] = static_cast<char>(unit);
    }
    std::string_view guid(text.data(), units);
    guid.remove_suffix(guid.ends_with('\0') ? 1 : 0);
    return parse_guid(guid).has_value();
}

bool is_stack(std::size_t size, std::size_t address_size) noexcept {
    constexpr std::size_t match_id = 8;
    return size >= match_id && (size - match_id) % address_size == 0;
}

ItemLayout numbers_if(bool has_layout) noexcept {
    return has_layout ? ItemLayout::numbers : ItemLayout::unknown;
}

} // namespace

ItemLayout layout_of(const ExtendedItem& item) noexcept {
    constexpr std::size_t key = 8, instance_info = 24, stack_key = 16;
    const std::size_t size = item.data.size();
    switch (item.type) {
    case ItemType::sid:
        return is_sid(item.data) ? ItemLayout::sid : ItemLayout::unknown;
    case ItemType::event_schema_tl:
        return has_whole_size(item.data) ? ItemLayout::event_schema : ItemLayout::unknown;
    case ItemType::provider_traits:
        return has_whole_size(item.data) ? ItemLayout::provider_traits : ItemLayout::unknown;
    case ItemType::related_activity_id:
    case ItemType::control_guid:
        return numbers_if(size == sizeof(Guid));
    case ItemType::container_id:
        return numbers_if(size == sizeof(Guid) || is_guid_text(item.data));
    case ItemType::terminal_session_id:
        return numbers_if(size == 4);
    case ItemType::instance_info:
        return numbers_if(size == instance_info);
    case ItemType::stack_trace32:
        return numbers_if(is_stack(size, 4));
    case ItemType::stack_trace64:
        return numbers_if(is_stack(size, 8));
    case ItemType::pmc_counters:
        return numbers_if(size % key == 0);
    case ItemType::pebs_index:
    case ItemType::psm_key:
    case ItemType::event_key:
    case ItemType::process_start_key:
    case ItemType::qpc_delta:
        return numbers_if(size == key);
    case ItemType::stack_key32:
        return numbers_if(size == stack_key32_size || size == stack_key);
    case ItemType::stack_key64:
        return numbers_if(size == stack_key);
    }
    return ItemLayout::unknown;
}

} // namespace etl::format
