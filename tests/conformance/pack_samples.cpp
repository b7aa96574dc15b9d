// pack_samples FORMAT: packs samples at every level for decoders of others, and writes them to
// standard output, one behind the other: a line "NAME LEVEL SIZE PACKED", the bytes, the packed
// bytes. The samples are made up, and, where a folder of real traces lies beside the project, what
// their compressed buffers hold. None has more than one block of LZ77 with Huffman codes.
#include "codec/codec.hpp"
#include "tests/support/codecs/compressed_buffers.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/sample_bytes.hpp"

#include <cstdio>
#include <string>

namespace {

using namespace etl;
using codec::Format;
using codec::Level;

void write(Bytes bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
}

bool pack(const std::string& name, Format format, Bytes bytes) {
    constexpr std::size_t block = 65536;
    const Bytes sample = clamped(bytes, 0, format == Format::xpress_huffman ? block : bytes.size());
    for (const Level level : {Level::fast, Level::normal, Level::small}) {
        std::vector<std::byte> packed;
        if (!codec::compress(format, sample, packed, level)) {
            return false;
        }
        std::printf("%s %d %zu %zu\n", name.c_str(), static_cast<int>(level), sample.size(),
                    packed.size());
        write(sample);
        write(packed);
    }
    return true;
}

bool pack_made_up(Format format) {
    bool good = true;
    for (const std::size_t size :
         {1U, 2U, 3U, 31U, 32U, 33U, 64U, 100U, 1000U, 65'464U, 65'536U, 300'000U}) {
        const auto seed = static_cast<std::uint32_t>(size);
        good = good && pack("events", format, test::event_like_bytes(size, seed)) &&
               pack("structured", format, test::structured_bytes(size, seed)) &&
               pack("noise", format, test::random_bytes(size, seed)) &&
               pack("zeros", format, std::vector<std::byte>(size));
    }
    // Matches of every form of length, and streams that end at each place of a group of 32 items.
    for (const std::size_t length : {3U, 9U, 10U, 17U, 18U, 24U, 25U, 272U, 273U, 279U, 280U,
                                     65'535U, 65'538U, 65'539U, 200'000U}) {
        std::vector<std::byte> bytes = test::bytes_of("0123456789abcdef");
        bytes.resize(bytes.size() + length, std::byte{'f'});
        const auto tail = test::bytes_of("0123456789abcdef");
        bytes.insert(bytes.end(), tail.begin(), tail.end());
        good = good && pack("length", format, bytes);
    }
    for (std::size_t size = 4; good && size < 200; ++size) {
        good = pack("short", format, test::structured_bytes(size, 7)) &&
               pack("text", format,
                    clamped(test::bytes_of("the quick brown fox jumps over the lazy "
                                           "dog; the quick brown dog jumps over "
                                           "the lazy fox; the lazy fox ..."),
                            0, size));
    }
    return good;
}

bool pack_real(Format format) {
    const std::filesystem::path corpus = test::shared_corpus();
    if (!std::filesystem::is_directory(corpus)) {
        return true;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
        if (entry.path().extension() != ".etl") {
            continue;
        }
        for (const auto& buffer : test::compressed_buffers(entry.path())) {
            std::vector<std::byte> bytes(buffer.size);
            if (!codec::decompress(Format::xpress, buffer.packed, bytes).is_complete() ||
                !pack(entry.path().filename().string(), format, bytes)) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

int main(int count, char** arguments) {
    const std::string format = count == 2 ? arguments[1] : "";
    if (format != "xpress" && format != "xpress_huffman") {
        std::fputs("usage: pack_samples xpress|xpress_huffman\n", stderr);
        return 64;
    }
    const Format id = format == "xpress" ? Format::xpress : Format::xpress_huffman;
    return pack_made_up(id) && pack_real(id) ? 0 : 1;
}
