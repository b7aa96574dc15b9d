// WPP messages as tracefmt prints them: a prefix and the message on each line. Other events have
// their message, or their fields, behind the same prefix. docs/output.md#wpp
// One thread each; clone() gives another of the same settings.
#pragma once

#include <etl/decode/wpp_text.hpp>
#include <etl/flow/sink.hpp>
#include <etl/sink/options.hpp>

#include <memory>
#include <string>

namespace etl::sink {

class WppLines final : public flow::Encoder {
public:
    /// `prefix` is a format string as TRACE_FORMAT_PREFIX has it; may be empty.
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
