// The data descriptors of an event. docs/compat.md#providers
#pragma once

#include <etl/compat/windows.h>

#include "compat/environment.hpp"
#include "format/extended_data.hpp"
#include "session/writing/event_writer.hpp"

#include <array>
#include <cstring>
#include <span>

namespace etl::compat {

/// Data descriptors as the library takes them: parts of the payload, and what their types make of
/// the others, where the registration said that types mean something.
template <std::size_t most>
class EventParts {
public:
    EventParts(const session::RegistrationNode& node, std::span<const EVENT_DATA_DESCRIPTOR> from,
               session::WriteOptions& options) noexcept {
        for (const EVENT_DATA_DESCRIPTOR& one : from) {
            if (one.Type != EVENT_DATA_DESCRIPTOR_TYPE_NONE && uses_types(node)) [[unlikely]] {
                add_typed(node, one, options);
            } else {
                parts_[parts_count_++] = bytes_of(one);
            }
        }
    }

    EventParts(const EventParts&) = delete;
    EventParts& operator=(const EventParts&) = delete;

    ~EventParts() {} // NOLINT(modernize-use-equals-default): a default one would be deleted

    /// False: a typed descriptor is not as its type wants it, or there are too many.
    bool is_valid() const noexcept { return is_valid_; }

    std::span<const Bytes> parts() const noexcept { return {parts_.data(), parts_count_}; }

    std::span<const format::ExtendedItem> items() const noexcept {
        return std::span(items_).first(items_count_);
    }

private:
    /// Memory that a caller described by an address in a number.
    static Bytes bytes_of(const EVENT_DATA_DESCRIPTOR& from) noexcept {
        return {reinterpret_cast<const std::byte*>( // NOLINT(*-reinterpret-cast,*-int-to-ptr)
                    static_cast<std::uintptr_t>(from.Ptr)),
                from.Size};
    }

    static bool uses_types(const session::RegistrationNode& node) noexcept {
        return !node.traits().empty() ||
               environment().typed.has(node.handle.load(std::memory_order_relaxed));
    }

    void add_typed(const session::RegistrationNode& node, const EVENT_DATA_DESCRIPTOR& one,
                   session::WriteOptions& options) noexcept {
        const Bytes data = bytes_of(one);
        if (one.Type == EVENT_DATA_DESCRIPTOR_TYPE_TIMESTAMP_OVERRIDE) {
            if (data.size() != sizeof time_) {
                is_valid_ = false;
                return;
            }
            std::memcpy(&time_, data.data(), sizeof time_);
            options.time = &time_;
        } else if (one.Type == EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA) {
            add_item(format::ItemType::event_schema_tl, data);
        } else if (one.Type == EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA) {
            if (node.traits().empty()) { // else the writer puts them there
                add_item(format::ItemType::provider_traits, data);
            }
        } else {
            parts_[parts_count_++] = data;
        }
    }

    void add_item(format::ItemType type, Bytes data) noexcept {
        if (items_count_ == items_.size()) {
            is_valid_ = false;
            return;
        }
        items_[items_count_++] = {type, data};
    }

    union { // not cleared: most events have few parts
        std::array<Bytes, most> parts_;
    };

    std::size_t parts_count_ = 0;
    std::array<format::ExtendedItem, 2> items_{};
    std::size_t items_count_ = 0;
    std::int64_t time_ = 0;
    bool is_valid_ = true;
};

} // namespace etl::compat
