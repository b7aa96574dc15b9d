// The compressed buffers of a real trace, found by their headers alone.
// docs/format/compression.md#per-buffer
#pragma once

#include "base/layout.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace etl::test {

struct CompressedBuffer {
    std::vector<std::byte> packed;
    std::size_t size = 0; // unpacked
};

/// Empty when the file is not there or has none.
inline std::vector<CompressedBuffer> compressed_buffers(const std::filesystem::path& path) {
    constexpr std::size_t header = 0x48;
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    const Bytes bytes = std::as_bytes(std::span(text));
    std::vector<CompressedBuffer> buffers;
    for (std::size_t at = 0; has_range(bytes, at, header);) {
        const std::size_t size = load_le<std::uint32_t>(bytes.data() + at);
        const std::size_t used = load_le<std::uint32_t>(bytes.data() + at + 0x30);
        const unsigned flags = load_le<std::uint16_t>(bytes.data() + at + 0x34);
        if (size < header || !has_range(bytes, at, size)) {
            break;
        }
        if ((flags & 0x40U) != 0 && used >= header) {
            const Bytes body = bytes.subspan(at + header, size - header);
            buffers.push_back({{body.begin(), body.end()}, used - header});
        }
        at += size;
    }
    return buffers;
}

} // namespace etl::test
