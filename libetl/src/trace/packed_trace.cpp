#include "trace/packed_trace.hpp"

namespace etl::trace {

PackedTrace packed_trace(Bytes) {
    return {};
}

std::vector<std::byte> unpack_first(const PackedTrace&) {
    return {};
}

BufferIndex index_frames(const PackedTrace&, const IndexHints&) {
    return {};
}

std::string_view container_name(io::Container) noexcept {
    return {};
}

struct FrameDecoders::State {};

FrameDecoders::FrameDecoders(io::Container) {}

FrameDecoders::~FrameDecoders() = default;

io::FrameDecoder::Outcome FrameDecoders::decode(Bytes, MutableBytes) {
    return {};
}

} // namespace etl::trace
