// An encoder that shows what it decodes, so that what wraps it need not decode again.
#pragma once

#include "decode/decoder.hpp"
#include "flow/sink.hpp"

namespace etl::sink {

class DecodingEncoder : public flow::Encoder {
public:
    /// Returns the event of the last call of encode(); requires one. Valid until the next call.
    virtual const decode::DecodedEvent& last() const noexcept = 0;

    /// Returns how often the numbers of kinds have started over (decode::Decoder::generation()).
    virtual std::uint32_t generation() const noexcept = 0;

    /// As clone(), which returns the same encoder.
    virtual std::unique_ptr<DecodingEncoder> clone_decoding() const = 0;

    std::unique_ptr<flow::Encoder> clone() const final { return clone_decoding(); }
};

} // namespace etl::sink
