// A file of live buffers as a session that was killed would leave it, said in words.
//     LiveFileBuilder live(0x1000, 4);
//     live.tell("t.etl", header_buffer);
//     live.full(1, {.stripe = 1, .order = 3}, records);
#pragma once

#include <etl/byte_writer.hpp>

#include "format/buffer_header.hpp"
#include "format/live_buffers.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace etl::test {

struct LiveFacts {
    std::uint32_t stripe = 0;
    std::uint64_t order = 0;
    std::int64_t sequence = 0; // in the buffer's own header; 0: the logger never looked at it
    std::int64_t closed_at = 0;
};

class LiveFileBuilder {
public:
    LiveFileBuilder(std::uint32_t buffer_size, std::uint32_t buffers)
        : buffer_size_(buffer_size), bytes_(buffers_at(buffers) + buffers * buffer_size) {
        namespace head = format::live_buffers;
        const auto to = std::span(bytes_).first<head::size>();
        store<head::magic_number>(to, head::magic);
        store<head::format_version>(to, head::version);
        store<head::buffer_size>(to, buffer_size);
        store<head::buffer_count>(to, buffers);
        store<head::stripes>(to, 4U);
        store<head::clock>(to, 2U);
        store<head::slot_offset>(to, std::uint64_t{slots_at});
        store<head::slot_size>(to, slot_size);
        store<head::slot_in_use>(to, head::no_slot);
        store<head::entry_offset>(to, std::uint64_t{entries_at});
        store<head::buffer_offset>(to, std::uint64_t{buffers_at(buffers)});
    }

    void tell(std::string_view path, Bytes header) {
        namespace slot = format::live_slot;
        const auto to = std::span(bytes_).subspan<slots_at, slot::size>();
        store<slot::path_size>(to, static_cast<std::uint32_t>(path.size()));
        store<slot::header_size>(to, static_cast<std::uint32_t>(header.size()));
        std::byte* at = bytes_.data() + slots_at + slot::size;
        at = std::ranges::copy(std::as_bytes(std::span(path)), at).out;
        std::ranges::copy(header, at);
        store<format::live_buffers::slot_in_use>(
            std::span(bytes_).first<format::live_buffers::size>(), 0U);
    }

    /// What the session lost, and what of that the header includes.
    void lose(const format::LiveLosses& all, const format::LiveLosses& in_header = {}) {
        namespace head = format::live_buffers;
        namespace slot = format::live_slot;
        const auto to = std::span(bytes_).first<head::size>();
        store<head::events_lost>(to, all.events);
        store<head::buffers_lost>(to, all.buffers);
        const auto first = std::span(bytes_).subspan<slots_at, slot::size>();
        store<slot::events_lost>(first, in_header.events);
        store<slot::buffers_lost>(first, in_header.buffers);
    }

    /// As earlier versions of the library wrote it: without losses.
    void make_version_1() {
        namespace head = format::live_buffers;
        namespace slot = format::live_slot;
        store<head::format_version>(std::span(bytes_).first<head::size>(), std::uint32_t{1});
        std::fill_n(bytes_.begin() + head::size_without_losses,
                    head::size - head::size_without_losses, std::byte{0x5A});
        const auto first = bytes_.begin() + slots_at;
        std::copy(first + slot::size, first + slot_size, first + slot::size_without_losses);
    }

    void open(std::uint32_t buffer, const LiveFacts& facts, Bytes records) {
        put(buffer, format::LiveState::open, facts, records);
    }

    void full(std::uint32_t buffer, const LiveFacts& facts, Bytes records) {
        put(buffer, format::LiveState::full, facts, records);
    }

    /// The entry of a buffer, to damage it.
    std::span<std::byte, format::live_entry::size> entry(std::uint32_t buffer) {
        return std::span(bytes_)
            .subspan(entries_at + buffer * format::live_entry::size)
            .first<format::live_entry::size>();
    }

    /// Records begin here.
    std::byte* records(std::uint32_t buffer) {
        return bytes_.data() + bytes_.size() - std::size_t{count()} * buffer_size_ +
               std::size_t{buffer} * buffer_size_ + format::buffer_header::size;
    }

    std::vector<std::byte>& bytes() noexcept { return bytes_; }

private:
    static constexpr std::size_t slots_at = 0x80;
    static constexpr std::uint32_t slot_size = 0x1000;
    static constexpr std::size_t entries_at = slots_at + 2 * slot_size;

    static std::size_t buffers_at(std::uint32_t buffers) {
        return entries_at + buffers * format::live_entry::size;
    }

    std::uint32_t count() const {
        return load<format::live_buffers::buffer_count>(
            Bytes(bytes_).first<format::live_buffers::size>());
    }

    void put(std::uint32_t buffer, format::LiveState state, const LiveFacts& facts, Bytes content) {
        namespace entry = format::live_entry;
        const auto to = this->entry(buffer);
        store<entry::state>(to, static_cast<std::uint32_t>(state));
        store<entry::stripe>(to, facts.stripe);
        store<entry::order>(to, facts.order);
        if (state == format::LiveState::full) {
            store<entry::used>(
                to, static_cast<std::uint32_t>(format::buffer_header::size + content.size()));
            store<entry::closed_at>(to, facts.closed_at);
        }
        std::byte* const at = records(buffer);
        std::ranges::copy(content, at);
        store_le(at - format::buffer_header::size + format::buffer_header::sequence_number.offset,
                 facts.sequence);
    }

    std::uint32_t buffer_size_;
    std::vector<std::byte> bytes_;
};

} // namespace etl::test
