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
    constexpr std::uint32_t wraps_win32 = 0x8007;
    return space == ErrorSpace::hresult && code >> 16U == wraps_win32
               ? error_name(ErrorSpace::win32, code & 0xFFFFU)
               : std::string_view{};
}

} // namespace etl::decode
