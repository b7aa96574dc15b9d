// The containers of program databases: streams -> MSF and MSFZ files.
#pragma once

#include <etl/byte_writer.hpp>

#include "tests/support/traces/trace_builder.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace etl::test {

/// Superblock, two free page maps, then the streams, their directory, and its map. The pages of a
/// stream are in reverse order, so that a reader that assumes neighbors fails.
inline Image msf_of(const std::vector<Image>& streams, std::size_t page_size = 512,
                    bool is_in_order = false) {
    const auto pages_of = [&](std::size_t size) { return (size + page_size - 1) / page_size; };
    ByteWriter directory;
    directory.u32(static_cast<std::uint32_t>(streams.size()));
    for (const Image& stream : streams) {
        directory.u32(static_cast<std::uint32_t>(stream.size()));
    }
    ByteWriter pages;
    std::size_t next = 3;
    for (const Image& stream : streams) {
        const std::size_t count = pages_of(stream.size());
        const auto place = [&](std::size_t i) { return is_in_order ? i : count - 1 - i; };
        for (std::size_t i = 0; i < count; ++i) {
            directory.u32(static_cast<std::uint32_t>(next + place(i)));
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Bytes part = clamped(stream, place(i) * page_size, page_size);
            pages.bytes(part).fill(page_size - part.size());
        }
        next += count;
    }
    const std::size_t directory_pages = pages_of(directory.size());
    const std::size_t map = next + directory_pages;
    const std::size_t map_pages = pages_of(4 * directory_pages);
    ByteWriter out;
    out.text8({"Microsoft C/C++ MSF 7.00\r\n\x1A"
               "DS\0\0\0",
               32});
    out.u32(static_cast<std::uint32_t>(page_size)).u32(1);
    out.u32(static_cast<std::uint32_t>(map + map_pages));
    out.u32(static_cast<std::uint32_t>(directory.size())).u32(0);
    out.u32(static_cast<std::uint32_t>(map)).fill(3 * page_size - 56);
    out.bytes(pages.view()).bytes(directory.view());
    out.fill(directory_pages * page_size - directory.size());
    for (std::size_t i = 0; i < directory_pages; ++i) {
        out.u32(static_cast<std::uint32_t>(next + i));
    }
    out.fill(map_pages * page_size - 4 * directory_pages);
    return {out.view().begin(), out.view().end()};
}

/// Compresses one chunk. Numbered as in the format.
struct MsfzPacking {
    std::uint32_t compression = 0; // 0: stored as it is
    Image (*pack)(Bytes) = [](Bytes bytes) { return Image(bytes.begin(), bytes.end()); };
};

/// Even streams are fragments in chunks of `chunk_size` bytes, which cross their borders; odd ones
/// are stored in the file. An empty stream is absent.
inline Image msfz_of(const std::vector<Image>& streams, const MsfzPacking& packing,
                     std::size_t chunk_size = 100) {
    constexpr std::size_t header_size = 80;
    Image unpacked;
    ByteWriter body;
    ByteWriter directory;
    for (std::size_t i = 0; i < streams.size(); ++i) {
        if (streams[i].empty()) {
            directory.u32(0xFFFFFFFF);
            continue;
        }
        const Image& stream = streams[i];
        const std::size_t half = i % 2 == 0 ? stream.size() : stream.size() / 2;
        if (half > 0) {
            const std::uint64_t location = std::uint64_t{1} << 63U |
                                           unpacked.size() / chunk_size << 32U |
                                           unpacked.size() % chunk_size;
            directory.u32(static_cast<std::uint32_t>(half)).u64(location);
            unpacked.insert(unpacked.end(), stream.begin(),
                            stream.begin() + static_cast<std::ptrdiff_t>(half));
        }
        if (half < stream.size()) {
            const Bytes rest = clamped(stream, half);
            directory.u32(static_cast<std::uint32_t>(rest.size())).u64(header_size + body.size());
            body.bytes(rest);
        }
        directory.u32(0);
    }
    ByteWriter table;
    for (std::size_t at = 0; at < unpacked.size(); at += chunk_size) {
        const Bytes chunk = clamped(unpacked, at, chunk_size);
        const Image packed = packing.pack(chunk);
        table.u64(header_size + body.size()).u32(packing.compression);
        table.u32(static_cast<std::uint32_t>(packed.size()));
        table.u32(static_cast<std::uint32_t>(chunk.size()));
        body.bytes(packed);
    }
    const Image packed = packing.pack(directory.view());
    ByteWriter out;
    out.text8({"Microsoft MSFZ Container\r\n\x1A"
               "ALD\0\0",
               32});
    out.u64(0).u64(header_size + body.size() + table.size()).u64(header_size + body.size());
    out.u32(static_cast<std::uint32_t>(streams.size())).u32(packing.compression);
    out.u32(static_cast<std::uint32_t>(packed.size()));
    out.u32(static_cast<std::uint32_t>(directory.size()));
    out.u32(static_cast<std::uint32_t>(table.size() / 20));
    out.u32(static_cast<std::uint32_t>(table.size()));
    out.bytes(body.view()).bytes(table.view()).bytes(packed);
    return {out.view().begin(), out.view().end()};
}

} // namespace etl::test
