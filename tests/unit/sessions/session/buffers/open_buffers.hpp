// Buffers with a session that runs, and the names of the records in them.
#pragma once

#include "base/layout.hpp"
#include "format/record_kind.hpp"
#include "session/buffers/buffers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace etl::session {

inline constexpr std::uint32_t header = format::buffer_header::size;
inline constexpr std::uint32_t buffer_size = 1024;
inline constexpr std::uint32_t capacity = buffer_size - header;
inline constexpr std::uint32_t quarter = capacity / 4 / 8 * 8; // four records fill a buffer

/// Buffers with a session that runs.
struct Open {
    explicit Open(const BufferPlan& plan) {
        auto opened = buffers.open(plan);
        EXPECT_TRUE(opened) << (opened ? "" : describe(opened.error()));
        ticket = opened.value_or(0);
    }

    Refusal refusal(std::uint32_t size, std::uint16_t processor = 0) {
        const auto place = buffers.reserve_at(ticket, processor, size);
        EXPECT_FALSE(place);
        return place ? Refusal{} : place.error();
    }

    Place reserve(std::uint32_t size = quarter, std::uint16_t processor = 0) {
        const auto place = buffers.reserve_at(ticket, processor, size);
        EXPECT_TRUE(place);
        return place.value_or(Place{});
    }

    /// A record with `name` behind its first dword.
    Place write(std::uint32_t name, std::uint16_t processor = 0, std::uint32_t size = quarter) {
        const Place place = reserve(size, processor);
        finish(place, name, size);
        return place;
    }

    void finish(const Place& place, std::uint32_t name, std::uint32_t size = quarter) {
        std::fill(place.at + 4, place.at + size, std::byte{0});
        store_le(place.at + 4, name);
        buffers.commit(place, 0xC0130000 | size); // EVENT64
    }

    void fill_buffer(std::uint32_t first_name, std::uint16_t processor = 0) {
        for (std::uint32_t i = 0; i < 4; ++i) {
            write(first_name + i, processor);
        }
    }

    Buffers buffers;
    std::uint16_t ticket = 0;
};

/// Names of the records in a buffer; of one that was given up 0.
inline std::vector<std::uint32_t> names(const std::byte* memory, std::uint32_t used) {
    std::vector<std::uint32_t> result;
    const Bytes bytes(memory, used);
    for (std::uint32_t at = header; at < used;) {
        const auto record = format::record_at(bytes.subspan(at));
        if (record.kind == format::RecordKind::none) {
            break;
        }
        result.push_back(record.kind.family == format::RecordFamily::error
                             ? 0
                             : load_le<std::uint32_t>(memory + at + 4));
        at += format::padded(record.size);
    }
    return result;
}

inline std::vector<std::uint32_t> names(const std::optional<ClosedBuffer>& view) {
    return view ? names(view->memory, view->used) : std::vector<std::uint32_t>{};
}

inline const BufferPlan two_stripes{
    .buffer_size = buffer_size, .minimum = 4, .maximum = 6, .stripes = 2};

} // namespace etl::session
