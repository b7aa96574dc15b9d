#include "session/writing/event_writer.hpp"

#include <etl/session.hpp>

#include "base/layout.hpp"
#include "format/limits.hpp"
#include "format/logfile_header.hpp"
#include "host/process.hpp"
#include "link/region_writer.hpp"
#include "session/providers/event_filters.hpp"
#include "session/providers/link_wait.hpp"
#include "session/writing/event_targets.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

namespace etl::session {

namespace {

// The size of a record is 16 bits wide.

// Windows cuts stacks there.
constexpr std::size_t max_frames = 192;

// Items that a session, the registration and the caller of EventWriteTransfer can add to those that
// come with an event.
constexpr std::size_t added_items = 7;

/// A registration as it was when an event came. It may be removed meanwhile, and its node given to
/// another one.
class Writer {
public:
    explicit Writer(const RegistrationNode& node) noexcept
        : node_(&node), handle_(node.handle.load(std::memory_order_acquire)) {}

    const RegistrationNode& node() const noexcept { return *node_; }

    /// So all that was read of it until now (by acquire) is of one registration.
    bool is_registered() const noexcept {
        return handle_ != 0 && node_->handle.load(std::memory_order_acquire) == handle_;
    }

private:
    const RegistrationNode* node_;
    std::uint64_t handle_;
};

bool wants(const EnableView& view, const EventInput& event, const WriteOptions& options) noexcept {
    return view.matches(event.descriptor->level, event.descriptor->keyword) &&
           (view.session.core->bit & options.excluded_sessions) == 0 &&
           !(options.is_in_private && (view.property & enable_property::exclude_in_private) != 0);
}

// What a slot with filters wants. It is read once more: only now do they stay.
[[gnu::noinline]] bool wants_filtered(const EnableSlot& slot, const Writer& writer,
                                      const EventInput& event, const WriteOptions& options,
                                      EnableView& view) noexcept {
    const FilterGuard guard(writer.node());
    if (!writer.is_registered() || !slot.read(view) || !wants(view, event, options)) {
        return false;
    }
    if (view.filters == nullptr) {
        return true;
    }
    const FilteredEvent filtered{event.descriptor, event.items, event.parts};
    if (!view.filters->admits(filtered)) {
        return false;
    }
    if ((view.property & enable_property::stack_trace) != 0 &&
        !view.filters->wants_stack(filtered)) {
        view.property &= ~enable_property::stack_trace;
    }
    return true;
}

void match(const EnableSlot& slot, const Writer& writer, const EventInput& event,
           const WriteOptions& options, EventTargets& to) noexcept {
    EnableView view;
    if (!slot.read(view) || !wants(view, event, options)) {
        return;
    }
    if (view.filters != nullptr && !wants_filtered(slot, writer, event, options, view))
        [[unlikely]] {
        return;
    }
    to.add(view.session, view.property & item_properties);
}

// In the child of a fork, whose link to the host is being made. False: it was not in time.
[[gnu::noinline]] bool wait_for_link(const RegistrationNode& node) noexcept {
    const LinkWait* const wait = node.awaited.load(std::memory_order_acquire);
    if (wait == nullptr || wait->wait()) {
        return true;
    }
    node.lost_unlinked.fetch_add(1, std::memory_order_relaxed);
    return false;
}

// The host compares once more, with each session: this is what all of them want together.
void match_machine(const RegistrationNode& node, const EventInput& event,
                   const WriteOptions& options, EventTargets& to) noexcept {
    EnableView view;
    if (!node.machine_slot.read(view) || !wants(view, event, options)) {
        return;
    }
    if (node.machine.load(std::memory_order_acquire) == nullptr) [[unlikely]] {
        if (!wait_for_link(node)) {
            to.set_unlinked();
            return;
        }
        if (!node.machine_slot.read(view) || !wants(view, event, options)) {
            return;
        }
    }
    if (link::RegionWriter* const region = node.machine.load(std::memory_order_acquire)) {
        to.add_machine({.region = region,
                        .number = node.machine_number.load(std::memory_order_acquire),
                        .slot = view.session.ticket,
                        .property = view.property & item_properties});
    }
}

// Those that refuse the events of this process want none of them, but the writer is to know.
[[gnu::noinline]] void match_refusing(const RegistrationNode& node, const EventInput& event,
                                      const WriteOptions& options, EventTargets& to) noexcept {
    EnableView view;
    const link::RegionWriter* const region = node.machine.load(std::memory_order_acquire);
    if (region != nullptr && node.refusing_slot.read(view) && wants(view, event, options) &&
        region->refuses(view.session.ticket, event.descriptor->level, event.descriptor->keyword)) {
        to.set_refused();
    }
}

void match_all(const Writer& writer, const EventInput& event, const WriteOptions& options,
               EventTargets& to) noexcept {
    const RegistrationNode& node = writer.node();
    const GuidEntry& provider = *node.provider.load(std::memory_order_acquire);
    std::uint32_t mask = node.state.mask.load(std::memory_order_acquire);
    for (; mask != 0; mask &= mask - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(mask));
        if (bit < slots_per_provider) {
            match(provider.slots[bit], writer, event, options, to);
        } else if ((1U << bit) == machine_bit) {
            match_machine(node, event, options, to);
        } else if ((1U << bit) == refusing_bit) {
            match_refusing(node, event, options, to);
        } else if (const GuidEntry* group = node.group.load(std::memory_order_acquire)) {
            match(group->slots[bit % slots_per_provider], writer, event, options, to);
        }
    }
}

Status status_of(Refusal refusal) noexcept {
    switch (refusal) {
    case Refusal::closed:
        return Status::success;
    case Refusal::too_large:
        return Status::more_data;
    case Refusal::no_buffer:
        return Status::not_enough_memory;
    case Refusal::backlog_full:
        return Status::log_file_full;
    }
    return Status::success;
}

// By what the session asked for. Success: it has ended.
Status lose_too_large(const EventTarget& target) noexcept {
    return target.core->buffers.count_lost(target.ticket) ? Status::arithmetic_overflow
                                                          : Status::success;
}

void put(const EventTarget& target, const EventImage& image, const Place& place,
         std::uint64_t size) noexcept {
    image.put(place, size, target.property, target.kind());
    target.core->buffers.commit(place, image.first_dword(size));
}

// Success: the session has ended, and wants nothing any more.
WriteResult refused(const EventTarget& target, Status status) noexcept {
    return {.status = target.is_independent() ? Status::success : status,
            .lost = static_cast<std::uint8_t>(status != Status::success)};
}

WriteResult write_one(const EventTarget& target, const EventImage& image) noexcept {
    const std::uint64_t size = image.size(target.property);
    if (size > format::max_record_size) [[unlikely]] {
        return refused(target, lose_too_large(target));
    }
    // Read where it was made: a copy of it would be read before its parts have got to memory.
    const auto place = target.core->buffers.reserve_at(target.ticket, image.processor(),
                                                       static_cast<std::uint32_t>(size));
    if (!place) [[unlikely]] {
        return refused(target, status_of(place.error()));
    }
    put(target, image, *place, size);
    return {.written = 1};
}

// Success without a place: the session has ended.
Status reserve(EventTarget& target, const EventImage& image) noexcept {
    target.size = image.size(target.property);
    if (target.size > format::max_record_size) {
        return lose_too_large(target);
    }
    const auto place = target.core->buffers.reserve_at(target.ticket, image.processor(),
                                                       static_cast<std::uint32_t>(target.size));
    if (!place) {
        return status_of(place.error());
    }
    target.place = *place;
    return Status::success;
}

// Into all of those that are not independent, or into none.
WriteResult write_dependent(std::span<EventTarget> targets, const EventImage& image) noexcept {
    WriteResult result;
    for (EventTarget& target : targets) {
        if (target.is_independent()) {
            continue;
        }
        result.status = reserve(target, image);
        if (result.status != Status::success) {
            result.lost = 1;
            break;
        }
    }
    for (EventTarget& target : targets) {
        if (!target.place) {
            continue;
        }
        if (result.lost != 0) {
            target.core->buffers.abandon(*target.place);
        } else {
            put(target, image, *target.place, target.size);
            ++result.written;
        }
    }
    return result;
}

[[gnu::noinline]] WriteResult write_several(EventTargets& targets,
                                            const EventImage& image) noexcept {
    targets.sort();
    WriteResult result = write_dependent(targets.all(), image);
    for (const EventTarget& target : targets.all()) {
        if (target.is_independent()) {
            const WriteResult one = write_one(target, image);
            result.written = static_cast<std::uint8_t>(result.written + one.written);
            result.lost = static_cast<std::uint8_t>(result.lost + one.lost);
        }
    }
    return result;
}

// Sessions of this process and those of the machine are independent of each other.
[[gnu::noinline]] WriteResult write_to_machine(EventTargets& targets,
                                               const EventImage& image) noexcept {
    WriteResult result;
    if (targets.count() != 0) {
        result = targets.count() == 1 ? write_one(targets.all().front(), image)
                                      : write_several(targets, image);
    }
    const WriteResult machine = write_to_region(targets.machine(), image);
    return {.status = result.status != Status::success ? result.status : machine.status,
            .written = static_cast<std::uint8_t>(result.written + machine.written),
            .lost = static_cast<std::uint8_t>(result.lost + machine.lost)};
}

WriteResult write_image(EventTargets& targets, const EventImage& image) noexcept {
    if (targets.machine().region != nullptr) [[unlikely]] {
        return write_to_machine(targets, image);
    }
    if (targets.count() == 1) [[likely]] {
        return write_one(targets.all().front(), image);
    }
    return write_several(targets, image);
}

// 24 bits that tell this process from others, 40 that tell its events apart.
std::uint64_t new_event_key() noexcept {
    constexpr std::uint64_t spread = 0x9E3779B97F4A7C15; // odd, of random bits
    return ((host::process_start_key() * spread) & ~((std::uint64_t{1} << 40U) - 1)) |
           (unique_number() & ((std::uint64_t{1} << 40U) - 1));
}

[[gnu::noinline]] WriteResult write_with_extras(EventTargets& targets, EventImage& image,
                                                const EventOrigin* origin) noexcept {
    if (origin != nullptr) {
        image.set_key(origin->event_key != 0 ? origin->event_key : new_event_key());
        image.set_stack(origin->stack);
        return write_image(targets, image);
    }
    if ((targets.property() & enable_property::event_key) != 0) {
        image.set_key(new_event_key());
    }
    std::array<std::uint64_t, max_frames> frames;
    if ((targets.property() & enable_property::stack_trace) != 0) {
        image.set_stack(std::span(frames).first(host::walk_stack(frames.data(), frames.size())));
    }
    return write_image(targets, image);
}

// Machine sessions did not get the event; in the others it is all the same.
[[gnu::noinline]] WriteResult without_machine(WriteResult result,
                                              const EventTargets& targets) noexcept {
    if (result.status == Status::success) {
        result.status = targets.is_refused() ? Status::access_denied : Status::not_enough_memory;
    }
    result.lost = static_cast<std::uint8_t>(result.lost + (targets.is_unlinked() ? 1 : 0));
    return result;
}

WriteResult write_to(EventTargets& targets, EventImage& image, const EventOrigin* origin) noexcept {
    constexpr auto extras = enable_property::stack_trace | enable_property::event_key;
    if ((targets.property() & extras) != 0) [[unlikely]] {
        return write_with_extras(targets, image, origin);
    }
    return write_image(targets, image);
}

} // namespace

WriteResult write_event(const RegistrationNode& node, const EventInput& event,
                        const WriteOptions& options) noexcept {
    if (event.parts.size() > max_parts ||
        event.items.size() > format::ExtendedItems::max - added_items) [[unlikely]] {
        return {.status = Status::invalid_parameter};
    }
    const Writer writer(node);
    if (!writer.is_registered()) [[unlikely]] {
        return {};
    }
    EventTargets targets;
    match_all(writer, event, options, targets);
    if (targets.is_empty()) {
        return targets.is_left_out() ? without_machine({}, targets) : WriteResult{};
    }
    EventImage image(node, event, options);
    if (!writer.is_registered()) [[unlikely]] {
        return {};
    }
    if (image.size(0) > format::max_record_size) [[unlikely]] {
        return {.status = Status::arithmetic_overflow};
    }
    const WriteResult result = write_to(targets, image, event.origin);
    return targets.is_left_out() ? without_machine(result, targets) : result;
}

WriteResult write_record(SessionCore& core, std::uint16_t ticket, Bytes record,
                         std::optional<std::uint32_t> stamp_at,
                         std::optional<std::uint16_t> processor) noexcept {
    const std::uint32_t mode = core.mode.load(std::memory_order_relaxed);
    const auto size = static_cast<std::uint32_t>(record.size());
    if (record.size() > format::max_record_size) {
        return {.status = Status::arithmetic_overflow};
    }
    const auto place = processor ? core.buffers.reserve_at(ticket, *processor, size)
                                 : core.buffers.reserve(ticket, size);
    if (!place) {
        const Status status = status_of(place.error());
        const bool is_silent = (mode & mode::independent_session) != 0;
        return {.status = is_silent ? Status::success : status,
                .lost = static_cast<std::uint8_t>(status != Status::success)};
    }
    constexpr std::size_t first = sizeof(std::uint32_t);
    std::memcpy(place->at + first, record.data() + first, record.size() - first);
    if (stamp_at) {
        store_le(place->at + *stamp_at, place->time);
    }
    core.buffers.commit(*place, load_le<std::uint32_t>(record.data()));
    return {.written = 1};
}

namespace {

constinit thread_local Guid current{};

} // namespace

Guid current_activity() noexcept {
    return current;
}

Guid set_activity(const Guid& activity) noexcept {
    return std::exchange(current, activity);
}

Guid new_activity() noexcept {
    Guid activity;
    store_le(activity.bytes.data(), unique_number());
    store_le(activity.bytes.data() + 8, host::process_start_key());
    return activity;
}

namespace {

// A thread takes so many at a time, and what it has not used when it ends is never used.
constexpr std::uint64_t taken_at_once = 1024;

constinit std::atomic<std::uint64_t> next_free{1};

struct Taken {
    std::uint64_t next = 0, end = 0;
};

constinit thread_local Taken taken{};

} // namespace

std::uint64_t unique_number() noexcept {
    if (taken.next == taken.end) {
        taken.next = next_free.fetch_add(taken_at_once, std::memory_order_relaxed);
        taken.end = taken.next + taken_at_once;
    }
    return taken.next++;
}

} // namespace etl::session
