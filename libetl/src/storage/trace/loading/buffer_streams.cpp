#include "trace/loading/buffer_streams.hpp"

#include "trace/limits.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace etl::trace {

namespace {

using StreamMap = std::map<std::pair<std::uint16_t, std::uint16_t>, std::vector<std::uint32_t>>;

/// Empty if there would be more than limits::buffer_streams.
template <typename Key>
StreamMap dealt_out(std::span<const BufferEntry> entries, Key key_of) {
    StreamMap streams;
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        streams[key_of(entries[i])].push_back(i);
        if (streams.size() > limits::buffer_streams) {
            return {};
        }
    }
    return streams;
}

/// Buffers behind the header buffer have other logger ids than their neighbours, and a relogger
/// wrote them.
bool keeps_sources(std::span<const BufferEntry> entries, std::uint32_t log_file_mode) {
    const auto behind = entries.subspan(std::min<std::size_t>(1, entries.size()));
    return (log_file_mode & format::log_mode::relog) != 0 &&
           std::ranges::any_of(behind, [&](const BufferEntry& entry) {
               return entry.logger_id != behind.front().logger_id;
           });
}

/// The header buffer first, whatever it says.
auto turn_of(std::span<const BufferEntry> entries, std::uint32_t i) {
    return std::tuple(i != 0, entries[i].run, entries[i].sequence, entries[i].where);
}

} // namespace

RecordRange BufferStream::range_of(std::size_t i) const noexcept {
    return {.from = i == 0 ? of_first.from : 0,
            .to = i + 1 == buffers.size() ? of_last.to : RecordRange{}.to};
}

std::vector<std::uint32_t> BufferStreams::by_beginning(std::span<const BufferEntry> entries,
                                                       Order order) const {
    std::vector<std::uint32_t> beginnings(streams.size());
    std::iota(beginnings.begin(), beginnings.end(), 0U);
    std::ranges::sort(beginnings, {}, [&](std::uint32_t i) {
        const BufferStream& stream = streams[i];
        return std::tuple(order == Order::recorded ? stream.epoch : 0U, stream.first_time,
                          turn_of(entries, stream.buffers[0]));
    });
    return beginnings;
}

void BufferStreams::skip_outside(std::span<const IndexedBuffer> indexed,
                                 const flow::RawWindow& window) {
    for (BufferStream& stream : streams) {
        std::vector<std::uint32_t>& buffers = stream.buffers;
        const auto begin = std::ranges::find_if(buffers, [&](std::uint32_t number) {
            return indexed[number].last_time >= window.from;
        });
        auto end = buffers.end();
        while (window.to && end != begin && indexed[*(end - 1)].first_time >= *window.to) {
            --end;
        }
        buffers.erase(end, buffers.end());
        buffers.erase(buffers.begin(), begin);
    }
    std::erase_if(streams, [](const BufferStream& stream) { return stream.buffers.empty(); });
}

void BufferStreams::keep(FunctionRef<bool(std::uint32_t number)> is_kept) {
    for (BufferStream& stream : streams) {
        std::erase_if(stream.buffers, [&](std::uint32_t number) { return !is_kept(number); });
    }
    std::erase_if(streams, [](const BufferStream& stream) { return stream.buffers.empty(); });
}

bool BufferStreams::can_skip(std::span<const IndexedBuffer> indexed) const noexcept {
    return !is_bounded && std::ranges::none_of(indexed, &IndexedBuffer::begins_untimed);
}

BufferStreams streams_of(std::span<const BufferEntry> entries, Order order,
                         std::uint32_t log_file_mode) {
    using Key = StreamMap::key_type;
    BufferStreams result;
    StreamMap found;
    if (is_by_time(order) && keeps_sources(entries, log_file_mode)) {
        found = dealt_out(entries, [](auto& e) { return Key(e.processor, e.logger_id); });
        result.has_sources = !found.empty();
        result.is_bounded = result.has_sources;
    }
    if (found.empty()) {
        const bool is_one = !is_by_time(order);
        found = dealt_out(entries,
                          [&](auto& e) { return Key(is_one ? std::uint16_t{0} : e.processor, 0); });
    }
    for (auto& [key, buffers] : found) {
        if (order != Order::file) {
            std::ranges::sort(buffers, {}, [&](std::uint32_t i) { return turn_of(entries, i); });
        }
        // Of equal times the lower processor comes first, then the earlier buffer.
        const std::uint64_t rank = std::uint64_t{result.streams.size()} << 40U;
        result.streams.push_back({.buffers = std::move(buffers), .rank = rank});
    }
    return result;
}

} // namespace etl::trace
