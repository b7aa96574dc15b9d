// Any bytes as a container; the first one says of which kind. Beyond "does not crash": offsets
// never go back, also not behind damage; no frame claims more than the limit or gives more than it
// claims; going back into every frame costs no more than FrameScanner::work says; a frame that is
// good begins with what it stores, has all of its content, and liblz4's own reader of frames gives
// the same; frames of the seek table lie behind each other.
#include "base/limits.hpp"
#include "fuzz/require.hpp"
#include "io/container.hpp"

#include <lz4frame.h>

#include <algorithm>

namespace {

using namespace etl;
using fuzz::require;

constexpr std::size_t max_unpacked = 1U << 20U; // so that an input takes no second
constexpr std::uint64_t max_work = 5U << 20U;   // beyond the size of the file

void require_same_of_liblz4(Bytes frame, Bytes content) {
    LZ4F_dctx* context = nullptr;
    require(::LZ4F_isError(::LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) == 0);
    std::vector<std::byte> out(content.size() + 1);
    std::size_t written = out.size();
    std::size_t read = frame.size();
    require(::LZ4F_decompress(context, out.data(), &written, frame.data(), &read, nullptr) == 0);
    require(read == frame.size() && std::ranges::equal(Bytes(out).first(written), content));
    ::LZ4F_freeDecompressionContext(context);
}

void require_frame(io::Container kind, io::FrameDecoder& decoder, Bytes packed,
                   const io::Frame& frame) {
    const Bytes bytes = packed.subspan(frame.where.value, frame.packed_size);
    std::vector<std::byte> content(frame.content_size);
    const auto outcome = decoder.decode(bytes, content);
    require(outcome.written <= content.size());
    require(!frame.is_truncated || outcome.error);
    const Bytes stored = frame.stored.first(std::min(frame.stored.size(), outcome.written));
    require(std::ranges::equal(stored, Bytes(content).first(stored.size())));
    if (!outcome.error) {
        require(outcome.written == content.size() && stored.size() == frame.stored.size());
        if (kind == io::Container::lz4) {
            require_same_of_liblz4(bytes, content);
        }
    }
}

/// Looks for frames within every frame.
void require_bounded_work(io::Container kind, Bytes packed) {
    io::FrameScanner hopper(kind, packed);
    FileOffset from{};
    while (hopper.resume(from)) {
        require(!hopper.error() && hopper.where() >= from);
        const auto begun = hopper.peek();
        const auto frame = hopper.next();
        require(begun && frame && begun->where == frame->where);
        require(begun->content_size == frame->content_size &&
                begun->stored.data() == frame->stored.data() &&
                begun->stored.size() == frame->stored.size());
        from = frame->where + 1;
    }
    require(hopper.work() <= packed.size() + max_work);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const auto kind = data[0] % 2 == 0 ? io::Container::zstd : io::Container::lz4;
    const Bytes packed = std::as_bytes(std::span(data, size)).subspan(1);
    auto decoder = io::FrameDecoder::create(kind);
    std::size_t budget = max_unpacked;
    io::FrameScanner hopper(kind, packed);
    std::uint64_t before = 0;
    do {
        while (const auto frame = hopper.next()) {
            require(frame->where.value >= before && frame->packed_size != 0);
            require(fuzz::lies_inside(frame->stored, packed) && !frame->stored.empty());
            require(frame->content_size <= etl::limits::buffer_bytes);
            require(hopper.where() == frame->where + frame->packed_size);
            require(frame->is_truncated == hopper.error().has_value());
            before = frame->where.value + 1;
            if (frame->content_size <= budget) {
                budget -= frame->content_size;
                require_frame(kind, *decoder, packed, *frame);
            }
        }
        require(hopper.error() || hopper.where().value == packed.size());
    } while (hopper.error() && hopper.resume());

    require_bounded_work(kind, packed);

    FileOffset end{};
    for (const io::Frame& frame : io::frames_by_seek_table(kind, packed)) {
        require(frame.where >= end && fuzz::lies_inside(frame.stored, packed));
        end = frame.where + frame.packed_size;
        require(end.value <= packed.size() && frame.content_size <= etl::limits::buffer_bytes);
    }
    return 0;
}
