// Providers and event descriptors, independent of sessions. Values; thread-safe. Header-only.
// docs/providers.md
#pragma once

#include "base/byte_writer.hpp"
#include "base/guid.hpp"
#include "format/encode.hpp"
#include "format/event_descriptor.hpp"
#include "format/provider_identity.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::provider {

using format::EventDescriptor;

/// Time and origin of an event; unknown IDs are format::unknown_id.
struct EventContext {
    std::int64_t time = 0; // raw, by the clock of the trace
    std::uint32_t process_id = format::unknown_id, thread_id = format::unknown_id;
    Guid activity{};
};

struct ProviderOptions {
    std::optional<Guid> guid{};  // none: derived from the name
    std::optional<Guid> group{}; // provider group, stored in the traits
};

/// A provider: name, GUID, and group. Immutable; thread-safe. Events point to it, so it must
/// outlive them.
class Provider {
public:
    /// `name` is UTF-8 and ends at its first NUL. If `options` has no GUID, it is derived from the
    /// name as in TraceLogging and EventSource (format::guid_of_provider_name).
    explicit Provider(std::string_view name, const ProviderOptions& options = {})
        : name_(name.substr(0, name.find('\0'))),
          guid_(options.guid ? *options.guid : format::guid_of_provider_name(name_)),
          group_(options.group) {
        constexpr std::uint8_t group_trait = 1;
        constexpr std::uint16_t group_trait_size = 2 + 1 + sizeof(Guid);
        ByteWriter traits;
        traits.u16(0).zero_terminated8(name_);
        if (group_) {
            traits.u16(group_trait_size).u8(group_trait).guid(*group_);
        }
        // A name with a size beyond 16 bits is too large for any event; encode reports it.
        traits.patch(0, static_cast<std::uint16_t>(traits.size()));
        traits_ = traits.take();
    }

    const std::string& name() const noexcept { return name_; }

    const Guid& guid() const noexcept { return guid_; }

    const std::optional<Guid>& group() const noexcept { return group_; }

    /// Returns the data of a PROV_TRAITS item (extended data item 12).
    /// docs/format/decoding.md#provider-traits
    Bytes traits() const noexcept { return traits_; }

private:
    std::string name_;
    Guid guid_;
    std::optional<Guid> group_;
    std::vector<std::byte> traits_;
};

/// Returns the record of an event without extended data items. `payload` is not copied.
inline format::EventRecord record_of(const Guid& provider, const EventDescriptor& descriptor,
                                     const EventContext& stamp, Bytes payload) noexcept {
    return {.process_id = stamp.process_id,
            .thread_id = stamp.thread_id,
            .time = stamp.time,
            .provider = provider,
            .descriptor = descriptor,
            .activity = stamp.activity,
            .payload = payload};
}

/// The extended data items of TraceLogging events, in the order used by Windows.
/// docs/format/record.md#extended
class SelfDescription {
public:
    /// Both must outlive records that use these items.
    SelfDescription(Bytes traits, Bytes metadata) noexcept
        : items_{format::ExtendedItem{format::ItemType::provider_traits, traits},
                 format::ExtendedItem{format::ItemType::event_schema_tl, metadata}} {}

    std::span<const format::ExtendedItem> items() const noexcept { return items_; }

private:
    std::array<format::ExtendedItem, 2> items_;
};

} // namespace etl::provider
