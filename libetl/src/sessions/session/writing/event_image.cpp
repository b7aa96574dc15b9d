#include "session/writing/event_image.hpp"

#include <etl/session.hpp>

#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "host/process.hpp"

#include <algorithm>
#include <cstring>

namespace etl::session {

using namespace format;

namespace {

constexpr std::size_t item_head = 8;

constexpr std::uint64_t aligned(std::uint64_t size) noexcept {
    return (size + 7) & ~std::uint64_t{7};
}

constexpr std::uint64_t item_size(std::uint64_t data) noexcept {
    return item_head + aligned(data);
}

std::byte* append(std::byte* at, Bytes bytes) noexcept {
    if (!bytes.empty()) {
        std::memcpy(at, bytes.data(), bytes.size());
    }
    return at + bytes.size();
}

/// Puts items down one behind the other, each linked to a next one.
class ItemPlacer {
public:
    explicit ItemPlacer(std::byte* at) noexcept : at_(at) {}

    /// Room for the data of an item, padding zero.
    std::byte* place(ItemType type, std::size_t size) noexcept {
        last_ = at_;
        const auto total = static_cast<std::size_t>(item_size(size));
        store_le(at_, static_cast<std::uint16_t>(total));
        store_le(at_ + 2, static_cast<std::uint16_t>(type));
        store_le(at_ + 4, std::uint16_t{1});
        store_le(at_ + 6, static_cast<std::uint16_t>(size));
        if (total > item_head) {
            store_le(at_ + total - 8, std::uint64_t{0});
        }
        at_ += total;
        return last_ + item_head;
    }

    void add(ItemType type, Bytes data) noexcept { append(place(type, data.size()), data); }

    template <typename Number>
    void add_number(ItemType type, Number number) noexcept {
        store_le(place(type, sizeof(Number)), number);
    }

    /// Ends the chain. Where the payload begins.
    std::byte* end() noexcept {
        store_le(last_ + 4, std::uint16_t{0});
        return at_;
    }

private:
    std::byte* at_;
    std::byte* last_ = nullptr;
};

} // namespace

EventImage::EventImage(const RegistrationNode& node, const EventInput& event,
                       const WriteOptions& options) noexcept
    : provider_(node.provider.load(std::memory_order_acquire)->guid), event_(&event),
      options_(&options), traits_(node.traits()) {
    std::uint64_t size = event_record::size;
    for (const Bytes part : event.parts) {
        size += part.size();
    }
    for (const ExtendedItem& item : event.items) {
        size += item_size(item.data.size());
        if (item.type == ItemType::provider_traits) {
            traits_ = {};
        }
    }
    if (options.related != nullptr) {
        size += item_size(sizeof(Guid));
    }
    if (!traits_.empty()) {
        size += item_size(traits_.size());
    }
    plain_size_ = size;
    has_items_ = options.related != nullptr || !event.items.empty() || !traits_.empty();
}

/// That of the process that wrote the event; `own` is where this one's is kept.
Bytes EventImage::sid(host::UserSid& own) const noexcept {
    if (event_->origin != nullptr) {
        return event_->origin->sid;
    }
    own = host::user_sid();
    return Bytes(own.bytes).first(own.size);
}

std::uint64_t EventImage::size_with_items(std::uint32_t property) const noexcept {
    std::uint64_t size = plain_size_;
    if ((property & enable_property::sid) != 0) {
        host::UserSid own;
        size += item_size(sid(own).size());
    }
    if ((property & enable_property::terminal_session) != 0) {
        size += item_size(sizeof(std::uint32_t));
    }
    if ((property & enable_property::process_start_key) != 0) {
        size += item_size(sizeof(std::uint64_t));
    }
    if ((property & enable_property::event_key) != 0) {
        size += item_size(sizeof(std::uint64_t));
    }
    if ((property & enable_property::stack_trace) != 0 && !stack_.empty()) {
        size += item_size(sizeof(std::uint64_t) * (1 + stack_.size()));
    }
    return size;
}

std::uint32_t EventImage::first_dword(std::uint64_t size) const noexcept {
    return format::first_dword({RecordFamily::event, event_->width},
                               static_cast<std::uint16_t>(size));
}

std::byte* EventImage::put_items(std::byte* at, std::uint32_t property) const noexcept {
    ItemPlacer to(at);
    const EventOrigin* const origin = event_->origin;
    if (options_->related != nullptr) {
        to.add(ItemType::related_activity_id, std::as_bytes(std::span(options_->related->bytes)));
    }
    if ((property & enable_property::sid) != 0) {
        host::UserSid own;
        to.add(ItemType::sid, sid(own));
    }
    if ((property & enable_property::terminal_session) != 0) {
        to.add_number(ItemType::terminal_session_id, host::terminal_session());
    }
    if ((property & enable_property::process_start_key) != 0) {
        to.add_number(ItemType::process_start_key,
                      origin != nullptr ? origin->start_key : host::process_start_key());
    }
    if ((property & enable_property::event_key) != 0) {
        to.add_number(ItemType::event_key, key_);
    }
    if ((property & enable_property::stack_trace) != 0 && !stack_.empty()) {
        std::byte* data =
            to.place(ItemType::stack_trace64, sizeof(std::uint64_t) * (1 + stack_.size()));
        store_le(data, std::uint64_t{0}); // MatchId: nothing is to follow
        for (const std::uint64_t address : stack_) {
            store_le(data += sizeof address, address);
        }
    }
    if (!traits_.empty()) {
        to.add(ItemType::provider_traits, traits_);
    }
    for (const ExtendedItem& item : event_->items) {
        to.add(item.type, item.data);
    }
    return to.end();
}

void EventImage::put(const Place& place, std::uint64_t size, std::uint32_t property,
                     Session session) const noexcept {
    const bool with_items = has_items_ || size > plain_size_;
    const std::span<std::byte, event_record::size> head(place.at, event_record::size);
    store<event_record::flags>(
        head, static_cast<std::uint16_t>(
                  (with_items ? event_flag::extended_info : 0U) | event_flag::no_cpu_time |
                  (session == Session::private_logger ? event_flag::private_session : 0U) |
                  (options_->is_string ? event_flag::string_only : 0U)));
    store<event_record::event_property>(head, options_->property);
    if (const EventOrigin* origin = event_->origin; origin == nullptr) [[likely]] {
        store<event_record::thread_id>(head, host::thread_id());
        store<event_record::process_id>(head, host::process_id());
        store<event_record::time_stamp>(head,
                                        options_->time != nullptr ? *options_->time : place.time);
    } else {
        store<event_record::thread_id>(head, origin->thread_id);
        store<event_record::process_id>(head, origin->process_id);
        store<event_record::time_stamp>(head, place.time - origin->late_by);
    }
    store<event_record::provider_id>(head, provider_);
    store_descriptor(place.at, *event_->descriptor);
    // They cost a system call. In events of private sessions both are one number, ProcessorTime.
    store<event_record::kernel_time>(head, 0U);
    store<event_record::user_time>(head, 0U);
    store<event_record::activity_id>(head, options_->activity != nullptr ? *options_->activity
                                                                         : current_activity());
    std::byte* at = place.at + event_record::size;
    if (with_items) {
        at = put_items(at, property);
    }
    for (const Bytes part : event_->parts) {
        at = append(at, part);
    }
}

} // namespace etl::session
