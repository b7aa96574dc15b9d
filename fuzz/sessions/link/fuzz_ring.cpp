// A ring that its producer overwrites. Property: whatever is in it, a look ends, returns no more
// than the ring holds, and an honest producer can continue after the garbage.
#include "base/cursor.hpp"
#include "fuzz/require.hpp"
#include "link/ring.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace etl;
using namespace etl::link;

namespace {

constexpr std::size_t ring_bytes = 1024; // reader and writer take any power of two

/// Ordinary memory is not mapped twice: both halves are made the same before each look.
struct Ring {
    StripeWords words;
    alignas(8) std::vector<std::byte> memory = std::vector<std::byte>(2 * ring_bytes);

    /// In parts of about `max` bytes.
    std::size_t look(RingReader& reader, Unfinished unfinished, std::size_t max = 1024) {
        std::copy_n(memory.begin(), ring_bytes, memory.begin() + ring_bytes);
        std::size_t returned = 0;
        reader.begin();
        bool is_stuck = false;
        while (!is_stuck) {
            std::vector<std::byte> copies;
            const std::size_t before = returned;
            const auto look =
                reader.look(unfinished, {&copies, max}, [&](const RingRecord& record) {
                    returned += record.bytes.size() + ring_head_size;
                });
            is_stuck = look.is_complete || returned == before;
        }
        std::copy_n(memory.begin(), ring_bytes, memory.begin() + ring_bytes);
        return returned;
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Cursor in(std::as_bytes(std::span(data, size)));
    Ring ring;
    RingReader reader(ring.words, ring.memory.data(), ring_bytes);
    while (!in.is_at_end() && in) {
        const std::uint8_t what = in.u8("what");
        if (what < 64) {
            ring.words.word = in.u64("word");
        } else if (what < 192) {
            const std::size_t at = in.u16("place") % (ring_bytes / unit) * unit;
            const std::uint64_t value = in.u64("value");
            std::memcpy(ring.memory.data() + at, &value, sizeof value);
        } else {
            const auto unfinished = static_cast<Unfinished>(what % 3);
            fuzz::require(ring.look(reader, unfinished, what) <= 2 * ring_bytes);
        }
    }
    ring.look(reader, Unfinished::forget);
    ring.words.word = RingWord::advanced(0, RingWord::position(ring.words.consumed));
    std::fill(ring.memory.begin(), ring.memory.end(), std::byte{0});
    RingWriter writer(ring.words, ring.memory.data(), ring_bytes);
    const auto place = writer.reserve(16, 1, [] { return std::int64_t{0}; });
    fuzz::require(place.has_value());
    RingWriter::commit(*place);
    fuzz::require(ring.look(reader, Unfinished::wait) == 16 + ring_head_size);
    return 0;
}
