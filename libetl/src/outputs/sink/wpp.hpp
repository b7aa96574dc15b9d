// WPP messages as printed by tracefmt: a prefix and the message on each line. Other events show
// their message or fields after the same prefix. Not thread-safe; clone() returns an encoder with
// the same settings. docs/output.md#wpp
#pragma once

#include "decode/wpp_text.hpp"
#include "flow/sink.hpp"
#include "sink/options.hpp"

#include <memory>
#include <string>

namespace etl::sink {

class WppLines final : public flow::Encoder {
public:
    /// `prefix` is a format string as in TRACE_FORMAT_PREFIX; may be empty.
    explicit WppLines(Options options,
                      std::string prefix = std::string(decode::default_wpp_prefix));
    ~WppLines() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

} // namespace etl::sink
