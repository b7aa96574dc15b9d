#include "format/live_buffers.hpp"

#include "base/limits.hpp"
#include "format/buffer_header.hpp"

#include <algorithm>

namespace etl::format {

namespace {

constexpr std::uint32_t max_buffers = 1U << 20U; // as many as no session has

/// Whether `size` bytes at `offset` lie within the file.
bool lies_in(Bytes file, std::uint64_t offset, std::uint64_t size) noexcept {
    return offset <= file.size() && size <= file.size() - offset;
}

LiveState state_of(std::uint32_t state, std::uint32_t stripe) noexcept {
    if (state == static_cast<std::uint32_t>(LiveState::free)) {
        return LiveState::free;
    }
    const bool is_known = state == static_cast<std::uint32_t>(LiveState::open) ||
                          state == static_cast<std::uint32_t>(LiveState::full);
    return is_known && stripe < etl::limits::processors ? static_cast<LiveState>(state)
                                                        : LiveState::damaged;
}

/// Text and header that the slot in use tells. False: it contradicts itself.
bool read_slot(LiveBuffers& live, Bytes slot) noexcept {
    const std::size_t size = live.counts_losses ? live_slot::size : live_slot::size_without_losses;
    if (slot.size() < size) {
        return false;
    }
    const auto head = slot.first<live_slot::size_without_losses>();
    const std::uint32_t path = load<live_slot::path_size>(head);
    const std::uint32_t header = load<live_slot::header_size>(head);
    const Bytes rest = slot.subspan(size);
    if (path > rest.size() || header > rest.size() - path) {
        return false;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes of UTF-8
    live.log_file = {reinterpret_cast<const char*>(rest.data()), path};
    live.header_buffer = rest.subspan(path, header);
    if (live.counts_losses) {
        const auto all = slot.first<live_slot::size>();
        live.lost_before = {load<live_slot::events_lost>(all), load<live_slot::buffers_lost>(all)};
    }
    return true;
}

} // namespace

Result<LiveBuffers> parse_live_buffers(Bytes file) {
    constexpr const char* what = "file of live buffers";
    constexpr std::size_t min = live_buffers::size_without_losses;
    if (file.size() < min) {
        return fail(ErrorCode::truncated, what, {}, min, file.size());
    }
    const auto header = file.first<live_buffers::size_without_losses>();
    if (load<live_buffers::magic_number>(header) != live_buffers::magic) {
        return fail(ErrorCode::not_a_trace, what);
    }
    const std::uint32_t version = load<live_buffers::format_version>(header);
    const bool counts_losses = version == live_buffers::version;
    if (!counts_losses && version != live_buffers::version_without_losses) {
        return fail(ErrorCode::unsupported,
                    "file of live buffers (repair it with the version of etl that recorded it)", {},
                    live_buffers::version, version);
    }
    if (counts_losses && file.size() < live_buffers::size) {
        return fail(ErrorCode::truncated, what, {}, live_buffers::size, file.size());
    }
    LiveBuffers live{.buffer_size = load<live_buffers::buffer_size>(header),
                     .buffer_count = load<live_buffers::buffer_count>(header),
                     .stripes = load<live_buffers::stripes>(header),
                     .clock = load<live_buffers::clock>(header),
                     .process_id = load<live_buffers::process_id>(header),
                     .process_key = load<live_buffers::process_key>(header),
                     .entry_offset = load<live_buffers::entry_offset>(header),
                     .buffer_offset = load<live_buffers::buffer_offset>(header),
                     .log_file = {},
                     .header_buffer = {},
                     .counts_losses = counts_losses,
                     .lost = {},
                     .lost_before = {}};
    if (counts_losses) {
        const auto all = file.first<live_buffers::size>();
        live.lost = {load<live_buffers::events_lost>(all), load<live_buffers::buffers_lost>(all)};
    }
    if (live.buffer_size < buffer_header::size || live.buffer_size > etl::limits::buffer_bytes ||
        live.buffer_count > max_buffers || live.stripes > etl::limits::processors) {
        return fail(ErrorCode::malformed, what);
    }
    const std::uint64_t entries = std::uint64_t{live.buffer_count} * live_entry::size;
    const std::uint64_t buffers = std::uint64_t{live.buffer_count} * live.buffer_size;
    if (!lies_in(file, live.entry_offset, entries) || !lies_in(file, live.buffer_offset, buffers)) {
        return fail(ErrorCode::truncated, what, {}, live.buffer_offset + buffers, file.size());
    }
    const std::uint32_t slot = load<live_buffers::slot_in_use>(header);
    if (slot == live_buffers::no_slot) {
        return live;
    }
    const std::uint64_t slot_size = load<live_buffers::slot_size>(header);
    const std::uint64_t first = load<live_buffers::slot_offset>(header);
    if (slot > 1 || slot_size < live_slot::size_without_losses ||
        !lies_in(file, first, 2 * slot_size) ||
        !read_slot(live, file.subspan(first + slot * slot_size, slot_size))) {
        return fail(ErrorCode::malformed, what);
    }
    return live;
}

LiveEntry live_entry_at(const LiveBuffers& live, Bytes file, std::uint32_t buffer) noexcept {
    const std::uint64_t at = live.entry_offset + std::uint64_t{buffer} * live_entry::size;
    const auto entry = file.subspan(at).first<live_entry::size>();
    const auto stripe = load<live_entry::stripe>(entry);
    return {.state = state_of(load<live_entry::state>(entry), stripe),
            .used = std::min(load<live_entry::used>(entry), live.buffer_size),
            .stripe = stripe,
            .order = load<live_entry::order>(entry),
            .closed_at = load<live_entry::closed_at>(entry),
            .buffer = file.subspan(live.buffer_offset + std::uint64_t{buffer} * live.buffer_size,
                                   live.buffer_size)};
}

} // namespace etl::format
