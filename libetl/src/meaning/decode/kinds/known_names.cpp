// Lookups in the embedded tables.
#include "decode/known_names.hpp"

#include "decode/schema_tables.hpp"
#include "format/kernel_group.hpp"

#include <algorithm>

namespace etl::decode {

namespace {

/// Any event of the class; null: the class is not in the table.
const tables::ClassicEvent* find_class(const Guid& event_class) noexcept {
    const auto events = tables::classic_events();
    const auto found = std::ranges::find(events, event_class, &tables::ClassicEvent::class_guid);
    return found != events.end() ? &*found : nullptr;
}

} // namespace

HookName hook_name(std::uint16_t hook_id) noexcept {
    const auto hooks = tables::hooks();
    const auto found = std::ranges::lower_bound(hooks, hook_id, {}, &HookName::hook_id);
    return found != hooks.end() && found->hook_id == hook_id ? *found : HookName{hook_id, {}, {}};
}

NamedClassEvents find_class_events(std::string_view name, const Guid* within) noexcept {
    NamedClassEvents found;
    const auto add = [&](const ClassEvent& event) {
        const bool is_known = found.count > 0 && found.first.type == event.type &&
                              found.first.event_class == event.event_class;
        if (event.event_class.is_zero() || is_known ||
            (within != nullptr && event.event_class != *within)) {
            return;
        }
        found.first = found.count == 0 ? event : found.first;
        ++found.count;
    };
    for (const HookName& hook : tables::hooks()) {
        if (hook.event.empty() ? hook.symbol == name : hook.event == name) {
            add({.event_class = format::class_of_hook(hook.hook_id),
                 .type = static_cast<std::uint8_t>(hook.hook_id),
                 .has_hook = true});
        }
    }
    for (const tables::ClassicEvent& event : tables::classic_events()) {
        if (event.event == name && event.is_of_kernel()) {
            add({.event_class = event.class_guid, .type = event.type});
        }
    }
    return found;
}

std::string_view ungrouped_class_name(const Guid& event_class) noexcept {
    const tables::ClassicEvent* const event = find_class(event_class);
    return event != nullptr && event->is_of_kernel()
               ? event->event.substr(0, event->event.find('/'))
               : std::string_view{};
}

std::string_view known_provider_name(const Guid& guid) noexcept {
    const auto providers = tables::providers();
    const auto found = std::ranges::find(providers, guid, &tables::Provider::guid);
    if (found != providers.end()) {
        return found->name;
    }
    const tables::ClassicEvent* const event = find_class(guid);
    return event != nullptr && !event->is_of_kernel() ? event->provider : std::string_view{};
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
