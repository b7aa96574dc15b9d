// Events as an event log (.evtx). docs/output.md#evtx
#pragma once

#include "cli/console.hpp"
#include "inputs/merged_events.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace cli {

// What formats of Windows leave out of payloads, for standard error.

/// For the options of encoders.
inline std::shared_ptr<std::atomic<std::uint64_t>> make_payload_counter() {
    return std::make_shared<std::atomic<std::uint64_t>>(0);
}

/// `errors`: payloads that contradict their schema, which `become` something else. `trailing`:
/// those with bytes after their last field.
inline void report_payloads(std::uint64_t errors, std::uint64_t trailing, std::string_view become) {
    if (errors > 0) {
        say(fmt::format("note: {} do not match their schema and became {}",
                        plural(errors, "payload"), become));
    }
    if (trailing > 0) {
        say(fmt::format("note: bytes after the last field of {} are omitted; `etl dump` prints "
                        "them as `trailing`",
                        plural(trailing, "payload")));
    }
}

/// Writes all events that the filters select to an event log, which appears when complete; not to
/// a pipe. `encoder`: a sink::EventLog, or one that passes its output on. Prints errors, and what
/// an event log cannot hold.
ExitCode write_event_log(MergedEvents& events, const etl::flow::Encoder& encoder,
                         const EncodedOutput& to, etl::flow::PipelineResult& result);

} // namespace cli
