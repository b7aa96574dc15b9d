// Events of a C++ program: providers, and the three ways to describe an event. Independent of
// sessions. What `etl schema header` writes includes this header alone. Header-only.
// docs/providers.md
//
// At run time, field by field (docs/providers.md#self-describing):
//
//     SelfDescribingEvent event(provider, "CupFinished", {.level = 4, .keyword = 1});
//     event.add("Drink", u"espresso").add("Temperature", 93);
//     event.add_struct("Machine", [](auto& machine) { machine.add("Port", Port{631}); });
//     writer->add(event.record({.time = now}));
//
// At compile time, if the fields are always the same, which is cheaper (docs/providers.md#static):
//
//     StaticEvent<"CupFinished", EventOptions{.level = 4}, Field<"Drink", std::u16string_view>,
//                 Field<"Temperature", std::int32_t>>
//         cup_finished(provider);
//     writer->add(cup_finished.record({.time = now}, u"espresso", 93));
//
// By a manifest, with the functions that `etl schema header` generates
// (docs/providers.md#manifests).
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/guid.hpp>
#include <etl/record.hpp>
#include <etl/wire.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
        // A name with a size beyond 16 bits is too large for any event; a writer reports it.
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

/// Properties of an event other than its fields.
struct EventOptions {
    std::uint8_t level = 5; // verbose
    std::uint8_t opcode = 0;
    std::uint64_t keyword = 0;
    std::uint32_t tag = 0; // 28 bits, provider-defined
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint16_t task = 0;

    constexpr EventDescriptor descriptor() const noexcept {
        return {.id = id,
                .version = version,
                .channel = format::tracelogging_channel,
                .level = level,
                .opcode = opcode,
                .task = task,
                .keyword = keyword};
    }
};

/// A provider-defined 28-bit tag of a field.
struct FieldTag {
    std::uint32_t value = 0;
};

/// A TraceLogging event whose fields are added one by one together with their description. Not
/// thread-safe; reuses its memory.
class SelfDescribingEvent {
public:
    /// `name` is UTF-8 and ends at its first NUL, like all names in this class.
    SelfDescribingEvent(const Provider& provider, std::string_view name,
                        const EventOptions& options = {})
        : provider_(&provider), options_(options), name_(name) {
        clear();
    }

    SelfDescribingEvent(Provider&&, std::string_view, const EventOptions& = {}) = delete;

    /// Appends a field with its value. The type of the value determines that of the field
    /// (docs/providers.md#types).
    template <Loggable T>
    SelfDescribingEvent& add(std::string_view name, const T& value, FieldTag tag = {}) {
        if (may_add(Wire<T>::depth)) {
            wire::define<T>(metadata_, name, tag.value);
            Wire<T>::write(payload_, value);
        }
        return *this;
    }

    template <Loggable T>
    SelfDescribingEvent& add(std::string_view name, std::initializer_list<T> values,
                             FieldTag tag = {}) {
        return add<std::initializer_list<T>>(name, values, tag);
    }

    /// Appends a structure with the fields that `members` adds to its argument, which is this
    /// event. If `members` throws, the structure contains the fields added so far. `members` may
    /// clear() the event, which also removes the structure; fields added afterwards are not part of
    /// it.
    template <typename Members>
        requires std::invocable<Members, SelfDescribingEvent&>
    SelfDescribingEvent& add_struct(std::string_view name, Members&& members, FieldTag tag = {}) {
        if (!may_add(1)) {
            return *this;
        }
        // The out byte contains the number of members, so it always exists; initially 0.
        constexpr auto in = static_cast<std::uint8_t>(In::structure);
        wire::write_name(metadata_, name);
        metadata_.u8(in | wire::more);
        const std::size_t out = metadata_.size();
        const std::uint8_t tag_follows = tag.value != 0 ? wire::more : std::uint8_t{0};
        metadata_.u8(tag_follows);
        if (tag.value != 0) {
            wire::write_tag(metadata_, tag.value);
        }
        const Inside inside(*this, out, tag_follows);
        std::forward<Members>(members)(*this);
        return *this;
    }

    /// Appends an array of `count` structures: `members(event, i)` adds the fields of element i to
    /// its argument, which is this event. All elements have the fields of the first, with the same
    /// names and types; others are omitted, and so is what exceeds 65,535 elements. Otherwise as
    /// add_struct().
    template <typename Members>
        requires std::invocable<Members, SelfDescribingEvent&, std::size_t>
    SelfDescribingEvent& add_structs(std::string_view name, std::size_t count, Members&& members,
                                     FieldTag tag = {}) {
        if (!may_add(1)) {
            return *this;
        }
        wire::write_name(metadata_, name);
        metadata_.u8(static_cast<std::uint8_t>(In::structure) | wire::variable_count | wire::more);
        const std::size_t out = metadata_.size();
        const std::uint8_t tag_follows = tag.value != 0 ? wire::more : std::uint8_t{0};
        metadata_.u8(tag_follows);
        if (tag.value != 0) {
            wire::write_tag(metadata_, tag.value);
        }
        const std::size_t begin = metadata_.size();
        const std::size_t size_at = payload_.size();
        payload_.u16(0);
        const std::uint32_t clears = clears_;
        std::uint16_t added = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (added == 0xFFFF) {
                omitted_ += count - i;
                break;
            }
            const auto add_members = [&] { members(*this, i); };
            bool is_added = true;
            if (i == 0) {
                const Inside inside(*this, out, tag_follows);
                add_members();
            } else {
                is_added = add_element(begin, add_members);
            }
            if (clears != clears_) { // the array was removed
                return *this;
            }
            if (is_added) {
                payload_.patch(size_at, ++added);
            }
        }
        return *this;
    }

    /// Appends a field in a custom serialization (Bond, protobuf, ...): a description of its type,
    /// and the data. a writer reports size errors.
    SelfDescribingEvent& add_custom(std::string_view name, Bytes type, Bytes data,
                                    FieldTag tag = {}) {
        if (may_add(0)) {
            wire::write_head(metadata_, name, wire::custom_count, 0, tag.value);
            wire::write_u16(metadata_, type.size());
            metadata_.bytes(type);
            wire::write_counted(payload_, data);
        }
        return *this;
    }

    /// Removes all fields.
    SelfDescribingEvent& clear() {
        metadata_.clear();
        payload_.clear();
        wire::write_u16(metadata_, 0); // size, set by record()
        wire::write_tag(metadata_, options_.tag);
        wire::write_name(metadata_, name_);
        omitted_ = 0;
        depth_ = 0;
        members_ = 0;
        ++clears_;
        return *this;
    }

    /// Returns the number of fields that were not added because the format does not support them:
    /// more than 127 in a structure, structures nested deeper than format::max_struct_depth, and
    /// elements of an array that differ from its first one.
    std::size_t omitted() const noexcept { return omitted_; }

    /// Returns the event as a record, valid until the next call on this object. format::encode
    /// rejects an event that is too large (limit).
    format::EventRecord record(const EventContext& stamp) & {
        metadata_.patch(0, static_cast<std::uint16_t>(metadata_.size()));
        description_ = {provider_->traits(), metadata_.view()};
        format::EventRecord record =
            record_of(provider_->guid(), options_.descriptor(), stamp, payload_.view());
        record.items = description_.items();
        return record;
    }

private:
    /// Scope in which members of a structure are added.
    class Inside {
    public:
        Inside(SelfDescribingEvent& event, std::size_t out, std::uint8_t tag_follows) noexcept
            : event_(&event), members_outside_(std::exchange(event.members_, 0)), out_(out),
              clears_(event.clears_), tag_follows_(tag_follows) {
            ++event.depth_;
        }

        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

        ~Inside() {
            if (clears_ != event_->clears_) { // the structure was removed
                return;
            }
            --event_->depth_;
            event_->metadata_.patch(out_,
                                    static_cast<std::uint8_t>(tag_follows_ | event_->members_));
            event_->members_ = members_outside_;
        }

    private:
        SelfDescribingEvent* event_;
        std::uint32_t members_outside_;
        std::size_t out_; // position of the structure's out byte
        std::uint32_t clears_;
        std::uint8_t tag_follows_;
    };

    /// Scope in which an element of an array, not the first, is added: apart from the event.
    class Apart {
    public:
        Apart(SelfDescribingEvent& event, ByteWriter& metadata, ByteWriter& payload) noexcept
            : event_(&event), metadata_(&metadata), payload_(&payload),
              members_outside_(std::exchange(event.members_, 0)), clears_(event.clears_) {
            ++event.depth_;
            swap();
        }

        Apart(const Apart&) = delete;
        Apart& operator=(const Apart&) = delete;

        ~Apart() {
            if (clears_ != event_->clears_) { // the array was removed
                return;
            }
            swap();
            --event_->depth_;
            event_->members_ = members_outside_;
        }

    private:
        void swap() noexcept {
            std::swap(*metadata_, event_->metadata_);
            std::swap(*payload_, event_->payload_);
        }

        SelfDescribingEvent* event_;
        ByteWriter* metadata_;
        ByteWriter* payload_;
        std::uint32_t members_outside_;
        std::uint32_t clears_;
    };

    /// Adds an element whose description must equal the one from `begin` on. Returns whether it
    /// does.
    template <typename Members>
    bool add_element(std::size_t begin, Members&& members) {
        ByteWriter metadata, payload;
        const std::uint32_t clears = clears_;
        {
            const Apart apart(*this, metadata, payload);
            std::forward<Members>(members)();
        }
        if (clears != clears_) {
            return false;
        }
        const Bytes first = metadata_.view().subspan(begin);
        if (!std::equal(first.begin(), first.end(), metadata.view().begin(),
                        metadata.view().end())) {
            ++omitted_;
            return false;
        }
        payload_.bytes(payload.view());
        return true;
    }

    bool may_add(std::uint32_t depth) {
        const bool is_full = depth_ > 0 && members_ == wire::max_members;
        if (is_full || depth_ + depth > format::max_struct_depth) {
            ++omitted_;
            return false;
        }
        ++members_;
        return true;
    }

    const Provider* provider_;
    EventOptions options_;
    std::string name_;
    ByteWriter metadata_, payload_;
    SelfDescription description_{{}, {}};
    std::uint32_t depth_ = 0;   // depth of the current structure; 0: the event itself
    std::uint32_t members_ = 0; // number of its members so far
    std::size_t omitted_ = 0;
    std::uint32_t clears_ = 0; // number of clear() calls
};

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
    static_assert(size <= format::max_record_size, "an event of too many fields");
    std::array<std::byte, size> bytes{};
    ConstantWriter writer{bytes.data()};
    write_metadata<Fields...>(writer, Name.view(), Tag, size);
    return bytes;
}

} // namespace wire

/// A TraceLogging event with constant metadata: logging only copies values. Not thread-safe.
template <FixedString Name, EventOptions Options, typename... Fields>
class StaticEvent {
public:
    /// EVENT_SCHEMA_TL data. docs/format/decoding.md#tracelogging
    static constexpr auto metadata = wire::make_metadata<Name, Options.tag, Fields...>();

    explicit StaticEvent(const Provider& provider) noexcept
        : provider_(&provider), description_(provider.traits(), metadata) {}

    explicit StaticEvent(Provider&&) = delete;

    /// Returns the event with these values as a record, valid until the next call on this object.
    /// A writer rejects an event that is too large (limit).
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

/// An event of a manifest with its payload, ready to be written. Not thread-safe.
class Event {
public:
    const Guid& provider() const noexcept { return provider_; }

    const EventDescriptor& descriptor() const noexcept { return descriptor_; }

    Bytes payload() const noexcept { return payload_.view(); }

    /// Returns the event as a record that points into this object. A writer rejects an event
    /// that is too large (limit).
    format::EventRecord record(const EventContext& stamp) const& noexcept {
        return record_of(provider_, descriptor_, stamp, payload_.view());
    }

    format::EventRecord record(const EventContext& stamp) const&& = delete;

    /// Resets this to an event without a payload and returns the writer for the payload. Reuses its
    /// memory.
    ByteWriter& begin(const Guid& provider, const EventDescriptor& descriptor) noexcept {
        provider_ = provider;
        descriptor_ = descriptor;
        payload_.clear();
        return payload_;
    }

private:
    Guid provider_;
    EventDescriptor descriptor_;
    ByteWriter payload_;
};

/// Writes values like code generated by Windows' message compiler: without padding; text is
/// terminated unless its length is stored elsewhere. docs/format/decoding.md#types
class PayloadWriter {
public:
    explicit PayloadWriter(ByteWriter& to) noexcept : to_(&to) {}

    /// Writes a number, a GUID, or a type of etl/wire.hpp, in its own width.
    template <typename T>
        requires requires(ByteWriter& to, const T& value) { append_to(to, value); }
    PayloadWriter& value(const T& value) {
        append_to(*to_, value);
        return *this;
    }

    /// Writes a number, Boolean, or enumeration in the width of T.
    template <typename T, typename From>
    PayloadWriter& value_as(From value) {
        return this->value(static_cast<T>(value));
    }

    /// Writes text up to its first NUL, and a NUL.
    PayloadWriter& terminated(std::u16string_view text) {
        append_to(*to_, text.substr(0, text.find(u'\0')));
        to_->u16(0);
        return *this;
    }

    PayloadWriter& terminated(std::string_view text) {
        to_->zero_terminated8(text.substr(0, text.find('\0')));
        return *this;
    }

    /// Writes a u16 with the number of bytes, followed by the text or data.
    PayloadWriter& counted(std::u16string_view text) {
        to_->u16(static_cast<std::uint16_t>(2 * text.size()));
        append_to(*to_, text);
        return *this;
    }

    PayloadWriter& counted(std::string_view text) {
        to_->u16(static_cast<std::uint16_t>(text.size())).text8(text);
        return *this;
    }

    PayloadWriter& counted(Bytes data) {
        to_->u16(static_cast<std::uint16_t>(data.size())).bytes(data);
        return *this;
    }

    /// Writes data that extends to the end of the payload.
    PayloadWriter& rest(Bytes data) {
        to_->bytes(data);
        return *this;
    }

    /// Writes text or data whose length is stored elsewhere, truncated or padded with zeros.
    PayloadWriter& sized(std::u16string_view text, std::size_t units) {
        append_to(*to_, text.substr(0, units));
        to_->fill(2 * (units - std::min(units, text.size())));
        return *this;
    }

    PayloadWriter& sized(std::string_view text, std::size_t bytes) {
        return sized(std::as_bytes(std::span(text)), bytes);
    }

    PayloadWriter& sized(Bytes data, std::size_t bytes) {
        to_->bytes(clamped(data, 0, bytes));
        to_->fill(bytes - std::min(bytes, data.size()));
        return *this;
    }

    /// Writes `count` elements using `write`; elements missing in `values` are empty.
    template <typename T, std::size_t Extent, typename Write>
    PayloadWriter& each(std::span<const T, Extent> values, std::size_t count, Write write) {
        for (std::size_t i = 0; i < count; ++i) {
            write(i < values.size() ? values[i] : std::remove_cv_t<T>{});
        }
        return *this;
    }

private:
    ByteWriter* to_;
};

/// Returns the value of a length or count field of type T: the maximum of the sizes that it applies
/// to, limited by T and by the size of a payload.
template <typename T>
constexpr std::size_t length_for(std::initializer_list<std::size_t> sizes) noexcept {
    static_assert(std::is_integral_v<T>);
    constexpr std::uint64_t of_type = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    constexpr std::uint64_t max = std::min<std::uint64_t>(of_type, format::max_record_size + 1);
    std::size_t length = 0;
    for (const std::size_t size : sizes) {
        length = std::max(length, size);
    }
    return std::min(length, static_cast<std::size_t>(max));
}

/// Returns the maximum size of `values`.
template <typename T, std::size_t Extent>
constexpr std::size_t max_size(std::span<const T, Extent> values) noexcept {
    std::size_t size = 0;
    for (const T& value : values) {
        size = std::max(size, value.size());
    }
    return size;
}

} // namespace etl::provider
