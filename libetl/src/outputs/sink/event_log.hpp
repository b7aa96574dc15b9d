// Events as records of an event log (.evtx). Not thread-safe; clone() returns an encoder with the
// same settings. docs/output.md#evtx
//
//     EventLog encoder(options, {});
//     evtx::PackedEvents log(file);
//     flow::run(source, encoder, log);
//     auto head = log.finish(); // replaces the first block of the file
#pragma once

#include "evtx/packed_events.hpp"
#include "flow/sink.hpp"
#include "sink/options.hpp"

#include <memory>
#include <string>

namespace etl::sink {

struct EventLogOptions {
    std::string computer; // System/Computer of all events; records do not contain it
    /// Store the values that a payload has if it ends before its last field; otherwise it is
    /// ProcessingErrorData, as in Windows.
    bool accept_short_payloads = false;
};

/// Its output is for evtx::PackedEvents, which numbers the records. Uses of Options: `schemas`,
/// `where`, `tally`, and how values are decoded. Enumerations and error codes are numbers.
class EventLog final : public flow::Encoder {
public:
    EventLog(Options options, EventLogOptions log);
    ~EventLog() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

private:
    class Mapping;

    std::unique_ptr<Mapping> mapping_;
};

} // namespace etl::sink
