// The first bytes choose edits, the others are a trace. Property: what comes out of relogging
// opens, `etl check` has nothing to say about it, and it holds what the edits gave, byte for byte
// (but for claims to items that do not parse) and in the order of each processor.
#include "fuzz/require.hpp"
#include "tests/support/random_edits.hpp"

#include <cstdio>

using namespace etl;

namespace {

constexpr std::size_t steering_bytes = 16;

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    if (bytes.size() < steering_bytes) {
        return 0;
    }
    const Bytes trace = bytes.subspan(steering_bytes);
    auto reader = trace::Reader::open(test::in_memory({trace.begin(), trace.end()}));
    if (!reader) {
        return 0;
    }
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        claimed += entry.used;
    }
    if (claimed > (8U << 20U)) {
        return 0; // sound, but it takes a while: runs of zeros unpack to 16 MB a buffer
    }
    const bool compresses = (std::to_integer<unsigned>(bytes[0]) & 1U) != 0;
    const std::string complaint =
        test::complaint_of_relogging(**reader, bytes.first(steering_bytes),
                                     compresses ? codec::Format::xpress : codec::Format::none);
    if (!complaint.empty()) {
        std::fprintf(stderr, "%s\n", complaint.c_str());
        fuzz::require(false);
    }
    return 0;
}
