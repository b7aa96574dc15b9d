// Lookups in the embedded tables.
#include <etl/decode/error_names.hpp>
#include <etl/decode/hook_names.hpp>
#include <etl/decode/known_providers.hpp>

#include "decode/schema_tables.hpp"

#include <algorithm>

namespace etl::decode {

HookName hook_name(std::uint16_t hook_id) noexcept {
    const auto hooks = tables::hooks();
    const auto found = std::ranges::lower_bound(hooks, hook_id, {}, &HookName::hook_id);
    return found != hooks.end() && found->hook_id == hook_id ? *found : HookName{hook_id, {}, {}};
}

std::string_view ungrouped_class_name(const Guid& event_class) noexcept {
    const auto events = tables::classic_events();
    const auto found = std::ranges::find(events, event_class, &tables::ClassicEvent::class_guid);
    return found != events.end() ? found->event.substr(0, found->event.find('/'))
                                 : std::string_view{};
}

std::string_view known_provider_name(const Guid& guid) noexcept {
    const auto providers = tables::providers();
    const auto found = std::ranges::find(providers, guid, &tables::Provider::guid);
    return found != providers.end() ? found->name : std::string_view{};
}

std::string_view error_name(ErrorSpace space, std::uint32_t code) noexcept {
    for (const auto& known : tables::error_codes()) {
        if (known.space == space && known.code == code) {
            return known.name;
        }
    }
    constexpr std::uint32_t failure = 0x80000000;
    constexpr std::uint32_t wraps_win32 = 0x8007;
    constexpr std::uint32_t wraps_ntstatus = 0x10000000;
    if (space == ErrorSpace::hresult && code >> 16U == wraps_win32) {
        return error_name(ErrorSpace::win32, code & 0xFFFFU);
    }
    if (space == ErrorSpace::hresult && (code & wraps_ntstatus) != 0) {
        return error_name(ErrorSpace::ntstatus, code & ~wraps_ntstatus);
    }
    // Windows looks both up in the messages of the system.
    return space == ErrorSpace::win32 && (code & failure) != 0
               ? error_name(ErrorSpace::hresult, code)
               : std::string_view{};
}

} // namespace etl::decode
