// Providers with descriptors: EventRegister, EventWrite and the rest. docs/compat.md#providers
#include <etl/compat/windows.h>
#include <etl/session.hpp>

#include "compat/c_values.hpp"
#include "compat/environment.hpp"
#include "session/writing/event_writer.hpp"

#include <array>
#include <cstring>
#include <span>
#include <string_view>

namespace etl::compat {

namespace {

// The data descriptors of an event. docs/compat.md#providers

/// Data descriptors as the library takes them: parts of the payload, and what their types make of
/// the others, where the registration said that types mean something.
template <std::size_t max>
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
        std::array<Bytes, max> parts_;
    };

    std::size_t parts_count_ = 0;
    std::array<format::ExtendedItem, 2> items_{};
    std::size_t items_count_ = 0;
    std::int64_t time_ = 0;
    bool is_valid_ = true;
};

} // namespace

using session::RegistrationNode;

namespace {

/// What a callback is given in place of a schematized filter: the same, with the bit of the session
/// in its header.
class ShownFilter {
public:
    explicit ShownFilter(const session::EnableNotification& notice) {
        if (notice.filter == nullptr) {
            return;
        }
        data_ = notice.filter->data;
        constexpr std::size_t bit_at = offsetof(EVENT_FILTER_HEADER, InstanceId);
        if (data_.size() >= sizeof(EVENT_FILTER_HEADER)) {
            std::memcpy(data_.data() + bit_at, &notice.session_bit, sizeof notice.session_bit);
        }
        descriptor_.Ptr =
            reinterpret_cast<std::uintptr_t>(data_.data()); // NOLINT(*-reinterpret-cast)
        descriptor_.Size = static_cast<ULONG>(data_.size());
        descriptor_.Type = notice.filter->type;
        has_filter_ = true;
    }

    EVENT_FILTER_DESCRIPTOR* get() noexcept { return has_filter_ ? &descriptor_ : nullptr; }

private:
    std::vector<std::byte> data_;
    EVENT_FILTER_DESCRIPTOR descriptor_{};
    bool has_filter_ = false;
};

session::EnableCallback callback_of(PENABLECALLBACK callback, PVOID context) {
    if (callback == nullptr) {
        return {};
    }
    return [callback, context](const session::EnableNotification& notice) {
        const GUID source = to_c(notice.source);
        ShownFilter filter(notice);
        callback(&source, notice.is_enabled, notice.level, notice.match_any, notice.match_all,
                 filter.get(), context);
    };
}

/// What EventWriteEx can say beside descriptor and data.
struct Options {
    ULONG64 excluded = 0;
    ULONG flags = 0;
    const GUID* activity = nullptr;
    const GUID* related = nullptr;
};

/// GUIDs for as long as an event is written.
struct Activities {
    Guid activity, related;
    session::WriteOptions options;

    Activities(const Options& from) noexcept { // NOLINT(google-explicit-constructor)
        options.excluded_sessions = from.excluded;
        options.is_in_private = (from.flags & EVENT_WRITE_FLAG_INPRIVATE) != 0;
        if (from.activity != nullptr) {
            activity = to_guid(*from.activity);
            options.activity = &activity;
        }
        if (from.related != nullptr) {
            related = to_guid(*from.related);
            options.related = &related;
        }
    }

    Activities(const Activities&) = delete;
    Activities& operator=(const Activities&) = delete;
};

format::EventDescriptor to_descriptor(const EVENT_DESCRIPTOR& from) noexcept {
    return {.id = from.Id,
            .version = from.Version,
            .channel = from.Channel,
            .level = from.Level,
            .opcode = from.Opcode,
            .task = from.Task,
            .keyword = from.Keyword};
}

template <std::size_t max>
ULONG write_parts(const RegistrationNode& node, const format::EventDescriptor& descriptor,
                  std::span<const EVENT_DATA_DESCRIPTOR> data, Activities&& all) noexcept {
    const EventParts<max> parts(node, data, all.options);
    if (!parts.is_valid()) [[unlikely]] {
        return ERROR_INVALID_PARAMETER;
    }
    return to_c(session::write_event(
                    node,
                    {.descriptor = &descriptor, .parts = parts.parts(), .items = parts.items()},
                    all.options)
                    .status);
}

ULONG write(REGHANDLE handle, const EVENT_DESCRIPTOR* from, const Options& options, ULONG count,
            const EVENT_DATA_DESCRIPTOR* data) {
    if (from == nullptr) {
        return ERROR_INVALID_PARAMETER;
    }
    const RegistrationNode* node = environment().registrations.find(handle);
    if (node == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    if (count > session::max_parts || (data == nullptr && count != 0)) {
        return ERROR_INVALID_PARAMETER;
    }
    if (!node->state.accepts(from->Level, from->Keyword)) [[likely]] {
        return ERROR_SUCCESS;
    }
    constexpr std::size_t few = 16;
    const auto descriptor = to_descriptor(*from);
    return count <= few
               ? write_parts<few>(*node, descriptor, {data, count}, options)
               : write_parts<session::max_parts>(*node, descriptor, {data, count}, options);
}

ULONG write_string(REGHANDLE handle, UCHAR level, ULONGLONG keyword, PCWSTR text) {
    if (text == nullptr) {
        return ERROR_INVALID_PARAMETER;
    }
    const RegistrationNode* node = environment().registrations.find(handle);
    if (node == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    if (!node->state.accepts(level, keyword)) {
        return ERROR_SUCCESS;
    }
    constexpr std::uint16_t legacy_event_log = 4; // EVENT_HEADER_PROPERTY_LEGACY_EVENTLOG
    const format::EventDescriptor descriptor{.level = level, .keyword = keyword};
    const std::u16string_view view(text);
    const std::array parts{std::as_bytes(std::span(view.data(), view.size() + 1))};
    return to_c(session::write_event(*node, {.descriptor = &descriptor, .parts = parts},
                                     {.is_string = true, .property = legacy_event_log})
                    .status);
}

ULONG set_information(RegistrationNode& node, EVENT_INFO_CLASS which, Bytes data) {
    if (which == EventProviderSetTraits) {
        return to_c(environment().registrations.set_traits(node, data));
    }
    if (which == EventProviderUseDescriptorType) {
        if (data.size() != sizeof(BOOLEAN)) {
            return ERROR_INVALID_PARAMETER;
        }
        if (data.front() != std::byte{0}) {
            environment().typed.add(node.handle.load());
        } else {
            environment().typed.remove(node.handle.load());
        }
        return ERROR_SUCCESS;
    }
    // Which files the code of a provider lies in is nobody's business here.
    return which == EventProviderBinaryTrackInfo ? ERROR_SUCCESS : ERROR_NOT_SUPPORTED;
}

ULONG control_activity(ULONG code, GUID& id) noexcept {
    const Guid given = to_guid(id);
    switch (code) {
    case EVENT_ACTIVITY_CTRL_GET_ID:
        id = to_c(session::current_activity());
        return ERROR_SUCCESS;
    case EVENT_ACTIVITY_CTRL_SET_ID:
        session::set_activity(given);
        return ERROR_SUCCESS;
    case EVENT_ACTIVITY_CTRL_CREATE_ID:
        id = to_c(session::new_activity());
        return ERROR_SUCCESS;
    case EVENT_ACTIVITY_CTRL_GET_SET_ID:
        id = to_c(session::set_activity(given));
        return ERROR_SUCCESS;
    case EVENT_ACTIVITY_CTRL_CREATE_SET_ID:
        id = to_c(session::set_activity(session::new_activity()));
        return ERROR_SUCCESS;
    default:
        return ERROR_INVALID_PARAMETER;
    }
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

ULONG EventRegister(LPCGUID provider, PENABLECALLBACK callback, PVOID context, PREGHANDLE handle) {
    return compat::guarded([&]() -> ULONG {
        if (provider == nullptr || handle == nullptr) {
            return ERROR_INVALID_PARAMETER;
        }
        *handle = 0;
        const auto node = compat::environment().registrations.add(
            compat::to_guid(*provider), etl::session::ProviderKind::modern,
            compat::callback_of(callback, context));
        if (node) {
            *handle = (*node)->handle.load();
        }
        return compat::to_c(node);
    });
}

ULONG EventUnregister(REGHANDLE handle) {
    return compat::guarded([&]() -> ULONG {
        auto& registrations = compat::environment().registrations;
        etl::session::RegistrationNode* node = registrations.find(handle);
        if (node == nullptr) {
            return ERROR_INVALID_HANDLE;
        }
        registrations.remove(*node);
        return ERROR_SUCCESS;
    });
}

ULONG EventSetInformation(REGHANDLE handle, EVENT_INFO_CLASS which, PVOID data, ULONG size) {
    return compat::guarded([&]() -> ULONG {
        etl::session::RegistrationNode* node = compat::environment().registrations.find(handle);
        if (node == nullptr || (data == nullptr && size != 0)) {
            return ERROR_INVALID_PARAMETER;
        }
        return compat::set_information(*node, which, {static_cast<const std::byte*>(data), size});
    });
}

BOOLEAN EventEnabled(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor) {
    return descriptor != nullptr
               ? EventProviderEnabled(handle, descriptor->Level, descriptor->Keyword)
               : BOOLEAN{FALSE};
}

BOOLEAN EventProviderEnabled(REGHANDLE handle, UCHAR level, ULONGLONG keyword) {
    return compat::guarded(
        [&] {
            const auto* node = compat::environment().registrations.find(handle);
            return node != nullptr && node->state.accepts(level, keyword) ? BOOLEAN{TRUE}
                                                                          : BOOLEAN{FALSE};
        },
        BOOLEAN{FALSE});
}

ULONG EventWrite(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, ULONG count,
                 PEVENT_DATA_DESCRIPTOR data) {
    return compat::guarded(
        [&]() -> ULONG { return compat::write(handle, descriptor, {}, count, data); });
}

ULONG EventWriteTransfer(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, LPCGUID activity,
                         LPCGUID related, ULONG count, PEVENT_DATA_DESCRIPTOR data) {
    return compat::guarded([&]() -> ULONG {
        return compat::write(handle, descriptor, {.activity = activity, .related = related}, count,
                             data);
    });
}

ULONG EventWriteEx(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, ULONG64 filter, ULONG flags,
                   LPCGUID activity, LPCGUID related, ULONG count, PEVENT_DATA_DESCRIPTOR data) {
    return compat::guarded([&]() -> ULONG {
        return compat::write(
            handle, descriptor,
            {.excluded = filter, .flags = flags, .activity = activity, .related = related}, count,
            data);
    });
}

ULONG EventWriteString(REGHANDLE handle, UCHAR level, ULONGLONG keyword, PCWSTR text) {
    return compat::guarded(
        [&]() -> ULONG { return compat::write_string(handle, level, keyword, text); });
}

ULONG EventActivityIdControl(ULONG code, LPGUID id) {
    return compat::guarded([&]() -> ULONG {
        return id == nullptr ? ERROR_INVALID_PARAMETER : compat::control_activity(code, *id);
    });
}

} // extern "C"
