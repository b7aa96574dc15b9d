// SessionOptions as rows of the table of starting a session say them.
#pragma once

#include <etl/byte_writer.hpp>

#include "tests/unit/sessions/session/guids.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace etl::session {

inline constexpr std::uint16_t four_processors = 4;

/// SessionOptions as the table's rows leave them unsaid.
struct Asked {
    std::string name = "T1";
    Guid guid{};
    std::uint32_t clock = 1;
    std::uint32_t buffer_kb = 64;
    std::uint32_t minimum_buffers = 0;
    std::uint32_t maximum_buffers = 0;
    std::uint32_t maximum_file_size = 0;
    std::uint32_t mode = 0;
    std::uint32_t flush_timer = 0;
    std::uint32_t enable_flags = 0;
    std::vector<std::byte> enable_extension{};
    std::string file{};
    Profile profile = Profile::newest;

    SessionOptions options() const {
        return {.name = name,
                .guid = guid,
                .clock = clock,
                .buffer_kb = buffer_kb,
                .minimum_buffers = minimum_buffers,
                .maximum_buffers = maximum_buffers,
                .maximum_file_size = maximum_file_size,
                .mode = mode,
                .flush_timer = flush_timer,
                .enable_flags = enable_flags,
                .enable_extension = enable_extension,
                .file = file,
                .profile = profile};
    }
};

struct ExtensionItem {
    std::uint16_t dwords = 0, type = 0;
};

/// A long extension: its header says so many dwords and items, `room` bytes are there.
inline std::vector<std::byte> extension(std::uint16_t dwords, std::vector<ExtensionItem> items,
                                        std::uint16_t announced, std::size_t room = 64) {
    ByteWriter bytes;
    bytes.u16(dwords).u16(announced);
    for (const ExtensionItem& item : items) {
        bytes.u16(item.dwords).u16(item.type);
        for (unsigned i = 1; i < item.dwords; ++i) {
            bytes.u32(0);
        }
    }
    std::vector<std::byte> all = bytes.take();
    all.resize(room);
    return all;
}

} // namespace etl::session
