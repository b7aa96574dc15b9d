// Events as XML, in the schema that Windows defines for events. Well-formed for any content.
// Not thread-safe; clone() returns an encoder with the same settings. docs/output.md#xml
#pragma once

#include "base/output.hpp"
#include "sink/decoding_encoder.hpp"
#include "sink/options.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace etl::sink {

struct XmlOptions {
    enum class Layout : std::uint8_t {
        windows,  // as the event log renders events (EvtRender, wevtutil): one event per line
        tracerpt, // indented, with padded numbers, RenderingInfo, and local times
    };

    Layout layout = Layout::windows;
    std::string root = "Events";   // an XML name; empty: no root element
    std::string computer;          // System/Computer of all events; records do not contain it
    std::string culture = "en-US"; // of RenderingInfo
    /// Layout::windows: include RenderingInfo; with Options::message, also its Message.
    bool rendering = false;
    bool raw_times = false; // include the raw timestamp: TimeCreated/@RawTime
    /// Show the values that a payload has if it ends before its last field; otherwise it is
    /// ProcessingErrorData, as in Windows.
    bool accept_short_payloads = false;
    bool utc_messages = false; // times of WPP messages in UTC, whatever Options::utc_offset_minutes
    /// Layout::tracerpt: write the UTC offset one minute short, as tracerpt does.
    bool short_offset = false;
    /// Counts the payloads with bytes after their last field, which are not written; may be null.
    std::shared_ptr<std::atomic<std::uint64_t>> trailing{};
};

/// Uses of Options: without `raw`, `fields`, `facts`, and `origins`. In the layout `windows`,
/// enumerations and error codes are numbers; in the layout `tracerpt` they are texts, unless
/// Options::enumerations is false.
class EventXml final : public DecodingEncoder {
public:
    EventXml(Options options, XmlOptions xml);
    ~EventXml() override;

    std::unique_ptr<DecodingEncoder> clone_decoding() const override;
    std::string_view head() const override;
    std::string_view tail() const override;
    /// In Layout::windows, the EventRecordID is a NUL, for RecordNumbers.
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;
    const decode::DecodedEvent& last() const noexcept override;
    std::uint32_t generation() const noexcept override;

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

/// Numbers the events in the output of EventXml, in the order in which they are written: an encoder
/// cannot, because several of them share the events. Replaces each NUL by the next number.
class RecordNumbers final : public Output {
public:
    /// `to` must outlive this object.
    explicit RecordNumbers(Output& to, std::uint64_t first = 1) : to_(&to), next_(first) {}

    /// Errors: those of the output.
    Result<void> write(std::string_view bytes) override;

private:
    Output* to_;
    std::uint64_t next_;
    std::string numbered_;
};

} // namespace etl::sink
