// Frames of every kind, decoded.
#pragma once

#include "base/layout.hpp"
#include "io/container.hpp"
#include "tests/unit/foundation/io/packed/containers.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace etl::io {

inline constexpr std::size_t header = 72; // as trace files store it

struct Decoded {
    test::ByteVector content; // the good part
    std::optional<Error> error;
};

inline Decoded decoded(Container kind, Bytes frame, std::size_t size) {
    auto decoder = FrameDecoder::create(kind);
    test::ByteVector content(size);
    const auto outcome = decoder->decode(frame, content);
    EXPECT_LE(outcome.written, size);
    content.resize(outcome.written);
    return {content, outcome.error};
}

class Frames : public testing::TestWithParam<test::FrameKind> {
protected:
    static Container kind() { return GetParam().container; }
};

} // namespace etl::io
