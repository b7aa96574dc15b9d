#include "trace/buffer_streams.hpp"

#include <etl/base/limits.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace etl::trace {

namespace {

using StreamMap = std::map<std::pair<std::uint16_t, std::uint16_t>, BufferStream>;

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

std::vector<std::uint32_t> BufferStreams::by_beginning(std::span<const BufferEntry> entries) const {
    std::vector<std::uint32_t> order(streams.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return turn_of(entries, streams[i][0]); });
    return order;
}

BufferStreams streams_of(std::span<const BufferEntry> entries, Order order,
                         std::uint32_t log_file_mode) {
    using Key = StreamMap::key_type;
    BufferStreams result;
    StreamMap found;
    if (order == Order::time && keeps_sources(entries, log_file_mode)) {
        found = dealt_out(entries, [](auto& e) { return Key(e.processor, e.logger_id); });
        result.has_sources = !found.empty();
    }
    if (found.empty()) {
        const bool is_one = order != Order::time;
        found = dealt_out(entries,
                          [&](auto& e) { return Key(is_one ? std::uint16_t{0} : e.processor, 0); });
    }
    for (auto& [key, stream] : found) {
        if (order != Order::file) {
            std::ranges::sort(stream, {}, [&](std::uint32_t i) { return turn_of(entries, i); });
        }
        result.streams.push_back(std::move(stream));
    }
    return result;
}

} // namespace etl::trace
