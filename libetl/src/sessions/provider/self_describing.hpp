// TraceLogging events built at run time: fields are added one by one together with their
// description. Not thread-safe; reuses its memory. Header-only. docs/providers.md#self-describing
//
//     SelfDescribingEvent event(provider, "CupFinished", {.level = 4, .keyword = 1});
//     event.add("Drink", u"espresso").add("Temperature", 93);
//     event.add_struct("Machine", [](auto& machine) { machine.add("Port", Port{631}); });
//     writer->add(event.record({.time = now}));
//
// If the fields are always the same, a StaticEvent is cheaper.
#pragma once

#include "format/limits.hpp"
#include "provider/provider.hpp"
#include "provider/wire.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace etl::provider {

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
        std::invoke(std::forward<Members>(members), *this);
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
            const auto add_members = [&] { std::invoke(members, *this, i); };
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
    /// and the data. encode reports size errors.
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
    /// more than 127 in a structure, structures nested deeper than limits::struct_depth, and
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
            std::invoke(std::forward<Members>(members));
        }
        if (clears != clears_) {
            return false;
        }
        if (!std::ranges::equal(metadata.view(), metadata_.view().subspan(begin))) {
            ++omitted_;
            return false;
        }
        payload_.bytes(payload.view());
        return true;
    }

    bool may_add(std::uint32_t depth) {
        const bool is_full = depth_ > 0 && members_ == wire::max_members;
        if (is_full || depth_ + depth > limits::struct_depth) {
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

} // namespace etl::provider
