// A log with buffers of one size, and what is written to it.
#pragma once

#include "tests/unit/storage/trace/filled.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace etl::test {

inline constexpr std::uint32_t log_buffer_size = 0x1000;

inline std::unique_ptr<trace::LogFile> open(io::FileFactory& files,
                                            trace::LogFileOptions options = {},
                                            const trace::Recording& recording = story_recording()) {
    options.buffer_size = log_buffer_size;
    auto log = trace::LogFile::open("t.etl", recording, options, files);
    EXPECT_TRUE(log) << describe(log.error());
    return std::move(*log);
}

/// Buffers of some processors, full, half full and empty ones among them.
inline void write_some(Filler& filler, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        filler.write({.processor = static_cast<std::uint16_t>(i % 3),
                      .events = i % 8,
                      .payload = 300,
                      .noise = i % 7 == 3});
    }
}

} // namespace etl::test
