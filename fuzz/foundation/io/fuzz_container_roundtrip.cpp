// Any bytes as the contents of two frames. Beyond "does not crash": they come back, from each frame
// and from a cut one its beginning; hopping and the seek table find the same frames; what an
// encoder made before changes nothing; and the size of a frame does not depend on what it stores.
#include "base/layout.hpp"
#include "fuzz/require.hpp"
#include "io/container.hpp"
#include "tests/support/codecs/frame_sizes.hpp"

#include <algorithm>

namespace {

using namespace etl;
using fuzz::require;
using ByteVector = std::vector<std::byte>;

/// One for each kind and level, used over and over: making them takes longer than all the rest.
io::FrameEncoder& encoder_of(io::Container kind, unsigned level) {
    const auto make = [](io::Container of) {
        std::vector<io::FrameEncoder> made;
        for (const auto each :
             {io::ContainerLevel::fast, io::ContainerLevel::normal, io::ContainerLevel::small}) {
            made.push_back(std::move(*io::FrameEncoder::create(of, each)));
        }
        return made;
    };
    static auto zstd = make(io::Container::zstd);
    static auto lz4 = make(io::Container::lz4);
    return kind == io::Container::zstd ? zstd[level] : lz4[level];
}

io::FrameDecoder& decoder_of(io::Container kind) {
    static auto zstd = std::move(*io::FrameDecoder::create(io::Container::zstd));
    static auto lz4 = std::move(*io::FrameDecoder::create(io::Container::lz4));
    return kind == io::Container::zstd ? zstd : lz4;
}

void require_content(io::FrameDecoder& decoder, Bytes frame, Bytes content, std::size_t cut) {
    ByteVector back(content.size());
    const auto whole = decoder.decode(frame, back);
    require(!whole.error && whole.written == back.size() && std::ranges::equal(back, content));
    const auto part = decoder.decode(frame.first(cut % frame.size()), back);
    require(part.error && part.written <= back.size());
    require(std::ranges::equal(Bytes(back).first(part.written), content.first(part.written)));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 6) {
        return 0;
    }
    const auto kind = data[0] % 2 == 0 ? io::Container::zstd : io::Container::lz4;
    auto& encoder = encoder_of(kind, data[0] / 2U % 3U);
    auto& decoder = decoder_of(kind);
    Bytes bytes = std::as_bytes(std::span(data, size)).subspan(1);
    const std::size_t stored = load_le<std::uint8_t>(bytes.data());
    const std::size_t cut = load_le<std::uint16_t>(bytes.data() + 1);
    const std::size_t split = load_le<std::uint16_t>(bytes.data() + 3);
    bytes = bytes.subspan(5);
    const Bytes contents[] = {clamped(bytes, 0, split), clamped(bytes, split)};

    ByteVector packed;
    std::vector<io::Frame> frames;
    for (const Bytes content : contents) {
        io::Frame frame{.where = {packed.size()}};
        require(encoder.encode(content, stored, packed).has_value());
        frame.packed_size = static_cast<std::uint32_t>(packed.size() - frame.where.value);
        frame.content_size = static_cast<std::uint32_t>(content.size());
        frames.push_back(frame);
        require_content(decoder, Bytes(packed).last(frame.packed_size), content, cut);

        ByteVector other(content.begin(), content.end());
        std::ranges::for_each(std::span(other).first(std::min(stored, other.size())),
                              [](std::byte& b) { b = ~b; });
        ByteVector repacked;
        require(encoder.encode(other, stored, repacked).has_value());
        require(repacked.size() == frame.packed_size);
    }
    ByteVector again;
    require(encoder.encode(contents[0], stored, again).has_value());
    require(std::ranges::equal(again, Bytes(packed).first(again.size())));

    io::encode_seek_table(kind, test::sizes_of(frames), packed);
    std::erase_if(frames, [](const io::Frame& frame) { return frame.content_size == 0; });
    const auto by_table = io::frames_by_seek_table(kind, packed);
    require(by_table.size() == frames.size());
    io::FrameScanner hopper(kind, packed);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        require(by_table[i].where == frames[i].where && !frames[i].is_truncated);
        if (stored != 0) { // else it is not for hopping
            const auto hopped = hopper.next();
            require(hopped && hopped->where == frames[i].where);
            require(hopped->packed_size == frames[i].packed_size);
            require(hopped->stored.data() == by_table[i].stored.data());
        }
    }
    require(stored == 0 || (!hopper.next() && !hopper.error()));
    return 0;
}
