#include "session/buffers/buffer_pool.hpp"

#include "host/process.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace etl::session {

namespace header = format::live_buffers;
namespace live_slot = format::live_slot;
namespace live_entry = format::live_entry;

namespace {

constexpr std::size_t slots_at = 4096;
constexpr std::size_t entries_at = slots_at + 2 * std::size_t{live_slot::total_size};

/// The process may be gone between any two stores; so those that make others true come behind them.
void store_last(std::byte* at, std::uint32_t value) noexcept {
    if constexpr (std::endian::native == std::endian::big) {
        value = __builtin_bswap32(value);
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): mapped memory, aligned to 4
    std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(at))
        .store(value, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst); // nothing of later comes before it either
}

/// A count that threads of several processes may look at.
std::atomic_ref<std::uint64_t> counter(std::byte* at) noexcept {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): mapped memory, aligned to 8
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(at));
}

} // namespace

std::size_t LiveFile::bytes_in_front(std::uint32_t buffers, std::size_t page) noexcept {
    const std::size_t used = entries_at + buffers * live_entry::size;
    return (used + page - 1) / page * page;
}

LiveFile LiveFile::begin(std::byte* file, const Plan& plan, std::size_t buffer_offset) noexcept {
    const std::span<std::byte, header::size> to(file, header::size);
    store<header::format_version>(to, header::version);
    store<header::buffer_size>(to, plan.buffer_size);
    store<header::buffer_count>(to, plan.buffers);
    store<header::stripes>(to, plan.stripes);
    store<header::clock>(to, plan.clock);
    store<header::process_id>(to, host::process_id());
    store<header::process_key>(to, host::process_start_key());
    store<header::slot_offset>(to, slots_at);
    store<header::slot_size>(to, live_slot::total_size);
    store<header::slot_in_use>(to, header::no_slot);
    store<header::entry_offset>(to, entries_at);
    store<header::buffer_offset>(to, buffer_offset);
    // In two halves: a file with but one of them is none.
    store_last(file + header::magic_number.offset, static_cast<std::uint32_t>(header::magic));
    store_last(file + header::magic_number.offset + sizeof(std::uint32_t),
               static_cast<std::uint32_t>(header::magic >> 32U));
    LiveFile live;
    live.file_ = file;
    return live;
}

void LiveFile::tell(std::string_view log_file, Bytes header_buffer,
                    const format::LiveLosses& included) noexcept {
    if (file_ == nullptr) {
        return;
    }
    std::byte* const in_use = file_ + header::slot_in_use.offset;
    const std::uint32_t next = load_le<std::uint32_t>(in_use) == 0 ? 1 : 0;
    std::byte* const slot = file_ + slots_at + std::size_t{next} * live_slot::total_size;
    constexpr std::size_t room = live_slot::total_size - live_slot::size;
    const std::size_t path = std::min(log_file.size(), room);
    const std::size_t front = std::min(header_buffer.size(), room - path);
    store_le(slot + live_slot::path_size.offset, static_cast<std::uint32_t>(path));
    store_le(slot + live_slot::header_size.offset, static_cast<std::uint32_t>(front));
    store_le(slot + live_slot::events_lost.offset, included.events);
    store_le(slot + live_slot::buffers_lost.offset, included.buffers);
    std::byte* const to = std::ranges::copy(std::as_bytes(std::span(log_file.substr(0, path))),
                                            slot + live_slot::size)
                              .out;
    std::ranges::copy(header_buffer.first(front), to);
    store_last(in_use, next);
}

void LiveFile::lose_events(std::uint64_t count) noexcept {
    if (file_ == nullptr) {
        return;
    }
    const auto lost = counter(file_ + header::events_lost.offset);
    if constexpr (std::endian::native == std::endian::little) {
        lost.fetch_add(count, std::memory_order_relaxed);
    } else {
        std::uint64_t stored = lost.load(std::memory_order_relaxed);
        while (!lost.compare_exchange_weak(stored,
                                           __builtin_bswap64(__builtin_bswap64(stored) + count),
                                           std::memory_order_relaxed)) {
        }
    }
}

void LiveFile::set_lost_buffers(std::uint64_t count) noexcept {
    if (file_ != nullptr) {
        store_le(file_ + header::buffers_lost.offset, count);
    }
}

void LiveFile::opened(std::uint32_t buffer, std::uint16_t stripe, std::uint64_t order) noexcept {
    if (file_ == nullptr) {
        return;
    }
    store_le<std::uint32_t>(entry(buffer) + live_entry::stripe.offset, stripe);
    store_le(entry(buffer) + live_entry::order.offset, order);
    set_state(buffer, format::LiveState::open);
}

void LiveFile::filled(std::uint32_t buffer, std::uint32_t used, std::int64_t closed_at) noexcept {
    if (file_ == nullptr) {
        return;
    }
    store_le(entry(buffer) + live_entry::used.offset, used);
    store_le(entry(buffer) + live_entry::closed_at.offset, closed_at);
    set_state(buffer, format::LiveState::full);
}

void LiveFile::freed(std::uint32_t buffer) noexcept {
    if (file_ != nullptr) {
        set_state(buffer, format::LiveState::free);
    }
}

std::byte* LiveFile::entry(std::uint32_t buffer) const noexcept {
    return file_ + entries_at + std::size_t{buffer} * live_entry::size;
}

void LiveFile::set_state(std::uint32_t buffer, format::LiveState state) noexcept {
    store_last(entry(buffer) + live_entry::state.offset, static_cast<std::uint32_t>(state));
}

namespace {

constexpr const char* buffers_of_killed_session =
    "these buffers of a session that was killed are not in its file; recover them with `etl repair "
    "FILE`, then remove them, or start the session with AfterCrash::move_aside, which moves both "
    "aside, or AfterCrash::repair";

Status status_of(const Error& error) noexcept {
    switch (error.os_code) {
    case EEXIST:
        return Status::already_exists;
    case ENOENT:
    case ENOTDIR:
        return Status::path_not_found;
    case EACCES:
    case EPERM:
    case EROFS:
        return Status::access_denied;
    case ENAMETOOLONG:
        return Status::bad_pathname;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return Status::disk_full;
    default:
        return error.code == ErrorCode::limit ? Status::not_enough_memory : Status::io_device;
    }
}

} // namespace

Outcome<void> BufferPool::begin(const Plan& plan) {
    end();
    buffer_size_ = plan.buffer_size;
    ceiling_ = plan.ceiling;
    is_ring_ = plan.is_ring;
    patience_ = plan.patience;
    maximum_.store(plan.maximum, std::memory_order_relaxed);
    if (auto mapped = map(plan); !mapped) {
        end();
        return mapped;
    }
    if (const auto room = commit(0, plan.minimum); !room) {
        end();
        return refuse(plan.mapped_file.empty() ? Status::not_enough_memory
                                               : status_of(room.error()),
                      "buffers", room.error().os_code);
    }
    const std::size_t facts_size = std::size_t{ceiling_} * sizeof(BufferFacts);
    const std::size_t tables_size = facts_size + ceiling_ * sizeof(std::uint64_t);
    auto tables = host::Memory::reserve(tables_size);
    if (!tables || !tables->commit(0, tables_size)) {
        end();
        return refuse(Status::not_enough_memory, "buffers");
    }
    tables_ = std::move(*tables);
    // Memory of zeros, and that is what both begin with: most of it is never touched.
    // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)
    facts_ = reinterpret_cast<BufferFacts*>(tables_.data());
    ages_ = reinterpret_cast<std::atomic<std::uint64_t>*>(tables_.data() + facts_size);
    // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
    count_.store(plan.minimum, std::memory_order_relaxed);
    for (std::uint32_t i = plan.minimum; i > 0; --i) {
        push_free(i - 1);
    }
    return {};
}

Outcome<void> BufferPool::map(const Plan& plan) {
    const std::uint64_t exact = std::uint64_t{ceiling_} * buffer_size_;
    if (exact > SIZE_MAX / 2) { // addresses of 32 bits
        return refuse(Status::not_enough_memory, "buffers");
    }
    const auto size = static_cast<std::size_t>(exact);
    if (plan.mapped_file.empty()) {
        auto memory = host::Memory::reserve(size);
        if (!memory) {
            return refuse(Status::not_enough_memory, "buffers", memory.error().os_code);
        }
        memory_ = std::move(*memory);
        buffer_offset_ = 0;
    } else {
        buffer_offset_ = LiveFile::bytes_in_front(ceiling_, host::page_size());
        auto memory = host::Memory::reserve_in_file(plan.mapped_file, buffer_offset_ + size);
        if (!memory) {
            Failure failure{status_of(memory.error()), "file of live buffers",
                            memory.error().os_code, plan.mapped_file};
            if (failure.status == Status::already_exists) {
                failure.what = host::Memory::is_file_in_use(plan.mapped_file)
                                   ? "a session that runs uses it"
                                   : buffers_of_killed_session;
                failure.os_code = 0;
            }
            return std::unexpected(std::move(failure));
        }
        memory_ = std::move(*memory);
        if (const auto room = memory_.commit(0, buffer_offset_); !room) {
            return refuse(status_of(room.error()), "file of live buffers", room.error().os_code);
        }
        live_ = LiveFile::begin(memory_.data(),
                                {.buffer_size = buffer_size_,
                                 .buffers = ceiling_,
                                 .stripes = plan.stripes,
                                 .clock = plan.clock},
                                buffer_offset_);
    }
    buffers_ = memory_.data() + buffer_offset_;
    return {};
}

void BufferPool::end() noexcept {
    memory_.remove_file();
    if (is_awaited()) {
        kept_.push_back(std::move(memory_));
        kept_.push_back(std::move(tables_));
    }
    forget();
}

/// Somebody may still write to a buffer.
bool BufferPool::is_awaited() const noexcept {
    for (std::uint32_t i = 0; i < count(); ++i) {
        if (facts(i).is_given_up.load(std::memory_order_relaxed) && !is_whole(i)) {
            return true;
        }
    }
    return false;
}

void BufferPool::forget() noexcept {
    memory_ = {};
    tables_ = {};
    live_ = {};
    buffers_ = nullptr;
    facts_ = nullptr;
    ages_ = nullptr;
    count_.store(0, std::memory_order_relaxed);
    free_.store(0, std::memory_order_relaxed);
    full_.store(0, std::memory_order_relaxed);
    used_.store(0);
    admitted_.store(no_limit);
}

Result<void> BufferPool::commit(std::uint32_t first, std::uint32_t count) noexcept {
    return memory_.commit(buffer_offset_ + std::size_t{first} * buffer_size_,
                          std::size_t{count} * buffer_size_);
}

std::uint32_t BufferPool::acquire() noexcept {
    if (!is_ring_ && !count_in_use()) {
        return none;
    }
    std::uint32_t buffer = pop_free();
    if (buffer == none) {
        buffer = grow();
    }
    if (buffer == none) {
        if (is_ring_) {
            return take_oldest(UINT64_MAX, idle, true);
        }
        used_.fetch_sub(1);
    }
    return buffer;
}

/// False: as many are in use as may be.
bool BufferPool::count_in_use() noexcept {
    std::uint32_t used = used_.load();
    while (used < admitted_.load()) {
        if (used_.compare_exchange_weak(used, used + 1)) {
            return true;
        }
    }
    return false;
}

void BufferPool::prepare(std::uint32_t buffer, std::uint16_t stripe, std::uint64_t order) noexcept {
    BufferFacts& it = facts(buffer);
    it.in_place.store(0, std::memory_order_relaxed);
    it.is_given_up.store(false, std::memory_order_relaxed);
    it.stripe.store(stripe, std::memory_order_relaxed);
    it.opened.store(order, std::memory_order_release);
    live_.opened(buffer, stripe, order);
}

void BufferPool::release(std::uint32_t buffer) noexcept {
    ages_[buffer].store(idle, std::memory_order_relaxed);
    used_.fetch_sub(is_ring_ ? 0 : 1);
    if (live_) {
        // Zeros are what records end with for who finds the file. First of all it is nobody's.
        live_.freed(buffer);
        std::memset(memory(buffer), 0, buffer_size_);
    }
    push_free(buffer);
}

std::uint32_t BufferPool::pop_free() noexcept {
    std::uint64_t head = free_.load(std::memory_order_acquire);
    for (;;) {
        const auto first = static_cast<std::uint32_t>(head);
        if (first == 0) {
            return none;
        }
        // It may be gone meanwhile, but not its facts; the count of changes tells.
        const std::uint32_t next = facts(first - 1).next_free.load(std::memory_order_relaxed);
        const std::uint64_t changed = ((head >> 32U) + 1) << 32U;
        if (free_.compare_exchange_weak(head, changed | next, std::memory_order_acquire)) {
            return first - 1;
        }
    }
}

void BufferPool::push_free(std::uint32_t buffer) noexcept {
    std::uint64_t head = free_.load(std::memory_order_relaxed);
    for (;;) {
        facts(buffer).next_free.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
        const std::uint64_t changed = ((head >> 32U) + 1) << 32U;
        if (free_.compare_exchange_weak(head, changed | (buffer + 1), std::memory_order_release,
                                        std::memory_order_relaxed)) {
            return;
        }
    }
}

std::uint32_t BufferPool::grow() noexcept {
    std::uint32_t count = count_.load(std::memory_order_relaxed);
    while (count < maximum_.load(std::memory_order_relaxed)) {
        if (!count_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) {
            continue;
        }
        // By who has the number alone: some systems take room on a disk by writing zeros.
        if (commit(count, 1)) {
            return count;
        }
        maximum_.store(0, std::memory_order_relaxed); // not at every event again
        retire(count);
        break;
    }
    return none;
}

/// There is no memory for it; the number is used up.
void BufferPool::retire(std::uint32_t buffer) noexcept {
    facts(buffer).end.store(format::buffer_header::size, std::memory_order_relaxed); // is whole
    ages_[buffer].store(taken, std::memory_order_release);
}

std::uint32_t BufferPool::mark_full(std::uint32_t buffer, std::uint32_t end, std::int64_t closed_at,
                                    std::uint64_t order) noexcept {
    BufferFacts& it = facts(buffer);
    it.end.store(end, std::memory_order_relaxed);
    it.closed_at.store(closed_at, std::memory_order_relaxed);
    live_.filled(buffer, end, closed_at);
    // Added, not put: it may be pinned.
    ages_[buffer].fetch_add((order << order_at) | full_one, std::memory_order_release);
    return full_.fetch_add(1) + 1;
}

std::uint32_t BufferPool::take_full(std::uint64_t limit) noexcept {
    return full_.load() == 0 ? none : take_oldest(limit, taken, false);
}

std::uint32_t BufferPool::take_oldest(std::uint64_t limit, State becomes,
                                      bool only_whole) noexcept {
    for (;;) {
        std::uint32_t oldest = none;
        std::uint64_t min = UINT64_MAX;
        for (std::uint32_t i = 0; i < count(); ++i) {
            const std::uint64_t age = ages_[i].load(std::memory_order_acquire);
            if ((age & (state_mask | pinned)) == full_one && age < min &&
                (age >> order_at) < limit && (!only_whole || is_whole(i))) {
                min = age;
                oldest = i;
            }
        }
        if (oldest == none) {
            return none;
        }
        if (ages_[oldest].compare_exchange_strong(min, becomes, std::memory_order_acquire)) {
            full_.fetch_sub(1);
            return oldest;
        }
    }
}

bool BufferPool::pin(std::uint32_t buffer, std::uint64_t order) noexcept {
    std::uint64_t age = order == open_order ? std::uint64_t{idle} : (order << order_at) | full_one;
    return ages_[buffer].compare_exchange_strong(age, age | pinned);
}

void BufferPool::unpin(std::uint32_t buffer) noexcept {
    ages_[buffer].fetch_and(~std::uint64_t{pinned}, std::memory_order_release);
}

std::uint64_t BufferPool::closing_order(std::uint32_t buffer) const noexcept {
    const std::uint64_t age = ages_[buffer].load(std::memory_order_acquire);
    return (age & state_mask) == full_one ? age >> order_at : open_order;
}

bool BufferPool::wait_until_whole(std::uint32_t buffer, BackOff& wait) const noexcept {
    std::atomic<bool>& is_given_up = facts(buffer).is_given_up;
    while (!is_whole(buffer)) {
        if (is_given_up.load(std::memory_order_relaxed) || wait.has_slept(patience_)) {
            is_given_up.store(true, std::memory_order_relaxed);
            return false;
        }
        wait.pause();
    }
    return true;
}

std::uint32_t BufferPool::in_use() const noexcept {
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < count(); ++i) {
        used += is_in_use(i) ? 1U : 0U;
    }
    return used;
}

std::uint32_t BufferPool::set_maximum(std::uint32_t maximum) noexcept {
    const std::uint32_t adopted = is_ring_ ? count() : std::clamp(maximum, count(), ceiling_);
    maximum_.store(adopted, std::memory_order_relaxed);
    return adopted;
}

} // namespace etl::session
