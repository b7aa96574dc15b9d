// Provider, event, and level of a line of text. Private to sink. docs/output.md#text
#pragma once

#include "base/text_appender.hpp"
#include "decode/decoder.hpp"

#include <string>
#include <vector>

namespace etl::sink {

/// Made once for a kind.
class LineNames {
public:
    /// `generation` is that of the decoder of the event.
    void append(TextAppender& to, const decode::DecodedEvent& event, std::uint32_t generation);

private:
    const std::string& of_kind(const decode::DecodedEvent& event, std::uint32_t generation);

    std::vector<std::string> texts_; // by number of the kind
    std::uint32_t generation_ = 0;
};

} // namespace etl::sink
