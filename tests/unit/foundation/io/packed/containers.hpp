// Makes containers for the tests of io.
#pragma once

#include "io/container.hpp"
#include "tests/support/codecs/frame_sizes.hpp"
#include "tests/support/traces/sample_bytes.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <ostream>

namespace etl::test {

struct FrameKind {
    io::Container container = io::Container::zstd;
    io::ContainerLevel level = io::ContainerLevel::normal;
};

inline std::string_view name(io::Container kind) {
    return kind == io::Container::zstd ? "zstd" : kind == io::Container::lz4 ? "lz4" : "none";
}

inline std::string_view name(io::ContainerLevel level) {
    return level == io::ContainerLevel::fast     ? "fast"
           : level == io::ContainerLevel::normal ? "normal"
                                                 : "small";
}

inline std::ostream& operator<<(std::ostream& out, const FrameKind& kind) {
    return out << name(kind.container) << '_' << name(kind.level);
}

inline std::vector<std::byte> frame_of(FrameKind kind, Bytes content, std::size_t stored) {
    std::vector<std::byte> frame;
    auto encoder = io::FrameEncoder::create(kind.container, kind.level);
    if (!encoder || !encoder->encode(content, stored, frame)) {
        frame.clear();
    }
    return frame;
}

/// A container with a frame for each content, and its seek table.
struct MadeContainer {
    std::vector<std::byte> packed;
    std::vector<std::byte> plain;
    std::vector<io::Frame> frames; // without `stored`
    std::size_t table = 0;         // where the seek table's frame begins
};

inline MadeContainer container_of(FrameKind kind,
                                  const std::vector<std::vector<std::byte>>& contents,
                                  std::size_t stored) {
    MadeContainer made;
    for (const auto& content : contents) {
        const auto frame = frame_of(kind, content, stored);
        made.frames.push_back({{made.packed.size()},
                               static_cast<std::uint32_t>(frame.size()),
                               static_cast<std::uint32_t>(content.size()),
                               {},
                               false});
        made.packed.insert(made.packed.end(), frame.begin(), frame.end());
        made.plain.insert(made.plain.end(), content.begin(), content.end());
    }
    made.table = made.packed.size();
    io::encode_seek_table(kind.container, sizes_of(made.frames), made.packed);
    return made;
}

/// The frames up to the end, or to what `error` then says.
inline std::vector<io::Frame> scanned(io::Container kind, Bytes packed,
                                      std::optional<Error>* error = nullptr) {
    io::FrameScanner scanner(kind, packed);
    std::vector<io::Frame> frames;
    while (const auto frame = scanner.next()) {
        frames.push_back(*frame);
    }
    if (error != nullptr) {
        *error = scanner.error();
    } else {
        EXPECT_FALSE(scanner.error()) << describe(*scanner.error());
        EXPECT_EQ(scanner.where().value, packed.size());
    }
    return frames;
}

} // namespace etl::test
