// Events as CSV in the layout of tracerpt: 19 columns of headers, padded with blanks, and one
// column for each value. Not thread-safe; clone() returns an encoder with the same settings.
// docs/tracerpt.md#csv
#pragma once

#include "sink/decoding_encoder.hpp"
#include "sink/options.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

namespace etl::sink {

/// Converts KernelTime and UserTime to milliseconds by the TimerResolution of the trace; without
/// one, returns the ticks.
std::uint64_t milliseconds_of(const flow::TraceInfo& trace, std::uint32_t ticks) noexcept;

struct TracerptCsvOptions {
    bool raw_times = false;             // Clock-Time is the raw timestamp instead of a FILETIME
    bool accept_short_payloads = false; // as in XmlOptions
    std::shared_ptr<std::atomic<std::uint64_t>> trailing{}; // as in XmlOptions
};

/// Payloads that are not decoded are one column of hexadecimal digits.
class TracerptCsv final : public DecodingEncoder {
public:
    TracerptCsv(Options options, TracerptCsvOptions csv);
    ~TracerptCsv() override;

    std::unique_ptr<DecodingEncoder> clone_decoding() const override;
    std::string_view head() const override; // row of column names
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;
    const decode::DecodedEvent& last() const noexcept override;
    std::uint32_t generation() const noexcept override;

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

} // namespace etl::sink
