// Any bytes as a container of streams. Beyond "does not crash": a part of a stream is what the
// stream contains there, and the first bytes decide what is accepted.
#include "fuzz/require.hpp"
#include "symbols/stream_file.hpp"

#include <algorithm>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes input = std::as_bytes(std::span(data, size));
    const auto file = symbols::StreamFile::open(input);
    fuzz::require(!file || symbols::StreamFile::is_likely(input));
    if (!file) {
        fuzz::require(file.error().what[0] != '\0');
        return 0;
    }
    std::vector<std::byte> content;
    std::vector<std::byte> scratch;
    const std::size_t streams = std::min<std::size_t>(file->streams(), 64);
    for (std::size_t stream = 0; stream < streams; ++stream) {
        if (!file->read(stream, content)) {
            continue;
        }
        fuzz::require(content.size() == file->size_of(stream));
        const std::size_t at = content.size() / 3;
        const std::size_t half = (content.size() - at + 1) / 2;
        const Bytes part = file->part(stream, at, half, scratch);
        fuzz::require(std::ranges::equal(part, clamped(content, at, half)));
        fuzz::require(file->part(stream, at, content.size(), scratch).empty() || at == 0);
    }
    return 0;
}
