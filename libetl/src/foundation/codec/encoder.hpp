// What the encoders have in common. Each owns its tables: one per thread.
#pragma once

#include "codec/codec.hpp"

#include <memory>
#include <optional>

namespace etl::codec {

class Encoder {
public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    /// See Compressor::compress. What was encoded before leaves no trace.
    virtual std::optional<std::size_t> encode(Bytes in, MutableBytes out) noexcept = 0;
};

namespace lznt1 {
std::unique_ptr<Encoder> make_encoder(Level level);
}

namespace xpress {
std::unique_ptr<Encoder> make_encoder(Level level);
}

namespace xpress_huffman {
std::unique_ptr<Encoder> make_encoder(Level level);
}

/// Appends what `encoder` makes of `in`; what it writes always fits into `max` bytes.
void append(Encoder& encoder, Bytes in, std::size_t max, std::vector<std::byte>& out);

} // namespace etl::codec
