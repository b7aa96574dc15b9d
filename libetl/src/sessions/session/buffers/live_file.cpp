#include "session/buffers/live_file.hpp"

#include "host/process.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <span>

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

} // namespace etl::session
