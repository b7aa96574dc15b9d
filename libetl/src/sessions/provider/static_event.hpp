// TraceLogging events with fields known at compile time: the metadata is constant, and logging only
// copies values. Not thread-safe. Header-only. docs/providers.md#static
//
//     StaticEvent<"CupFinished", EventOptions{.level = 4}, Field<"Drink", std::u16string_view>,
//                 Field<"Temperature", std::int32_t>>
//         cup_finished(provider);
//     writer->add(cup_finished.record({.time = now}, u"espresso", 93));
#pragma once

#include "format/limits.hpp"
#include "provider/self_describing.hpp"

#include <array>

namespace etl::provider {

/// A field of a StaticEvent: its name and value type.
template <FixedString Name, Loggable T, std::uint32_t Tag = 0>
struct Field {
    using Type = T;
    static constexpr std::string_view name = Name.view();
    static constexpr std::uint32_t tag = Tag;
};

namespace wire {

/// Counts bytes and, if `place` is set, stores them.
struct ConstantWriter {
    constexpr void u8(std::uint8_t value) {
        if (place != nullptr) {
            place[size] = static_cast<std::byte>(value);
        }
        ++size;
    }

    std::byte* place = nullptr;
    std::size_t size = 0;
};

template <typename... Fields>
constexpr void write_metadata(ConstantWriter& to, std::string_view name, std::uint32_t tag,
                              std::size_t size) {
    write_u16(to, size);
    write_tag(to, tag);
    write_name(to, name);
    (define<typename Fields::Type>(to, Fields::name, Fields::tag), ...);
}

/// Returns the EVENT_SCHEMA_TL data of an event.
template <FixedString Name, std::uint32_t Tag, typename... Fields>
consteval auto make_metadata() {
    constexpr std::size_t size = [] {
        ConstantWriter counter;
        write_metadata<Fields...>(counter, Name.view(), Tag, 0);
        return counter.size;
    }();
    static_assert(size <= limits::metadata_bytes, "an event of too many fields");
    std::array<std::byte, size> bytes{};
    ConstantWriter writer{bytes.data()};
    write_metadata<Fields...>(writer, Name.view(), Tag, size);
    return bytes;
}

} // namespace wire

template <FixedString Name, EventOptions Options, typename... Fields>
class StaticEvent {
public:
    /// EVENT_SCHEMA_TL data. docs/format/decoding.md#tracelogging
    static constexpr auto metadata = wire::make_metadata<Name, Options.tag, Fields...>();

    explicit StaticEvent(const Provider& provider) noexcept
        : provider_(&provider), description_(provider.traits(), metadata) {}

    explicit StaticEvent(Provider&&) = delete;

    /// Returns the event with these values as a record, valid until the next call on this object.
    /// format::encode rejects an event that is too large (limit).
    format::EventRecord record(const EventContext& stamp,
                               const typename Fields::Type&... values) & {
        payload_.clear();
        (Wire<typename Fields::Type>::write(payload_, values), ...);
        format::EventRecord record =
            record_of(provider_->guid(), Options.descriptor(), stamp, payload_.view());
        record.items = description_.items();
        return record;
    }

private:
    const Provider* provider_;
    SelfDescription description_;
    ByteWriter payload_;
};

} // namespace etl::provider
